//! What is pinned of one family over one table.

use nb_core::{
    Classifier, Explanation, FeatureModel, Likelihood, NaiveBayes, Prior, Rows, error::PredictError,
};
use nb_io::{Family, Model, Schema};

use super::{
    form::{Form, Stored},
    hash::{REFUSED, hash_of},
    table::Table,
};

/// The names of the hashes of a pin, in order.
pub(super) const PARTS: [&str; 6] = ["model", "joint", "posteriors", "labels", "explanation", "evidence"];

/// The hashes of a combination.
pub(super) type Pin = [String; PARTS.len()];

/// Trains on some rows of a table and answers for all of them.
///
/// # Errors
/// What is wrong with the pins themselves. What the library refuses is pinned as refused.
pub(super) fn pin(
    family: Family,
    table: &Table,
    form: Form,
    train: &Stored,
    all: &Stored,
) -> Result<Pin, String> {
    let refused = || [REFUSED; PARTS.len()].map(String::from);
    let (train, all) = (train.rows()?, all.rows()?);
    let schema = Schema::numbered(train.n_columns(), "class");
    let Ok(mut model) = Model::new(schema, family, Prior::Empirical) else { return Ok(refused()) };
    let updated = if form == Form::Weighted {
        model.update_weighted(&*train, &table.labels, &table.weights())
    } else {
        model.update(&*train, &table.labels)
    };
    if updated.is_err() {
        return Ok(refused());
    }
    // The families themselves answer, and not `nb_io::Family`, so that nothing lies between the rows and
    // their kernels.
    match model.family() {
        Family::Gaussian(family) => of_model(&model, family, &*all),
        Family::SharedGaussian(family) => of_model(&model, family, &*all),
        Family::Categorical(family) => of_model(&model, family, &*all),
        Family::Multinomial(family) => of_model(&model, family, &*all),
        Family::Complement(family) => of_model(&model, family, &*all),
        Family::Bernoulli(family) => of_model(&model, family, &*all),
        Family::Poisson(family) => of_model(&model, family, &*all),
        Family::NegativeBinomial(family) => of_model(&model, family, &*all),
        Family::ZeroInflatedGaussian(family) => of_model(&model, family, &*all),
        Family::Blocks(family) => of_model(&model, family, &*all),
        other => Err(format!("{other:?} is not pinned")),
    }
}

/// The pin of a trained model of this family.
fn of_model(model: &Model, family: &impl FeatureModel, rows: &dyn Rows) -> Result<Pin, String> {
    let stored = hash_of(model.to_bytes(), |bytes, out| out.raw(&bytes));
    let fitted = NaiveBayes { model: family, prior: Prior::Empirical }.fit_stats(model.stats());
    let Ok(classifier) = fitted else {
        let mut pin = [REFUSED; PARTS.len()].map(String::from);
        pin[0] = stored;
        return Ok(pin);
    };
    let labels = classifier.try_predict_each(rows);
    // Families are also reached through the type that has all of them.
    let forwarded = model.classifier().map_err(|error| error.to_string())?.try_predict_each(rows);
    if labels.as_ref().ok() != forwarded.as_ref().ok() {
        return Err("the model gives other labels than its family".into());
    }
    Ok([
        stored,
        hash_of(classifier.joint_log_likelihood(rows), |scores, out| out.doubles(&scores)),
        posteriors(&classifier, rows),
        hash_of(labels, |labels, out| {
            for label in labels {
                out.text(label.as_deref().unwrap_or(""));
            }
        }),
        hash_of(explanations(&classifier, rows), |explanations, out| {
            for explanation in explanations {
                out.doubles(&explanation.log_prior);
                out.doubles(&explanation.contributions);
                out.doubles(&explanation.joint_log_likelihood);
            }
        }),
        evidence(model, rows),
    ])
}

/// Posteriors and their logarithms, which are computed apart.
fn posteriors<F: Likelihood>(classifier: &Classifier<String, F>, rows: &dyn Rows) -> String {
    let both =
        classifier.predict_log_proba(rows).and_then(|logs| Ok((logs, classifier.predict_proba(rows)?)));
    hash_of(both, |(logs, probabilities), out| {
        out.doubles(&logs);
        out.doubles(&probabilities);
    })
}

/// Why the first row, one in the middle and the last have their labels.
fn explanations<F: Likelihood>(
    classifier: &Classifier<String, F>,
    rows: &dyn Rows,
) -> Result<Vec<Explanation<String>>, PredictError> {
    let n_rows = rows.n_rows();
    [0, n_rows / 2, n_rows - 1].into_iter().map(|row| classifier.explain(rows, row)).collect()
}

/// The densities of rows, and the likelihood of the training rows by their sums; of the complement model,
/// which is no density, there is none.
fn evidence(model: &Model, rows: &dyn Rows) -> String {
    let Some(density) = model.family().density() else { return "none".into() };
    let fitted = NaiveBayes { model: &density, prior: Prior::Empirical }.fit_stats(model.stats());
    let Ok(classifier) = fitted else { return REFUSED.into() };
    hash_of(classifier.log_evidence(rows), |densities, out| {
        out.doubles(&densities);
        match classifier.log_likelihood_of_stats(model.stats()) {
            Ok(likelihood) => out.doubles([&likelihood]),
            Err(_) => out.text(REFUSED),
        }
    })
}
