//! A test, and when it is an alarm: the difference is large, and beyond chance.

use nb_significance::holm;
use serde::Serialize;

/// What is said of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Nothing could be tested.
    NotTested,
    Ok,
    Notice,
    Alarm,
}

/// From where on a difference is worth a notice or an alarm, and how sure it must be.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Rules {
    /// Population stability indices.
    pub(crate) notice: f64,
    pub(crate) alarm: f64,
    /// By which share the log-loss or the error rate has risen.
    pub(crate) notice_rise: f64,
    pub(crate) alarm_rise: f64,
    /// The level of all tests together.
    pub(crate) alpha: f64,
}

/// How large a difference is.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// A population stability index, and what it is about without drift.
    Stability(f64, f64),
    /// By which share a measure has become worse.
    Rise(f64),
}

/// A difference between the rows of the model and new ones.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Test {
    pub(crate) status: Status,
    /// Population stability index.
    pub(crate) psi: Option<f64>,
    /// About what it is without drift, for this number of rows.
    pub(crate) psi_by_chance: Option<f64>,
    pub(crate) p_value: f64,
    /// By Holm's procedure over all tests.
    pub(crate) adjusted_p_value: f64,
    #[serde(skip)]
    effect: Effect,
}

impl Test {
    /// A stability index over distributions with this number of free parameters, of two samples of these
    /// sizes.
    pub(crate) fn of_psi(psi: f64, n_parameters: usize, [first, second]: [f64; 2], p_value: f64) -> Self {
        // An infinite index has no place in JSON.
        let psi = psi.min(f64::MAX);
        let by_chance = n_parameters as f64 * (1.0 / first + 1.0 / second);
        Self {
            status: Status::Ok,
            psi: Some(psi),
            psi_by_chance: Some(by_chance),
            p_value,
            adjusted_p_value: 1.0,
            effect: Effect::Stability(psi, by_chance),
        }
    }

    /// A measure that was `before` and is `now`; lower is better.
    pub(crate) fn of_rise(before: f64, now: f64, p_value: f64) -> Self {
        let rise = if now > before { ((now - before) / before).min(f64::MAX) } else { 0.0 };
        Self {
            status: Status::Ok,
            psi: None,
            psi_by_chance: None,
            p_value,
            adjusted_p_value: 1.0,
            effect: Effect::Rise(rise),
        }
    }

    fn decide(&mut self, adjusted_p_value: f64, rules: &Rules) {
        let (size, notice, alarm) = match self.effect {
            Effect::Stability(psi, by_chance) => (psi - by_chance, rules.notice, rules.alarm),
            Effect::Rise(rise) => (rise, rules.notice_rise, rules.alarm_rise),
        };
        self.adjusted_p_value = adjusted_p_value;
        self.status = match adjusted_p_value < rules.alpha {
            true if size >= alarm => Status::Alarm,
            true if size >= notice => Status::Notice,
            _ => Status::Ok,
        };
    }

    /// What comes first where tests are listed: the worst, and of equal ones the largest.
    pub(crate) fn rank(&self) -> (Status, f64) {
        let size = match self.effect {
            Effect::Stability(psi, by_chance) => psi - by_chance,
            Effect::Rise(rise) => rise,
        };
        (self.status, size)
    }
}

/// Decides all tests together, so that without drift one of them is beyond chance in a share of at most
/// `alpha` of all runs.
pub(crate) fn decide(mut tests: Vec<&mut Test>, rules: &Rules) {
    let p_values: Vec<f64> = tests.iter().map(|test| test.p_value.clamp(0.0, 1.0)).collect();
    let adjusted = holm(&p_values).unwrap_or(p_values);
    for (test, adjusted) in tests.iter_mut().zip(adjusted) {
        test.decide(adjusted, rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_is_large_and_beyond_chance() {
        let rules = Rules { notice: 0.1, alarm: 0.25, notice_rise: 0.1, alarm_rise: 0.25, alpha: 0.01 };
        let of = |psi, p| Test::of_psi(psi, 9, [1e6, 1e3], p);
        let mut tests = [of(0.3, 1e-9), of(0.3, 0.4), of(0.2, 1e-9), of(0.05, 1e-9), of(0.255, 1e-9)];
        decide(tests.iter_mut().collect(), &rules);
        let status = tests.each_ref().map(|test| test.status);
        // The last one is .246 beyond the .009 of chance.
        assert_eq!(status, [Status::Alarm, Status::Ok, Status::Notice, Status::Ok, Status::Notice]);
        let mut rise = Test::of_rise(0.2, 0.26, 1e-4);
        decide(vec![&mut rise], &rules);
        assert_eq!(rise.status, Status::Alarm);
        let mut better = Test::of_rise(0.2, 0.1, 1e-9);
        decide(vec![&mut better], &rules);
        assert_eq!(better.status, Status::Ok);
    }
}
