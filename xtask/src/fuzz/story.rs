//! One story: a model, and the rows that it should be made of.

use nb_core::{
    NaiveBayes, Prior,
    error::{FamilyError, FamilyProblem, FitError, UpdateError},
};
use nb_io::{Family, Model, RemovalError, Schema};
use ndarray::Array2;
use rand::{SeedableRng, rngs::StdRng};

use super::draw::{Cells, Draw, Row};

struct Story {
    draw: Draw,
    schema: Schema,
    family: Family,
    cells: Vec<Cells>,
    model: Model,
    /// The rows that the model has.
    rows: Vec<Row>,
}

/// Tells a story: how many steps it had, or what went wrong.
pub(super) fn tell(mut draw: Draw) -> Result<usize, String> {
    let n_columns = 1 + draw.below(4);
    let (family, cells) = draw.family(n_columns);
    let names: Vec<String> = (0..n_columns).map(|column| format!("x{column}")).collect();
    let schema = Schema::numeric(names.iter().map(String::as_str), "y");
    // A family may not take its hyper-parameters together, which is an error and no story.
    let Ok(model) = Model::new(schema.clone(), family.clone(), Prior::Empirical) else { return Ok(0) };
    let n_steps = 4 + draw.below(12);
    let mut story = Story { draw, schema, family, cells, model, rows: Vec::new() };
    for step in 0..n_steps {
        story.step().and_then(|()| story.check()).map_err(|problem| {
            format!("step {step} of {:?} on {} columns: {problem}", story.family, story.cells.len())
        })?;
    }
    Ok(n_steps)
}

impl Story {
    fn step(&mut self) -> Result<(), String> {
        match self.draw.below(7) {
            0 | 1 => self.add(),
            2 => self.remove(),
            3 => self.remove_others(),
            4 => self.merge(),
            5 => self.scale(),
            _ => self.store(),
        }
    }

    fn empty(&self) -> Model {
        Model::new(self.schema.clone(), self.family.clone(), Prior::Empirical)
            .unwrap_or_else(|error| unreachable!("it was a model before: {error}"))
    }

    /// A model of some rows; none if a cell is refused.
    fn trained(&self, rows: &[Row]) -> Option<Model> {
        let mut model = self.empty();
        update(&mut model, rows).ok()?;
        Some(model)
    }

    fn add(&mut self) -> Result<(), String> {
        let with_weights = self.draw.once_in(2);
        let rows = self.draw.rows(&self.cells, with_weights);
        let before = self.model.clone();
        match update(&mut self.model, &rows) {
            Ok(()) => self.rows.extend(rows),
            Err(error) if self.model != before => return Err(format!("{error} has changed the model")),
            Err(_) => {}
        }
        Ok(())
    }

    /// Removes some rows that are there.
    fn remove(&mut self) -> Result<(), String> {
        let (mut gone, mut kept) = (Vec::new(), Vec::new());
        for row in std::mem::take(&mut self.rows) {
            if self.draw.once_in(3) { gone.push(row) } else { kept.push(row) }
        }
        self.rows = kept;
        retract(&mut self.model, &gone).map_err(|error| format!("rows that were added: {error}"))
    }

    /// Tries to remove rows that are not there.
    fn remove_others(&mut self) -> Result<(), String> {
        let rows = self.draw.rows(&self.cells, false);
        let Some(others) = self.trained(&rows) else { return Ok(()) };
        let mut model = self.model.clone();
        match model.subtract(&others) {
            Ok(()) => {
                // Rows that could have been there leave sums that rows could have.
                possible(&model)?;
                model.merge(&others).map_err(|error| error.to_string())?;
            }
            Err(error) if model != self.model => return Err(format!("{error} has changed the model")),
            Err(_) => {}
        }
        same(&model, &self.model, "adding what was removed")
    }

    fn merge(&mut self) -> Result<(), String> {
        let rows = self.draw.rows(&self.cells, true);
        let Some(other) = self.trained(&rows) else { return Ok(()) };
        self.model.merge(&other).map_err(|error| error.to_string())?;
        self.rows.extend(rows);
        Ok(())
    }

    /// Scales by a power of two, which is exact.
    fn scale(&mut self) -> Result<(), String> {
        let factor = [0.5, 2.0, 0.25, 4.0][self.draw.below(4)];
        self.model.scale(factor).map_err(|error| error.to_string())?;
        self.rows.iter_mut().for_each(|row| row.weight *= factor);
        // Weights stay in the range in which rows can be added.
        self.rows.retain(|row| row.weight == 0.0 || (1e-15..1e15).contains(&row.weight));
        self.model = self.trained(&self.rows).ok_or("rows that were added are refused")?;
        Ok(())
    }

    fn store(&mut self) -> Result<(), String> {
        let bytes = self.model.to_bytes().map_err(|error| error.to_string())?;
        same(&Model::from_bytes(&bytes).map_err(|error| error.to_string())?, &self.model, "its bytes")?;
        let json = self.model.to_json().map_err(|error| error.to_string())?;
        same(&Model::from_json(&json).map_err(|error| error.to_string())?, &self.model, "its JSON")
    }

    /// The model is that of its rows, in any order, and answers.
    fn check(&mut self) -> Result<(), String> {
        let mut rows = self.rows.clone();
        for place in (1..rows.len()).rev() {
            rows.swap(place, self.draw.below(place + 1));
        }
        let trained = self.trained(&rows).ok_or("rows that were added are refused")?;
        same(&self.model, &trained, "training on its rows")?;
        possible(&self.model)?;
        self.answers()
    }

    fn answers(&mut self) -> Result<(), String> {
        let Ok(classifier) = self.model.classifier() else { return Ok(()) };
        let (rows, _, _) = matrix(&self.draw.rows(&self.cells, false), self.cells.len());
        let Ok(scores) = classifier.joint_log_likelihood(&rows) else { return Ok(()) };
        let posteriors = classifier.predict_proba(&rows).map_err(|error| error.to_string())?;
        let labels = classifier.try_predict_each(&rows).map_err(|error| error.to_string())?;
        for (row, label) in labels.iter().enumerate() {
            let (scores, posteriors) = (scores.row(row), posteriors.row(row));
            if scores.iter().chain(posteriors).any(|number| number.is_nan()) {
                return Err(format!("{:?} has the scores {scores}", rows.row(row)));
            }
            let total = posteriors.sum();
            let is_possible = scores.iter().any(|&score| score > f64::NEG_INFINITY);
            if label.is_some() != is_possible || (total - f64::from(u8::from(is_possible))).abs() > 1e-12 {
                return Err(format!(
                    "{:?} has the label {label:?} and probabilities of {total}",
                    rows.row(row)
                ));
            }
        }
        // Complement naive Bayes is no distribution.
        if let Some(density) = self.family.density()
            && let Ok(classifier) = NaiveBayes::new(density).fit_stats(self.model.stats())
        {
            let (drawn, _) = classifier.sample(3, &mut StdRng::seed_from_u64(self.draw.0.next_u64()));
            if drawn.iter().any(|number| number.is_nan()) {
                return Err(format!("it draws {drawn}"));
            }
        }
        Ok(())
    }
}

/// Fails if the model cannot be fitted because no rows could have its sums.
fn possible(model: &Model) -> Result<(), String> {
    match model.classifier() {
        Err(FitError::Family(error @ FamilyError { problem: FamilyProblem::Impossible { .. }, .. })) => {
            Err(error.to_string())
        }
        _ => Ok(()),
    }
}

fn same(model: &Model, expected: &Model, what: &str) -> Result<(), String> {
    let bytes = |model: &Model| model.to_bytes().map_err(|error| error.to_string());
    if model == expected && bytes(model)? == bytes(expected)? {
        return Ok(());
    }
    Err(format!("{what} gives another model"))
}

fn matrix(rows: &[Row], n_columns: usize) -> (Array2<f64>, Vec<String>, Vec<f64>) {
    let cells = rows.iter().flat_map(|row| row.cells.iter().copied()).collect();
    let matrix = Array2::from_shape_vec((rows.len(), n_columns), cells);
    (
        matrix.unwrap_or_else(|error| unreachable!("every row has each column: {error}")),
        rows.iter().map(|row| row.label.clone()).collect(),
        rows.iter().map(|row| row.weight).collect(),
    )
}

fn update(model: &mut Model, rows: &[Row]) -> Result<(), UpdateError> {
    let (cells, labels, weights) = matrix(rows, model.schema().n_features());
    model.update_weighted(&cells, &labels, &weights)
}

fn retract(model: &mut Model, rows: &[Row]) -> Result<(), RemovalError> {
    let (cells, labels, weights) = matrix(rows, model.schema().n_features());
    model.retract_weighted(&cells, &labels, &weights)
}
