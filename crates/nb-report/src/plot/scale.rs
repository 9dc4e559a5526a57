//! From values to places along an axis.

use super::ticks::{self, Tick};
use crate::{Axis, Scale};

/// An axis with its ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Span {
    scale: Scale,
    low: f64,
    high: f64,
    whole: bool,
    beside: String,
    categories: Vec<String>,
}

/// Beyond this size differences overflow.
const LARGEST: f64 = 1e300;

/// Whether a value has a place on an axis.
pub(super) fn has_place(scale: Scale, value: f64) -> bool {
    value.abs() <= LARGEST && (scale == Scale::Linear || value >= 1.0 / LARGEST)
}

impl Span {
    /// The ends that all values need; with a little air, unless the axis has its own ends.
    pub(super) fn around(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        if !axis.categories.is_empty() {
            let high = axis.categories.len() as f64;
            return Self { high, categories: axis.categories.clone(), ..Self::default() };
        }
        let ends = axis.range.map(|(a, b)| [a, b]).into_iter().flatten();
        let places = |value: &f64| has_place(axis.scale, *value);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in ends.chain(values).filter(places) {
            (low, high) = (low.min(value), high.max(value));
        }
        let of_axis = |value: f64| axis.range.is_some_and(|(a, b)| a == value || b == value);
        let (from, to) = match axis.scale {
            Scale::Linear => (low, high),
            Scale::Log => (low.log10(), high.log10()),
        };
        let mut span = Self {
            scale: axis.scale,
            low: from,
            high: to,
            whole: axis.whole,
            beside: axis.beside.clone(),
            categories: Vec::new(),
        };
        if low > high {
            (span.low, span.high) = (0.0, 1.0);
        } else if span.low == span.high {
            let air = if span.low == 0.0 || axis.scale == Scale::Log { 0.5 } else { span.low.abs() / 2.0 };
            (span.low, span.high) = (span.low - air, span.high + air);
        } else {
            let air = 0.04 * (span.high - span.low);
            span.low -= if of_axis(low) { 0.0 } else { air };
            span.high += if of_axis(high) { 0.0 } else { air };
        }
        span
    }

    /// From exactly here to there, on a linear axis.
    pub(super) fn exactly(low: f64, high: f64) -> Self {
        Self { low, high, ..Self::default() }
    }

    /// The place of a value between the ends, from 0 to 1; ends of intervals that have no place lie at an
    /// end.
    pub(super) fn place(&self, value: f64) -> f64 {
        self.beyond(value).clamp(0.0, 1.0)
    }

    /// The place of a value, which may lie beyond the ends.
    pub(super) fn beyond(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Log if value > 0.0 => value.log10(),
            Scale::Log => f64::NEG_INFINITY,
        };
        let length = (self.high - self.low) * if self.beside.is_empty() { 1.0 } else { 1.0 + Axis::BESIDE };
        (value - self.low) / length
    }

    /// Whether there are names instead of numbers.
    pub(super) fn has_categories(&self) -> bool {
        !self.categories.is_empty()
    }

    /// Whether there is a number at this place of a linear axis.
    pub(super) fn has_number(&self, at: f64) -> bool {
        self.categories.is_empty() && (self.beside.is_empty() || at <= self.high)
    }

    /// Ticks between the ends, about this many; all categories have one.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        let names = self.categories.iter().enumerate();
        let mut ticks: Vec<Tick> =
            names.map(|(i, name)| Tick { at: i as f64 + 0.5, label: name.clone() }).collect();
        if ticks.is_empty() {
            ticks = self.ticks_of_numbers(most);
        }
        if !self.beside.is_empty() {
            let at = self.high + 0.5 * Axis::BESIDE * (self.high - self.low);
            ticks.push(Tick { at, label: self.beside.clone() });
        }
        ticks
    }

    fn ticks_of_numbers(&self, most: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear if self.whole => ticks::whole(self.low, self.high, most),
            Scale::Linear => ticks::linear(self.low, self.high, most),
            Scale::Log => {
                let end = |exponent: f64| 10f64.powf(exponent).clamp(1.0 / LARGEST, LARGEST);
                ticks::logarithmic(end(self.low), end(self.high), most)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let linear = Span::around(&Axis::linear("").between(0.0, 10.0), [5.0].into_iter());
        assert_eq!((linear.place(2.5), linear.place(-1.0)), (0.25, 0.0));
        let widened = Span::around(&Axis::linear("").between(0.0, 10.0), [20.0].into_iter());
        assert!(widened.place(0.0) == 0.0 && widened.place(20.0) < 1.0);
        let log = Span::around(&Axis::log("").between(1.0, 100.0), [-1.0, 0.0, f64::NAN, 10.0].into_iter());
        assert_eq!((log.place(10.0), log.place(0.0), log.place(f64::INFINITY)), (0.5, 0.0, 1.0));
    }

    #[test]
    fn odd_ranges_have_places_all_the_same() {
        for values in
            [vec![], vec![0.0], vec![-3.0, -3.0], vec![f64::NAN], vec![1e300, -1e300], vec![5e-324, 1.0]]
        {
            for axis in [Axis::linear(""), Axis::log("")] {
                let span = Span::around(&axis, values.iter().copied());
                let place =
                    span.place(values.first().copied().filter(|value| value.is_finite()).unwrap_or(0.0));
                assert!((0.0..=1.0).contains(&place), "{axis:?} {values:?} {place}");
                assert!(!span.ticks(5).is_empty(), "{axis:?} {values:?}");
            }
        }
    }
}
