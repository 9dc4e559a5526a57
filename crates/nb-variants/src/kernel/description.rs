//! Name and hyper-parameters of kernel densities.

use nb_core::{
    description::{Columns, Described, Description, Hyper, Parameter, Setting, Value, parameters},
    error::LayoutError,
    family::BoxedModel,
};

use ndarray::Array2;

use super::{Bandwidth, Grid, KernelDensity};
use crate::{LearntError, LearntList, Preparation, PreparationError, Variant};

static BANDWIDTH: Parameter = Parameter::new("bandwidth", "How wide the kernels of kernel densities are");

/// The grids are learnt, and no hyper-parameter.
impl Described for KernelDensity {
    fn describe() -> Description {
        Description::new("kernel", Columns::Real)
            .titled("kernel density")
            .about(
                "Real numbers: a kernel density per class",
                "Columns of real numbers with kernel densities",
            )
            .learnt()
            .cited(
                "John and Langley 1995",
                "John and Langley (1995). Estimating continuous distributions in Bayesian classifiers. UAI, 338-345.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![Hyper::new(&BANDWIDTH, &mut self.bandwidth), Hyper::new(&parameters::MISSING, &mut self.missing)]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }
}

const POINTS: LearntList = LearntList::of_one("points");

impl Variant for KernelDensity {
    fn learn(
        &mut self,
        _: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        self.grids = Self::learn(rows, classes, self.missing)?.grids;
        Ok(())
    }

    fn lists(&self) -> &'static [LearntList] {
        const ORIGINS: LearntList = LearntList::of_one("origins");
        const STEPS: LearntList = LearntList::of_one("steps");
        &[ORIGINS, STEPS, POINTS]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let of_grids = |number: fn(&Grid) -> f64| self.grids.iter().map(|grid| vec![number(grid)]).collect();
        vec![of_grids(Grid::origin), of_grids(Grid::step), of_grids(|grid| grid.n_points() as f64)]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let columns = 0..learnt.first().map_or(0, Vec::len);
        let grid = |column: usize| {
            let number = |list: usize| learnt[list][column][0];
            let points = number(2);
            if points.fract() != 0.0 || !(0.0..1e9).contains(&points) {
                return Err(LearntError::Number { name: POINTS.name, must_be: "whole numbers" });
            }
            Ok(Grid::new(number(0), number(1), points as usize)?)
        };
        self.grids = columns.map(grid).collect::<Result<_, _>>()?;
        Ok(())
    }
}

const SILVERMAN: &str = "silverman";
const SCOTT: &str = "scott";
const SHEATHER_JONES: &str = "sheather_jones";
const CROSS_VALIDATION: &str = "ucv";
const JOHN_LANGLEY: &str = "john_langley";
const FIXED: &str = "fixed";

impl Setting for Bandwidth {
    fn value(&self) -> Value {
        match self {
            Self::Silverman => Value::Name(SILVERMAN.into()),
            Self::Scott => Value::Name(SCOTT.into()),
            Self::SheatherJones => Value::Name(SHEATHER_JONES.into()),
            Self::CrossValidation => Value::Name(CROSS_VALIDATION.into()),
            Self::JohnLangley => Value::Name(JOHN_LANGLEY.into()),
            Self::Fixed(bandwidth) => Value::Amount(FIXED.into(), *bandwidth),
        }
    }

    fn names(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                SILVERMAN,
                "0.9 min(s, R/1.34) n^(-1/5), by standard deviation and interquartile range of the class",
            ),
            (SCOTT, "1.06 min(s, R/1.34) n^(-1/5), the best for normal distributions; smoother"),
            (SHEATHER_JONES, "by the curvature of the density (Sheather and Jones 1991)"),
            (CROSS_VALIDATION, "least-squares cross-validation (Rudemo 1982, Bowman 1984)"),
            (JOHN_LANGLEY, "1/√n in the unit of the column, by the rows of the class"),
        ]
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let bandwidth = match value {
            Value::Name(name) if name == SILVERMAN => Self::Silverman,
            Value::Name(name) if name == SCOTT => Self::Scott,
            Value::Name(name) if name == SHEATHER_JONES => Self::SheatherJones,
            Value::Name(name) if name == CROSS_VALIDATION => Self::CrossValidation,
            Value::Name(name) if name == JOHN_LANGLEY => Self::JohnLangley,
            Value::Amount(name, bandwidth) if name == FIXED => Self::Fixed(*bandwidth),
            _ => return Ok(false),
        };
        bandwidth.check()?;
        *self = bandwidth;
        Ok(true)
    }
}
