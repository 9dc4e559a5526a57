//! Where the prior probabilities of the classes come from.

use std::{collections::BTreeMap, str::FromStr};

use anyhow::Result;
use nb_core::Prior;
use nb_train::{ClassPrior, PriorError};
use serde::Deserialize;

use super::selector::in_quotes;
use crate::{failure::usage, output::quoted_list};

/// The prior as an option: `empirical`, `uniform`, or `label=probability,...`. In a schema file it is one of
/// the two words, or a table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct PriorArg(pub(crate) ClassPrior);

/// A prior in a schema file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Word(String),
    Table(BTreeMap<String, f64>),
}

impl TryFrom<Written> for PriorArg {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::Word(word) if word == "empirical" => Ok(Self(ClassPrior::Empirical)),
            Written::Word(word) if word == "uniform" => Ok(Self(ClassPrior::Uniform)),
            Written::Word(_) => {
                Err("prior must be \"empirical\", \"uniform\", or a table [prior] with label = probability")
            }
            Written::Table(given) => Ok(Self(ClassPrior::Given(given.into_iter().collect()))),
        }
    }
}

impl FromStr for PriorArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "empirical" => return Ok(Self(ClassPrior::Empirical)),
            "uniform" => return Ok(Self(ClassPrior::Uniform)),
            _ => {}
        }
        pairs(text).map(|given| Self(ClassPrior::Given(given))).ok_or_else(|| {
            "it must be empirical, uniform, or label=probability,label=probability,...; quote a label that has a comma: \
             \"a,b\"=0.5"
                .into()
        })
    }
}

/// Labels and numbers, `label=number,label=number,...`. A label, or a label with its number, may be quoted as
/// in CSV.
pub(crate) fn pairs(text: &str) -> Option<Vec<(String, f64)>> {
    let mut pairs = Vec::new();
    let mut rest = Some(text);
    while let Some(text) = rest {
        let (label, probability, next) = pair(text)?;
        pairs.push((label, probability.trim().parse().ok()?));
        rest = next;
    }
    Some(pairs)
}

/// The first label with its probability, and what follows the comma after them.
fn pair(text: &str) -> Option<(String, String, Option<&str>)> {
    let until_comma =
        |text| str::split_once(text, ',').map_or((text, None), |(pair, next)| (pair, Some(next)));
    let apart =
        |pair: &str| pair.rsplit_once('=').map(|(label, number)| (label.to_owned(), number.to_owned()));
    let Some((content, after)) = in_quotes(text) else {
        let (pair, next) = until_comma(text);
        let (label, probability) = apart(pair)?;
        return Some((label, probability, next));
    };
    if let Some(after) = after.strip_prefix('=') {
        let (probability, next) = until_comma(after);
        return Some((content, probability.to_owned(), next));
    }
    let (label, probability) = apart(&content)?;
    let (rest, next) = until_comma(after);
    rest.is_empty().then_some((label, probability, next))
}

impl PriorArg {
    /// The prior over the classes of a model, which are in order.
    pub(crate) fn over<'a>(&self, classes: impl Iterator<Item = &'a String>) -> Result<Prior> {
        self.0.over(classes).map_err(prior_error)
    }
}

/// Why the prior does not fit the classes.
pub(crate) fn prior_error(error: PriorError) -> anyhow::Error {
    match error {
        PriorError::NoRows { class, known } => usage(format!(
            "the prior names the class {class:?}, which has no rows; the classes are {}",
            quoted_list(&known)
        )),
        error => usage(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_given_by_label() {
        let prior: PriorArg = "b=0.25,a=0.75".parse().unwrap();
        let classes = ["a".to_owned(), "b".to_owned()];
        assert_eq!(prior.over(classes.iter()).unwrap(), Prior::Given(vec![0.75, 0.25]));
        assert!(prior.over(classes[..1].iter()).is_err());
        assert!("a=".parse::<PriorArg>().is_err());
        assert_eq!("uniform".parse(), Ok(PriorArg(ClassPrior::Uniform)));
    }

    #[test]
    fn labels_are_quoted_as_in_csv() {
        let given = |pairs: &[(&str, f64)]| {
            let pairs = pairs.iter().map(|&(label, probability)| (label.to_owned(), probability));
            Ok(PriorArg(ClassPrior::Given(pairs.collect())))
        };
        assert_eq!(r#""a,b"=0.5,c=d=0.5"#.parse(), given(&[("a,b", 0.5), ("c=d", 0.5)]));
        assert_eq!(r#""a,b=0.25","c=0.75""#.parse(), given(&[("a,b", 0.25), ("c", 0.75)]));
        assert_eq!(r#""say ""no"""= 1"#.parse(), given(&[("say \"no\"", 1.0)]));
        for wrong in [r#""a=1,"#, "a,b=0.5", r#""a"b=1"#, "a=0.5,", ""] {
            assert!(wrong.parse::<PriorArg>().is_err(), "{wrong}");
        }
    }
}
