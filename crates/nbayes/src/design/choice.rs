//! Which family a column gets: as the user says, else as its cells suggest.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use anyhow::Result;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum,
    builder::{EnumValueParser, PossibleValue},
};
use nb_core::description::{Columns as FamilyColumns, Description};
use nb_io::{
    DatePart, DateParts, Kind, TextOptions,
    read::{Inference, Inferred, KindChoice, Overrides},
};

use super::{
    registry::{descriptions, option_name},
    selector::{Selected, Selector},
};
use crate::{failure::usage, words::nearest};

/// What becomes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Choice {
    /// It gets the family of this name.
    Family(&'static str),
    /// Free text: counts of its words.
    Text,
    /// Dates: each of their parts is a feature.
    Date,
    /// Left out.
    Ignore,
}

/// Every choice, in the order of help.
static ALL: LazyLock<Vec<Choice>> = LazyLock::new(|| {
    let families = descriptions().map(|description| Choice::Family(description.name));
    families.chain([Choice::Text, Choice::Date, Choice::Ignore]).collect()
});

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = match self {
            Self::Family(_) => self.description()?.about,
            Self::Text => "Free text: counts of its words",
            Self::Date => "Dates: month, weekday, and what else --date-parts names",
            Self::Ignore => "Left out",
        };
        let value = PossibleValue::new(self.name()).help(about);
        Some(match self {
            Self::Family(name) => value.alias(*name),
            _ => value,
        })
    }
}

impl Choice {
    pub(crate) const GAUSSIAN: Self = Self::Family("gaussian");
    pub(crate) const CATEGORICAL: Self = Self::Family("categorical");
    pub(crate) const POISSON: Self = Self::Family("poisson");
    const BERNOULLI: Self = Self::Family("bernoulli");
    const MULTINOMIAL: Self = Self::Family("multinomial");
    const COMPLEMENT: Self = Self::Family("complement");

    /// The name that options and schema files have for it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Family(name) => option_name(name),
            Self::Text => "text".into(),
            Self::Date => "date".into(),
            Self::Ignore => "ignore".into(),
        }
    }

    fn description(self) -> Option<Description> {
        let Self::Family(name) = self else { return None };
        descriptions().find(|description| description.name == name)
    }

    /// Whether its family has something that is learnt from rows before these are summed.
    pub(crate) fn is_learnt(self) -> bool {
        self.description().is_some_and(|description| description.is_learnt)
    }

    /// Whether its family takes numbers and categories alike.
    pub(crate) fn is_mixed(self) -> bool {
        self.description().is_some_and(|description| description.columns == FamilyColumns::Mixed)
    }

    /// Whether its family takes categories and nothing else.
    fn is_of_categories(self) -> bool {
        self.description().is_some_and(|description| description.columns == FamilyColumns::Categories)
    }

    /// How the cells are read; `None` if that is left to the reader, or the column is left out.
    fn kind(self) -> Option<KindChoice> {
        if self == Self::Text {
            return Some(KindChoice::Text);
        }
        if self == Self::Date {
            return Some(KindChoice::Dates);
        }
        Some(match self.description()?.columns {
            // Their sums are those of any numbers from 0, such as tf-idf.
            FamilyColumns::Counts if [Self::MULTINOMIAL, Self::COMPLEMENT].contains(&self) => {
                KindChoice::NonNegative
            }
            FamilyColumns::Real => KindChoice::Numeric,
            FamilyColumns::Counts => KindChoice::Count,
            FamilyColumns::Categories => KindChoice::Categorical,
            FamilyColumns::Mixed => return None,
        })
    }

    /// What help says of the option that names its columns.
    fn about_columns(self) -> &'static str {
        match self {
            Self::Family(_) => self.description().map_or("", |description| description.about_columns),
            Self::Text => "Columns of free text",
            Self::Date => {
                "Columns of dates (2024-01-31, 2024-01-31T12:30): their month, weekday, hour and days are features"
            }
            Self::Ignore => "Columns to ignore, such as identifiers",
        }
    }
}

/// Columns whose family the user chooses: an option for each choice, whose names are separated by commas.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChoiceArgs {
    named: Vec<(Choice, Vec<Selector>)>,
    all: Option<Choice>,
    /// The features of dates; none if no option says.
    date_parts: Vec<DatePart>,
}

const HEADING: &str = "Columns, by name, pattern ('id_*') or position ('#3'); families are chosen from the data unless given here";
const ALL_OTHERS: &str = "all";
const DATE_PARTS: &str = "date-parts";

impl Args for ChoiceArgs {
    fn augment_args(command: Command) -> Command {
        let option = |choice: &Choice| {
            Arg::new(choice.name())
                .long(choice.name())
                .value_name("COLUMNS")
                .action(ArgAction::Append)
                .help(choice.about_columns())
                .help_heading(HEADING)
        };
        let all = Arg::new(ALL_OTHERS)
            .long(ALL_OTHERS)
            .value_name("FAMILY")
            .value_parser(EnumValueParser::<Choice>::new())
            .help("The family of all columns not named by another option; families of numbers leave columns of text alone")
            .help_heading(HEADING);
        let parts = Arg::new(DATE_PARTS)
            .long(DATE_PARTS)
            .value_name("PARTS")
            .value_delimiter(',')
            .action(ArgAction::Append)
            .value_parser(|name: &str| name.parse::<DatePart>())
            .help(
                "The features of columns of dates: year and days since 1970-01-01 (numbers), month, weekday and, where there \
                 are times, hour (categories) [default: month,weekday,hour,days]",
            )
            .help_heading(HEADING);
        command.args(ALL.iter().map(option)).arg(parts).arg(all)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ChoiceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let columns = |choice: &Choice| {
            let lists = matches.get_many::<String>(&choice.name()).into_iter().flatten();
            (*choice, lists.flat_map(|list| Selector::list(list)).collect())
        };
        let date_parts = matches.get_many(DATE_PARTS).into_iter().flatten().copied().collect();
        let (named, all) = (ALL.iter().map(columns).collect(), matches.get_one(ALL_OTHERS).copied());
        Ok(Self { named, all, date_parts })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The choices for all columns of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    by_name: BTreeMap<String, Choice>,
    rest: Option<Choice>,
    /// The features of columns of dates.
    date_parts: DateParts,
}

impl ChoiceArgs {
    /// Whether columns may be selected by patterns or positions, so that the names of all columns must be known.
    pub(crate) fn has_patterns(&self) -> bool {
        self.named.iter().any(|(_, columns)| columns.iter().any(Selector::may_be_pattern))
    }

    /// These choices, which go before those of a schema file. A name goes before a pattern. `columns` are those of the file,
    /// if there are patterns, and `reserved` the columns that no pattern matches.
    pub(crate) fn over(
        &self,
        mut choices: Choices,
        file: &str,
        columns: &[String],
        reserved: &[&str],
    ) -> Result<Choices> {
        let twice = |column: &str, one: Choice, other: Choice| {
            usage(format!(
                "column {column:?} is given to both --{} and --{}; a column has one family",
                one.name(),
                other.name()
            ))
        };
        let (mut named, mut matched) = (BTreeMap::new(), BTreeSet::new());
        for (choice, selectors) in &self.named {
            for selector in selectors {
                match selector.select(file, columns, reserved)? {
                    Selected::Named(column) => {
                        if let Some(other) = named.insert(column.clone(), *choice) {
                            return Err(twice(&column, other, *choice));
                        }
                    }
                    Selected::Matched(names) => matched.extend(names.into_iter().map(|name| (name, *choice))),
                }
            }
        }
        let mut matched = matched.into_iter().filter(|(column, _)| !named.contains_key(column)).peekable();
        let mut by_pattern = BTreeMap::new();
        while let Some((column, choice)) = matched.next() {
            if let Some((_, other)) = matched.peek().filter(|(next, _)| *next == column) {
                return Err(twice(&column, choice, *other));
            }
            by_pattern.insert(column, choice);
        }
        choices.by_name.extend(by_pattern);
        choices.by_name.extend(named);
        if self.all == Some(Choice::Date) {
            return Err(usage(
                "--all takes a family that other columns can have, too; name columns of dates with --date",
            ));
        }
        choices.rest = self.all.or(choices.rest);
        if !self.date_parts.is_empty() {
            choices.date_parts = self.date_parts.iter().copied().collect();
        }
        Ok(choices)
    }
}

impl Choices {
    pub(crate) fn new(by_name: BTreeMap<String, Choice>) -> Self {
        Self { by_name, ..Self::default() }
    }

    /// The same with these features of columns of dates.
    pub(crate) fn with_date_parts(self, date_parts: DateParts) -> Self {
        Self { date_parts, ..self }
    }

    /// The features of columns of dates.
    pub(crate) fn date_parts(&self) -> DateParts {
        self.date_parts
    }

    /// What a reader has to know before it looks at the columns.
    pub(crate) fn overrides(&self, text: TextOptions) -> Overrides {
        let mut overrides = Overrides::default().with_default_text(text).with_dates(self.date_parts);
        for (column, choice) in &self.by_name {
            match choice.kind() {
                Some(kind) => drop(overrides.kinds.insert(column.clone(), kind)),
                None if *choice == Choice::Ignore => drop(overrides.ignore.insert(column.clone())),
                None => {}
            }
        }
        overrides
    }

    /// The choice for a column whose cells were looked at.
    pub(crate) fn of(&self, inference: &Inference) -> Choice {
        if let Some(choice) = self.by_name.get(&inference.column) {
            return *choice;
        }
        match (&inference.kind, self.rest) {
            // Of formats whose columns are all read.
            (_, Some(Choice::Ignore)) => Choice::Ignore,
            (Kind::Text(_), _) => Choice::Text,
            (Kind::Dates(_), _) => Choice::Date,
            (_, Some(rest)) if rest.is_mixed() => rest,
            (Kind::Categorical { .. }, Some(rest)) if rest.is_of_categories() => rest,
            (Kind::Categorical { .. }, _) => Choice::CATEGORICAL,
            (Kind::Count, _) => Choice::MULTINOMIAL,
            _ => {
                self.rest.unwrap_or(if inference.is_binary() { Choice::BERNOULLI } else { Choice::GAUSSIAN })
            }
        }
    }

    /// Refuses a column that is not there, of a choice that says nothing of how its cells are read: readers find the others.
    pub(crate) fn check_mixed(&self, inferred: &Inferred) -> Result<()> {
        let known = || inferred.columns.iter().map(|inference| inference.column.as_str());
        let mut mixed = self.by_name.iter().filter(|(_, choice)| choice.is_mixed());
        match mixed.find(|(column, _)| !known().any(|name| name == column.as_str())) {
            Some((column, choice)) => Err(usage(format!(
                "column {column:?}, named by --{}, not found{}",
                choice.name(),
                nearest(column, known())
            ))),
            None => Ok(()),
        }
    }

    /// Names the columns that the choice for all others changes: to be read as categories or texts, or to be left out.
    pub(crate) fn name_others(&mut self, inferred: &Inferred) {
        let Some(rest) = self.rest else { return };
        let others = inferred.columns.iter().filter(|inference| {
            let is_read_as_such = match (rest, &inference.kind) {
                (Choice::Ignore, _) => false,
                (Choice::Text, kind) => matches!(kind, Kind::Text(_)),
                (rest, kind) if rest.is_of_categories() => matches!(kind, Kind::Categorical { .. }),
                _ => true,
            };
            !is_read_as_such && !self.by_name.contains_key(&inference.column)
        });
        let names: Vec<String> = others.map(|inference| inference.column.clone()).collect();
        self.by_name.extend(names.into_iter().map(|name| (name, rest)));
    }

    /// Whether the user has chosen what becomes of this column.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.by_name.contains_key(column)
    }

    /// Whether the user has chosen another family for a column than it has by default, and not only what its cells are.
    pub(crate) fn is_of_family(&self, inference: &Inference) -> bool {
        let kinds = [Choice::GAUSSIAN, Choice::CATEGORICAL, Choice::Text, Choice::Date, Choice::Ignore];
        let (choice, all) = (self.of(inference), self.rest.is_some_and(|rest| rest != Choice::Ignore));
        all || (!kinds.contains(&choice) && choice != Self::default().of(inference))
    }

    /// Whether the user has chosen a family for all columns.
    pub(crate) fn has_one_family(&self) -> bool {
        self.rest.is_some()
    }

    /// The columns that are to be left out, in the order of their names.
    pub(crate) fn ignored(&self) -> impl Iterator<Item = &str> {
        self.by_name
            .iter()
            .filter(|(_, choice)| **choice == Choice::Ignore)
            .map(|(column, _)| column.as_str())
    }

    /// Columns of numbers that look like categories, to be read as such.
    pub(crate) fn likely_categories(&self, inferred: &Inferred) -> Vec<String> {
        if self.rest.is_some() {
            return Vec::new();
        }
        let likely = inferred.likely_categories().map(|inference| &inference.column);
        likely.filter(|column| !self.by_name.contains_key(*column)).cloned().collect()
    }

    /// The choices for all columns, in order.
    pub(crate) fn of_all(&self, inferred: &Inferred) -> Vec<Choice> {
        inferred.columns.iter().map(|inference| self.of(inference)).collect()
    }
}
