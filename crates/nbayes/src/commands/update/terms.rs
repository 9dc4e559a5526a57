//! The terms that texts of a new file have: learnt as training learns them, so that a model that is updated
//! is that of training on all files.

use std::collections::BTreeMap;

use anyhow::Result;
use nb_io::{
    Kind, Schema, Text, TextOptions,
    read::{FileProblem, KindChoice, Overrides, ReadError},
    text::{Terms, TextError},
};

use crate::{
    data::{Input, ReadArgs},
    output::Screen,
};

/// The schema of a model with the vocabularies of a file in place of those that can grow. Says how many terms
/// are not counted where a vocabulary cannot.
pub(super) fn with_terms_of(
    input: &Input,
    schema: &Schema,
    weights: Option<&str>,
    read: &ReadArgs,
    screen: Screen,
) -> Result<Schema> {
    let learnt = learn(input, schema, weights, read, screen)?;
    let mut schema = schema.clone();
    for column in &mut schema.columns {
        let Kind::Text(text) = &mut column.kind else { continue };
        let Some(found) = learnt.get(&column.name) else { continue };
        if let Terms::Vocabulary(terms) = &found.terms
            && text.can_grow()
        {
            **text = text.with_vocabulary(terms.clone());
            continue;
        }
        let unknown = unknown(found, text);
        if unknown > 0 {
            screen.note(&format!(
                "column {:?}: {} not counted, because the vocabulary was restricted in training",
                column.name,
                if unknown == 1 { "1 new term is".into() } else { format!("{unknown} new terms are") },
            ));
        }
    }
    Ok(schema)
}

/// The texts of the columns with a vocabulary, by what is in the file.
fn learn(
    input: &Input,
    schema: &Schema,
    weights: Option<&str>,
    read: &ReadArgs,
    screen: Screen,
) -> Result<BTreeMap<String, Text>> {
    let mut overrides = Overrides::default();
    for column in &schema.columns {
        match &column.kind {
            Kind::Text(text) if matches!(text.terms, Terms::Vocabulary(_)) => {
                overrides.kinds.insert(column.name.clone(), KindChoice::Text);
                overrides
                    .texts
                    .insert(column.name.clone(), TextOptions::default().with_tokens(text.tokens.clone()));
            }
            _ => {
                overrides.ignore.insert(column.name.clone());
            }
        }
    }
    if overrides.texts.is_empty() {
        return Ok(BTreeMap::new());
    }
    let inferred = match read.infer(input, Some(&schema.label), weights, &overrides, screen) {
        Ok(inferred) => inferred,
        Err(error) if has_no_terms(&error) => return Ok(BTreeMap::new()),
        Err(error) => return Err(error),
    };
    let texts = inferred.schema.columns.into_iter().filter_map(|column| match column.kind {
        Kind::Text(text) => Some((column.name, *text)),
        _ => None,
    });
    Ok(texts.collect())
}

/// Whether all that is wrong with a file is that it has no rows or no words.
fn has_no_terms(error: &anyhow::Error) -> bool {
    let Some(ReadError::File { problem, .. }) = error.downcast_ref() else { return false };
    matches!(problem, FileProblem::NoRows | FileProblem::Text { error: TextError::NoTerms(_), .. })
}

/// How many terms of one text another does not have.
fn unknown(found: &Text, known: &Text) -> usize {
    match (&found.terms, &known.terms) {
        (Terms::Vocabulary(found), Terms::Vocabulary(known)) => {
            found.iter().filter(|term| known.binary_search(term).is_err()).count()
        }
        _ => 0,
    }
}
