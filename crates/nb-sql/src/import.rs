//! The result of a fitting query, checked: the evidence of a model.

use std::collections::{BTreeMap, BTreeSet};

use nb_core::{Exact, ExactSums, Prior, SufficientStats};
use nb_io::{Column, Family, Kind, Model, Schema};

use crate::{
    Design, ImportError, Kept,
    moments::Moments,
    parts::parts,
    result::{self, Row},
};

/// What a table says of a model: the result of [`fit_query`](crate::fit_query), checked.
///
/// ```
/// use nb_core::Gaussian;
/// use nb_io::Family;
/// use nb_sql::{Design, DesignColumn, Evidence, Kept};
///
/// let columns = vec![DesignColumn { name: "length".into(), kept: Kept::Moments }];
/// let design = Design { label: "species".into(), weights: None, columns };
/// let result = "\
/// class,kind,feature,category,n_rows,weight,missing,refused,shift,sum,sum_of_squares
/// a,class,,,2,2,,0,,,
/// a,feature,length,,2,,0,0,2,0,2
/// b,class,,,2,2,,0,,,
/// b,feature,length,,2,,0,0,8,0,2
/// ";
/// let model = Evidence::read(result, &design)?.into_model(Family::Gaussian(Gaussian::default()))?;
/// assert_eq!(model.classifier()?.predict(&ndarray::array![[2.5]])?, ["a"]); // from 1, 3 and 7, 9
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evidence {
    schema: Schema,
    classes: BTreeMap<String, Class>,
}

/// A variance of which rounding in the engine has left few digits.
#[derive(Clone, Debug, PartialEq)]
pub struct LostDigits {
    /// The class.
    pub class: String,
    /// The column.
    pub feature: String,
    /// By how much the relative error of the variance may exceed that of the engine's sums: `10^8` costs about eight
    /// digits of sixteen.
    pub condition: f64,
}

/// The sums of one class.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    n_rows: f64,
    pub(crate) weight: f64,
    /// By column.
    pub(crate) columns: Vec<ColumnSums>,
}

/// The sums of a column in one class.
#[derive(Clone, Debug)]
pub(crate) enum ColumnSums {
    Moments { moments: Moments, missing: f64 },
    Counts { sum: f64, missing: f64 },
    Above { threshold: f64, ones: Exact, missing: f64 },
    Categories { counts: Vec<f64>, missing: f64 },
}

impl ColumnSums {
    /// The weight of missing cells.
    pub(crate) fn missing(&self) -> f64 {
        match self {
            Self::Moments { missing, .. }
            | Self::Counts { missing, .. }
            | Self::Above { missing, .. }
            | Self::Categories { missing, .. } => *missing,
        }
    }
}

/// The rows of a result by what they say.
#[derive(Default)]
struct Sorted<'a> {
    /// Whether the rows of the table have weights.
    weighted: bool,
    classes: BTreeMap<&'a str, &'a Row>,
    /// By class and feature.
    features: BTreeMap<(&'a str, &'a str), &'a Row>,
    /// By class, feature and category; no category for the missing cells.
    categories: BTreeMap<(&'a str, &'a str, Option<&'a str>), &'a Row>,
}

impl Evidence {
    /// Reads the result of a query, written as comma-separated values with a header, columns in any order.
    ///
    /// Categories get codes in the order of their names. A class whose rows all have the weight zero is left out.
    ///
    /// # Errors
    /// [`ImportError`] names the first thing that is wrong: line, class, column and value, and what to do.
    pub fn read(result: &str, design: &Design) -> Result<Self, ImportError> {
        design.check()?;
        let rows = result::rows(result)?;
        let sorted = Sorted::new(&rows, design)?;
        let levels = sorted.levels(design)?;
        let mut classes = BTreeMap::new();
        for (&name, row) in &sorted.classes {
            let refused = row.count("refused")?;
            if refused > 0.0 {
                return Err(ImportError::Weights { line: row.line, class: name.into(), n_rows: refused });
            }
            let (n_rows, weight) = (row.count("n_rows")?, row.size("weight")?);
            if !sorted.weighted && weight != n_rows {
                return Err(row.bad("weight", "not the number of rows, though the schema has no weights"));
            }
            let mut class = Class { n_rows, weight, columns: Vec::new() };
            for (column, levels) in design.columns.iter().zip(&levels) {
                let sums = match column.kept {
                    Kept::Categories => sorted.categories(name, &class, &column.name, levels),
                    kept => sorted.numbers(name, &class, &column.name, kept),
                };
                class.columns.push(sums?);
            }
            if weight > 0.0 {
                classes.insert(name.to_owned(), class);
            }
        }
        if classes.is_empty() {
            return Err(ImportError::NoRows);
        }
        let columns = design.columns.iter().zip(levels).map(|(column, levels)| Column {
            name: column.name.clone(),
            kind: match column.kept {
                Kept::Moments | Kept::Above(_) => Kind::Numeric,
                Kept::Counts => Kind::Count,
                Kept::Categories => Kind::Categorical { levels },
            },
        });
        Ok(Self { schema: Schema { columns: columns.collect(), label: design.label.clone() }, classes })
    }

    /// The columns, with the categories that were found.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of rows of the table, those of weight zero included.
    pub fn n_rows(&self) -> f64 {
        self.classes.values().map(|class| class.n_rows).sum()
    }

    /// Variances of which fewer than about eight of sixteen digits are left, in the order of classes and columns.
    pub fn lost_digits(&self) -> Vec<LostDigits> {
        /// The square root of the inverse of the unit roundoff, rounded.
        const MANY: f64 = 1e8;
        let mut lost = Vec::new();
        for (class, sums) in &self.classes {
            for (sums, column) in sums.columns.iter().zip(&self.schema.columns) {
                if let ColumnSums::Moments { moments, .. } = sums
                    && moments.condition > MANY
                {
                    let (class, feature) = (class.clone(), column.name.clone());
                    lost.push(LostDigits { class, feature, condition: moments.condition });
                }
            }
        }
        lost
    }

    /// The model of a family, which goes with what was kept of each column. Its prior is the empirical one.
    ///
    /// # Errors
    /// [`ImportError`] if the family needs other sums, refuses cells that are missing, or does not take the columns.
    pub fn into_model(self, family: Family) -> Result<Model, ImportError> {
        let mut classes = Vec::with_capacity(self.classes.len());
        for (name, class) in &self.classes {
            let parts: Vec<ExactSums> = parts(&family, name, class, &self.schema)?;
            classes.push((name.clone(), Exact::from(class.weight), parts));
        }
        let stats = SufficientStats::from_parts(&family, self.schema.n_features(), classes)?;
        Ok(Model::from_parts(self.schema, family, Prior::Empirical, stats)?)
    }
}

impl<'a> Sorted<'a> {
    fn new(rows: &'a [Row], design: &Design) -> Result<Self, ImportError> {
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
    fn levels(&self, design: &Design) -> Result<Vec<Vec<String>>, ImportError> {
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (_, feature, category) in self.categories.keys() {
            found.entry(feature).or_default().extend(category);
        }
        let of_column = |column: &crate::DesignColumn| {
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
    fn numbers(
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
        let sum = read("sum")?;
        if kept != Kept::Moments && sum < 0.0 {
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
            Kept::Moments => {
                let (shift, squares) = (read("shift")?, read("sum_of_squares")?);
                if squares < 0.0 {
                    return Err(row.bad("sum_of_squares", "negative"));
                }
                let moments = Moments::new(n_rows, &observed, shift, sum, squares);
                let moments = moments.map_err(|negative| ImportError::NegativeVariance {
                    class: name.into(),
                    feature: feature.into(),
                    variance: negative.variance,
                })?;
                Ok(ColumnSums::Moments { moments, missing })
            }
            _ => Ok(ColumnSums::Counts { sum, missing }),
        }
    }

    /// The counts of a column of categories. Together with the missing cells they are all rows of the class.
    fn categories(
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
