//! Weights and corrections of a model learnt from rows of now, for the bins, categories and terms that it has.

use nb_discriminative::{ColumnKind, Learner};
use nb_io::{Family, Kind, Model};

use crate::{Best, RefineError, Sample, refine::best};

/// Learns weights and corrections of a refined model from other rows, with each of the learners, and keeps what is best on held-out rows.
///
/// Bins, categories and terms are those of the model, and so is all that its sums say when it answers; weights are learnt on the sums of
/// these rows. `Best::refinement` is what the model is given
/// ([`Model::with_refinement`](nb_io::Model::with_refinement)).
///
/// Cut points and vocabularies are not held out, as they are not learnt: where they were learnt from the same rows, measures of held-out
/// rows are optimistic.
///
/// # Errors
/// [`RefineError`] if the model has no weights, the rows have other classes, or cannot be learnt from.
pub fn refit(model: &Model, learners: &[Learner], sample: &Sample) -> Result<Best, RefineError> {
    if model.refinement().is_none() {
        return Err(RefineError::IsPlain);
    }
    let known: Vec<&String> = model.stats().classes().collect();
    if let Some(class) = sample.classes.iter().find(|class| known.binary_search(class).is_err()) {
        let problem = "is not in the sums of the model; add its rows first";
        return Err(RefineError::Class { class: class.clone(), problem });
    }
    if let Some(class) = known.into_iter().find(|class| sample.classes.binary_search(class).is_err()) {
        let problem = "has no rows; weights and corrections are learnt from rows of all classes of the model";
        return Err(RefineError::Class { class: class.clone(), problem });
    }
    let bins = Bins::of(model).ok_or(RefineError::OtherFamilies)?;
    let (learnt, refinement) = best(learners, &bins.features, Some(&bins.cuts), sample)?;
    Ok(Best { learnt, family: model.family().clone(), refinement })
}

/// What the features of a model hold, and the cut points of numbers.
struct Bins {
    features: Vec<ColumnKind>,
    cuts: Vec<Vec<f64>>,
}

impl Bins {
    /// Those of a model, if it has no other families than those that weights and corrections are learnt with.
    fn of(model: &Model) -> Option<Self> {
        let n_features = model.schema().n_features();
        let mut bins =
            Self { features: vec![ColumnKind::Ignored; n_features], cuts: vec![Vec::new(); n_features] };
        match model.family() {
            Family::Blocks(blocks) => {
                for (features, family) in blocks.iter() {
                    bins.add(features, family, model)?;
                }
            }
            family => bins.add(&(0..n_features).collect::<Vec<_>>(), family, model)?,
        }
        Some(bins)
    }

    fn add(&mut self, features: &[usize], family: &Family, model: &Model) -> Option<()> {
        let columns: Vec<_> = model.schema().features().collect();
        let texts = model.schema().columns.iter().zip(model.schema().feature_ranges());
        let texts: Vec<_> =
            texts.map(|(column, range)| (matches!(column.kind, Kind::Text(_)), range)).collect();
        for (place, &feature) in features.iter().enumerate() {
            self.features[feature] = match family {
                Family::Binned(binned) => {
                    self.cuts[feature] = binned.cuts.column(place).to_vec();
                    ColumnKind::Numbers
                }
                Family::Categorical(_) | Family::Grouped(_) => match columns.get(feature)?.kind() {
                    Kind::Categorical { levels } if matches!(family, Family::Grouped(_)) => {
                        ColumnKind::Grouped(levels.len())
                    }
                    Kind::Categorical { levels } => ColumnKind::Categories(levels.len()),
                    _ => return None,
                },
                Family::Multinomial(_) => {
                    let text =
                        texts.iter().position(|(is_text, range)| *is_text && range.contains(&feature))?;
                    ColumnKind::Term(text)
                }
                _ => return None,
            };
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use nb_core::Prior;
    use nb_io::{
        Schema,
        read::{Inferred, Table},
    };
    use ndarray::Array2;

    use super::*;
    use crate::{Effort, Sampler, features, refine};

    /// Numbers of two classes, which are farther apart the larger `distance` is.
    fn sample(n_rows: usize, distance: f64, classes: &[&str]) -> Sample {
        let schema = Schema::numeric(["x", "noise"], "class");
        let mut sampler = Sampler::new(&Inferred::new(schema, Vec::new(), n_rows), 1_000_000);
        let class = |row: usize| (row * row / 5 + row) % classes.len();
        let rows = Array2::from_shape_fn((n_rows, 2), |(row, column)| match column {
            0 => distance * class(row) as f64 + (row * 7919 % 101) as f64 / 10.0,
            _ => (row * 31 % 17) as f64,
        });
        let labels = (0..n_rows).map(|row| classes[class(row)].to_owned()).collect();
        sampler.add(&Table::Dense(rows), labels).unwrap();
        sampler.finish().unwrap()
    }

    fn trained(sample: &Sample) -> Model {
        let schema = Schema::numeric(["x", "noise"], "class");
        let best = refine(&Effort::Usual.learners(), &features(&schema, |_| false), sample).unwrap();
        let mut model = best.model(schema).unwrap();
        let labels: Vec<&String> = sample.labels.iter().map(|&label| &sample.classes[label]).collect();
        model.update(&sample.rows, &labels).unwrap();
        model.with_refinement(Some(best.refinement)).unwrap()
    }

    #[test]
    fn bins_and_sums_stay_and_weights_change() {
        let (old, new) = (sample(300, 2.0, &["a", "b"]), sample(400, 6.0, &["a", "b"]));
        let model = trained(&old);
        let again = refit(&model, &Effort::Usual.learners_for_bins(), &old).unwrap();
        assert_eq!(&again.family, model.family());
        let of_old = model.refinement().unwrap();
        // The same bins, from the same rows: all that may differ was chosen on held-out rows.
        assert!((again.refinement.held_out.log_loss - of_old.held_out.log_loss).abs() < 0.03);
        let of_new = refit(&model, &Effort::Usual.learners_for_bins(), &new).unwrap().refinement;
        assert!(of_new.held_out.log_loss < of_old.held_out.log_loss && of_new.n_rows == 400);
        let other = model.clone().with_refinement(Some(of_new)).unwrap();
        assert_eq!(other.stats(), model.stats());
        let Table::Dense(rows) = &new.rows else { panic!("dense rows") };
        let right = |model: &Model| {
            let predicted = model.classifier().unwrap().predict(rows).unwrap();
            predicted.iter().zip(&new.labels).filter(|(found, label)| **found == new.classes[**label]).count()
        };
        assert!(right(&other) >= right(&model), "{} {}", right(&other), right(&model));
    }

    #[test]
    fn other_classes_and_plain_models_are_refused() {
        let rows = sample(100, 3.0, &["a", "b"]);
        let model = trained(&rows);
        let learners = Effort::Usual.learners_for_bins();
        let message =
            |model: &Model, sample: &Sample| refit(model, &learners, sample).unwrap_err().to_string();
        assert!(
            message(&model, &sample(100, 3.0, &["a", "b", "c"]))
                .starts_with("class \"c\" is not in the sums")
        );
        assert!(message(&model, &sample(100, 3.0, &["b"])).starts_with("class \"a\" has no rows"));
        let plain = model.clone().with_refinement(None).unwrap();
        assert!(matches!(refit(&plain, &learners, &rows), Err(RefineError::IsPlain)));
        let refinement = model.refinement().cloned();
        let schema = Schema::numeric(["x", "noise"], "class");
        let family = Family::Gaussian(nb_core::Gaussian::default());
        let mut gaussian = Model::new(schema, family, Prior::Empirical).unwrap();
        let labels: Vec<&String> = rows.labels.iter().map(|&label| &rows.classes[label]).collect();
        gaussian.update(&rows.rows, &labels).unwrap();
        let gaussian = gaussian.with_refinement(refinement).unwrap();
        assert!(matches!(refit(&gaussian, &learners, &rows), Err(RefineError::OtherFamilies)));
    }
}
