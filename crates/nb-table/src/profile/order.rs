//! Whether the values of a column rise or fall from row to row.

use serde::Serialize;

/// How the numbers of a column follow one another, in the order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Order {
    /// They rise and fall, are all the same, or are fewer than three.
    #[default]
    None,
    /// None is smaller than the one before.
    NonDecreasing,
    /// None is larger than the one before.
    NonIncreasing,
    /// Each is larger than the one before.
    Increasing,
    /// Each is smaller than the one before.
    Decreasing,
    /// Each is larger or smaller than the one before by the same number.
    Sequence,
}

/// What is known of the order after some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OrderWatch {
    first: Option<f64>,
    last: f64,
    n: u64,
    rises: bool,
    falls: bool,
    stays: bool,
    /// The difference of all neighbours; NaN once they differ.
    step: Option<f64>,
}

impl Default for OrderWatch {
    fn default() -> Self {
        Self { first: None, last: 0.0, n: 0, rises: false, falls: false, stays: false, step: None }
    }
}

impl OrderWatch {
    pub(super) fn look(&mut self, value: f64) {
        if self.first.is_none() {
            self.first = Some(value);
        } else {
            self.compare(value);
        }
        self.last = value;
        self.n += 1;
    }

    fn compare(&mut self, next: f64) {
        self.rises |= next > self.last;
        self.falls |= next < self.last;
        self.stays |= next == self.last;
        let step = next - self.last;
        self.step = match self.step {
            None => Some(step),
            Some(before) if before == step => self.step,
            Some(_) => Some(f64::NAN),
        };
    }

    /// The order is not known.
    pub(super) fn give_up(&mut self) {
        (self.rises, self.falls) = (true, true);
    }

    /// The rows of another watch come after those of this one.
    pub(super) fn merge(&mut self, next: &Self) {
        let Some(first) = next.first else {
            self.rises |= next.rises;
            self.falls |= next.falls;
            return;
        };
        if self.first.is_some() {
            self.compare(first);
        } else {
            self.first = Some(first);
        }
        self.rises |= next.rises;
        self.falls |= next.falls;
        self.stays |= next.stays;
        self.step = match (self.step, next.step) {
            (Some(one), Some(other)) if one != other => Some(f64::NAN),
            (one, other) => one.or(other),
        };
        self.last = next.last;
        self.n += next.n;
    }

    pub(super) fn order(&self) -> Order {
        match (self.rises, self.falls, self.stays) {
            _ if self.n < 3 => Order::None,
            (true, false, false) | (false, true, false) if self.step.is_some_and(f64::is_finite) => {
                Order::Sequence
            }
            (true, false, false) => Order::Increasing,
            (false, true, false) => Order::Decreasing,
            (true, false, true) => Order::NonDecreasing,
            (false, true, true) => Order::NonIncreasing,
            _ => Order::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_whole_and_merged_columns() {
        for (values, order) in [
            (&[1.0, 2.0, 3.0, 4.0][..], Order::Sequence),
            (&[9.0, 7.0, 5.0], Order::Sequence),
            (&[1.0, 2.0, 4.0], Order::Increasing),
            (&[4.0, 2.0, 1.0], Order::Decreasing),
            (&[1.0, 1.0, 4.0], Order::NonDecreasing),
            (&[4.0, 1.0, 1.0], Order::NonIncreasing),
            (&[1.0, 3.0, 2.0], Order::None),
            (&[1.0, 1.0, 1.0], Order::None),
            (&[1.0, 2.0], Order::None),
        ] {
            for split in 0..=values.len() {
                let (mut one, mut other) = (OrderWatch::default(), OrderWatch::default());
                values[..split].iter().for_each(|&value| one.look(value));
                values[split..].iter().for_each(|&value| other.look(value));
                one.merge(&other);
                assert_eq!(one.order(), order, "{values:?} split at {split}");
            }
        }
    }
}
