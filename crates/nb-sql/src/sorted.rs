//! The rows of a result by what they say, and the checks that they say it of one table.

use std::collections::{BTreeMap, BTreeSet};

use nb_core::exact::Exact;

use crate::{
    Design, DesignColumn, ImportError, Kept,
    import::{Class, ColumnSums},
    moments::Moments,
    result::Row,
};

/// The rows of a result by what they say.
#[derive(Debug, Default)]
pub(crate) struct Sorted<'a> {
    /// Whether the rows of the table have weights.
    pub(crate) weighted: bool,
    pub(crate) classes: BTreeMap<&'a str, &'a Row>,
    /// By class and feature.
    features: BTreeMap<(&'a str, &'a str), &'a Row>,
    /// By class, feature and category; no category for the missing cells.
    categories: BTreeMap<(&'a str, &'a str, Option<&'a str>), &'a Row>,
}

impl<'a> Sorted<'a> {
    pub(crate) fn new(rows: &'a [Row], design: &Design) -> Result<Self, ImportError> {
        if let Some(row) = rows.iter().find(|row| row.kind == "unlabelled") {
            let (line, n_rows) = (row.line, row.count("n_rows")?);
            return Err(ImportError::Unlabelled { line, n_rows, label: design.label.clone() });
        }
        let kept: BTreeMap<&str, Kept> =
            design.columns.iter().map(|column| (column.name.as_str(), column.kept)).collect();
        let mut sorted = Self { weighted: design.weights.is_some(), ..Self::default() };
        for row in rows {
            let (class, feature, category) =
                (row.class.as_str(), row.feature.as_str(), row.category.as_str());
            let is_categorical = kept.get(feature).map(|kept| *kept == Kept::Categories);
            let known = match row.kind.as_str() {
                "class" => sorted.classes.insert(class, row),
                "feature" if is_categorical == Some(false) => sorted.features.insert((class, feature), row),
                "category" if is_categorical == Some(true) => {
                    sorted.categories.insert((class, feature, Some(category)), row)
                }
                "missing" if is_categorical == Some(true) => {
                    sorted.categories.insert((class, feature, None), row)
                }
                "feature" | "category" | "missing" => {
                    let (feature, kind) = (row.feature.clone(), row.kind.clone());
                    return Err(ImportError::UnknownFeature { line: row.line, feature, kind });
                }
                _ => return Err(row.bad("kind", "no kind of row")),
            };
            if known.is_some() {
                return Err(ImportError::Duplicate {
                    line: row.line,
                    class: row.class.clone(),
                    feature: row.feature.clone(),
                    category: row.category.clone(),
                });
            }
        }
        for row in rows {
            if !sorted.classes.contains_key(row.class.as_str()) {
                return Err(ImportError::UnknownClass { line: row.line, class: row.class.clone() });
            }
        }
        Ok(sorted)
    }

    /// The categories of each column, in order; none for columns of numbers.
    pub(crate) fn levels(&self, design: &Design) -> Result<Vec<Vec<String>>, ImportError> {
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (_, feature, category) in self.categories.keys() {
            found.entry(feature).or_default().extend(category);
        }
        let of_column = |column: &DesignColumn| {
            if column.kept != Kept::Categories {
                return Ok(Vec::new());
            }
            let levels: Vec<String> = found
                .get(column.name.as_str())
                .map(|levels| levels.iter().map(|&level| level.to_owned()).collect())
                .unwrap_or_default();
            let none = levels.is_empty() && !self.classes.is_empty();
            if none { Err(ImportError::NoCategory { feature: column.name.clone() }) } else { Ok(levels) }
        };
        design.columns.iter().map(of_column).collect()
    }

    /// The sums of a column of numbers.
    pub(crate) fn numbers(
        &self,
        name: &str,
        class: &Class,
        feature: &str,
        kept: Kept,
    ) -> Result<ColumnSums, ImportError> {
        let Some(row) = self.features.get(&(name, feature)) else {
            return Err(ImportError::NoFeature { class: name.into(), feature: feature.into() });
        };
        let refused = row.count("refused")?;
        if refused > 0.0 {
            let (class, feature) = (name.to_owned(), feature.to_owned());
            return Err(ImportError::Refused { line: row.line, class, feature, n_rows: refused });
        }
        let disagree = |what, found, expected| ImportError::Disagree {
            what,
            class: name.into(),
            feature: feature.into(),
            found,
            expected,
        };
        let (n_rows, missing) = (row.count("n_rows")?, row.size("missing")?);
        if n_rows > class.n_rows {
            return Err(disagree("the number of rows", n_rows, class.n_rows));
        }
        // Sums of the same weights may have rounded in other ways; numbers of rows do not round.
        let slack = if self.weighted { (class.n_rows + 2.0) * f64::EPSILON * class.weight } else { 0.0 };
        let all_observed = n_rows == class.n_rows && missing > 0.0;
        let counts_differ = !self.weighted && missing != class.n_rows - n_rows;
        if missing > class.weight + slack || all_observed || counts_differ {
            return Err(disagree("the weight of the missing cells", missing, class.weight));
        }
        // Sums of no rows are NULL, and nothing is observed.
        let missing = if n_rows == 0.0 { class.weight } else { missing.min(class.weight) };
        let observed = &Exact::from(class.weight) - &Exact::from(missing);
        let read = |column| if n_rows == 0.0 { Ok(0.0) } else { row.number(column) };
        let moments = |weight: &Exact, shift, sum, squares| {
            if squares < 0.0 {
                return Err(row.bad("sum_of_squares", "negative"));
            }
            Moments::new(n_rows, weight, shift, sum, squares).map_err(|negative| {
                ImportError::NegativeVariance {
                    class: name.into(),
                    feature: feature.into(),
                    variance: negative.variance,
                }
            })
        };
        // Where all numbers are the one that is set apart, there is no sum.
        let sum = if matches!(kept, Kept::MomentsBeside(_)) { 0.0 } else { read("sum")? };
        if !kept.has_squares() && sum < 0.0 {
            return Err(row.bad("sum", "negative"));
        }
        match kept {
            Kept::Above(_) if sum > observed.to_f64() + slack => {
                Err(disagree("the weight above the threshold", sum, observed.to_f64()))
            }
            Kept::Above(threshold) => {
                let ones = Exact::from(sum);
                let ones = if ones > observed { observed } else { ones };
                Ok(ColumnSums::Above { threshold, ones, missing })
            }
            Kept::MomentsBeside(value) => {
                let weight = row.size("weight")?;
                if weight > observed.to_f64() + slack {
                    return Err(disagree("the weight of the other values", weight, observed.to_f64()));
                }
                let elsewhere = Exact::from(weight);
                let elsewhere = if elsewhere > observed { observed } else { elsewhere };
                let read = |column| if weight == 0.0 { Ok(0.0) } else { row.number(column) };
                let (shift, sum, squares) = (read("shift")?, read("sum")?, read("sum_of_squares")?);
                let moments = moments(&elsewhere, shift, sum, squares)?;
                Ok(ColumnSums::Beside { value, weight: elsewhere.to_f64(), moments, missing })
            }
            Kept::Moments | Kept::CountMoments => {
                let (shift, squares) = (read("shift")?, read("sum_of_squares")?);
                Ok(ColumnSums::Moments { moments: moments(&observed, shift, sum, squares)?, missing })
            }
            _ => Ok(ColumnSums::Counts { sum, missing }),
        }
    }

    /// The counts of a column of categories. Together with the missing cells they are all rows of the class.
    pub(crate) fn categories(
        &self,
        name: &str,
        class: &Class,
        feature: &str,
        levels: &[String],
    ) -> Result<ColumnSums, ImportError> {
        let mut n_rows = 0.0;
        let mut weight_of = |category: Option<&str>| -> Result<f64, ImportError> {
            let Some(row) = self.categories.get(&(name, feature, category)) else { return Ok(0.0) };
            n_rows += row.count("n_rows")?;
            row.size("weight")
        };
        let counts: Vec<f64> = levels.iter().map(|level| weight_of(Some(level))).collect::<Result<_, _>>()?;
        let missing = weight_of(None)?;
        let disagree = |what, found, expected| ImportError::Disagree {
            what,
            class: name.into(),
            feature: feature.into(),
            found,
            expected,
        };
        if n_rows != class.n_rows {
            return Err(disagree("the number of rows", n_rows, class.n_rows));
        }
        let total = counts.iter().sum::<f64>() + missing;
        let slack = (n_rows + counts.len() as f64) * f64::EPSILON * class.weight;
        if (total - class.weight).abs() > slack {
            return Err(disagree("the weight", total, class.weight));
        }
        Ok(ColumnSums::Categories { counts, missing })
    }
}
