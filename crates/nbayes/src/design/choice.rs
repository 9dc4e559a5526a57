//! Which family a column gets, as the user says.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use nb_io::DatePart;
pub(crate) use nb_train::{Choice, Choices};

use super::selector::{Selected, Selector};
use crate::failure::usage;

/// The choices as values of options.
fn values() -> PossibleValuesParser {
    PossibleValuesParser::new(Choice::all().map(|choice| {
        let about = match choice {
            Choice::Family(_) => choice.description().map_or("", |description| description.about),
            Choice::Text => "Free text: counts of its words",
            Choice::Date => "Dates: month, weekday, and what else --date-parts names",
            Choice::Ignore => "Left out",
        };
        let value = PossibleValue::new(choice.name()).help(about);
        match choice {
            Choice::Family(name) => value.alias(name),
            _ => value,
        }
    }))
}

/// What help says of the option that names the columns of a choice.
fn about_columns(choice: Choice) -> &'static str {
    match choice {
        Choice::Family(_) => choice.description().map_or("", |description| description.about_columns),
        Choice::Text => "Columns of free text",
        Choice::Date => {
            "Columns of dates (2024-01-31, 2024-01-31T12:30): their month, weekday, hour and days are features"
        }
        Choice::Ignore => "Columns to ignore, such as identifiers",
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
        let option = |choice: Choice| {
            Arg::new(choice.name())
                .long(choice.name())
                .value_name("COLUMNS")
                .action(ArgAction::Append)
                .help(about_columns(choice))
                .help_heading(HEADING)
        };
        let all = Arg::new(ALL_OTHERS)
            .long(ALL_OTHERS)
            .value_name("FAMILY")
            .value_parser(values().try_map(|name| name.parse::<Choice>()))
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
        command.args(Choice::all().map(option)).arg(parts).arg(all)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ChoiceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let columns = |choice: Choice| {
            let lists = matches.get_many::<String>(&choice.name()).into_iter().flatten();
            (choice, lists.flat_map(|list| Selector::list(list)).collect())
        };
        let date_parts = matches.get_many(DATE_PARTS).into_iter().flatten().copied().collect();
        let (named, all) = (Choice::all().map(columns).collect(), matches.get_one(ALL_OTHERS).copied());
        Ok(Self { named, all, date_parts })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ChoiceArgs {
    /// Whether columns may be selected by patterns or positions, so that the names of all columns must be
    /// known.
    pub(crate) fn has_patterns(&self) -> bool {
        self.named.iter().any(|(_, columns)| columns.iter().any(Selector::may_be_pattern))
    }

    /// These choices, which go before those of a schema file. A name goes before a pattern. `columns` are
    /// those of the file, if there are patterns, and `reserved` the columns that no pattern matches.
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
            choices.date_parts = Some(self.date_parts.iter().copied().collect());
        }
        Ok(choices)
    }
}
