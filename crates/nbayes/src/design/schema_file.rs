//! Schema files: which family each column gets, in TOML.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use nb_io::read::{Inference, Inferred};
use nb_sql::{Design, DesignColumn, Kept};
use serde::Deserialize;
use toml::Spanned;

use super::{Choice, Choices, TextArgs, registry::FAMILIES};

/// What a schema file says.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaFile {
    /// The label column.
    pub(crate) label: Option<String>,
    /// The column of row weights.
    pub(crate) weights: Option<String>,
    /// How texts become terms.
    #[serde(default)]
    pub(crate) text: TextArgs,
    #[serde(default)]
    columns: BTreeMap<String, Spanned<String>>,
}

impl SchemaFile {
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let read = || -> Result<Self> { Ok(toml::from_str(&std::fs::read_to_string(path)?)?) };
        read().with_context(|| format!("the schema file {}", path.display()))
    }

    /// The choices for the columns.
    pub(crate) fn choices(&self) -> Result<Choices> {
        let choices = self.columns.iter();
        let choices = choices.map(|(column, name)| Ok((column.clone(), choice(column, name.as_ref())?)));
        Ok(Choices::new(choices.collect::<Result<_>>()?))
    }

    /// What a query is to keep of the columns of a table, in the order in which the file names them, and their families.
    pub(crate) fn design(&self) -> Result<(Design, Vec<Choice>)> {
        let label = self.label.clone().context("the schema file has no label; add `label = \"COLUMN\"`")?;
        let mut named: Vec<(&String, &Spanned<String>)> = self.columns.iter().collect();
        named.sort_by_key(|(_, family)| family.span().start);
        let (mut columns, mut choices) = (Vec::new(), Vec::new());
        for (column, family) in named {
            let choice = choice(column, family.as_ref())?;
            let kept = match choice {
                Choice::Family(name) => Kept::of(&FAMILIES.family(name)?),
                Choice::Text => None,
                Choice::Ignore => continue,
            };
            let Some(kept) = kept else {
                bail!(
                    "column {column:?} is free text, which SQL cannot tokenize; ignore it, or use `nbayes train`"
                )
            };
            columns.push(DesignColumn { name: column.clone(), kept });
            choices.push(choice);
        }
        let design = Design { label, weights: self.weights.clone(), columns };
        design.check()?;
        Ok((design, choices))
    }
}

/// The choice with this name.
fn choice(column: &str, name: &str) -> Result<Choice> {
    Choice::from_str(name, false).ok().with_context(|| {
        let known: Vec<_> = Choice::value_variants().iter().map(|choice| choice.name()).collect();
        format!("the schema file gives column {column:?} the family {name:?}; it can be {}", known.join(", "))
    })
}

/// The text of a schema file, with the reason for each choice.
pub(crate) fn schema_text(
    inferred: &Inferred,
    choices: &Choices,
    weights: Option<&str>,
    text_args: &TextArgs,
    why: impl Fn(&Inference) -> String,
) -> Result<String> {
    let quoted = |text: &str| toml::Value::String(text.into()).to_string();
    let mut text = format!("label = {}\n", quoted(&inferred.schema.label));
    if let Some(weights) = weights {
        text.push_str(&format!("weights = {}\n", quoted(weights)));
    }
    let families: Vec<_> = Choice::value_variants().iter().map(|choice| choice.name()).collect();
    text.push_str(&format!("\n# Families: {}.\n[columns]\n", families.join(", ")));
    for inference in &inferred.columns {
        let (name, choice) = (quoted(&inference.column), choices.of(inference).name());
        let reason = why(inference).replace(['\n', '\r'], " ");
        text.push_str(&format!("{name} = {choice:?} # {reason}\n"));
    }
    // The columns that were to be left out were not looked at.
    for column in choices.ignored() {
        text.push_str(&format!("{} = \"ignore\" # by option\n", quoted(column)));
    }
    if *text_args != TextArgs::default() {
        text.push_str(&format!("\n[text]\n{}", toml::to_string(text_args)?));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_families_are_named() {
        let file: SchemaFile = toml::from_str("label = \"y\"\n[columns]\n\"a b\" = \"gausian\"").unwrap();
        let error = file.choices().unwrap_err().to_string();
        assert!(error.contains("\"a b\"") && error.contains("gaussian"), "{error}");
        assert!(toml::from_str::<SchemaFile>("lable = \"y\"").is_err());
    }
}
