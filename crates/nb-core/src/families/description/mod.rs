//! What users and programs know of a family beyond its arithmetic: what it is called, which columns it is
//! for, its hyper-parameters, and what its fitted form says of a column.
//!
//! A family that is [`Described`], with a fitted form that is [`Inspect`], can be named in files, options,
//! queries and designs without a line about it there: these read the description. `nb_io::Registry` has the
//! list of families.

mod divergence;
mod formula;
mod inspect;
mod setting;

pub(crate) use divergence::mean;
pub use divergence::{mean_divergence_of_densities, mean_divergence_of_events, mean_divergence_of_normals};
pub use formula::Formula;
pub use inspect::{Dependence, Inspect, Outline, ParameterName, Values};
pub(crate) use setting::names;
pub use setting::{Hyper, Parameter, Setting, SettingError, Value, parameters};

use crate::{families::BoxedModel, model::FeatureModel};

/// What a family is called, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The name in files, options and queries: lower case with underscores, different for each family.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it is, in a few words: `Independent counts`.
    pub about: &'static str,
    /// What its columns are: `Columns of independent counts`.
    pub about_columns: &'static str,
    /// The values of its columns.
    pub columns: Columns,
    /// Whether the terms of texts can be its columns: values that are counts or zero.
    pub takes_terms: bool,
    /// Whether it has something for each column that is learnt from rows before any are summed, such as cut
    /// points; without it the family has no columns.
    pub is_learnt: bool,
    /// The names of the rules by which that is learnt, such as `bins`; none if there is no choice.
    pub learnt_by: &'static [&'static str],
    /// What a method with it is called in reports: `averaged one-dependence estimators`. Empty if it is
    /// naive Bayes.
    pub method: &'static str,
    /// The authors and year of its source: `Sahami 1996`. Empty if there is none.
    pub cited: &'static str,
    /// Its source in full, as a list of references has it.
    pub source: &'static str,
}

/// What the cells of the columns of a family are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Real numbers.
    Real,
    /// Counts.
    Counts,
    /// Categories.
    Categories,
    /// Real numbers and categories: those with a number in
    /// [`CATEGORIES`](parameters::CATEGORIES) are categories, all others numbers.
    Mixed,
}

impl Description {
    /// The description of a family of columns with these values. The name for people is the name with spaces.
    pub const fn new(name: &'static str, columns: Columns) -> Self {
        Self {
            name,
            title: name,
            about: "",
            about_columns: "",
            columns,
            takes_terms: false,
            is_learnt: false,
            learnt_by: &[],
            method: "",
            cited: "",
            source: "",
        }
    }

    /// The same with a name for people.
    #[must_use]
    pub const fn titled(mut self, title: &'static str) -> Self {
        self.title = title;
        self
    }

    /// The same with what the family is, and what its columns are, in a few words.
    #[must_use]
    pub const fn about(mut self, about: &'static str, about_columns: &'static str) -> Self {
        (self.about, self.about_columns) = (about, about_columns);
        self
    }

    /// The same for a family with something that is learnt from rows before any are summed.
    #[must_use]
    pub const fn learnt(mut self) -> Self {
        self.is_learnt = true;
        self
    }

    /// The same for a family with something that is learnt by rules of these names.
    #[must_use]
    pub const fn learnt_by(mut self, rules: &'static [&'static str]) -> Self {
        (self.is_learnt, self.learnt_by) = (true, rules);
        self
    }

    /// The same for a family that makes its own method, with what reports call that.
    #[must_use]
    pub const fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    /// The same with the source: authors and year, and all of it.
    #[must_use]
    pub const fn cited(mut self, cited: &'static str, source: &'static str) -> Self {
        (self.cited, self.source) = (cited, source);
        self
    }

    /// The same for a family that takes the terms of texts.
    #[must_use]
    pub const fn taking_terms(mut self) -> Self {
        self.takes_terms = true;
        self
    }
}

/// A family that can be named, and whose hyper-parameters can be read and set by name.
///
/// ```
/// use nb_core::{Poisson, description::{Described, Value}};
///
/// let mut poisson = Poisson::default();
/// poisson.set("smoothing", &Value::Number(0.5))?;
/// assert_eq!(poisson.smoothing.get(0), 0.5);
/// assert_eq!(Poisson::describe().name, "poisson");
/// let names: Vec<&str> = poisson.hyper_parameters().iter().map(|hyper| hyper.parameter.name).collect();
/// assert_eq!(names, ["smoothing", "rate_prior", "missing_cells"]);
/// # Ok::<(), nb_core::description::SettingError>(())
/// ```
pub trait Described: FeatureModel + Clone + Default + PartialEq + std::fmt::Debug + 'static {
    /// Its name, and what it is for.
    fn describe() -> Description;

    /// Its hyper-parameters, each with the field that holds it.
    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>>;

    /// The family as a distribution that can be sampled; `None`, which is the default, if it is none.
    fn density(&self) -> Option<BoxedModel> {
        None
    }

    /// What each part of the [layout](FeatureModel::layout) adds up, for families whose sums are those of
    /// functions of one cell that a database can add up as well. By default it is not known.
    fn summands(&self) -> Option<Vec<Summand>> {
        None
    }

    /// Sets a hyper-parameter by its name.
    ///
    /// # Errors
    /// [`SettingError`] if none has this name, or it cannot have the value.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
        set(self.hyper_parameters(), name, value)
    }
}

/// Sets one of some hyper-parameters by its name.
///
/// # Errors
/// [`SettingError`] if none has this name, or it cannot have the value.
pub fn set(all: Vec<Hyper<'_>>, name: &str, value: &Value) -> Result<(), SettingError> {
    let mut known = Vec::with_capacity(all.len());
    for mut hyper in all {
        if hyper.parameter.is_called(name) {
            return hyper.set(value);
        }
        known.push(hyper.parameter.name);
    }
    Err(SettingError::Unknown { name: name.into(), known: known.join(", ") })
}

/// What a part of the sums adds up, times the weight of the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Summand {
    /// `x` to a power from 0 to 2, over the cells that are not missing.
    Power(u8),
    /// `x` to a power from 0 to 2, over the cells that are not missing and not this value.
    PowerBeside(u8, f64),
    /// 1, over the cells above a threshold.
    Above(f64),
    /// 1, over missing cells.
    Missing,
    /// 1, by category, in a part for each column.
    Category,
}
