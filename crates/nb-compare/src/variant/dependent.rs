//! Families of columns that depend on one another, as a design says them: their options are those of their
//! descriptions.

use nb_core::description::{Columns, Description, Parameter, Value, parameters};
use nb_io::{BinRule, Family, Parents, Preparation, WeightRule};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value as Json;

use super::SmoothingChoice;
use crate::method::{DependentMethod, Discretisation, entry, is_fixed, option_name, setting};

/// The option by which bins are chosen.
const BINS: &str = "bins";
/// The option by which parents are chosen.
const PARENTS: &str = "parents";
/// The option by which weights of columns are learnt.
const COLUMN_WEIGHTS: &str = "column_weights";
/// The option by which a hierarchy takes the place of pseudo-counts.
const SMOOTHING: &str = "smoothing";
/// The hyper-parameter of a hierarchy, which is an option of it here.
const SWEEPS: &str = "sweeps";
/// What designs call that.
const ITERATIONS: &str = "iterations";
/// The penalty of the other kind of hierarchical smoothing.
const RIDGE: &str = "ridge";
/// What a pseudo-count is added to.
const PSEUDO_COUNTS: &str = "pseudo_counts";
/// The families whose authors divide a pseudo-count among the values of a column: Webb, Boughton and Wang
/// 2005 (AODE), Zheng and Webb 2006 (`AODEsr`), Chen et al. 2014 (ASAODE), Jiang, Zhang and Cai 2009 (HNB),
/// Jiang and Zhang 2006 (WAODE), Webb et al. 2012 (A2DE), Jiang et al. 2019 and Zhang et al. 2021 (weights of
/// columns).
const DIVIDED: [&str; 7] = ["aode", "aodesr", "asaode", "hnb", "waode", "a2de", "awnb"];

/// A family of columns that depend on one another, with its options. Missing cells are left out, in training
/// and in answers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DependentChoice {
    /// The family, with its hyper-parameters.
    pub family: Family,
    /// How numbers become categories.
    pub bins: Discretisation,
    /// On which columns others depend, if the family learns that.
    pub parents: Parents,
    /// How columns get weights, if the family learns them.
    pub column_weights: WeightRule,
    /// How estimates are smoothed.
    pub smoothing: SmoothingChoice,
}

/// The families of columns that depend on one another, with the hyper-parameters that they have by default.
fn families() -> impl Iterator<Item = Family> {
    Family::learnt().into_iter().filter(|family| family.description().columns == Columns::Mixed)
}

/// What they are called.
pub(super) fn descriptions() -> impl Iterator<Item = Description> {
    families().map(|family| family.description())
}

/// Their names as designs write them.
pub(super) fn names() -> impl Iterator<Item = String> {
    descriptions().map(|description| design_name(description.name))
}

fn design_name(name: &str) -> String {
    name.replace('_', "-")
}

/// All other names of the option of this name.
pub(super) fn other_names(name: &str) -> Vec<String> {
    match name {
        SWEEPS => return vec![ITERATIONS.into()],
        ITERATIONS => return vec![SWEEPS.into()],
        _ => {}
    }
    let is_own = |parameter: &&'static Parameter| {
        parameter.name != parameters::SMOOTHING.name && parameter.is_called(name)
    };
    let of_families = families()
        .flat_map(|family| family.settings().into_iter().map(|(parameter, _)| parameter).collect::<Vec<_>>());
    let Some(parameter) = Preparation::rules().iter().chain(of_families).find(is_own) else {
        return Vec::new();
    };
    let all = [parameter.name.to_owned(), parameter.short.to_owned(), parameter.name.replace('_', "-")];
    all.into_iter().filter(|other| other != name).collect()
}

/// How an option is written: by the short name of smoothing, and otherwise by the name.
fn written(parameter: &'static Parameter) -> &'static str {
    if parameter.name == parameters::SMOOTHING.name { option_name(parameter) } else { parameter.name }
}

impl DependentChoice {
    /// The options of a family as its authors have them.
    fn new(mut family: Family) -> Self {
        if DIVIDED.contains(&family.description().name) {
            let _ = family.set(PSEUDO_COUNTS, &Value::Name("divided".into()));
        }
        // Every family of the list can leave missing cells out.
        let _ = family.set(parameters::MISSING.name, &Value::Name("skip".into()));
        let Preparation { parents, column_weights, .. } = Preparation::default();
        let (bins, smoothing) = (Discretisation::default(), SmoothingChoice::default());
        Self { family, bins, parents, column_weights, smoothing }
    }

    /// Reads the options of the family that is the `method`.
    pub(super) fn from_table(table: &serde_json::Map<String, Json>) -> Result<Self, String> {
        let method = table.get("method").and_then(Json::as_str).unwrap_or_default();
        let family = families().find(|family| design_name(family.description().name) == method);
        let mut choice = Self::new(family.ok_or_else(|| format!("there is no method `{method}`"))?);
        let usual = choice.clone();
        for (key, value) in table {
            if key != "method" {
                choice.set(key, value)?;
            }
        }
        let differs = |(given, usual): (&(&Parameter, Value), &(&Parameter, Value))| given.1 != usual.1;
        let additive = |family: &Family| -> Vec<(&'static Parameter, Value)> {
            let names = [parameters::SMOOTHING.name, PSEUDO_COUNTS, RIDGE];
            family.settings().into_iter().filter(|(parameter, _)| names.contains(&parameter.name)).collect()
        };
        let (given, usual) = (additive(&choice.family), additive(&usual.family));
        choice.smoothing.check(given.iter().zip(&usual).any(differs))?;
        if choice.smoothing != SmoothingChoice::Additive && choice.as_hierarchical().is_none() {
            return Err(format!(
                "method `{method}` with these options has no hierarchy that could smooth it; leave out smoothing = hdp, or the other options"
            ));
        }
        Ok(choice)
    }

    /// What the rules say.
    pub(crate) fn rules(&self) -> Preparation {
        let rules = Preparation::default().with_few_values(false);
        rules
            .with_bins(BinRule::from(self.bins))
            .with_parents(self.parents)
            .with_column_weights(self.column_weights)
    }

    /// Whether it has a rule of this name.
    fn has_rule(&self, name: &str) -> bool {
        self.family.description().learnt_by.contains(&name)
    }

    /// The same family with the options of its authors.
    fn usual(&self) -> Self {
        let name = self.family.description().name;
        families().find(|family| family.description().name == name).map_or_else(|| self.clone(), Self::new)
    }

    /// The network that a hierarchy smooths, if there is one.
    fn as_hierarchical(&self) -> Option<(&'static str, Parents)> {
        self.family.variant()?.as_hierarchical(&self.rules())
    }

    /// Whether a regression takes the place of pseudo-counts.
    pub(crate) fn is_linear(&self) -> bool {
        let is_above_0 = |value: Value| matches!(value, Value::Number(ridge) if ridge > 0.0);
        self.family
            .settings()
            .into_iter()
            .any(|(parameter, value)| parameter.name == RIDGE && is_above_0(value))
    }

    /// The hyper-parameters that are options.
    fn settings(&self) -> impl Iterator<Item = (&'static Parameter, Value)> {
        let is_option = |parameter: &Parameter| {
            !is_fixed(parameter) && ![parameters::CATEGORIES.name, SWEEPS].contains(&parameter.name)
        };
        self.family.settings().into_iter().filter(move |(parameter, _)| is_option(parameter))
    }

    fn set(&mut self, key: &str, value: &Json) -> Result<(), String> {
        let said = |error: serde_json::Error| error.to_string();
        let rule = Preparation::rules().iter().find(|rule| rule.is_called(key));
        match rule.map(|rule| rule.name).filter(|name| self.has_rule(name)) {
            Some(BINS) => {
                self.bins = serde_json::from_value(value.clone()).map_err(said)?;
                return Ok(());
            }
            Some(PARENTS) => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.parents = text.parse().map_err(|error: nb_io::RuleError| error.to_string())?;
                return Ok(());
            }
            Some(COLUMN_WEIGHTS) => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.column_weights = text.parse().map_err(|error: nb_io::RuleError| error.to_string())?;
                return Ok(());
            }
            _ => {}
        }
        // Whether a hierarchy goes with the other options is known once all are read.
        if key == SMOOTHING && self.usual().as_hierarchical().is_some() {
            self.smoothing = serde_json::from_value(value.clone()).map_err(said)?;
            return Ok(());
        }
        let known = self.settings().find(|(parameter, _)| parameter.is_called(key));
        let Some((parameter, _)) = known else {
            let names: Vec<String> = self.options().iter().map(|name| format!("`{name}`")).collect();
            return Err(format!("unknown field `{key}`, expected one of {}", names.join(", ")));
        };
        self.family.set(parameter.name, &setting(value)).map_err(|error| error.to_string())
    }

    /// The names of its options, in the order in which they are written.
    fn options(&self) -> Vec<&'static str> {
        let mut all = vec![BINS];
        all.extend(self.settings().map(|(parameter, _)| written(parameter)));
        all.extend(Some(SMOOTHING).filter(|_| self.usual().as_hierarchical().is_some()));
        all.extend([PARENTS, COLUMN_WEIGHTS].into_iter().filter(|rule| self.has_rule(rule)));
        all
    }

    /// What a report calls it, and its source: that of naive Bayes if nothing depends on anything.
    pub(crate) fn described(&self) -> (String, Option<&'static str>) {
        if self.has_rule(COLUMN_WEIGHTS) {
            return (self.column_weights.method().to_owned(), Some(self.column_weights.source()));
        }
        let description = self.family.description();
        let is_naive_bayes =
            self.family.variant().is_some_and(|variant| variant.is_naive_bayes(&self.rules()));
        let name = if is_naive_bayes { "naive Bayes" } else { description.method };
        let name = match self.smoothing {
            SmoothingChoice::Additive if self.is_linear() => {
                format!("{name} with hierarchical linear smoothing")
            }
            SmoothingChoice::Additive => name.to_owned(),
            SmoothingChoice::Hdp(_) => format!("{name} smoothed by hierarchical Dirichlet processes"),
        };
        (name, (!is_naive_bayes).then_some(description.source))
    }

    /// The way to learn.
    pub(super) fn method(&self) -> DependentMethod {
        let (mut family, mut rules) = (self.family.clone(), self.rules());
        if let (SmoothingChoice::Hdp(choice), Some((name, parents))) =
            (self.smoothing, self.as_hierarchical())
        {
            if let Some(network) = families().find(|family| family.description().name == name) {
                family = Self::new(network).family;
            }
            if let Some(variant) = family.variant_mut() {
                variant.set_hierarchical(choice.smoothing());
            }
            rules = rules.with_parents(parents);
        }
        DependentMethod { family, rules }
    }
}

/// Bins and hyper-parameters.
impl Serialize for DependentChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("method", &design_name(self.family.description().name))?;
        map.serialize_entry(BINS, &self.bins)?;
        let is_additive = self.smoothing == SmoothingChoice::Additive;
        let is_of_all =
            |parameter: &Parameter| [parameters::SMOOTHING.name, PSEUDO_COUNTS].contains(&parameter.name);
        let (of_all, own): (Vec<_>, Vec<_>) =
            self.settings().partition(|(parameter, _)| is_of_all(parameter));
        for (parameter, value) in of_all {
            // A hierarchy has no pseudo-count.
            if is_additive {
                entry(&mut map, written(parameter), &value)?;
            }
        }
        if !is_additive {
            map.serialize_entry(SMOOTHING, &self.smoothing)?;
        }
        for (parameter, value) in own {
            entry(&mut map, written(parameter), &value)?;
        }
        if self.has_rule(PARENTS) {
            match self.parents {
                Parents::Most(k) => map.serialize_entry(PARENTS, &k)?,
                parents => map.serialize_entry(PARENTS, &parents.to_string())?,
            }
        }
        if self.has_rule(COLUMN_WEIGHTS) {
            map.serialize_entry(COLUMN_WEIGHTS, &self.column_weights.to_string())?;
        }
        map.end()
    }
}
