//! The fifteen problems of Ng and Jordan (2002), Figure 1.

use std::{borrow::Cow, collections::BTreeMap};

use nb_core::{Categorical, Categories, Missing, Smoothing, Unseen, VarianceSmoothing, family::BoxedModel};
use nb_linear::SharedGaussian;
use ndarray::{Array2, ArrayView1};
use serde::{Deserialize, Serialize};

use crate::{
    Column, Features, Kind, Table,
    experiment::{ExperimentError, error::LearnerError, ng_jordan::NgJordan},
};

/// What the inputs of a problem are. No problem mixes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inputs {
    /// Numbers, rescaled so that the training rows of a split are from 0 to 1.
    Continuous,
    /// Categories.
    Discrete,
}

/// A problem as it is named, before its data are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    set: &'static str,
    pub(super) inputs: Inputs,
    /// The two classes, where the set has more.
    classes: Option<[&'static str; 2]>,
}

/// The problems, in the order of the paper's figure.
pub(super) const SOURCES: [Source; 15] = [
    continuous("pima", "pima"),
    continuous("adult, continuous", "adult"),
    continuous("boston", "boston"),
    continuous("optdigits 0 and 1", "optdigits_01"),
    continuous("optdigits 2 and 3", "optdigits_23"),
    continuous("ionosphere", "ionosphere"),
    continuous("liver disorders", "liver"),
    continuous("sonar", "sonar"),
    discrete("adult, discrete", "adult"),
    discrete("promoters", "promoters"),
    Source { classes: Some(["malign_lymph", "metastases"]), ..discrete("lymphography", "lymphography") },
    discrete("breast cancer", "breast_cancer_ljubljana"),
    Source { classes: Some(["hard", "soft"]), ..discrete("lenses", "lenses") },
    discrete("sick", "sick"),
    discrete("voting records", "housevotes84"),
];

const fn continuous(name: &'static str, set: &'static str) -> Source {
    Source { name, set, inputs: Inputs::Continuous, classes: None }
}

const fn discrete(name: &'static str, set: &'static str) -> Source {
    Source { name, set, inputs: Inputs::Discrete, classes: None }
}

/// A problem of two classes.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) source: Source,
    /// What naive Bayes sees, `n_rows × n_columns`: numbers, or positions of levels.
    pub(super) x: Array2<f64>,
    /// What logistic regression sees: the same numbers, or one indicator per level.
    pub(super) design: Array2<f64>,
    /// The class of each row, 0 or 1.
    pub(super) labels: Vec<usize>,
    /// The family of the inputs.
    pub(super) model: BoxedModel,
}

impl Source {
    /// Reads the data and prepares the inputs.
    pub(super) fn load(self, options: &NgJordan) -> Result<Problem, ExperimentError> {
        let table = Table::embedded(self.set)?;
        let table = self.classes.map_or(Ok(table.clone()), |classes| table.with_classes(&classes))?;
        // The codes of lymphography that are written as numbers are few and stand for findings.
        let are_codes = self.set == "lymphography";
        let wanted = |column: &Column| match self.inputs {
            Inputs::Continuous => !matches!(column.kind, Kind::Categorical { .. }),
            Inputs::Discrete => are_codes || matches!(column.kind, Kind::Categorical { .. }),
        };
        let table = table.with_columns(wanted)?;
        let Features::Columns { x, .. } = &table.features else {
            return Err(ExperimentError::learner(self.name)("the set has documents, not columns".into()));
        };
        let problem = match self.inputs {
            Inputs::Continuous => {
                let model = SharedGaussian {
                    smoothing: VarianceSmoothing::AbsoluteFloor(options.variance_floor),
                    ..SharedGaussian::default()
                };
                Problem {
                    source: self,
                    design: x.clone(),
                    x: x.clone(),
                    labels: table.labels,
                    model: BoxedModel::new(model),
                }
            }
            Inputs::Discrete => {
                let (x, n_levels) = levels(x);
                let model = categorical(&n_levels, options.l).map_err(ExperimentError::learner(self.name))?;
                Problem { source: self, design: indicators(&x, &n_levels), x, labels: table.labels, model }
            }
        };
        Ok(problem)
    }
}

fn categorical(n_levels: &[usize], l: f64) -> Result<BoxedModel, LearnerError> {
    Ok(BoxedModel::new(Categorical {
        categories: Categories::Declared(n_levels.to_vec()),
        smoothing: Smoothing::new(l)?,
        missing: Missing::Error,
        unseen: Unseen::Error,
    }))
}

impl Problem {
    /// The problem with continuous inputs in units of these rows, which are from 0 to 1 then; others may be
    /// outside. A column that is constant in them is 0 everywhere: they show neither its unit nor an
    /// effect. Discrete inputs stay as they are.
    pub(super) fn rescaled(&self, training: &[usize]) -> Cow<'_, Self> {
        match self.source.inputs {
            Inputs::Discrete => Cow::Borrowed(self),
            Inputs::Continuous => {
                let x = rescaled(&self.x, training);
                Cow::Owned(Self { design: x.clone(), x, ..self.clone() })
            }
        }
    }
}

fn rescaled(x: &Array2<f64>, training: &[usize]) -> Array2<f64> {
    let mut scaled = x.clone();
    for mut column in scaled.columns_mut() {
        let values = || training.iter().map(|&row| column[row]);
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(f64::NEG_INFINITY, f64::max);
        if most > least {
            column.mapv_inplace(|value| (value - least) / (most - least));
        } else {
            column.fill(0.0);
        }
    }
    scaled
}

/// The values of each column as positions among those that occur, a missing one last; and how many each
/// column has.
fn levels(x: &Array2<f64>) -> (Array2<f64>, Vec<usize>) {
    let mut coded = Array2::zeros(x.dim());
    let mut n_levels = Vec::with_capacity(x.ncols());
    for (column, mut out) in x.columns().into_iter().zip(coded.columns_mut()) {
        let positions = positions(&column);
        out.assign(&column.map(|value| positions[&key(*value)] as f64));
        n_levels.push(positions.len());
    }
    (coded, n_levels)
}

fn positions(column: &ArrayView1<'_, f64>) -> BTreeMap<u64, usize> {
    let mut positions: BTreeMap<u64, usize> = column.iter().map(|&value| (key(value), 0)).collect();
    positions.values_mut().zip(0..).for_each(|(position, next)| *position = next);
    positions
}

/// Codes are not negative, so that their bits are in their order, and those of NaN come last.
fn key(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { value.to_bits() }
}

/// One indicator per level.
fn indicators(coded: &Array2<f64>, n_levels: &[usize]) -> Array2<f64> {
    let mut all = Array2::zeros((coded.nrows(), n_levels.iter().sum()));
    for (codes, mut row) in coded.rows().into_iter().zip(all.rows_mut()) {
        let mut first = 0;
        for (&code, &n) in codes.iter().zip(n_levels) {
            row[first + code as usize] = 1.0;
            first += n;
        }
    }
    all
}

/// Some rows of a matrix.
pub(super) fn rows(x: &Array2<f64>, numbers: &[usize]) -> Array2<f64> {
    x.select(ndarray::Axis(0), numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn numbers_are_rescaled_and_levels_counted() {
        assert_eq!(
            rescaled(&array![[2.0, 7.0], [4.0, 7.0], [3.0, 7.0], [8.0, 9.0]], &[1, 0, 2]),
            array![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [3.0, 0.0]]
        );
        let (coded, n_levels) = levels(&array![[3.0, f64::NAN], [0.0, 1.0], [3.0, 1.0]]);
        assert_eq!(
            (coded.clone(), n_levels.clone()),
            (array![[1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], vec![2, 2])
        );
        let expected = array![[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0]];
        assert_eq!(indicators(&coded, &n_levels), expected);
    }

    #[test]
    fn all_fifteen_problems_have_two_classes_and_their_columns() {
        let shapes: Vec<(usize, usize)> = SOURCES
            .iter()
            .filter_map(|source| source.load(&NgJordan::default()).ok())
            .map(|problem| {
                assert_eq!(problem.labels.iter().max(), Some(&1), "{}", problem.source.name);
                problem.x.dim()
            })
            .collect();
        let expected = [
            (768, 8),
            (32561, 6),
            (506, 12),
            (1125, 64),
            (1129, 64),
            (351, 32),
            (345, 6),
            (208, 60),
            (32561, 8),
            (106, 57),
            (142, 18),
            (286, 9),
            (9, 4),
            (3772, 22),
            (435, 16),
        ];
        assert_eq!(shapes, expected);
    }
}
