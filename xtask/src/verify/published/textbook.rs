//! Examples that textbooks compute by hand.

use nb_core::{Bernoulli, Categorical, Classifier, Likelihood, Multinomial, NaiveBayes, Smoothing};
use nb_datasets::{Dataset, Values};
use ndarray::{Array2, array};

use crate::verify::check::{Check, Group, Outcome, Problem};
use crate::verify::ulp::worse;

/// The products of a handful of fractions are exact to a few roundings.
const BOUND: f64 = 1e-14;

pub(super) fn checks() -> Vec<Check> {
    let check = |name: &str, source: &str, run: fn() -> Result<Outcome, Problem>| {
        Check::new(Group::Published, name, source, run)
    };
    vec![
        check("playtennis: sunny, cool, high, strong", "Mitchell 1997, 6.9.1", play_tennis),
        check("lenses: young, myope, yes, normal", "by hand from Cendrowska 1987", lenses),
        check("iir_china: multinomial", "Manning et al. 2008, example 13.1", china_multinomial),
        check("iir_china: Bernoulli", "Manning et al. 2008, example 13.2", china_bernoulli),
    ]
}

fn play_tennis() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("playtennis")?;
    let day = coded_row(&set, &["sunny", "cool", "high", "strong"])?;
    let classifier = fit_maximum_likelihood(&set)?;
    let no = 5.0 / 14.0 * (3.0 / 5.0) * (1.0 / 5.0) * (4.0 / 5.0) * (3.0 / 5.0);
    let yes = 9.0 / 14.0 * (2.0 / 9.0) * (3.0 / 9.0) * (3.0 / 9.0) * (3.0 / 9.0);
    let probability = classifier.predict_proba(&day)?[[0, 0]];
    let joint = joint(&classifier, &day)?;
    let outcome = Outcome::equal(
        "yes .0053, no .0206, P(no) .795",
        format!(
            "yes {}, no {}, P(no) {}",
            printed(joint[1], 4),
            printed(joint[0], 4),
            printed(probability, 3)
        ),
    );
    Ok(exactly(outcome, &[no, yes], &joint))
}

fn lenses() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("lenses")?;
    let patient = coded_row(&set, &["young", "myope", "yes", "normal"])?;
    let joint = joint(&fit_maximum_likelihood(&set)?, &patient)?;
    let hard = 4.0 / 24.0 * (2.0 / 4.0) * (3.0 / 4.0);
    let none = 15.0 / 24.0 * (4.0 / 15.0) * (7.0 / 15.0) * (8.0 / 15.0) * (3.0 / 15.0);
    let text = |hard, none, soft| {
        let [hard, none, soft] = [hard, none, soft].map(|p| printed(p, 4));
        format!("hard {hard}, none {none}, soft {soft}")
    };
    // No one with soft lenses is astigmatic: exactly impossible without smoothing.
    let outcome = Outcome::equal(text(hard, none, 0.0), text(joint[0], joint[1], joint[2]));
    Ok(exactly(outcome, &[hard, none, 0.0], &joint))
}

/// "Chinese Chinese Chinese Tokyo Japan", over Beijing, Chinese, Japan, Macao, Shanghai, Tokyo.
fn document() -> Array2<f64> {
    array![[0.0, 3.0, 1.0, 0.0, 0.0, 1.0]]
}

fn china_multinomial() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("iir_china")?;
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&set.x(), &set.labels)?;
    let joint = joint(&classifier, &document())?;
    let yes = 3.0 / 4.0 * (3.0_f64 / 7.0).powi(3) * (1.0 / 14.0) * (1.0 / 14.0);
    let no = 1.0 / 4.0 * (2.0_f64 / 9.0).powi(5);
    let got = format!("yes {}, no {}", printed(joint[1], 4), printed(joint[0], 4));
    Ok(exactly(Outcome::equal("yes .0003, no .0001", got), &[no, yes], &joint))
}

fn china_bernoulli() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("iir_china")?;
    let classifier = NaiveBayes::new(Bernoulli::default()).fit(&set.x(), &set.labels)?;
    let joint = joint(&classifier, &document())?;
    let yes = 3.0 / 4.0 * (4.0 / 5.0) * (1.0 / 5.0) * (1.0 / 5.0) * (1.0_f64 - 2.0 / 5.0).powi(3);
    let no = 1.0 / 4.0 * (2.0_f64 / 3.0).powi(3) * (1.0_f64 - 1.0 / 3.0).powi(3);
    let got = format!("yes {}, no {}", printed(joint[1], 3), printed(joint[0], 3));
    Ok(exactly(Outcome::equal("yes .005, no .022", got), &[no, yes], &joint))
}

fn fit_maximum_likelihood(
    set: &Dataset,
) -> Result<Classifier<usize, nb_core::fitted::FittedCategorical>, Problem> {
    let model = Categorical { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Categorical::default() };
    Ok(NaiveBayes::new(model).fit(&set.x(), &set.labels)?)
}

/// A row of category names in the codes of the set.
fn coded_row(set: &Dataset, names: &[&str]) -> Result<Array2<f64>, Problem> {
    let code = |(column, name): (&nb_datasets::Column, &&str)| {
        let code = match &column.values {
            Values::Categories { levels, .. } => levels.iter().position(|level| level == name),
            Values::Numbers(_) => None,
        };
        code.map(|code| code as f64).ok_or_else(|| format!("{} is no level of {}", name, column.name))
    };
    let codes: Vec<f64> = set.features().zip(names).map(code).collect::<Result<_, _>>()?;
    Ok(Array2::from_shape_vec((1, names.len()), codes)?)
}

/// `p(class) p(row | class)`, as textbooks print it.
fn joint<F: Likelihood>(classifier: &Classifier<usize, F>, row: &Array2<f64>) -> Result<Vec<f64>, Problem> {
    let joint = classifier.joint_log_likelihood(row)?;
    Ok(joint.row(0).iter().map(|log| log.exp()).collect())
}

/// Rounded, without the leading zero.
fn printed(probability: f64, decimals: usize) -> String {
    format!("{probability:.decimals$}").trim_start_matches('0').to_owned()
}

/// Adds the comparison with the exact fractions, which are by class.
fn exactly(outcome: Outcome, expected: &[f64], got: &[f64]) -> Outcome {
    let errors = expected.iter().zip(got).map(|(expected, got)| {
        let relative = (got - expected).abs() / expected;
        if expected == got { 0.0 } else { relative }
    });
    let worst = errors.fold(0.0, worse);
    outcome
        .with_error(format!("{worst:.1e} of {BOUND:.0e} from the fractions"))
        .and(worst <= BOUND, "not the exact fractions")
}
