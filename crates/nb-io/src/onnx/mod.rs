//! Export to ONNX, so that other runtimes can label rows with a fitted model.
//!
//! The graph uses standard operators in double precision: operator set 17, or 20 (onnxruntime 1.17 and later)
//! for texts and for categories that are whole numbers, and the `LabelEncoder` of `ai.onnx.ml`. By default
//! ([`Inputs::Columns`]) it has one input per column of the table, with the name of the column, of `n_rows ×
//! 1` cells:
//!
//! | column | input | missing cell |
//! | --- | --- | --- |
//! | numbers, counts | doubles | NaN |
//! | categories | strings | the empty string, and the other markers of missing cells of the model's files, such as `NA` |
//! | texts | strings | |
//!
//! The names of the categories, and what programs write for the same ones (`1.0` for `1`, `True` for `true`),
//! are in the graph. An unseen category is dealt with as in prediction. Spaces around a category, which
//! readers of text files leave out, are part of it here. Columns of dates have no such input, as operators of
//! ONNX cannot take dates apart.
//!
//! Texts are split into words and terms, which are counted and weighted, as [`Tokens`](crate::text::Tokens)
//! and [`Weighting`](crate::text::Weighting) say. Operators of ONNX do not know which characters of Unicode
//! are letters, so that this holds for texts of ASCII, small Latin letters with accents (`ß` to `ÿ`), and the
//! signs `£€¥¢§«»¡¿“”„–—…`; a row with another text is refused (below). Hashed terms cannot be exported. The
//! counts are a matrix, so that many rows and terms take much memory: label some thousand rows at once.
//!
//! With [`Inputs::Matrix`] there is one input `X`, `n_rows × n_features`, for rows that are numbers already:
//! codes of categories and counts of terms as in the tables of this crate.
//!
//! The outputs are `label` (the names of the most probable classes, or what the [decision
//! rule](nb_calibration::Decision) of a model chooses), `probabilities` and `log_proba` (their natural
//! logarithms), `n_rows × n_classes`, with the classes in label order. If a column has one of these names,
//! `predicted_` goes before that of the output. The metadata of the file name the `columns` and `classes`,
//! one a line.
//!
//! A graph cannot refuse a row. Where this library gives an error, such as for a missing value that is not to
//! be skipped, an infinite value or an unseen category of a model that refuses these, and for a text that it
//! cannot split, the label is empty and the probabilities are NaN.
//!
//! ```
//! use nb_io::onnx;
//! use nb_linear::{LinearForm, LogisticRegression};
//! use ndarray::array;
//!
//! let labels = ["a", "a", "b", "a", "b", "b"];
//! let x = array![[1.0], [2.0], [2.5], [3.0], [3.5], [4.0]];
//! let form: LinearForm<&str> = LogisticRegression::default().fit(&x, &labels)?;
//! let bytes = onnx::from_linear_form(&form, &["length"])?;
//! assert!(!bytes.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod categories;
mod columns;
mod decision;
mod gaussian;
mod graph;
mod linear;
mod pairs;
mod power;
mod proto;
mod refused;
mod table;
mod words;

use decision::Posterior;
use nb_calibration::Decision;
use nb_core::{Classifier, Likelihood, Missing, error::FitError};
use nb_linear::{ColumnTerm, Linear, LinearColumn, LinearForm};

use crate::{FittedFamily, Model, OtherClassesError, ToLabel};
use graph::{Cells, Graph, Name, Refusal};

/// What the graph takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inputs {
    /// One input per column of the table, with its name: strings for categories, doubles for numbers.
    #[default]
    Columns,
    /// One input `X`, a matrix of the features as numbers.
    Matrix,
}

/// Why a model could not be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OnnxError {
    /// The model could not be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// There is not one name per column.
    #[error("{found} names for {n_columns} columns; give one per column")]
    Names {
        /// The number of names.
        found: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// The model has probabilities of zero, for which a matrix product gives NaN.
    #[error(
        "column {column:?} has probabilities of 0, which a matrix product turns into NaN; fit with a smoothing above 0"
    )]
    Impossible {
        /// The name of the column.
        column: String,
    },
    /// No column is used, so that there is nothing to compute.
    #[error("the model ignores all its columns; there is nothing to export")]
    NoColumns,
    /// A column enters the scores in a way that this version cannot export.
    #[error("column {column:?}: this family cannot be exported by this version")]
    Unsupported {
        /// The name of the column.
        column: String,
    },
    /// A column has texts whose terms are hashed, which operators of ONNX cannot do.
    #[error(
        "column {column:?}: operators of ONNX cannot hash terms as this model does; export a graph whose input is a matrix \
         of the counts of its terms"
    )]
    Text {
        /// The name of the column.
        column: String,
    },
    /// A column has dates, of which parts are features.
    #[error(
        "column {column:?}: operators of ONNX cannot take dates apart; export a graph whose input is a matrix of their parts"
    )]
    Dates {
        /// The name of the column.
        column: String,
    },
    /// The model has prediction sets, and a graph has one label for each row.
    #[error(
        "a graph gives one label for each row, and the model makes prediction sets; remove them with `nbayes decide --none`"
    )]
    Sets,
    /// The decision rule is for other classes than those of the model.
    #[error(transparent)]
    Decision(#[from] OtherClassesError),
    /// Posteriors are calibrated by a map that a graph does not have.
    #[error(
        "the probabilities are calibrated by isotonic regression, which is not exported; calibrate with `--map platt` (two classes) or \
         `--map temperature` instead, or export the model without it (`nbayes calibrate MODEL --none`)"
    )]
    Calibrated,
    /// A column has no name, so that there is none for its input.
    #[error("a column has no name; export a graph whose input is a matrix")]
    Unnamed,
}

impl Model {
    /// The fitted model as an ONNX file; see [`onnx`](crate::onnx).
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// use nb_io::onnx::Inputs;
    ///
    /// let bytes = model.to_onnx(Inputs::Columns)?; // the content of a file such as flowers.onnx
    /// assert!(!bytes.is_empty());
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`OnnxError`] if the model cannot be fitted, has probabilities of zero, or columns that such inputs
    /// cannot be made for.
    pub fn to_onnx(&self, inputs: Inputs) -> Result<Vec<u8>, OnnxError> {
        let classifier = self.classifier()?;
        if self.calibration().is_some() {
            return Err(OnnxError::Calibrated);
        }
        let names: Vec<String> = self.schema().features().map(|feature| feature.name()).collect();
        self.check_decision()?;
        let decision = self.decision();
        if decision.is_some_and(|decision| decision.sets().is_some()) {
            return Err(OnnxError::Sets);
        }
        match inputs {
            Inputs::Matrix => of_matrix(&classifier, &names, decision),
            Inputs::Columns => {
                let mut graph = Graph::new();
                let rows = columns::rows(&mut graph, self.schema(), self.reading(), classifier.likelihood())?;
                of_classifier(graph, &classifier, &rows.features, &rows.refused, &names, decision)
            }
        }
    }
}

/// A classifier as an ONNX file, with one name per column.
///
/// # Errors
/// [`OnnxError`] if there is not one name per column, or the classifier has probabilities of zero.
pub fn from_classifier(
    classifier: &Classifier<impl ToLabel, FittedFamily>,
    names: &[impl AsRef<str>],
) -> Result<Vec<u8>, OnnxError> {
    of_matrix(classifier, names, None)
}

/// The same with a decision rule.
fn of_matrix(
    classifier: &Classifier<impl ToLabel, FittedFamily>,
    names: &[impl AsRef<str>],
    decision: Option<&Decision<String>>,
) -> Result<Vec<u8>, OnnxError> {
    let n_columns = classifier.n_columns();
    let names = check_names(names, n_columns)?;
    let mut graph = matrix(n_columns);
    let values = refused::values(classifier.likelihood(), n_columns);
    let refused = refused::rows(&mut graph, "X", &values);
    of_classifier(graph, classifier, "X", &refused, &names, decision)
}

/// The graph of a classifier whose features are there.
fn of_classifier(
    mut graph: Graph,
    classifier: &Classifier<impl ToLabel, FittedFamily>,
    features: &str,
    refused: &str,
    names: &[impl AsRef<str>],
    decision: Option<&Decision<String>>,
) -> Result<Vec<u8>, OnnxError> {
    let n_classes = classifier.classes().len();
    if matches!(classifier.likelihood(), FittedFamily::Calibrated(_)) {
        return Err(OnnxError::Calibrated);
    }
    let scores = family_scores(&mut graph, classifier.likelihood(), n_classes, names.len(), features)
        .map_err(|refusal| named(refusal, names))?;
    let scores = graph.operator("Add", &[&scores, refused], &[]);
    Ok(finish(graph, &scores, classifier.log_prior(), classifier.classes(), names, decision))
}

/// A graph whose input is a matrix `X`.
fn matrix(n_columns: usize) -> Graph {
    let mut graph = Graph::new();
    graph.input("X", Cells::Numbers, n_columns);
    graph
}

/// The error that names the column.
fn named(refusal: Refusal, names: &[impl AsRef<str>]) -> OnnxError {
    let name = |column: usize| names.get(column).map(|name| name.as_ref().to_owned()).unwrap_or_default();
    match refusal {
        Refusal::Impossible(column) => OnnxError::Impossible { column: name(column) },
        Refusal::Unsupported(column) => OnnxError::Unsupported { column: name(column) },
        Refusal::NoColumns => OnnxError::NoColumns,
    }
}

/// A linear form, such as a logistic regression, as an ONNX file, with one name per column.
///
/// # Errors
/// [`OnnxError`] if there is not one name per column, or the form has scores of negative infinity.
pub fn from_linear_form(
    form: &LinearForm<impl ToLabel>,
    names: &[impl AsRef<str>],
) -> Result<Vec<u8>, OnnxError> {
    let names = check_names(names, form.n_columns())?;
    let columns: Vec<_> = (0..form.n_columns()).filter_map(|column| form.column(column).cloned()).collect();
    let mut graph = matrix(columns.len());
    let values: Vec<_> = columns.iter().map(|column| refused::values_of_term(&column.term)).collect();
    let refused = refused::rows(&mut graph, "X", &values);
    let scores = linear::scores(&mut graph, &columns, "X").map_err(|refusal| named(refusal, &names))?;
    let scores = graph.operator("Add", &[&scores, &refused], &[]);
    // The constants of the columns are in their terms already.
    let constants = linear::constants(&columns, form.classes().len());
    let rest: Vec<f64> =
        form.centered().scores_at_center.iter().zip(&constants).map(|(b, constant)| b - constant).collect();
    Ok(finish(graph, &scores, &rest, form.classes(), &names, None))
}

fn check_names(names: &[impl AsRef<str>], n_columns: usize) -> Result<Vec<&str>, OnnxError> {
    if names.len() != n_columns {
        return Err(OnnxError::Names { found: names.len(), n_columns });
    }
    Ok(names.iter().map(AsRef::as_ref).collect())
}

/// Adds the log-priors, and the outputs of the graph.
fn finish(
    mut graph: Graph,
    scores: &str,
    log_prior: &[f64],
    classes: &[impl ToLabel],
    names: &[impl AsRef<str>],
    decision: Option<&Decision<String>>,
) -> Vec<u8> {
    let [label, probabilities, log_proba] =
        ["label", "probabilities", "log_proba"].map(|name| graph.output_name(name));
    let log_prior = graph.vector(log_prior);
    let scores = graph.operator("Add", &[scores, &log_prior], &[]);
    graph.result("LogSoftmax", &[&scores], &log_proba, &[("axis", 1)]);
    graph.result("Exp", &[&log_proba], &probabilities, &[]);
    let posterior = Posterior { scores: &scores, log_proba: &log_proba, probabilities: &probabilities };
    let best = decision::chosen(&mut graph, decision, posterior);
    let classes: Vec<_> = classes.iter().map(ToLabel::to_label).collect();
    let classes: Vec<&str> = classes.iter().map(AsRef::as_ref).collect();
    let labels = graph.texts(&classes);
    let best = graph.operator("Gather", &[&labels, &best], &[("axis", 0)]);
    let best = decision::with_abstention(&mut graph, decision, posterior, best);
    let axis = graph.integers(&[1]);
    let sum = graph.operator("ReduceSum", &[&log_proba, &axis], &[("keepdims", 0)]);
    let is_refused = graph.operator("IsNaN", &[&sum], &[]);
    let nothing = graph.text("");
    graph.result("Where", &[&is_refused, &nothing, &best], &label, &[]);
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    graph.finish(&label, &[probabilities, log_proba], &names, &classes)
}

/// Adds `log p(x | class)`, `n_rows × n_classes`, up to terms that no class depends on.
fn family_scores(
    graph: &mut Graph,
    fitted: &FittedFamily,
    n_classes: usize,
    n_columns: usize,
    x: &str,
) -> Result<Name, Refusal> {
    let columns = match fitted {
        FittedFamily::Gaussian(fitted) => return Ok(gaussian::scores(graph, fitted, x)),
        FittedFamily::Power(fitted) => return Ok(power::scores(graph, fitted, x)),
        FittedFamily::Blocks(fitted) => {
            let mut total = None;
            for (columns, fitted) in fitted.iter() {
                let own = graph.columns(x, columns);
                let scores = family_scores(graph, fitted, n_classes, columns.len(), &own)
                    .map_err(|refusal| refusal.in_columns(columns))?;
                total = Some(graph.sum(total, scores));
            }
            return total.ok_or(Refusal::NoColumns);
        }
        FittedFamily::Refined(refined) if refined.one_weight().is_some() => {
            let scores = family_scores(graph, refined.fitted(), n_classes, n_columns, x)?;
            let weight = graph.vector(&refined.one_weight().map_or_else(Vec::new, |weight| vec![weight]));
            return Ok(graph.operator("Mul", &[&scores, &weight], &[]));
        }
        FittedFamily::Binned(_) | FittedFamily::Refined(_) => {
            let mut total = None;
            let products = products(fitted, n_classes, n_columns);
            if products.iter().any(|column| column.term != ColumnTerm::Ignored) {
                total = Some(linear::scores(graph, &products, x)?);
            }
            let is_other = |(_, product): &(usize, &LinearColumn)| product.term == ColumnTerm::Ignored;
            for (column, _) in products.iter().enumerate().filter(is_other) {
                let Some(own) = fitted.score_table(column) else {
                    // A column that no block has adds nothing.
                    let is_used = matches!(fitted, FittedFamily::Refined(refined) if refined.uses(column));
                    if is_used {
                        return Err(Refusal::Unsupported(column));
                    }
                    continue;
                };
                let scores = table::scores(graph, &own, column, x)?;
                total = Some(graph.sum(total, scores));
            }
            if let FittedFamily::Refined(refined) = fitted
                && let Some(scores) = pairs::scores(graph, refined, x)
            {
                total = Some(graph.sum(total, scores));
            }
            return total.ok_or(Refusal::NoColumns);
        }
        FittedFamily::SharedGaussian(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Categorical(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Grouped(fitted) => fitted.categories().linear_columns(n_classes, n_columns),
        FittedFamily::Multinomial(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Complement(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Bernoulli(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Poisson(fitted) => fitted.linear_columns(n_classes, n_columns),
        // Families that are not linear, and those from elsewhere.
        _ => return Err(Refusal::Unsupported(0)),
    };
    debug_assert!(fitted.shape().is_none_or(|shape| shape == (n_classes, n_columns)));
    linear::scores(graph, &columns, x)
}

/// The columns of a refined family whose terms are the value times a number per class: terms of texts.
fn products(fitted: &FittedFamily, n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
    let per_unit = |column: usize| match fitted {
        FittedFamily::Refined(refined) => refined.per_unit(column),
        _ => None,
    };
    let term = |column: usize| match per_unit(column) {
        Some(weights) => ColumnTerm::Count { weights: weights.to_vec(), constants: vec![0.0; n_classes] },
        None => ColumnTerm::Ignored,
    };
    (0..n_columns).map(|column| LinearColumn { term: term(column), missing: Missing::Error }).collect()
}

impl Refusal {
    /// The same, with the column numbers of the whole table.
    fn in_columns(self, columns: &[usize]) -> Self {
        let place = |column: usize| columns.get(column).copied().unwrap_or(column);
        match self {
            Self::Impossible(column) => Self::Impossible(place(column)),
            Self::Unsupported(column) => Self::Unsupported(place(column)),
            Self::NoColumns => Self::NoColumns,
        }
    }
}
