//! Weights of columns and of rows.

use nb_core::error::LayoutError;

use super::super::Codings;

/// The largest weight in absolute value.
const LARGEST: f64 = 1e100;

/// The largest weight that a value may give to a row.
const LARGEST_OF_VALUE: f64 = (1_u64 << 60) as f64;

/// The weights of [`AttributeWeighted`](crate::AttributeWeighted).
///
/// ```
/// use nb_variants::AttributeWeights;
///
/// let weights = AttributeWeights::of_columns(vec![0.5, 1.0]);
/// assert_eq!(weights.columns, [[0.5], [1.0]]);
/// assert!(weights.common.is_none() && weights.values.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeWeights {
    /// `w_yj` of every column: one weight for all classes, or one for each class in label order.
    pub columns: Vec<Vec<f64>>,
    /// Weights of another posterior that is mixed with this one, if there is one.
    pub common: Option<CommonWeights>,
    /// What every code of every column adds to the weight of a row that has it in training; none if all rows
    /// have the weights that they are added with.
    pub values: Vec<Vec<f64>>,
}

/// Weights for all classes, and how much the posterior that has them counts.
///
/// ```
/// use nb_variants::{AttributeWeights, CommonWeights};
///
/// let common = CommonWeights { columns: vec![1.0, 1.0], share: 0.25 };
/// let weights = AttributeWeights { common: Some(common), ..AttributeWeights::of_columns(vec![0.5, 1.0]) };
/// assert_eq!(weights.common.map(|common| common.share), Some(0.25));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CommonWeights {
    /// `v_j` of every column.
    pub columns: Vec<f64>,
    /// Their share `1 - α` in the posterior, from 0 to 1.
    pub share: f64,
}

impl AttributeWeights {
    /// One weight for each column, the same for all classes.
    ///
    /// ```
    /// # use nb_variants::AttributeWeights;
    /// assert_eq!(AttributeWeights::of_columns(vec![0.5]).columns, [[0.5]]);
    /// ```
    pub fn of_columns(weights: Vec<f64>) -> Self {
        Self { columns: weights.into_iter().map(|weight| vec![weight]).collect(), ..Self::default() }
    }

    /// The weight of a column in a class.
    pub(super) fn of(&self, class: usize, column: usize) -> f64 {
        let own = &self.columns[column];
        own.get(class).or(own.first()).copied().unwrap_or(1.0)
    }

    /// Whether all columns have the weight 1 and nothing else has an effect.
    pub(super) fn is_naive_bayes(&self) -> bool {
        let is_one = |own: &Vec<f64>| own.iter().all(|weight| *weight == 1.0);
        self.common.is_none() && self.values.is_empty() && self.columns.iter().all(is_one)
    }

    /// The number of classes that have their own weights; `None` if all classes have the same ones.
    pub(super) fn n_classes(&self) -> Option<usize> {
        self.columns.first().map(Vec::len).filter(|n_classes| *n_classes > 1)
    }

    /// The weight of a row in training by its codes; those of missing cells add nothing.
    pub(super) fn of_row(&self, codes: &[Option<usize>]) -> f64 {
        let cells = self.values.iter().zip(codes);
        cells.filter_map(|(own, code)| own.get((*code)?).copied()).sum()
    }

    /// A power of two that no [weight of a row](Self::of_row) is above: sums are kept in this unit, so that
    /// none of them exceeds the weight of the class. `None` if values give rows no weight.
    pub(super) fn unit(&self) -> Option<f64> {
        let largest = |own: &Vec<f64>| own.iter().copied().fold(0.0, f64::max);
        let total: f64 = self.values.iter().map(largest).sum();
        let mut unit = 1.0;
        while unit < total {
            unit *= 2.0;
        }
        (!self.values.is_empty()).then_some(unit)
    }

    /// Refuses weights of other columns or codes, and those that are not numbers.
    pub(super) fn check(&self, codings: &Codings) -> Result<(), LayoutError> {
        let n_columns = codings.n_columns();
        let length = |name, found| Err(LayoutError::Length { name, found, n_columns });
        if self.columns.len() != n_columns {
            return length("the list of weights", self.columns.len());
        }
        let n_classes = self.columns.first().map_or(1, Vec::len).max(1);
        if let Some(own) = self.columns.iter().find(|own| own.len() != n_classes) {
            let (name, must_be) =
                ("the number of weights of a column", "the same for all columns, and not 0");
            return Err(LayoutError::Parameter { name, value: own.len() as f64, must_be });
        }
        let common = self.common.as_ref().map_or(&[][..], |common| &common.columns);
        if self.common.is_some() && common.len() != n_columns {
            return length("the list of common weights", common.len());
        }
        let mut all = self.columns.iter().flatten().chain(common);
        if let Some(&value) = all.find(|weight| weight.is_nan() || weight.abs() > LARGEST) {
            let (name, must_be) = ("the weight of a column", "a number up to 1e100 in absolute value");
            return Err(LayoutError::Parameter { name, value, must_be });
        }
        if let Some(common) = self.common.as_ref().filter(|common| !(0.0..=1.0).contains(&common.share)) {
            let (name, must_be) = ("the share of the common weights", "from 0 to 1");
            return Err(LayoutError::Parameter { name, value: common.share, must_be });
        }
        self.check_values(codings)
    }

    fn check_values(&self, codings: &Codings) -> Result<(), LayoutError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let n_columns = codings.n_columns();
        if self.values.len() != n_columns {
            let name = "the list of weights of values";
            return Err(LayoutError::Length { name, found: self.values.len(), n_columns });
        }
        let mut columns = self.values.iter().enumerate();
        if let Some((_, own)) = columns.find(|(column, own)| own.len() != codings.n_codes(*column)) {
            let name = "the number of weights of values of a column";
            let must_be = "that of its categories and bins; learn the weights again if there are more";
            return Err(LayoutError::Parameter { name, value: own.len() as f64, must_be });
        }
        match self.values.iter().flatten().find(|weight| !(0.0..=LARGEST_OF_VALUE).contains(*weight)) {
            None => Ok(()),
            Some(&value) => {
                let (name, must_be) = ("the weight of a value", "from 0 to 2^60");
                Err(LayoutError::Parameter { name, value, must_be })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_weights_of_their_values() {
        let weights =
            AttributeWeights { values: vec![vec![0.5, 1.5], vec![2.0]], ..AttributeWeights::default() };
        assert_eq!(weights.of_row(&[Some(1), Some(0)]), 3.5);
        assert_eq!(weights.of_row(&[None, Some(0)]), 2.0);
        assert_eq!((weights.unit(), AttributeWeights::default().unit()), (Some(4.0), None));
    }

    #[test]
    fn weights_that_cannot_be_are_refused() {
        let codings = Codings::categories(vec![2, 1]);
        let one = || AttributeWeights::of_columns(vec![1.0, 1.0]);
        let common = |columns, share| Some(CommonWeights { columns, share });
        assert_eq!(one().check(&codings), Ok(()));
        for (wrong, part) in [
            (AttributeWeights::of_columns(vec![1.0]), "the list of weights has 1 entries"),
            (AttributeWeights::of_columns(vec![1.0, f64::NAN]), "the weight of a column"),
            (AttributeWeights { columns: vec![vec![1.0], vec![]], ..one() }, "the number of weights"),
            (AttributeWeights { common: common(vec![1.0], 0.5), ..one() }, "the list of common weights"),
            (AttributeWeights { common: common(vec![1.0, 2.0], 1.5), ..one() }, "from 0 to 1"),
            (AttributeWeights { values: vec![vec![1.0]; 2], ..one() }, "that of its categories and bins"),
            (AttributeWeights { values: vec![vec![1.0]], ..one() }, "the list of weights of values"),
            (AttributeWeights { values: vec![vec![1.0, -1.0], vec![1.0]], ..one() }, "from 0 to 2^60"),
        ] {
            let error = wrong.check(&codings).unwrap_err().to_string();
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}
