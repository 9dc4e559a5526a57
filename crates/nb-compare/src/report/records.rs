//! Every test as data, one record each.

use nb_report::{Cell, Column, Table};
use nb_significance::{
    CorrectedT, McNemar, critical_difference_from_control, pairs, rank_tests, rank_tests_against,
};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{Analysis, Measure, Overall, Pair, PracticalTest, analysis::POWER, report::pairs::of_set};

/// What a test, an interval, a rank, a probability or a power says, as a line of a tidy table. What it does
/// not have is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TestRecord {
    /// Which test.
    pub test: &'static str,
    /// The key of the measure.
    pub measure: &'static str,
    /// The data set, if it is of one.
    pub data_set: Option<String>,
    /// The variant, if it is of one or two.
    pub variant: Option<String>,
    /// The variant that it is compared with.
    pub baseline: Option<String>,
    /// The statistic.
    pub statistic: Option<f64>,
    /// Its degrees of freedom, those of the numerator if there are two.
    pub df: Option<f64>,
    /// The degrees of freedom of the denominator.
    pub df_denominator: Option<f64>,
    /// The p-value of the test by itself.
    pub p_value: Option<f64>,
    /// The p-value adjusted for several tests.
    pub p_adjusted: Option<f64>,
    /// By which procedure, if something is adjusted.
    pub adjustment: Option<&'static str>,
    /// What is estimated: a difference (variant less baseline), an average rank, an odds ratio or another
    /// effect.
    pub estimate: Option<f64>,
    /// The lower end of its interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// The level of the interval.
    pub level: Option<f64>,
    /// The probability that the variant is worse than the baseline by more than `region`.
    pub probability_worse: Option<f64>,
    /// The probability that they differ by no more than `region`.
    pub probability_equal: Option<f64>,
    /// The probability that the variant is better by more than `region`.
    pub probability_better: Option<f64>,
    /// Differences up to this are practically none.
    pub region: Option<f64>,
    /// The power that the estimate is for.
    pub power: Option<f64>,
    /// How many folds, discordant rows or data sets it is of.
    pub n: Option<usize>,
}

impl TestRecord {
    /// All values by name, as JSON has them and tables print them: numbers read back equal, and infinite ones
    /// are texts.
    fn values(&self) -> [(&'static str, Value); 21] {
        let text = |text: &Option<String>| Value::from(text.clone());
        let number = |value: Option<f64>| match value {
            Some(value) if value.is_infinite() => Value::from(value.to_string()),
            value => Value::from(value),
        };
        [
            ("test", self.test.into()),
            ("measure", self.measure.into()),
            ("data_set", text(&self.data_set)),
            ("variant", text(&self.variant)),
            ("baseline", text(&self.baseline)),
            ("statistic", number(self.statistic)),
            ("df", number(self.df)),
            ("df_denominator", number(self.df_denominator)),
            ("p_value", number(self.p_value)),
            ("p_adjusted", number(self.p_adjusted)),
            ("adjustment", self.adjustment.into()),
            ("estimate", number(self.estimate)),
            ("lower", number(self.lower)),
            ("upper", number(self.upper)),
            ("level", number(self.level)),
            ("probability_worse", number(self.probability_worse)),
            ("probability_equal", number(self.probability_equal)),
            ("probability_better", number(self.probability_better)),
            ("region", number(self.region)),
            ("power", number(self.power)),
            ("n", self.n.into()),
        ]
    }

    /// The same of a variant and the one that it is compared with.
    fn between(self, analysis: &Analysis<'_>, variant: usize, baseline: usize) -> Self {
        let [variant, baseline] = [variant, baseline].map(|variant| Some(analysis.name(variant).to_owned()));
        Self { variant, baseline, ..self }
    }
}

impl Serialize for TestRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.values())
    }
}

/// All tests, intervals, ranks, probabilities and powers of a comparison.
///
/// ```
/// use std::{num::NonZeroUsize, ops::ControlFlow};
/// use nb_compare::{Analysis, Comparison, Design, Table, run, test_records};
///
/// let design = Design::from_toml(r#"
///     sets = ["iris"]
///     variants = ["gaussian", "mdl"]
///     plan = { kind = "cross-validation", folds = 5, repeats = 1 }
/// "#)?;
/// let tables = [Table::embedded("iris")?];
/// let units = run(&design, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
/// let comparison = Comparison::new(design, &tables, units);
/// let records = test_records(&Analysis::new(&comparison));
/// let t = records.iter().find(|record| record.test == "corrected-t").ok_or("a test")?;
/// assert_eq!((t.variant.as_deref(), t.baseline.as_deref(), t.n), (Some("mdl"), Some("gaussian"), Some(5)));
/// assert!(t.lower < t.estimate && t.estimate < t.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn test_records(analysis: &Analysis<'_>) -> Vec<TestRecord> {
    let mut records: Vec<TestRecord> =
        (0..analysis.comparison.data.len()).flat_map(|set| on_set(analysis, set)).collect();
    records.extend(analysis.overall.iter().flat_map(|overall| over_sets(analysis, overall)));
    records.extend(practical(analysis));
    records
}

/// The records as CSV, a line each, with the numbers of [`results_json`](crate::results_json).
pub fn tests_csv(analysis: &Analysis<'_>) -> String {
    let heads = TestRecord::default().values().map(|(name, _)| Column::text(name));
    let mut table = Table::new("", heads);
    for record in test_records(analysis) {
        table.push(record.values().map(|(_, value)| match value {
            Value::Null => Cell::text(""),
            Value::String(text) => Cell::text(text),
            number => Cell::text(number.to_string()),
        }));
    }
    // Every row has as many cells as there are heads.
    table.to_csv().unwrap_or_default()
}

/// All pairs on a data set: with the baseline each less the baseline, others each less those that follow.
fn on_set(analysis: &Analysis<'_>, set: usize) -> Vec<TestRecord> {
    let design = &analysis.comparison.design;
    let baseline = analysis.baseline();
    let adjusted = of_set(analysis, set);
    let mut records = Vec::new();
    for pair in &analysis.pairs[set] {
        let is_swapped = pair.first == baseline;
        let (variant, other) = if is_swapped { (pair.second, pair.first) } else { (pair.first, pair.second) };
        let p_holm = adjusted
            .iter()
            .find(|((of_variant, ..), _)| other == baseline && *of_variant == variant)
            .and_then(|(_, p)| *p);
        let base = |test, measure: Measure| {
            let data_set = Some(analysis.comparison.data[set].name.clone());
            TestRecord { test, measure: measure.key(), data_set, ..TestRecord::default() }
                .between(analysis, variant, other)
        };
        if let Some(t) = &pair.t {
            records.push(corrected_t(base("corrected-t", design.measure), pair, t, is_swapped, p_holm));
        }
        if let Some(test) = &pair.five_by_two {
            let sign = if is_swapped { -1.0 } else { 1.0 };
            records.push(TestRecord {
                statistic: Some(test.f),
                df: Some(test.degrees_of_freedom.0),
                df_denominator: Some(test.degrees_of_freedom.1),
                p_value: Some(test.p),
                estimate: Some(sign * test.mean_difference),
                n: Some(
                    analysis.comparison.data[set].splits.repeats * analysis.comparison.data[set].splits.folds,
                ),
                ..base("5x2cv-f", design.measure)
            });
        }
        if let Some(test) = &pair.mcnemar {
            records.push(mcnemar(base("mcnemar-mid-p", Measure::Accuracy), test, is_swapped));
        }
    }
    records
}

fn corrected_t(
    base: TestRecord,
    pair: &Pair,
    t: &CorrectedT,
    is_swapped: bool,
    p_holm: Option<f64>,
) -> TestRecord {
    let sign = if is_swapped { -1.0 } else { 1.0 };
    let estimated = TestRecord { estimate: Some(sign * t.mean_difference), n: Some(t.n), ..base };
    // Differences that do not vary have no test.
    if pair.judged().is_none() {
        return estimated;
    }
    let ends = [sign * t.interval.lower, sign * t.interval.upper];
    TestRecord {
        statistic: Some(sign * t.t),
        df: Some(t.degrees_of_freedom),
        p_value: Some(t.p),
        p_adjusted: p_holm,
        adjustment: p_holm.map(|_| "holm"),
        lower: Some(ends[0].min(ends[1])),
        upper: Some(ends[0].max(ends[1])),
        level: Some(t.level),
        ..estimated
    }
}

/// With the odds that of discordant rows the variant is right.
fn mcnemar(base: TestRecord, test: &McNemar, is_swapped: bool) -> TestRecord {
    let interval = test.odds_ratio_interval;
    let (estimate, lower, upper) = if is_swapped {
        (test.odds_ratio.map(f64::recip), interval.upper.recip(), interval.lower.recip())
    } else {
        (test.odds_ratio, interval.lower, interval.upper)
    };
    TestRecord {
        p_value: Some(test.p_mid),
        estimate,
        lower: Some(lower),
        upper: Some(upper),
        level: Some(test.level),
        n: Some((test.only_first + test.only_second) as usize),
        ..base
    }
}

/// Ranks and tests over all data sets by a measure.
fn over_sets(analysis: &Analysis<'_>, overall: &Overall) -> Vec<TestRecord> {
    let alpha = analysis.comparison.design.alpha;
    let (friedman, n) = (&overall.friedman, overall.sets.len());
    let base =
        |test| TestRecord { test, measure: overall.measure.key(), n: Some(n), ..TestRecord::default() };
    let of_pair = |test, first: usize, second: usize| {
        base(test).between(analysis, overall.variants[first], overall.variants[second])
    };
    let level = Some(1.0 - alpha);
    let mut records = vec![
        TestRecord {
            statistic: Some(friedman.chi_squared),
            df: Some(friedman.degrees_of_freedom),
            p_value: Some(friedman.p),
            estimate: Some(friedman.kendalls_w),
            ..base("friedman")
        },
        TestRecord {
            statistic: Some(friedman.f),
            df: Some(friedman.f_degrees_of_freedom.0),
            df_denominator: Some(friedman.f_degrees_of_freedom.1),
            p_value: Some(friedman.p_f),
            ..base("iman-davenport")
        },
    ];
    for (&variant, &rank) in overall.variants.iter().zip(&friedman.average_ranks) {
        let variant = Some(analysis.name(variant).to_owned());
        records.push(TestRecord { variant, estimate: Some(rank), ..base("average-rank") });
    }
    for (test, (place, (first, second))) in
        rank_tests(friedman).into_iter().zip(pairs(overall.variants.len()).enumerate())
    {
        let reach = overall.nemenyi.critical_difference;
        records.push(TestRecord {
            p_adjusted: overall.nemenyi.p_values.get(first, second),
            adjustment: Some("nemenyi"),
            estimate: Some(test.difference),
            lower: Some(test.difference - reach),
            upper: Some(test.difference + reach),
            level,
            ..of_pair("nemenyi", first, second)
        });
        records.push(TestRecord {
            statistic: Some(test.z),
            p_value: Some(test.p),
            p_adjusted: Some(test.p_holm),
            adjustment: Some("holm"),
            estimate: Some(test.difference),
            ..of_pair("rank-difference", first, second)
        });
        let Some(wilcoxon) = overall.wilcoxon.get(place).and_then(Option::as_ref) else { continue };
        let p_adjusted = overall.wilcoxon_holm.as_ref().and_then(|all| all.get(first, second));
        records.push(TestRecord {
            statistic: Some(wilcoxon.rank_sum_first),
            p_value: Some(wilcoxon.p),
            p_adjusted,
            adjustment: p_adjusted.map(|_| "holm"),
            estimate: Some(wilcoxon.rank_biserial),
            ..of_pair("wilcoxon", first, second)
        });
    }
    let control = overall.variants.iter().position(|&variant| variant == analysis.baseline());
    let reach = critical_difference_from_control(overall.variants.len(), n, alpha);
    if let (Some(control), Ok(reach)) = (control, reach) {
        for test in rank_tests_against(friedman, control).unwrap_or_default() {
            // The control is the first of each pair.
            let difference = -test.difference;
            records.push(TestRecord {
                statistic: Some(-test.z),
                p_value: Some(test.p),
                p_adjusted: Some(test.p_holm),
                adjustment: Some("holm"),
                estimate: Some(difference),
                ..of_pair("rank-difference-from-baseline", test.second, control)
            });
            records.push(TestRecord {
                adjustment: Some("bonferroni"),
                estimate: Some(difference),
                lower: Some(difference - reach),
                upper: Some(difference + reach),
                level,
                ..of_pair("bonferroni-dunn", test.second, control)
            });
        }
    }
    records
}

/// Probabilities of practical differences, and powers.
fn practical(analysis: &Analysis<'_>) -> Vec<TestRecord> {
    let design = &analysis.comparison.design;
    let mut records = Vec::new();
    for outcome in &analysis.practical().outcomes {
        let base = |test| {
            TestRecord {
                test,
                measure: design.measure.key(),
                data_set: outcome.set.map(|set| analysis.comparison.data[set].name.clone()),
                n: Some(outcome.n),
                ..TestRecord::default()
            }
            .between(analysis, outcome.variant, analysis.baseline())
        };
        records.push(TestRecord {
            probability_worse: Some(outcome.worse),
            probability_equal: Some(outcome.equal),
            probability_better: Some(outcome.better),
            region: Some(design.region),
            ..base(match outcome.test {
                PracticalTest::CorrelatedT => "bayesian-correlated-t",
                PracticalTest::SignedRank => "bayesian-signed-rank",
                PracticalTest::Hierarchical => "bayesian-hierarchical",
                PracticalTest::MostProbable => "bayesian-hierarchical-most-probable",
            })
        });
        let level = Some(1.0 - design.alpha);
        if let Some(least) = outcome.detectable {
            let power = Some(POWER);
            records.push(TestRecord { estimate: Some(least), level, power, ..base("detectable-difference") });
        }
        if let Some(needed) = outcome.needed {
            records.push(TestRecord {
                estimate: Some(needed as f64),
                level,
                region: Some(design.region),
                power: Some(POWER),
                ..base("data-sets-needed")
            });
        }
    }
    records
}
