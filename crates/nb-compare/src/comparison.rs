//! A comparison: a design, the data it was carried out on, and what came of it.

use serde::{Deserialize, Serialize};

use crate::{Design, Features, Kind, Provenance, SplitBy, Splits, Table, Unit, table::described};

/// A design, the data it was carried out on, and what came of it: all that analyses and reports are made of.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The design.
    pub design: Design,
    /// The data sets, in the order of the design.
    pub data: Vec<Data>,
    /// What came of it, by sets, repeats and variants.
    pub units: Vec<Unit>,
    /// By what it was carried out, for reports.
    pub made: Made,
    /// The name of a file beside the report that has the results, so that the report has only what it is
    /// repeated from; none if the report has them inside.
    pub results_file: Option<String>,
}

/// By what results were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Made {
    /// The program and its version; by default this crate.
    pub program: String,
    /// The commit that it was built from, if `NB_COMMIT` named it to the compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The machine, if it is known. Besides it, only times differ between machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

impl Default for Made {
    fn default() -> Self {
        let program = format!("nb-compare {}", env!("CARGO_PKG_VERSION"));
        Self { program, commit: option_env!("NB_COMMIT").map(str::to_owned), machine: None }
    }
}

impl Made {
    /// The program with its version and, if it is known, its commit.
    pub(crate) fn by(&self) -> String {
        let commit = self.commit.as_ref().map(|commit| format!(", commit {commit}"));
        self.program.clone() + &commit.unwrap_or_default()
    }

    /// Adds what is known to the facts of a report.
    pub(crate) fn add_to(&self, document: &mut nb_report::Document) {
        document.fact("made by", self.by());
        if let Some(machine) = &self.machine {
            document.fact("machine", machine.clone());
        }
    }
}

/// What a report says of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// Its name.
    pub name: String,
    /// The number of rows.
    pub n_rows: usize,
    /// The number of columns of numbers.
    pub n_numeric: usize,
    /// The number of columns of counts.
    pub n_count: usize,
    /// The number of columns of categories.
    pub n_categorical: usize,
    /// The number of terms of documents.
    pub n_terms: usize,
    /// The columns of texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<Texts>,
    /// The number of missing cells.
    pub n_missing: usize,
    /// The classes, and how many rows each has.
    pub classes: Vec<(String, usize)>,
    /// Where the data come from.
    pub provenance: Provenance,
    /// How it was split.
    pub splits: Splits,
    /// The [`Table::fingerprint`].
    pub fingerprint: String,
    /// The class of each row.
    #[serde(skip)]
    pub labels: Vec<usize>,
}

/// What a report says of a column of texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// The name of the column.
    pub column: String,
    /// The number of terms of all its texts, or of buckets; training rows have their own.
    pub n_terms: usize,
    /// How texts become terms, and which are kept.
    pub settings: String,
}

impl Comparison {
    /// Puts together what [`run`](crate::run) gave.
    pub fn new(design: Design, tables: &[Table], units: Vec<Unit>) -> Self {
        let data = tables.iter().map(|table| Data::new(table, &design)).collect();
        Self { design, data, units, made: Made::default(), results_file: None }
    }
}

impl Data {
    /// A warning if splits that were given never test some rows, as the measures say nothing of these.
    pub fn untested(&self) -> Option<String> {
        let Splits { never_tested, by, .. } = &self.splits;
        (*by == SplitBy::Given && *never_tested > 0).then(|| {
            let tested = self.n_rows - never_tested;
            format!(
                "{}: the given splits test {tested} of {} rows, and never the other {never_tested}; measures are of those tested",
                self.name, self.n_rows
            )
        })
    }

    fn new(table: &Table, design: &Design) -> Self {
        let mut data = Self {
            name: table.name.clone(),
            n_rows: table.n_rows(),
            n_numeric: 0,
            n_count: 0,
            n_categorical: 0,
            n_terms: 0,
            texts: Vec::new(),
            n_missing: 0,
            classes: table.classes.iter().cloned().zip(table.class_sizes()).collect(),
            provenance: table.provenance.clone(),
            splits: Splits::dealt(design.plan, table, design.seed),
            fingerprint: table.fingerprint(),
            labels: table.labels.clone(),
        };
        match &table.features {
            Features::Documents(documents) => data.n_terms = documents.n_terms(),
            Features::Columns { columns, x } => {
                data.n_missing = x.iter().filter(|cell| cell.is_nan()).count();
                for column in columns {
                    match &column.kind {
                        Kind::Numeric => data.n_numeric += 1,
                        Kind::Count => data.n_count += 1,
                        Kind::Categorical { .. } => data.n_categorical += 1,
                        Kind::Text { texts } => data.texts.push(Texts {
                            column: column.name.clone(),
                            n_terms: texts.n_terms(),
                            settings: described(texts.options()),
                        }),
                    }
                }
            }
        }
        data
    }
}
