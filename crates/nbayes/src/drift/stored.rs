//! What a model keeps of each of its columns, over all classes: read from its sums, without the rows.

use nb_core::{
    FeatureModel,
    description::Summand,
    exact::{Exact, ExactSums},
    family::SumRule,
};
use nb_io::{Family, Model};
use nb_significance::SampleMoments;
use nb_variants::{Grid, Transform, Units, Variant};

/// What a model keeps of a column.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) values: Values,
    /// The number of rows in which the column is missing, if the model counts them.
    pub(crate) missing: Option<f64>,
}

/// The values of a column, as far as the sums have them.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// Rows in each bin; a value equal to a cut is in the bin below it.
    Bins { cuts: Vec<f64>, counts: Vec<f64> },
    /// Rows at each point of a grid; a value between two points is divided among them.
    Grid { grid: Grid, counts: Vec<f64> },
    /// Rows of each category.
    Categories(Vec<f64>),
    /// Rows up to a threshold and above it.
    Split { threshold: f64, counts: [f64; 2] },
    /// Moments of the values, or of what a power makes of them.
    Moments { moments: SampleMoments, power: Option<(Transform, Units)> },
    /// Rows with a value and with others, and the moments of the others.
    Beside { value: f64, counts: [f64; 2], others: SampleMoments },
    /// The mean of counts; their variance is that of Poisson distributions in the classes.
    Counts(SampleMoments),
    /// Nothing that could be compared, and why.
    Unknown(&'static str),
}

const NOT_USED: &str = "the model does not use it";
const NO_SUMS: &str = "its family keeps no counts and no means";

/// What a model keeps of each of its features.
pub(crate) fn stored(model: &Model) -> Vec<Stored> {
    let stats = model.stats();
    let weights = stats.class_weights();
    let classes: Vec<(&Exact, &[ExactSums])> = weights.iter().zip(stats.class_sums()).collect();
    let n_features = model.schema().n_features();
    let blocks: Vec<(&[usize], &Family)> = match model.family() {
        Family::Blocks(blocks) => blocks.iter().collect(),
        family => return Block::new(family, n_features, &classes).columns(),
    };
    let unused = Stored { values: Values::Unknown(NOT_USED), missing: None };
    let (mut all, mut first) = (vec![unused; n_features], 0);
    for (features, family) in blocks {
        let Ok(layout) = family.layout(features.len()) else { continue };
        let end = first + layout.parts.len();
        let own: Vec<_> = classes
            .iter()
            .map(|&(weight, parts)| (weight, parts.get(first..end).unwrap_or_default()))
            .collect();
        for (&feature, stored) in features.iter().zip(Block::new(family, features.len(), &own).columns()) {
            all[feature] = stored;
        }
        first = end;
    }
    all
}

/// The columns of one family, with the weights of the classes and the sums of the family in each.
struct Block<'a> {
    family: &'a Family,
    n_columns: usize,
    classes: &'a [(&'a Exact, &'a [ExactSums])],
    /// The number of rows.
    rows: Exact,
}

impl<'a> Block<'a> {
    fn new(family: &'a Family, n_columns: usize, classes: &'a [(&'a Exact, &'a [ExactSums])]) -> Self {
        let rows = classes.iter().fold(Exact::ZERO, |sum, (weight, _)| &sum + weight);
        Self { family, n_columns, classes, rows }
    }

    fn columns(&self) -> Vec<Stored> {
        let summands = self.family.summands().unwrap_or_default();
        (0..self.n_columns)
            .map(|column| match summands[..] {
                [Summand::Category] => self.categories(column),
                [Summand::Power(1), Summand::Power(2), Summand::Missing] => self.moments(column, None),
                [Summand::PowerBeside(1, value), ..] => self.beside(column, value),
                [Summand::Above(threshold), Summand::Missing] => self.split(column, threshold),
                [Summand::Power(1), Summand::Missing] => self.counts(column, Some(1)),
                [Summand::Power(1)] => self.counts(column, None),
                _ => self.learnt(column),
            })
            .collect()
    }

    /// A sum over all classes.
    fn total(&self, part: usize, place: usize) -> Exact {
        self.classes.iter().fold(Exact::ZERO, |sum, (_, parts)| match parts.get(part) {
            Some(own) if place < own.len() => &sum + &own.get(place),
            _ => sum,
        })
    }

    /// All sums of a part that grows with what is observed.
    fn part(&self, part: usize) -> Vec<f64> {
        let length = self.classes.iter().filter_map(|(_, parts)| parts.get(part)).map(ExactSums::len).max();
        (0..length.unwrap_or(0)).map(|place| self.total(part, place).to_f64()).collect()
    }

    /// Counts of each value, of which what is not counted is missing.
    fn counted(&self, counts: Vec<f64>, values: impl FnOnce(Vec<f64>) -> Values) -> Stored {
        let missing = (self.rows.to_f64() - counts.iter().sum::<f64>()).max(0.0);
        Stored { values: values(counts), missing: Some(missing) }
    }

    fn categories(&self, column: usize) -> Stored {
        self.counted(self.part(column), Values::Categories)
    }

    fn moments(&self, column: usize, power: Option<(Transform, Units)>) -> Stored {
        let missing = self.total(2, column);
        let n = &self.rows - &missing;
        let moments = sample(&n, &self.total(0, column), &self.total(1, column));
        Stored { values: Values::Moments { moments, power }, missing: Some(missing.to_f64()) }
    }

    fn beside(&self, column: usize, value: f64) -> Stored {
        let (elsewhere, missing) = (self.total(2, column), self.total(3, column));
        let others = sample(&elsewhere, &self.total(0, column), &self.total(1, column));
        let at = &(&self.rows - &missing) - &elsewhere;
        let counts = [at.to_f64().max(0.0), elsewhere.to_f64()];
        Stored { values: Values::Beside { value, counts, others }, missing: Some(missing.to_f64()) }
    }

    fn split(&self, column: usize, threshold: f64) -> Stored {
        let (above, missing) = (self.total(0, column).to_f64(), self.total(1, column).to_f64());
        let up_to = (self.rows.to_f64() - missing - above).max(0.0);
        Stored { values: Values::Split { threshold, counts: [up_to, above] }, missing: Some(missing) }
    }

    /// Counts: the variance is the mean of that of Poisson distributions in the classes, and that of their
    /// means.
    fn counts(&self, column: usize, missing_part: Option<usize>) -> Stored {
        let missing = missing_part.map(|part| self.total(part, column));
        let n = (&self.rows - missing.as_ref().unwrap_or(&Exact::ZERO)).to_f64();
        let mean = if n > 0.0 { self.total(0, column).to_f64() / n } else { 0.0 };
        let mut variance = mean;
        for (weight, parts) in self.classes {
            let own = |part: usize| parts.get(part).map_or(0.0, |sums| sums.get(column).to_f64());
            let rows = weight.to_f64() - missing_part.map_or(0.0, own);
            if rows > 0.0 {
                variance += rows / n * (own(0) / rows - mean).powi(2);
            }
        }
        Stored {
            values: Values::Counts(SampleMoments { n, mean, variance }),
            missing: missing.map(|m| m.to_f64()),
        }
    }

    /// Families that learn something before rows are summed, by the rules that their sums satisfy.
    fn learnt(&self, column: usize) -> Stored {
        if let Family::Power(family) = self.family {
            let transform = family.transforms.get(column).copied();
            return self.moments(column, transform.zip(family.units.get(column).copied()));
        }
        if let Family::Kernel(family) = self.family
            && let Some(&grid) = family.grids.get(column)
        {
            return self.counted(self.part(column), |counts| Values::Grid { grid, counts });
        }
        let rules = self.family.layout(self.n_columns).map(|layout| layout.rules).unwrap_or_default();
        let variant = self.family.variant();
        let values =
            |counts: Vec<f64>| match (variant.and_then(Variant::bins), variant.and_then(Variant::pairs)) {
                (_, Some(pairs)) if pairs.codings.n_categories().get(column).is_some_and(|&n| n > 0) => {
                    Values::Categories(counts)
                }
                (Some(cuts), _) => Values::Bins { cuts: cuts.column(column).to_vec(), counts },
                _ => Values::Categories(counts),
            };
        for rule in &rules {
            match rule {
                SumRule::Categories { first, .. } => return self.counted(self.part(first + column), values),
                SumRule::Combinations { first, n_categories } => {
                    let n = n_categories[column].max(1);
                    let mut counts = vec![0.0; n];
                    for (place, count) in self.part(first + column).into_iter().enumerate() {
                        counts[place % n] += count;
                    }
                    return self.counted(counts, values);
                }
                SumRule::Pairs { part, n_categories } => {
                    let start: usize = n_categories[..column].iter().sum();
                    let alone =
                        (start..start + n_categories[column]).map(|code| code * (code + 1) / 2 + code);
                    let counts = alone.map(|place| self.total(*part, place).to_f64()).collect();
                    return self.counted(counts, values);
                }
                _ => {}
            }
        }
        Stored { values: Values::Unknown(NO_SUMS), missing: None }
    }
}

/// The moments of values from their number, their sum and that of their squares; exact up to the last
/// division.
fn sample(n: &Exact, sum: &Exact, squares: &Exact) -> SampleMoments {
    if n.to_f64() <= 0.0 {
        return SampleMoments { n: 0.0, mean: 0.0, variance: 0.0 };
    }
    let deviation = &(n * squares) - &(sum * sum);
    let variance = deviation.divided_by(&(n * n)).0.max(0.0);
    SampleMoments { n: n.to_f64(), mean: sum.divided_by(n).0, variance }
}
