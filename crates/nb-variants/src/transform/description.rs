//! Name and hyper-parameters of transformed Gaussians.

use nb_core::{
    description::{Columns, Described, Description, Hyper},
    family::BoxedModel,
};

use ndarray::Array2;

use super::{PowerTransform, Transform, Transformed, Units};
use crate::{LearntError, LearntList, PowerRule, Preparation, PreparationError, Variant};

/// The transforms are learnt, and no hyper-parameters; those of the normal distributions are.
impl Described for Transformed {
    fn describe() -> Description {
        Description::new("power", Columns::Real)
            .titled("Gaussian after a power")
            .about(
                "Real numbers: normal distributions after a power or logarithm",
                "Columns of skewed real numbers, normal after a power or logarithm (--transform)",
            )
            .learnt_by(&["transform"])
            .cited(
                "Yeo and Johnson 2000",
                "Yeo and Johnson (2000). A new family of power transformations to improve normality or symmetry. Biometrika 87, 954-959.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.gaussian.hyper_parameters()
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }
}

/// Where transforms are stored as numbers.
const TRANSFORMS: LearntList = LearntList::of_one("transforms");
const IDENTITY: f64 = 0.0;
const LOG: f64 = 1.0;
const BOX_COX: f64 = 2.0;
const YEO_JOHNSON: f64 = 3.0;

/// A transform as the number of its kind and its power.
fn numbers(transform: Transform) -> (f64, f64) {
    match transform {
        Transform::Identity => (IDENTITY, 1.0),
        Transform::Log => (LOG, 0.0),
        Transform::BoxCox { lambda } => (BOX_COX, lambda),
        Transform::YeoJohnson { lambda } => (YEO_JOHNSON, lambda),
    }
}

fn transform(kind: f64, lambda: f64) -> Result<Transform, LearntError> {
    let all = [
        (IDENTITY, Transform::Identity),
        (LOG, Transform::Log),
        (BOX_COX, Transform::BoxCox { lambda }),
        (YEO_JOHNSON, Transform::YeoJohnson { lambda }),
    ];
    let found = all.into_iter().find(|(own, _)| *own == kind).map(|(_, transform)| transform);
    found.ok_or(LearntError::Number { name: TRANSFORMS.name, must_be: "0, 1, 2 or 3" })
}

impl Variant for Transformed {
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        let power = match rules.power {
            PowerRule::YeoJohnson => PowerTransform::YeoJohnson,
            PowerRule::BoxCox | PowerRule::Log => PowerTransform::BoxCox,
        };
        // What a logarithm does not take no power of Box and Cox takes, either.
        let learnt = Self::learn(rows, classes, power, self.gaussian.missing)?;
        let learnt = match rules.power {
            PowerRule::Log => Self::new(vec![Transform::Log; rows.ncols()]),
            _ => learnt,
        };
        *self = Self { gaussian: self.gaussian, ..learnt };
        Ok(())
    }

    fn lists(&self) -> &'static [LearntList] {
        const POWERS: LearntList = LearntList::of_one("powers");
        const CENTERS: LearntList = LearntList::of_one("centers");
        const SCALES: LearntList = LearntList::of_one("scales");
        &[TRANSFORMS, POWERS, CENTERS, SCALES]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let column = |(&transform, units): (&Transform, &Units)| {
            let (kind, power) = numbers(transform);
            [kind, power, units.center, units.scale]
        };
        let columns: Vec<[f64; 4]> = self.transforms.iter().zip(&self.units).map(column).collect();
        (0..4).map(|list| columns.iter().map(|column| vec![column[list]]).collect()).collect()
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let n_columns = learnt.first().map_or(0, Vec::len);
        let column = |column: usize| -> [f64; 4] { std::array::from_fn(|list| learnt[list][column][0]) };
        (self.transforms, self.units) = (Vec::new(), Vec::new());
        for [kind, power, center, scale] in (0..n_columns).map(column) {
            self.transforms.push(transform(kind, power)?);
            self.units.push(Units { center, scale });
        }
        Ok(())
    }

    fn columns_at_limit(
        &self,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        Ok(self.columns_at_limit(rows, classes)?)
    }
}
