//! A column while its profile is made.

use super::{
    categories::Categories,
    finding::findings,
    information::Information,
    numbers_profile::Numbers,
    table_profile::{ColumnProfile, Commonest, Distinct},
    texts::Texts,
    values::Class,
};
use crate::{
    Kind,
    read::{Inference, Reason},
};

/// How many of the commonest values are named.
const NAMED: usize = 10;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColumnWatch {
    pub(super) inference: Inference,
    n_missing: u64,
    cells: Cells,
}

#[derive(Clone, Debug, PartialEq)]
enum Cells {
    Numbers(Box<Numbers>),
    Categories {
        categories: Categories,
        /// The number that each category is, and the numbers of all cells, if all categories are numbers.
        numbers: Option<(Vec<f64>, Box<Numbers>)>,
    },
    Texts(Texts),
}

impl ColumnWatch {
    pub(super) fn new(inference: &Inference) -> Self {
        let cells = match &inference.kind {
            // None of the categories is kept.
            _ if matches!(inference.reason, Reason::TooManyCategories { .. }) => {
                Cells::Texts(Texts::default())
            }
            Kind::Categorical { levels } => {
                let numbers: Option<Vec<f64>> = levels.iter().map(|level| number(level)).collect();
                let numbers =
                    numbers.filter(|numbers| !numbers.is_empty()).map(|numbers| (numbers, Box::default()));
                Cells::Categories { categories: Categories::new(levels), numbers }
            }
            Kind::Text(_) => Cells::Texts(Texts::default()),
            _ => Cells::Numbers(Box::default()),
        };
        // The categories are kept once.
        let kind = match &inference.kind {
            Kind::Categorical { .. } => Kind::Categorical { levels: Vec::new() },
            kind => kind.clone(),
        };
        Self { inference: Inference { kind, ..inference.clone() }, n_missing: 0, cells }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.cells, Cells::Texts(_))
    }

    /// Whether cells are numbers, and not categories.
    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.cells, Cells::Numbers(_))
    }

    /// Adds the cell of the next row: a number, the code of a category, or NaN.
    pub(super) fn add(&mut self, value: f64, class: Class) {
        match &mut self.cells {
            _ if value.is_nan() => self.n_missing += 1,
            Cells::Numbers(numbers) => numbers.add(value, class),
            Cells::Categories { categories, numbers } => {
                let code = value as usize;
                categories.add(code, class, 1);
                if let Some((values, numbers)) = numbers
                    && let Some(&value) = values.get(code)
                {
                    numbers.add(value, class);
                }
            }
            Cells::Texts(_) => {}
        }
    }

    /// Adds a number that `n` rows of a class have.
    pub(super) fn add_unordered(&mut self, value: f64, class: Class, n: u64) {
        match &mut self.cells {
            _ if value.is_nan() => self.n_missing += n,
            Cells::Numbers(numbers) => numbers.add_unordered(value, class, n),
            Cells::Categories { .. } | Cells::Texts(_) => {
                (0..n).for_each(|_| self.add(value, class));
            }
        }
    }

    /// Adds a text.
    pub(super) fn add_text(&mut self, text: &str) {
        match &mut self.cells {
            Cells::Texts(texts) if !text.is_empty() => texts.add(text, 1),
            _ => self.n_missing += 1,
        }
    }

    pub(super) fn forget_classes(&mut self) {
        match &mut self.cells {
            Cells::Numbers(numbers) => numbers.values.forget_classes(),
            Cells::Categories { categories, numbers } => {
                categories.forget_classes();
                if let Some((_, numbers)) = numbers {
                    numbers.values.forget_classes();
                }
            }
            Cells::Texts(_) => {}
        }
    }

    /// Adds the cells of later rows; whether both are of one kind.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) -> bool {
        self.n_missing += other.n_missing;
        match (&mut self.cells, &other.cells) {
            (Cells::Numbers(numbers), Cells::Numbers(others)) => numbers.merge(others, class),
            (Cells::Texts(texts), Cells::Texts(others)) => texts.merge(others),
            (
                Cells::Categories { categories, numbers },
                Cells::Categories { categories: others, numbers: other_numbers },
            ) => {
                categories.merge(others, &class);
                *numbers = match (numbers.take(), other_numbers) {
                    (Some((_, mut numbers)), Some((_, others))) => {
                        numbers.merge(others, class);
                        let values = (0..categories.counts.len()).map(|code| number(categories.name(code)));
                        values.collect::<Option<Vec<f64>>>().map(|values| (values, numbers))
                    }
                    _ => None,
                };
            }
            _ => return false,
        }
        true
    }

    /// The profile. There are no classes if there is no label, or there are too many.
    pub(super) fn profile(&self, n_rows: u64, classes: &[(&str, Class)], is_copy: bool) -> ColumnProfile {
        let n_classes = classes.len();
        let mut profile = ColumnProfile {
            column: self.inference.column.clone(),
            n_missing: self.n_missing,
            n_numbers: 0,
            n_texts: 0,
            distinct: Distinct::default(),
            commonest: Vec::new(),
            max_count_error: 0,
            numbers: None,
            information: None,
            class_without_values: None,
            findings: Vec::new(),
        };
        match &self.cells {
            Cells::Numbers(numbers) => {
                // Texts among numbers were read as missing cells.
                if let Reason::MostlyNumeric { texts, .. } = self.inference.reason {
                    profile.n_texts = (texts as u64).min(self.n_missing);
                    profile.n_missing -= profile.n_texts;
                }
                profile.n_numbers = numbers.n();
                profile.distinct = numbers.values.distinct();
                let (commonest, error) = numbers.values.commonest(NAMED);
                let named = commonest.into_iter().map(|(value, n)| Commonest { value: value.to_string(), n });
                (profile.commonest, profile.max_count_error) = (named.collect(), error);
                profile.numbers = numbers.profile();
                profile.information = information(numbers, n_classes);
                let is_empty = |class: Class| numbers.values.of_class(class).values().is_empty();
                let empty = classes.iter().find(|&&(_, class)| is_empty(class));
                profile.class_without_values = empty.map(|(name, _)| (*name).into());
            }
            Cells::Categories { categories, numbers } => {
                let by_count = categories.by_count();
                let of_numbers = by_count.iter().filter(|(name, _)| number(name).is_some());
                profile.n_numbers = of_numbers.map(|(_, n)| n).sum();
                profile.n_texts = categories.counts.iter().sum::<u64>() - profile.n_numbers;
                profile.distinct = Distinct::exactly(by_count.len() as u64);
                let named = by_count.iter().take(NAMED);
                profile.commonest = named.map(|&(name, n)| Commonest { value: name.into(), n }).collect();
                profile.numbers = numbers.as_ref().and_then(|(_, numbers)| numbers.profile());
                if n_classes > 0 {
                    let rows = categories.rows(n_classes);
                    profile.information = rows.as_ref().and_then(|rows| Information::of(rows));
                    let is_empty = |class: Class| {
                        rows.as_ref().is_some_and(|rows| rows.iter().all(|row| row[class as usize - 1] == 0))
                    };
                    let empty = classes.iter().find(|&&(_, class)| is_empty(class));
                    profile.class_without_values = empty.map(|(name, _)| (*name).into());
                }
            }
            Cells::Texts(texts) => {
                profile.n_texts = n_rows - self.n_missing;
                profile.distinct = texts.distinct();
                let (commonest, error) = texts.commonest(NAMED);
                let named = commonest.into_iter().map(|(value, n)| Commonest { value, n });
                (profile.commonest, profile.max_count_error) = (named.collect(), error);
            }
        }
        profile.findings = findings(&self.inference, &profile, n_rows, is_copy);
        profile
    }
}

/// The number that the name of a category is.
fn number(name: &str) -> Option<f64> {
    name.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// What numbers say of the label.
fn information(numbers: &Numbers, n_classes: usize) -> Option<Information> {
    const GROUPS: u64 = 10;
    if n_classes == 0 {
        return None;
    }
    let all = numbers.values.distribution();
    let cuts = if all.values().len() <= GROUPS as usize {
        let values = all.values().iter().map(|(value, _)| *value);
        values.take(all.values().len().saturating_sub(1)).collect()
    } else {
        all.cuts(GROUPS)
    };
    let of_classes: Vec<Vec<u64>> =
        (1..=n_classes as Class).map(|class| numbers.values.of_class(class).grouped(&cuts)).collect();
    let rows: Vec<Vec<u64>> =
        (0..=cuts.len()).map(|group| of_classes.iter().map(|counts| counts[group]).collect()).collect();
    Information::of(&rows)
}
