//! Schema files: which family each column gets, in TOML.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, anyhow, bail};
use nb_io::{
    DatePart,
    read::{Inference, Inferred},
};
use nb_sql::{Design, DesignColumn, Kept};
use serde::Deserialize;
use toml::Spanned;

use super::{
    Choice, Choices, PriorArg, TextArgs,
    reading_file::{ReadingFile, ReadingLine},
    registry,
};
use crate::{output::visible, words::nearest};

/// What a schema file says.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaFile {
    /// The label column.
    pub(crate) label: Option<String>,
    /// The column of row weights.
    pub(crate) weights: Option<String>,
    /// The prior of the classes.
    pub(crate) prior: Option<PriorArg>,
    /// How texts become terms.
    #[serde(default)]
    pub(crate) text: TextArgs,
    /// How files are read.
    #[serde(default)]
    pub(crate) reading: ReadingFile,
    /// The features of columns of dates.
    #[serde(default)]
    date_parts: Option<Vec<String>>,
    #[serde(default)]
    columns: BTreeMap<String, Spanned<String>>,
}

impl SchemaFile {
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let read = || -> Result<Self> { Self::parse(&std::fs::read_to_string(path)?) };
        read().with_context(|| format!("the schema file {}", path.display()))
    }

    /// The file of a text; an unknown key is refused with the nearest known one.
    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| {
            // "unknown field `x`, expected one of `a`, `b`"
            let names: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
            let hint = match names.split_first() {
                Some((unknown, known)) if error.message().starts_with("unknown field") => {
                    nearest(unknown, known.iter().copied())
                }
                _ => String::new(),
            };
            if hint.is_empty() { error.into() } else { anyhow!("{}{hint}", error.to_string().trim_end()) }
        })
    }

    /// The choices for the columns.
    pub(crate) fn choices(&self) -> Result<Choices> {
        let choices = self.columns.iter();
        let choices = choices.map(|(column, name)| Ok((column.clone(), choice(column, name.as_ref())?)));
        let by_name = choices.collect::<Result<_>>()?;
        let mut choices = Choices::default();
        choices.by_name = by_name;
        let Some(parts) = &self.date_parts else { return Ok(choices) };
        let parts = parts.iter().map(|part| part.parse::<DatePart>());
        let parts: Vec<DatePart> =
            parts.collect::<Result<_, _>>().context("date_parts of the schema file")?;
        if parts.is_empty() {
            bail!("date_parts of the schema file is empty; name a part, such as month");
        }
        choices.date_parts = Some(parts.into_iter().collect());
        Ok(choices)
    }

    /// What a query is to keep of the columns of a table, in the order in which the file names them, and
    /// their families.
    pub(crate) fn design(&self) -> Result<(Design, Vec<Choice>)> {
        let label = self.label.clone().context("the schema file has no label; add `label = \"COLUMN\"`")?;
        let mut named: Vec<(&String, &Spanned<String>)> = self.columns.iter().collect();
        named.sort_by_key(|(_, family)| family.span().start);
        let (mut columns, mut choices) = (Vec::new(), Vec::new());
        for (column, family) in named {
            let choice = choice(column, family.as_ref())?;
            let kept = match choice {
                learnt if learnt.is_learnt() => bail!(
                    "column {column:?} is {}: what it needs of each column is learnt from rows before these are summed, which no \
                     query does; choose another family, or use `nbayes train`",
                    learnt.name()
                ),
                Choice::Family(name) => Kept::of(&registry::family(name)?),
                Choice::Date => bail!(
                    "column {column:?} has dates, whose parts queries do not compute; ignore it, or use `nbayes train`"
                ),
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
        let design = Design { label, weights: self.weights.clone(), group: None, columns };
        design.check()?;
        Ok((design, choices))
    }
}

/// The choice with this name.
fn choice(column: &str, name: &str) -> Result<Choice> {
    name.parse().ok().with_context(|| {
        let known: Vec<_> = Choice::all().map(Choice::name).collect();
        format!("the schema file gives column {column:?} the family {name:?}; it can be {}", known.join(", "))
    })
}

/// The text of a schema file, with the reason for each choice.
pub(crate) fn schema_text(
    inferred: &Inferred,
    left_out: &[Inference],
    choices: &Choices,
    weights: Option<&str>,
    text_args: &TextArgs,
    reading: &[ReadingLine],
    why: impl Fn(&Inference) -> String,
) -> Result<String> {
    let mut text = format!("label = {}\n", quoted(&inferred.schema.label));
    if let Some(weights) = weights {
        text.push_str(&format!("weights = {}\n", quoted(weights)));
    }
    if choices.of_all(inferred).contains(&Choice::Date) {
        let parts: Vec<String> =
            choices.date_parts.unwrap_or_default().iter().map(|part| format!("\"{part}\"")).collect();
        text.push_str(&format!("date_parts = [{}]\n", parts.join(", ")));
    }
    if !reading.is_empty() {
        text.push_str("\n# How files are read; without the # a line holds for all files.\n[reading]\n");
        for ReadingLine { key, value, is_given } in reading {
            text.push_str(&format!("{}{key} = {value}\n", if *is_given { "" } else { "# " }));
        }
    }
    let families: Vec<_> = Choice::all().map(Choice::name).collect();
    text.push_str(&format!(
        "\n# Families: {}.\n# Of columns that are gaussian or bernoulli, `nbayes train` makes bins, and `nbayes train --plain` the family.\n\
         [columns]\n",
        families.join(", ")
    ));
    for inference in &inferred.columns {
        let (name, choice) = (quoted(&inference.column), choices.of(inference).name());
        // A comment ends with its line, and has no control characters.
        let reason = why(inference);
        text.push_str(&format!("{name} = {choice:?} # {}\n", visible(&reason)));
    }
    for inference in left_out {
        let (name, reason) = (quoted(&inference.column), why(inference));
        text.push_str(&format!("{name} = \"ignore\" # {}\n", visible(&reason)));
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

/// A text in quotes that are fit for keys: on one line, whatever is in it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => quoted.push_str(&format!("\\u{:04X}", letter as u32)),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use nb_train::ClassPrior;

    use nb_io::{Column, Kind, Schema, read::Reason};
    use proptest::prelude::*;

    use super::*;

    /// The schema file of columns with these names, read back, and their names in the order of the file.
    fn read_back(names: &[String]) -> (SchemaFile, Vec<String>) {
        let columns = names.iter().map(|name| Inference {
            column: name.clone(),
            kind: Kind::Numeric,
            reason: Reason::Mixed { line: 2, value: name.clone() },
            few_values: Vec::new(),
        });
        let schema = Schema {
            columns: names.iter().map(|name| Column { name: name.clone(), kind: Kind::Numeric }).collect(),
            label: names[0].clone(),
        };
        let inferred = Inferred::new(schema, columns.collect(), 1);
        let why = |inference: &Inference| inference.reason.to_string();
        let text =
            schema_text(&inferred, &[], &Choices::default(), Some(&names[0]), &TextArgs::default(), &[], why)
                .unwrap();
        let file: SchemaFile = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut named: Vec<_> = file.columns.iter().collect();
        named.sort_by_key(|(_, family)| family.span().start);
        let found = named.into_iter().map(|(name, _)| name.clone()).collect();
        (file, found)
    }

    proptest! {
        #[test]
        fn every_name_is_read_back(names in prop::collection::hash_set(any::<String>(), 1..6)) {
            let names: Vec<String> = names.into_iter().collect();
            let (file, found) = read_back(&names);
            prop_assert_eq!(&found, &names);
            prop_assert_eq!((file.label.as_ref(), file.weights.as_ref()), (Some(&names[0]), Some(&names[0])));
        }
    }

    #[test]
    fn names_that_look_like_toml_are_read_back() {
        let names =
            ["", "\"5\" pipe's", "a\nb\r\t", "c:\\d", "\u{7f}\u{85}\u{0}", "[x]", "# a", "'''", "a.b"];
        let names: Vec<String> = names.into_iter().map(String::from).collect();
        assert_eq!(read_back(&names).1, names);
    }

    #[test]
    fn a_prior_is_a_word_or_a_table() {
        let prior = |text: &str| toml::from_str::<SchemaFile>(text).map(|file| file.prior);
        assert_eq!(prior("prior = \"uniform\"").unwrap(), Some(PriorArg(ClassPrior::Uniform)));
        let given = PriorArg(ClassPrior::Given(vec![("a,b".into(), 0.25), ("c=d".into(), 1.0)]));
        assert_eq!(prior("[prior]\n\"a,b\" = 0.25\n\"c=d\" = 1").unwrap(), Some(given));
        assert_eq!(prior("").unwrap(), None);
        assert!(prior("prior = \"flat\"").unwrap_err().to_string().contains("[prior]"));
    }

    #[test]
    fn misspelt_families_are_named() {
        let file: SchemaFile = toml::from_str("label = \"y\"\n[columns]\n\"a b\" = \"gausian\"").unwrap();
        let error = file.choices().unwrap_err().to_string();
        assert!(error.contains("\"a b\"") && error.contains("gaussian"), "{error}");
        for (text, nearest) in [
            ("lable = \"y\"", "label"),
            ("[reading]\ndelimeter = \";\"", "delimiter"),
            ("[text]\nmin_char = 2", "min_chars"),
        ] {
            let error = SchemaFile::parse(text).unwrap_err().to_string();
            assert!(
                error.contains("unknown field") && error.contains(&format!("mean {nearest:?}")),
                "{error}"
            );
        }
    }
}
