//! All functions, for whoever keeps a list of them.

use std::sync::Arc;

use datafusion::{
    error::Result,
    execution::FunctionRegistry,
    logical_expr::{AggregateUDF, ScalarUDF},
};

use crate::{
    Models,
    aggregate::{Fit, Form, Merge},
    long::Same,
    scalar::{Answer, Question, Sampled},
};

/// The aggregate functions.
pub fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let fits = [Form::Plain, Form::Weighted, Form::Designed].map(|form| AggregateUDF::from(Fit::new(form)));
    fits.into_iter().chain([AggregateUDF::from(Merge::new())]).map(Arc::new).collect()
}

/// The scalar functions; they know models by the names that `models` gives them.
pub fn scalars(models: &Models) -> Vec<Arc<ScalarUDF>> {
    let answers = Question::ALL.map(|question| ScalarUDF::from(Answer::new(question, models.clone())));
    let others = [ScalarUDF::from(Same::new()), ScalarUDF::from(Sampled::new())];
    answers.into_iter().chain(others).map(Arc::new).collect()
}

/// Adds all functions to a context, or to what else keeps functions.
///
/// # Errors
/// The registry's own.
pub fn register(registry: &mut dyn FunctionRegistry, models: &Models) -> Result<()> {
    for function in aggregates() {
        registry.register_udaf(function)?;
    }
    for function in scalars(models) {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// What tells a registry its functions: [`ours`], or something that also registers functions of yours.
pub type Register = Arc<dyn Fn(&mut dyn FunctionRegistry) -> Result<()> + Send + Sync>;

/// Registers the functions of this crate, with [`register`]. Models have no names on a cluster: a query
/// brings its model along, or names the path of a model file.
pub fn ours() -> Register {
    Arc::new(|registry: &mut dyn FunctionRegistry| register(registry, &Models::default()))
}
