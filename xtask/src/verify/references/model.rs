//! From the specification of a variant to a fitted model.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Classifier, Complement, FeatureModel, Gaussian, Likelihood,
    Missing, Multinomial, NaiveBayes, Prior, Rows, Smoothing, VarianceEstimator, VarianceSmoothing,
    error::{FitRowsError, LayoutError, PredictError},
    fitted::{FittedCategorical, FittedGaussian},
};
use nb_linear::{FittedSharedGaussian, SharedGaussian};
use ndarray::{Array2, ArrayView1};

use super::format::{Family, PriorKind, Spec};
use super::input::{Input, Table};
use crate::verify::check::Problem;

/// A classifier over the classes of the reference, whatever its family.
pub(super) trait Scorer {
    fn classes(&self) -> &[usize];
    fn log_prior(&self) -> &[f64];
    fn joint_log_likelihood(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError>;
    fn predict_log_proba(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError>;
    fn predict_proba(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError>;
    fn predict(&self, rows: &dyn Rows) -> Result<Vec<usize>, PredictError>;
    fn try_predict_each(&self, rows: &dyn Rows) -> Result<Vec<Option<usize>>, PredictError>;
}

impl<F: Likelihood> Scorer for Classifier<usize, F> {
    fn classes(&self) -> &[usize] {
        self.classes()
    }

    fn log_prior(&self) -> &[f64] {
        self.log_prior()
    }

    fn joint_log_likelihood(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError> {
        self.joint_log_likelihood(rows)
    }

    fn predict_log_proba(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError> {
        self.predict_log_proba(rows)
    }

    fn predict_proba(&self, rows: &dyn Rows) -> Result<Array2<f64>, PredictError> {
        self.predict_proba(rows)
    }

    fn predict(&self, rows: &dyn Rows) -> Result<Vec<usize>, PredictError> {
        self.predict(rows)
    }

    fn try_predict_each(&self, rows: &dyn Rows) -> Result<Vec<Option<usize>>, PredictError> {
        self.try_predict_each(rows)
    }
}

/// The parameters that references list; those that a family does not have are `None` or empty. Matrices are
/// by class of the model, then column.
#[derive(Default)]
pub(super) struct Parameters {
    pub(super) means: Option<Array2<f64>>,
    pub(super) variances: Option<Array2<f64>>,
    pub(super) log_theta: Option<Array2<f64>>,
    pub(super) weights: Option<Array2<f64>>,
    /// By column, then by class and level.
    pub(super) log_probability: Vec<Array2<f64>>,
}

/// A model fitted to the training rows of a variant.
pub(super) struct Fitted {
    pub(super) scorer: Box<dyn Scorer>,
    pub(super) parameters: Parameters,
}

/// Why a variant has no model.
#[derive(Debug, thiserror::Error)]
pub(super) enum ModelError {
    /// The library refused; for some variants that is what it should do.
    #[error(transparent)]
    Refused(#[from] FitRowsError),
    /// The check itself is at fault.
    #[error(transparent)]
    Broken(#[from] Problem),
}

impl From<LayoutError> for ModelError {
    fn from(error: LayoutError) -> Self {
        Self::Refused(error.into())
    }
}

/// Fits the model of a variant to its training rows.
pub(super) fn fit(spec: &Spec, input: &Input, train: &[usize]) -> Result<Fitted, ModelError> {
    let (table, labels) = (input.table.select(train), input.classes_of(train));
    let prior = match spec.prior {
        Some(PriorKind::Empirical) => Prior::Empirical,
        // The complement model of the references has no prior: a constant that is taken off before comparing.
        Some(PriorKind::Uniform) | None => Prior::Uniform,
    };
    let fitting = Fitting { table: &table, labels: &labels, prior };
    let (smoothing, missing) = (Smoothing::new(spec.l)?, Missing::Skip);
    match spec.model {
        Family::Gaussian if spec.shared_variance => fitting.fit(shared_gaussian(spec), shared_parameters),
        Family::Gaussian => fitting.fit(gaussian(spec), gaussian_parameters),
        Family::Multinomial => fitting.fit(Multinomial { smoothing, missing }, |fitted, _| Parameters {
            log_theta: Some(fitted.log_probabilities().to_owned()),
            ..Parameters::default()
        }),
        Family::Bernoulli => {
            let model = Bernoulli { threshold: 0.0, smoothing, missing };
            fitting.fit(model, |fitted, _| Parameters {
                log_theta: Some(fitted.log_probabilities().to_owned()),
                ..Parameters::default()
            })
        }
        Family::Complement => {
            let model = Complement { smoothing, normalize: spec.norm, missing };
            fitting.fit(model, |fitted, _| Parameters {
                weights: Some(fitted.weights().to_owned()),
                ..Parameters::default()
            })
        }
        Family::Categorical => fitting.fit(categorical(smoothing, input), |fitted, n_classes| {
            categorical_parameters(fitted, n_classes, input)
        }),
        Family::Mixed => mixed(&fitting, spec, smoothing, input),
    }
}

/// Gaussian terms for the numeric columns plus categorical terms for the others.
fn mixed(
    fitting: &Fitting<'_>,
    spec: &Spec,
    smoothing: Smoothing,
    input: &Input,
) -> Result<Fitted, ModelError> {
    let (end_numeric, n_columns) = (input.n_numeric, input.n_numeric + input.n_levels.len());
    let blocks = Blocks::new()
        .with(0..end_numeric, gaussian(spec))
        .with(end_numeric..n_columns, categorical(smoothing, input));
    fitting.fit(blocks, |fitted, n_classes| {
        let mut parameters = Parameters::default();
        for (_, block) in fitted.iter() {
            if let Some(block) = block.downcast_ref::<FittedGaussian>() {
                let Parameters { means, variances, .. } = gaussian_parameters(block, n_classes);
                (parameters.means, parameters.variances) = (means, variances);
            } else if let Some(block) = block.downcast_ref::<FittedCategorical>() {
                parameters.log_probability = categorical_parameters(block, n_classes, input).log_probability;
            }
        }
        parameters
    })
}

fn gaussian(spec: &Spec) -> Gaussian {
    Gaussian {
        estimator: if spec.ddof == 0 {
            VarianceEstimator::MaximumLikelihood
        } else {
            VarianceEstimator::Unbiased
        },
        smoothing: if spec.var_smoothing == 0.0 {
            VarianceSmoothing::None
        } else {
            VarianceSmoothing::LargestVariance(spec.var_smoothing)
        },
        missing: Missing::Skip,
    }
}

fn categorical(smoothing: Smoothing, input: &Input) -> Categorical {
    Categorical {
        categories: Categories::Declared(input.n_levels.clone()),
        smoothing,
        missing: Missing::Skip,
        ..Categorical::default()
    }
}

/// One variance a column for all classes: the references divide by `n - ddof * n_classes`.
fn shared_gaussian(spec: &Spec) -> SharedGaussian {
    let Gaussian { estimator, smoothing, missing } = gaussian(spec);
    SharedGaussian { estimator, smoothing, missing }
}

fn shared_parameters(fitted: &FittedSharedGaussian, n_classes: usize) -> Parameters {
    let variances = ArrayView1::from(fitted.variances());
    Parameters {
        means: Some(fitted.means().to_owned()),
        variances: variances.broadcast((n_classes, variances.len())).map(|table| table.to_owned()),
        ..Parameters::default()
    }
}

fn gaussian_parameters(fitted: &FittedGaussian, _: usize) -> Parameters {
    Parameters {
        means: Some(fitted.means().to_owned()),
        variances: Some(fitted.variances().to_owned()),
        ..Parameters::default()
    }
}

fn categorical_parameters(fitted: &FittedCategorical, n_classes: usize, input: &Input) -> Parameters {
    let column = |(column, &n_levels): (usize, &usize)| {
        // A NaN fails the comparison, should a declared level have no probability.
        Array2::from_shape_fn((n_classes, n_levels), |(class, level)| {
            fitted.log_probability(class, column, level).unwrap_or(f64::NAN)
        })
    };
    Parameters {
        log_probability: input.n_levels.iter().enumerate().map(column).collect(),
        ..Parameters::default()
    }
}

/// Training rows and a prior.
struct Fitting<'a> {
    table: &'a Table,
    labels: &'a [usize],
    prior: Prior,
}

impl Fitting<'_> {
    fn fit<M>(
        &self,
        model: M,
        read: impl FnOnce(&M::Fitted, usize) -> Parameters,
    ) -> Result<Fitted, ModelError>
    where
        M: FeatureModel,
        M::Fitted: 'static,
    {
        let naive_bayes = NaiveBayes { model, prior: self.prior.clone() };
        let classifier = naive_bayes.fit(&*self.table.rows()?, self.labels)?;
        let parameters = read(classifier.likelihood(), classifier.classes().len());
        Ok(Fitted { scorer: Box::new(classifier), parameters })
    }
}
