//! The prior of the rates of counts: what smoothing shrinks them towards.

use crate::model::remaining::Number;

/// What the rates of a class are shrunk towards, by as many rows as the smoothing `l` says: the mean of their
/// gamma prior, whose rate is `l` (Gelman et al., *Bayesian Data Analysis*, 3rd ed., 2013, 2.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum RatePrior {
    /// The rate of the column over the rows of all classes, as if `l` more rows had had that rate. It does
    /// not depend on the unit of the counts. Where no class has an event, one event in all rows is
    /// assumed.
    #[default]
    Column,
    /// One event per row.
    Unit,
}

impl RatePrior {
    /// The mean of the prior of a column, as events and rows: with `events` and `weight` summed over all
    /// classes, if they are needed.
    pub(crate) fn mean<N: Number>(self, l: &N, totals: impl FnOnce() -> (N, N)) -> (N, N) {
        let unit = || (N::from(1.0), N::from(1.0));
        if self == Self::Unit || l.is_zero() {
            return unit();
        }
        match totals() {
            (_, weight) if weight.is_zero() => unit(),
            (events, weight) if events.is_zero() => (N::from(1.0), weight),
            totals => totals,
        }
    }
}

/// `(events + l m) / (exposure + l)` with `m` as events and rows of the prior: numerator and denominator.
pub(crate) fn smoothed_rate<N: Number>(
    (events, exposure): (&N, &N),
    l: &N,
    (prior_events, prior_rows): &(N, N),
) -> (N, N) {
    (events.times(prior_rows).plus(&l.times(prior_events)), exposure.plus(l).times(prior_rows))
}

#[cfg(test)]
mod tests {
    use exact_sums::Exact;

    use super::*;

    fn exact(value: f64) -> Exact {
        Exact::from(value)
    }

    #[test]
    fn rates_are_shrunk_towards_the_column_or_one() {
        // Three rows with 300 events; four rows with 500 in all.
        let totals = || (exact(500.0), exact(4.0));
        for (prior, events, rows) in [(RatePrior::Column, 500.0, 4.0), (RatePrior::Unit, 1.0, 1.0)] {
            let mean = prior.mean(&exact(1.0), totals);
            assert_eq!((mean.0.to_f64(), mean.1.to_f64()), (events, rows));
            let (numerator, denominator) = smoothed_rate((&exact(300.0), &exact(3.0)), &exact(1.0), &mean);
            assert_eq!(numerator.to_f64() / denominator.to_f64(), (300.0 + events / rows) / 4.0);
        }
    }

    #[test]
    fn columns_without_events_have_a_prior_all_the_same() {
        let mean = RatePrior::Column.mean(&exact(1.0), || (Exact::ZERO, exact(4.0)));
        assert_eq!((mean.0.to_f64(), mean.1.to_f64()), (1.0, 4.0));
        let mean = RatePrior::Column.mean(&exact(1.0), || (Exact::ZERO, Exact::ZERO));
        assert_eq!((mean.0.to_f64(), mean.1.to_f64()), (1.0, 1.0));
        // Maximum likelihood has no prior.
        let mean = RatePrior::Column.mean(&Exact::ZERO, || panic!("it is not needed"));
        assert_eq!((mean.0.to_f64(), mean.1.to_f64()), (1.0, 1.0));
    }
}
