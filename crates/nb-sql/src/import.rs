//! The result of a fitting query, checked: the evidence of a model.

use std::collections::BTreeMap;

use nb_core::{
    Prior, SufficientStats,
    exact::{Exact, ExactSums},
};
use nb_io::{Column, Family, Kind, Model, Schema};

use crate::{
    Design, ImportError, Kept,
    moments::Moments,
    parts::parts,
    result::{self, Row},
    sorted::Sorted,
};

/// What a table says of a model: the result of [`fit_query`](crate::fit_query), checked.
///
/// ```
/// use nb_core::Gaussian;
/// use nb_io::Family;
/// use nb_sql::{Design, DesignColumn, Evidence, Kept};
///
/// let columns = vec![DesignColumn { name: "length".into(), kept: Kept::Moments }];
/// let design = Design { label: "species".into(), weights: None, group: None, columns };
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
    /// By how much the relative error of the variance may exceed that of the engine's sums: `10^8` costs
    /// about eight digits of sixteen.
    pub condition: f64,
}

/// The sums of one class.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) n_rows: f64,
    pub(crate) weight: f64,
    /// By column.
    pub(crate) columns: Vec<ColumnSums>,
}

/// The sums of a column in one class.
#[derive(Clone, Debug)]
pub(crate) enum ColumnSums {
    Moments {
        moments: Moments,
        missing: f64,
    },
    /// Of the numbers other than a value, and their weight.
    Beside {
        value: f64,
        weight: f64,
        moments: Moments,
        missing: f64,
    },
    Counts {
        sum: f64,
        missing: f64,
    },
    Above {
        threshold: f64,
        ones: Exact,
        missing: f64,
    },
    Categories {
        counts: Vec<f64>,
        missing: f64,
    },
}

impl ColumnSums {
    /// The weight of missing cells.
    pub(crate) fn missing(&self) -> f64 {
        match self {
            Self::Moments { missing, .. }
            | Self::Beside { missing, .. }
            | Self::Counts { missing, .. }
            | Self::Above { missing, .. }
            | Self::Categories { missing, .. } => *missing,
        }
    }
}

impl Evidence {
    /// Reads the result of a query, written as comma-separated values with a header, columns in any order.
    ///
    /// Categories get codes in the order of their names. A class whose rows all have the weight zero is left
    /// out.
    ///
    /// # Errors
    /// [`ImportError`] names the first thing that is wrong: line, class, column and value, and what to do.
    pub fn read(result: &str, design: &Design) -> Result<Self, ImportError> {
        design.check()?;
        Self::of_rows(&result::rows(result, false)?, design)
    }

    /// Reads the result of a query for a design with groups: what the table says of each group, by its value.
    ///
    /// Each is what [`read`](Self::read) gives for the rows of that group alone; so are its categories.
    ///
    /// ```
    /// use nb_sql::{Design, DesignColumn, Evidence, Kept};
    ///
    /// let columns = vec![DesignColumn { name: "length".into(), kept: Kept::Counts }];
    /// let group = Some("garden".into());
    /// let design = Design { label: "species".into(), weights: None, group, columns };
    /// let result = "\
    /// nb_group,class,kind,feature,category,n_rows,weight,missing,refused,shift,sum,sum_of_squares
    /// north,a,class,,,2,2,,0,,,
    /// north,a,feature,length,,2,,0,0,0,4,
    /// south,b,class,,,1,1,,0,,,
    /// south,b,feature,length,,1,,0,0,0,9,
    /// ";
    /// let groups = Evidence::read_groups(result, &design)?;
    /// assert_eq!(groups["north"].n_rows(), 2.0);
    /// assert_eq!(groups["south"].n_rows(), 1.0);
    /// # Ok::<(), nb_sql::ImportError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImportError`] names the first thing that is wrong, and its group.
    pub fn read_groups(result: &str, design: &Design) -> Result<BTreeMap<String, Self>, ImportError> {
        design.check()?;
        let rows = result::rows(result, true)?;
        if let Some(row) = rows.iter().find(|row| row.kind == "ungrouped") {
            let (line, n_rows) = (row.line, row.count("n_rows")?);
            let column = design.group.clone().unwrap_or_default();
            return Err(ImportError::Ungrouped { line, n_rows, column });
        }
        let mut groups: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        for row in rows {
            groups.entry(row.group.clone()).or_default().push(row);
        }
        if groups.is_empty() {
            return Err(ImportError::NoRows);
        }
        let evidence = groups.into_iter().map(|(group, rows)| match Self::of_rows(&rows, design) {
            Ok(evidence) => Ok((group, evidence)),
            Err(error) => Err(ImportError::InGroup { group, error: Box::new(error) }),
        });
        evidence.collect()
    }

    fn of_rows(rows: &[Row], design: &Design) -> Result<Self, ImportError> {
        let sorted = Sorted::new(rows, design)?;
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
                Kept::Moments | Kept::MomentsBeside(_) | Kept::Above(_) => Kind::Numeric,
                Kept::Counts | Kept::CountMoments => Kind::Count,
                Kept::Categories => Kind::Categorical { levels },
            },
        });
        Ok(Self { schema: Schema { columns: columns.collect(), label: design.label.clone() }, classes })
    }

    /// The columns, with the categories that were found.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of rows of the table, except for classes of which all rows have weight zero.
    pub fn n_rows(&self) -> f64 {
        self.classes.values().map(|class| class.n_rows).sum()
    }

    /// Variances of which fewer than about eight of sixteen digits are left, in the order of classes and
    /// columns.
    pub fn lost_digits(&self) -> Vec<LostDigits> {
        /// The square root of the inverse of the unit roundoff, rounded.
        const MANY: f64 = 1e8;
        let mut lost = Vec::new();
        for (class, sums) in &self.classes {
            for (sums, column) in sums.columns.iter().zip(&self.schema.columns) {
                if let ColumnSums::Moments { moments, .. } | ColumnSums::Beside { moments, .. } = sums
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
    /// [`ImportError`] if the family needs other sums, refuses cells that are missing, or does not take the
    /// columns.
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
