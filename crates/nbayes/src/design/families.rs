//! The families of a model, from the choices for its columns and the hyper-parameters that the user gives.

use anyhow::Result;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser},
    parser::ValueSource,
};
use nb_core::description::{Parameter, Value, parameters};
use nb_io::{Family, Preparation, Schema};
use nb_train::{Families, FamiliesError};

use super::{
    Choice, TextArgs,
    registry::{self, option_name},
    text::TextModel,
};
use crate::failure::usage;

/// Hyper-parameters: an option for each one that some family has.
#[derive(Clone, Debug)]
pub(crate) struct FamilyArgs {
    shared_variance: bool,
    /// By their names, as texts.
    values: Vec<(&'static str, String)>,
    /// How cut points and powers are learnt.
    preparation: Preparation,
    /// The first option that is given.
    given: Option<String>,
    /// Options that are given for some families, and these.
    own: Vec<(&'static str, Vec<Choice>)>,
    /// An option of additive smoothing, if it is given and columns with sweeps have another smoothing.
    without_effect: Option<&'static str>,
}

const HEADING: &str = "Hyper-parameters";
const SHARED_VARIANCE: &str = "shared-variance";
/// How many sweeps smooth by a hierarchy in place of pseudo-counts.
const SWEEPS: &str = "sweeps";
/// Options of additive smoothing.
const OF_ADDITIVE: [&str; 2] = ["smoothing", "pseudo_counts"];
/// What the program does by default where the library refuses.
const OWN_DEFAULTS: [(&str, &str); 2] = [("missing_cells", "skip"), ("unseen", "ignore")];

/// What a family is called.
pub(crate) fn family_name(family: &Family) -> String {
    family.description().title.to_lowercase()
}

/// The hyper-parameters that some family has, each once: with its value by default, and the names that it can
/// be. Numbers of categories are found in the data.
fn for_each_parameter(
    mut visit: impl FnMut(&'static Parameter, &Value, &'static [(&'static str, &'static str)]),
) {
    let mut seen = vec![parameters::CATEGORIES.name];
    for mut family in registry::families().cloned() {
        for hyper in family.hyper_parameters() {
            if !seen.contains(&hyper.parameter.name) {
                seen.push(hyper.parameter.name);
                visit(hyper.parameter, &hyper.value(), hyper.names());
            }
        }
    }
}

impl Args for FamilyArgs {
    fn augment_args(command: Command) -> Command {
        let shared = Arg::new(SHARED_VARIANCE)
            .long(SHARED_VARIANCE)
            .action(ArgAction::SetTrue)
            .help("One variance per column, shared by all classes, which makes the decision boundary linear")
            .help_heading(HEADING);
        let rules = Preparation::default();
        let of_rules = Preparation::rules().iter().map(|rule| {
            let name = rule.name;
            let families: Vec<String> = having(name).map(Choice::name).collect();
            Arg::new(name)
                .long(option_name(name))
                .value_name(rule.value)
                .value_parser(move |text: &str| {
                    Preparation::default().set(name, text).map(|()| text.to_owned())
                })
                .allow_negative_numbers(true)
                .default_value(rules.rule(name).unwrap_or_default())
                .help(rule.about.replace("{families}", &list(&families)))
                .help_heading(HEADING)
        });
        let mut options: Vec<Arg> = std::iter::once(shared).chain(of_rules).collect();
        for_each_parameter(|parameter, value, names| {
            let option = Arg::new(parameter.name)
                .long(option_name(parameter.name))
                .help(parameter.about)
                .help_heading(HEADING);
            let own = OWN_DEFAULTS.iter().find(|(own, _)| *own == parameter.name);
            let default = || match (own, value) {
                (Some((_, own)), _) => (*own).to_owned(),
                (None, Value::Name(name)) => option_name(name),
                (None, value) => value.to_string(),
            };
            options.push(match value {
                Value::Flag(_) => option.action(ArgAction::SetTrue),
                Value::Name(_) => {
                    let name = option_name(parameter.name).to_uppercase();
                    let names =
                        names.iter().map(|(name, about)| PossibleValue::new(option_name(name)).help(*about));
                    let parser = PossibleValuesParser::new(names);
                    option.value_name(name).value_parser(parser).default_value(default())
                }
                _ => {
                    let option = option.value_name(parameter.value).value_parser(number);
                    option.allow_negative_numbers(true).default_value(default())
                }
            });
        });
        command.args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The families that have an option: a rule or a hyper-parameter.
fn having(option: &str) -> impl Iterator<Item = Choice> {
    let names = registry::families().map(|family| family.description().name);
    names.map(Choice::Family).filter(move |&choice| uses(choice, option))
}

/// The families that have an option, if it has no effect on any other: all of them learn something before
/// rows are summed.
fn of_some(option: &str) -> Option<Vec<Choice>> {
    let families: Vec<Choice> = having(option).collect();
    families.iter().all(|family| family.is_learnt()).then_some(families)
}

fn list(names: &[String]) -> String {
    match names {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        names => names.concat(),
    }
}

/// Whether a choice has a rule or a hyper-parameter.
fn uses(choice: Choice, option: &str) -> bool {
    let has = |name| {
        let family = registry::family(name).ok();
        family.is_some_and(|mut family| {
            family.description().learnt_by.contains(&option)
                || family.hyper_parameters().iter().any(|hyper| hyper.parameter.name == option)
        })
    };
    match choice {
        Choice::Family(name) => has(name),
        Choice::Text => has("multinomial"),
        Choice::Date => has("categorical"),
        Choice::Ignore => false,
    }
}

/// A number, which stays the text that it was.
fn number(text: &str) -> Result<String, std::num::ParseFloatError> {
    text.parse::<f64>().map(|_| text.to_owned())
}

impl FromArgMatches for FamilyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut values = Vec::new();
        let is_given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let mut given = Some(SHARED_VARIANCE).filter(|option| is_given(option));
        let mut own = Vec::new();
        let mut note = |option: &'static str| {
            if is_given(option) {
                given = given.or(Some(option));
                own.extend(of_some(option).map(|families| (option, families)));
            }
        };
        let mut preparation = Preparation::default();
        for rule in Preparation::rules() {
            note(rule.name);
            if let Some(text) = matches.get_one::<String>(rule.name) {
                // It was read when the option was.
                let _ = preparation.set(rule.name, text);
            }
        }
        for_each_parameter(|parameter, value, _| {
            note(parameter.name);
            let text = match value {
                Value::Flag(_) => Some(matches.get_flag(parameter.name).to_string()),
                _ => matches.get_one::<String>(parameter.name).cloned(),
            };
            values.extend(text.map(|text| (parameter.name, text)));
        });
        let shared_variance = matches.get_flag(SHARED_VARIANCE);
        let is_hierarchical = matches
            .get_one::<String>(SWEEPS)
            .and_then(|text| text.parse::<f64>().ok())
            .is_some_and(|n| n > 0.0);
        let without_effect = OF_ADDITIVE.into_iter().find(|option| is_hierarchical && is_given(option));
        Ok(Self { shared_variance, values, preparation, given: given.map(option_name), own, without_effect })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl FamilyArgs {
    /// Refuses options that no column has any use for.
    pub(crate) fn check(&self, choices: &[Choice]) -> Result<()> {
        let has_none = |families: &Vec<Choice>| !families.iter().any(|family| choices.contains(family));
        if let Some((option, families)) = self.own.iter().find(|(_, families)| has_none(families)) {
            let option = option_name(option);
            let names: Vec<String> = families.iter().map(|family| family.name()).collect();
            let (first, all) = (families[0].name(), names.join(" or "));
            return Err(usage(format!(
                "--{option} is for {all} columns, and there are none; name columns with --{first}, or all with \
                 `--all {first}`"
            )));
        }
        if let Some(option) = self.without_effect
            && !choices.iter().any(|&choice| !uses(choice, SWEEPS) && uses(choice, option))
        {
            return Err(usage(format!(
                "--{} is of additive smoothing, and --sweeps smooths kdb columns by a hierarchy in its place; leave one of them out",
                option_name(option)
            )));
        }
        Ok(())
    }

    /// The hyper-parameters as the library takes them.
    pub(crate) fn families(&self, text: &TextArgs) -> Families {
        let values = self.values.iter().map(|(name, value)| (*name, value.as_str()));
        let mut families = Families::default().with_defaults(values);
        families.shared_variance = self.shared_variance;
        families.preparation = self.preparation;
        families.given.clone_from(&self.given);
        families.text = match text.text_model() {
            TextModel::Multinomial => Choice::MULTINOMIAL,
            TextModel::Complement => Choice::COMPLEMENT,
            TextModel::Bernoulli => Choice::BERNOULLI,
        };
        families
    }

    /// The family of a model with these columns: blocks, or the only one that there would be.
    pub(crate) fn family(&self, schema: &Schema, choices: &[Choice], text: &TextArgs) -> Result<Family> {
        self.check(choices)?;
        self.families(text).family(schema, choices).map_err(families_error)
    }
}

/// Why columns have no family, with the options that help.
pub(crate) fn families_error(error: FamiliesError) -> anyhow::Error {
    match error {
        FamiliesError::Text { column, choice } => usage(format!(
            "column {column:?} is text, and --{} is for numbers and categories; if its texts are names of categories, convert them \
             to short ones, else leave the column to --text",
            choice.name()
        )),
        FamiliesError::NoColumns => usage("all columns are ignored; a model needs at least one feature"),
        FamiliesError::Registry(error) => error.into(),
        FamiliesError::Setting(error) => error.into(),
        error => error.into(),
    }
}
