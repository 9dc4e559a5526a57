//! Export to ONNX, so that other runtimes can label rows with a fitted model.
//!
//! The graph uses standard operators (operator set 17) in double precision. Its input `X` is `n_rows × n_columns`; its
//! outputs are `label` (the names of the most probable classes) and `log_proba` (`n_rows × n_classes`, natural
//! logarithms, classes in label order).
//!
//! A graph cannot refuse a row. Where this library gives an error, such as for a missing value that is not to be
//! skipped or an unseen category, the graph gives NaN.
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

mod gaussian;
mod graph;
mod linear;
mod proto;

use nb_core::{Classifier, Likelihood, error::FitError};
use nb_linear::{Linear, LinearForm};

use crate::{FittedFamily, Model, ToLabel};
use graph::{Graph, Name};

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
        "column {column} has probabilities of 0, which a matrix product turns into NaN; fit with a smoothing above 0"
    )]
    Impossible {
        /// The column.
        column: usize,
    },
    /// No column is used, so that there is nothing to compute.
    #[error("the model ignores all its columns; there is nothing to export")]
    NoColumns,
    /// A column enters the scores in a way that this version cannot export.
    #[error("column {column} cannot be exported by this version")]
    Unsupported {
        /// The column.
        column: usize,
    },
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
    /// let bytes = model.to_onnx()?; // the content of a file such as flowers.onnx
    /// assert!(!bytes.is_empty());
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`OnnxError`] if the model cannot be fitted, or has probabilities of zero.
    pub fn to_onnx(&self) -> Result<Vec<u8>, OnnxError> {
        let names: Vec<String> = self.schema().features().map(|feature| feature.name()).collect();
        from_classifier(&self.classifier()?, &names)
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
    let (n_classes, n_columns) = (classifier.classes().len(), classifier.n_columns());
    let names = check_names(names, n_columns)?;
    let mut graph = Graph::default();
    let scores = family_scores(&mut graph, classifier.likelihood(), n_classes, n_columns, "X")?;
    Ok(finish(graph, &scores, classifier.log_prior(), classifier.classes(), &names))
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
    let mut graph = Graph::default();
    let scores = linear::scores(&mut graph, &columns, "X")?;
    // The constants of the columns are in their terms already.
    let constants = linear::constants(&columns, form.classes().len());
    let rest: Vec<f64> =
        form.centered().scores_at_center.iter().zip(&constants).map(|(b, constant)| b - constant).collect();
    Ok(finish(graph, &scores, &rest, form.classes(), &names))
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
    names: &[&str],
) -> Vec<u8> {
    let log_prior = graph.vector(log_prior);
    let scores = graph.operator("Add", &[scores, &log_prior], &[]);
    graph.result("LogSoftmax", &[&scores], "log_proba", &[("axis", 1)]);
    let best = graph.operator("ArgMax", &[&scores], &[("axis", 1), ("keepdims", 0)]);
    let classes: Vec<_> = classes.iter().map(ToLabel::to_label).collect();
    let labels = graph.texts(&classes);
    graph.result("Gather", &[&labels, &best], "label", &[("axis", 0)]);
    graph.finish(names, classes.len())
}

/// Adds `log p(x | class)`, `n_rows × n_classes`, up to terms that no class depends on.
fn family_scores(
    graph: &mut Graph,
    fitted: &FittedFamily,
    n_classes: usize,
    n_columns: usize,
    x: &str,
) -> Result<Name, OnnxError> {
    let columns = match fitted {
        FittedFamily::Gaussian(fitted) => return Ok(gaussian::scores(graph, fitted, x)),
        FittedFamily::Blocks(fitted) => {
            let mut total = None;
            for (columns, fitted) in fitted.iter() {
                let own = graph.columns(x, columns);
                let scores = family_scores(graph, fitted, n_classes, columns.len(), &own)
                    .map_err(|error| error.in_columns(columns))?;
                total = Some(graph.sum(total, scores));
            }
            return total.ok_or(OnnxError::NoColumns);
        }
        FittedFamily::SharedGaussian(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Categorical(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Multinomial(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Complement(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Bernoulli(fitted) => fitted.linear_columns(n_classes, n_columns),
        FittedFamily::Poisson(fitted) => fitted.linear_columns(n_classes, n_columns),
        // Families that are not linear, and those from elsewhere.
        _ => return Err(OnnxError::Unsupported { column: 0 }),
    };
    debug_assert!(fitted.shape().is_none_or(|shape| shape == (n_classes, n_columns)));
    linear::scores(graph, &columns, x)
}

impl OnnxError {
    /// The same error, with the column numbers of the whole table.
    fn in_columns(self, columns: &[usize]) -> Self {
        let place = |column: usize| columns.get(column).copied().unwrap_or(column);
        match self {
            Self::Impossible { column } => Self::Impossible { column: place(column) },
            Self::Unsupported { column } => Self::Unsupported { column: place(column) },
            other => other,
        }
    }
}
