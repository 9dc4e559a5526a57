//! The families of a plain model, from the choices for its columns and the hyper-parameters that the caller
//! gives.

use std::collections::{BTreeMap, BTreeSet};

use nb_core::{
    Blocks,
    description::{Value, parameters},
};
use nb_io::{Family, Kind, Preparation, Schema};

use crate::{Choice, registry};

/// Hyper-parameters of families, by name: each is one of all families that have it. Those that are not given
/// have the default of their family, but missing cells are skipped, and categories that no training row had
/// are ignored.
///
/// ```
/// use nb_io::Schema;
/// use nb_train::{Choice, Families};
///
/// let families = Families::default().with("smoothing", "0.5")?;
/// let schema = Schema::numeric(["clicks", "height"], "class");
/// let family = families.family(&schema, &[Choice::POISSON, Choice::GAUSSIAN])?;
/// assert_eq!(family.description().name, "blocks");
/// # Ok::<(), nb_train::FamiliesError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Families {
    values: BTreeMap<String, String>,
    /// Whether Gaussian columns have one variance for all classes, which makes the decision boundary linear.
    pub shared_variance: bool,
    /// The family of the words of texts: `multinomial`, `complement` or `bernoulli`.
    pub text: Choice,
    /// How cut points, powers and parents are learnt.
    pub preparation: Preparation,
    /// The first thing that the caller has chosen: a model with weights and corrections has no such
    /// hyper-parameters, so that the model is plain.
    pub given: Option<String>,
}

/// Why columns have no family.
///
/// ```
/// use nb_train::{Families, FamiliesError};
///
/// assert!(matches!(Families::default().with("smothing", "1"), Err(FamiliesError::Unknown { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FamiliesError {
    /// No family has a hyper-parameter of this name.
    #[error("no family has a hyper-parameter {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A column of texts is to have a family of numbers and categories.
    #[error(
        "column {column:?} is text, and {} is for numbers and categories; convert names of categories to short ones, or leave \
         the column to text",
        choice.name()
    )]
    Text {
        /// The column.
        column: String,
        /// The family.
        choice: Choice,
    },
    /// All columns are left out.
    #[error("all columns are ignored; a model needs at least one feature")]
    NoColumns,
    /// A family of this name cannot be used.
    #[error(transparent)]
    Registry(#[from] nb_io::RegistryError),
    /// A hyper-parameter cannot have a value.
    #[error(transparent)]
    Setting(#[from] nb_core::description::SettingError),
}

impl Default for Families {
    fn default() -> Self {
        let own = [("missing_cells", "skip"), ("unseen", "ignore")];
        Self {
            values: own.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            shared_variance: false,
            text: Choice::MULTINOMIAL,
            preparation: Preparation::default(),
            given: None,
        }
    }
}

impl Families {
    /// The same with this value of a hyper-parameter.
    ///
    /// ```
    /// use nb_train::Families;
    ///
    /// assert!(Families::default().with("smothing", "0.5").is_err());
    /// ```
    ///
    /// # Errors
    /// [`FamiliesError::Unknown`] if no family has it. Whether the value is one is known when families are
    /// made.
    pub fn with(mut self, name: &str, value: &str) -> Result<Self, FamiliesError> {
        let mut all = registry::families().cloned();
        if !all.any(|mut family| family.hyper_parameters().iter().any(|hyper| hyper.parameter.name == name)) {
            return Err(FamiliesError::Unknown { name: name.into() });
        }
        self.values.insert(name.into(), value.to_owned());
        self.given.get_or_insert_with(|| name.into());
        Ok(self)
    }

    /// The same with these values of hyper-parameters, of which `given` are chosen by the caller, and others
    /// the defaults of a program.
    ///
    /// ```
    /// use nb_train::Families;
    ///
    /// let families = Families::default().with_defaults([("smoothing", "0.5")]);
    /// assert_eq!(families.given, None);
    /// ```
    #[must_use]
    pub fn with_defaults<'a>(mut self, values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.values.extend(values.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        self
    }

    /// The family of a model with these columns: blocks, or the only one that there would be. Every text is a
    /// block of its own, other columns with the same choice are one together.
    ///
    /// ```
    /// use nb_io::Schema;
    /// use nb_train::{Choice, Families, FamiliesError};
    ///
    /// let schema = Schema::numeric(["id", "height"], "class");
    /// let families = Families::default();
    /// assert_eq!(families.family(&schema, &[Choice::GAUSSIAN; 2])?.description().name, "gaussian");
    /// let none = families.family(&schema, &[Choice::Ignore; 2]);
    /// assert_eq!(none.unwrap_err(), FamiliesError::NoColumns);
    /// # Ok::<(), FamiliesError>(())
    /// ```
    ///
    /// # Errors
    /// [`FamiliesError`] if a column cannot have its family, or a hyper-parameter its value.
    pub fn family(&self, schema: &Schema, choices: &[Choice]) -> Result<Family, FamiliesError> {
        let mut groups: Vec<(Choice, Vec<usize>)> = Vec::new();
        for ((&choice, features), column) in choices.iter().zip(schema.feature_ranges()).zip(&schema.columns)
        {
            if choice.is_mixed() && matches!(column.kind, Kind::Text(_)) {
                return Err(FamiliesError::Text { column: column.name.clone(), choice });
            }
            if choice == Choice::Text {
                groups.push((choice, features.collect()));
                continue;
            }
            for feature in features {
                let choice = if choice == Choice::Date { of_part(schema, feature) } else { choice };
                match groups.iter_mut().find(|(of_group, _)| *of_group == choice) {
                    Some((_, features)) => features.push(feature),
                    None => groups.push((choice, vec![feature])),
                }
            }
        }
        let (mut blocks, mut ignored) = (Vec::new(), Vec::new());
        for (choice, features) in groups {
            let name = match choice {
                Choice::Ignore => {
                    ignored = features;
                    continue;
                }
                Choice::GAUSSIAN if self.shared_variance => "shared_gaussian",
                Choice::Family(name) => name,
                Choice::Text | Choice::Date => match self.text {
                    Choice::Family(name) => name,
                    _ => "multinomial",
                },
            };
            blocks.push((self.one(name, schema, &features)?, features));
        }
        match blocks.as_slice() {
            [] => Err(FamiliesError::NoColumns),
            [(family, _)] if ignored.is_empty() => Ok(family.clone()),
            _ => {
                let blocks = blocks.into_iter();
                let blocks = blocks.fold(Blocks::default(), |all, (family, own)| all.with_same(own, family));
                Ok(Family::Blocks(blocks.ignore(ignored)))
            }
        }
    }

    /// The family of some features with the same choice.
    fn one(&self, name: &str, schema: &Schema, features: &[usize]) -> Result<Family, FamiliesError> {
        let mut family = registry::family(name)?;
        for mut hyper in family.hyper_parameters() {
            if hyper.parameter.name == parameters::CATEGORIES.name {
                let own: BTreeSet<usize> = features.iter().copied().collect();
                let own = schema.features().enumerate().filter(|(place, _)| own.contains(place));
                let levels = own.map(|(_, feature)| match feature.kind() {
                    Kind::Categorical { levels } => levels.len() as f64,
                    _ => 0.0,
                });
                hyper.set(&Value::Numbers(levels.collect()))?;
                continue;
            }
            if let Some(text) = self.values.get(hyper.parameter.name) {
                hyper.set_text(text)?;
            }
        }
        Ok(family)
    }
}

/// The choice for a part of a date.
fn of_part(schema: &Schema, feature: usize) -> Choice {
    match schema.feature(feature).map(|feature| feature.kind()) {
        Some(Kind::Categorical { .. }) => Choice::CATEGORICAL,
        _ => Choice::GAUSSIAN,
    }
}
