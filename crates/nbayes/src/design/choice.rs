//! Which family a column gets: as the user says, else as its cells suggest.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::ValueEnum;
use nb_io::{
    Kind, TextOptions,
    read::{Inference, Inferred, KindChoice, Overrides},
};

use crate::failure::usage;

/// What becomes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Choice {
    /// Real numbers: a normal distribution per class.
    Gaussian,
    /// Categories.
    Categorical,
    /// Yes or no: whether a number is above zero.
    Bernoulli,
    /// Independent counts.
    Poisson,
    /// Counts of one vector of events, such as words.
    Multinomial,
    /// As multinomial, but scored by what the other classes are like.
    Complement,
    /// Free text: its words.
    Text,
    /// Left out.
    Ignore,
}

impl Choice {
    /// The name that options and schema files have for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gaussian => "gaussian",
            Self::Categorical => "categorical",
            Self::Bernoulli => "bernoulli",
            Self::Poisson => "poisson",
            Self::Multinomial => "multinomial",
            Self::Complement => "complement",
            Self::Text => "text",
            Self::Ignore => "ignore",
        }
    }

    /// How the cells are read.
    fn kind(self) -> Option<KindChoice> {
        match self {
            Self::Gaussian | Self::Bernoulli => Some(KindChoice::Numeric),
            Self::Categorical => Some(KindChoice::Categorical),
            Self::Poisson | Self::Multinomial | Self::Complement => Some(KindChoice::Count),
            Self::Text => Some(KindChoice::Text),
            Self::Ignore => None,
        }
    }
}

/// Columns whose family the user chooses; names are separated by commas.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Columns (chosen by their cells unless named here)")]
pub(crate) struct ChoiceArgs {
    /// Columns of real numbers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    gaussian: Vec<String>,
    /// Columns of categories, also if they are numbers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    categorical: Vec<String>,
    /// Columns of yes or no: whether the number is above zero.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    bernoulli: Vec<String>,
    /// Columns of independent counts.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    poisson: Vec<String>,
    /// Columns that together are counts of one vector of events.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    multinomial: Vec<String>,
    /// As --multinomial, but scored by what the other classes are like.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    complement: Vec<String>,
    /// Columns of free text.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    text: Vec<String>,
    /// Columns to leave out, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The family of all columns that are not named; `nbayes schema` writes a file that chooses one by one.
    #[arg(long, value_name = "FAMILY", value_enum)]
    all: Option<Choice>,
}

/// The choices for all columns of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    by_name: BTreeMap<String, Choice>,
    rest: Option<Choice>,
}

impl ChoiceArgs {
    /// These choices, which go before those of a schema file.
    pub(crate) fn over(&self, mut choices: Choices) -> Result<Choices> {
        let mut named = BTreeMap::new();
        for (columns, choice) in [
            (&self.gaussian, Choice::Gaussian),
            (&self.categorical, Choice::Categorical),
            (&self.bernoulli, Choice::Bernoulli),
            (&self.poisson, Choice::Poisson),
            (&self.multinomial, Choice::Multinomial),
            (&self.complement, Choice::Complement),
            (&self.text, Choice::Text),
            (&self.ignore, Choice::Ignore),
        ] {
            for column in columns {
                if let Some(other) = named.insert(column.clone(), choice) {
                    return Err(usage(format!(
                        "column {column:?} is named by --{} and --{}; a column has one family",
                        other.name(),
                        choice.name()
                    )));
                }
            }
        }
        choices.by_name.extend(named);
        choices.rest = self.all.or(choices.rest);
        Ok(choices)
    }
}

impl Choices {
    pub(crate) fn new(by_name: BTreeMap<String, Choice>) -> Self {
        Self { by_name, rest: None }
    }

    /// What a reader has to know before it looks at the columns.
    pub(crate) fn overrides(&self, text: TextOptions) -> Overrides {
        let mut overrides = Overrides { text, ..Overrides::default() };
        for (column, choice) in &self.by_name {
            match choice.kind() {
                Some(kind) => drop(overrides.kinds.insert(column.clone(), kind)),
                None => drop(overrides.ignore.insert(column.clone())),
            }
        }
        overrides
    }

    /// The choice for a column whose cells were looked at.
    pub(crate) fn of(&self, inference: &Inference) -> Choice {
        if let Some(choice) = self.by_name.get(&inference.column) {
            return *choice;
        }
        match inference.kind {
            Kind::Categorical { .. } => Choice::Categorical,
            Kind::Count => Choice::Multinomial,
            Kind::Text(_) => Choice::Text,
            _ => self.rest.unwrap_or(match inference.few_values.as_slice() {
                [0.0, 1.0] => Choice::Bernoulli,
                _ => Choice::Gaussian,
            }),
        }
    }

    /// The columns that are to be left out, in the order of their names.
    pub(crate) fn ignored(&self) -> impl Iterator<Item = &str> {
        self.by_name
            .iter()
            .filter(|(_, choice)| **choice == Choice::Ignore)
            .map(|(column, _)| column.as_str())
    }

    /// Columns of numbers that look like categories, to be read as such: few different whole numbers, each in many rows.
    pub(crate) fn likely_categories(&self, inferred: &Inferred) -> Vec<String> {
        /// How many rows there are at least for each value.
        const ROWS_PER_VALUE: usize = 10;
        let is_likely = |inference: &&Inference| {
            let n_values = inference.few_values.len();
            n_values >= 2
                && inferred.n_rows >= ROWS_PER_VALUE * n_values
                && inference.few_values != [0.0, 1.0]
                && !self.by_name.contains_key(&inference.column)
        };
        let likely = if self.rest.is_none() { inferred.columns.as_slice() } else { &[] };
        likely.iter().filter(is_likely).map(|inference| inference.column.clone()).collect()
    }

    /// The choices for all columns, in order.
    pub(crate) fn of_all(&self, inferred: &Inferred) -> Vec<Choice> {
        inferred.columns.iter().map(|inference| self.of(inference)).collect()
    }
}
