//! Columns of numbers with few different values.

/// Maximum number of distinct values that are few.
const FEW: usize = 10;

/// The different values of a column of numbers, as long as they are few and whole; a single value may have
/// decimals.
#[derive(Clone, Debug)]
pub(in crate::read) struct FewValues(Option<Vec<f64>>);

impl Default for FewValues {
    fn default() -> Self {
        Self(Some(Vec::new()))
    }
}

impl FewValues {
    /// Looks at the next value.
    pub(in crate::read) fn look(&mut self, value: f64) {
        let Some(values) = &mut self.0 else { return };
        if values.contains(&value) {
            return;
        }
        let all_are_whole = || value.fract() == 0.0 && values.iter().all(|value| value.fract() == 0.0);
        if values.len() < FEW && value.is_finite() && (values.is_empty() || all_are_whole()) {
            values.push(value);
        } else {
            self.0 = None;
        }
    }

    /// Whether there are many values, or some that are not whole, so that the next value does not matter.
    pub(in crate::read) fn is_closed(&self) -> bool {
        self.0.is_none()
    }

    /// The value that all cells have.
    pub(in crate::read) fn constant(&self) -> Option<f64> {
        match self.0.as_deref() {
            Some(&[value]) => Some(value),
            _ => None,
        }
    }

    /// The values in order, or none if they are many or not whole.
    pub(in crate::read) fn finish(self) -> Vec<f64> {
        let mut values = self.0.unwrap_or_default();
        values.retain(|value| value.fract() == 0.0);
        values.sort_by(f64::total_cmp);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn few(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut few = FewValues::default();
        values.into_iter().for_each(|value| few.look(value));
        few.finish()
    }

    #[test]
    fn few_and_whole() {
        assert_eq!(few([3.0, -1.0, 3.0, 0.0, -0.0]), [-1.0, 0.0, 3.0]);
        assert_eq!(few([1.0, 2.5, 1.0]), [0.0; 0]);
        assert_eq!(few((0..10).map(f64::from)).len(), 10);
        assert_eq!(few((0..11).map(f64::from)), [0.0; 0]);
        assert_eq!(few([1.0, f64::INFINITY]), [0.0; 0]);
        assert_eq!(few([0.5, 1.0]), [0.0; 0]);
        assert_eq!(few([0.5, 0.5]), [0.0; 0]);
    }

    #[test]
    fn one_value_is_constant() {
        let constant = |values: &[f64]| {
            let mut few = FewValues::default();
            for &value in values {
                few.look(value);
            }
            few.constant()
        };
        assert_eq!(constant(&[0.5, 0.5, 0.5]), Some(0.5));
        assert_eq!((constant(&[0.5, 1.0]), constant(&[1.0, 2.0]), constant(&[])), (None, None, None));
    }
}
