//! Where the prior probabilities of the classes come from.

use std::str::FromStr;

use anyhow::Result;
use nb_core::Prior;

use crate::failure::usage;

/// The prior as an option: `empirical`, `uniform`, or `label=probability,...`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PriorArg {
    Empirical,
    Uniform,
    Given(Vec<(String, f64)>),
}

impl FromStr for PriorArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "empirical" => return Ok(Self::Empirical),
            "uniform" => return Ok(Self::Uniform),
            _ => {}
        }
        let pairs = text.split(',').map(|pair| {
            let (label, probability) = pair.rsplit_once('=')?;
            Some((label.to_owned(), probability.trim().parse().ok()?))
        });
        pairs
            .collect::<Option<_>>()
            .map(Self::Given)
            .ok_or_else(|| "it must be empirical, uniform, or label=probability,label=probability,...".into())
    }
}

impl PriorArg {
    /// The prior over the classes of a model, which are in order.
    pub(crate) fn over<'a>(&self, classes: impl Iterator<Item = &'a String>) -> Result<Prior> {
        let given = match self {
            Self::Empirical => return Ok(Prior::Empirical),
            Self::Uniform => return Ok(Prior::Uniform),
            Self::Given(given) => given,
        };
        let classes: Vec<&String> = classes.collect();
        if let Some((label, _)) = given.iter().find(|(label, _)| !classes.contains(&label)) {
            return Err(usage(format!(
                "--prior names the class {label:?}, which has no rows; the classes are {classes:?}"
            )));
        }
        let of_class = |class: &&String| {
            let found = given.iter().find(|(label, _)| label == *class).map(|&(_, probability)| probability);
            found.ok_or_else(|| usage(format!("--prior has no probability for the class {class:?}")))
        };
        Ok(Prior::Given(classes.iter().map(of_class).collect::<Result<_>>()?))
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
        assert_eq!("uniform".parse(), Ok(PriorArg::Uniform));
    }
}
