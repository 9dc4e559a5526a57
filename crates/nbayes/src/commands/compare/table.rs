//! Data files as tables to compare on.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context, Result, bail};
use nb_compare::{Column, Documents, Kind, Provenance, Set, Table};
use nb_io::{Schema, read::Table as Cells};
use ndarray::Array2;

use crate::{
    commands::columns::Found,
    data::{Input, Purpose, ReadArgs, Wanted},
    design::{Choices, TextArgs},
    failure::usage,
    output::Screen,
};

/// How files are read.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    /// The column of labels of files that say nothing else.
    pub(super) label: Option<&'a str>,
    pub(super) choices: Choices,
    pub(super) text: &'a TextArgs,
    pub(super) read: &'a ReadArgs,
}

impl Reading<'_> {
    /// Loads a data set of a design under its name.
    pub(super) fn load(&self, set: &Set, name: &str, screen: Screen) -> Result<Table> {
        match set {
            Set::Embedded(name) => Ok(Table::embedded(name)?),
            Set::File { file, label, .. } => {
                let input = Input::find(file)?;
                let label = label.clone().or_else(|| self.label.map(String::from));
                let label = label.or_else(|| self.read.own_label(&input)).ok_or_else(|| {
                    usage(format!("{file}: no label column given; name it with --label COLUMN"))
                })?;
                self.file(input, name, &label, screen).with_context(|| file.clone())
            }
        }
    }

    fn file(&self, input: Input, name: &str, label: &str, screen: Screen) -> Result<Table> {
        let (choices, text) = (self.choices.clone(), self.text.clone());
        let read = self.read.with_header_of(Some(&input), Some(label), screen)?;
        let found = Found::new(vec![input], Some(label), None, choices, text, &read, screen)?
            .without_useless_columns()?;
        let (input, schema) = (&found.inputs[0], &found.inferred.schema);
        let wanted = Wanted { inferred: Some(&found.inferred), ..Wanted::default() };
        let mut reader = read.open(input, schema, wanted, Purpose::Learn, screen)?;
        let mut cells = Rowwise { indptr: vec![0], ..Rowwise::default() };
        let mut labels = Vec::new();
        while let Some(chunk) = reader.next_chunk()? {
            cells.add(&chunk.rows);
            labels.extend(chunk.labels.unwrap_or_default());
        }
        let classes: Vec<String> = labels.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        if classes.len() < 2 {
            bail!("column {label:?} has {} different labels; there must be two or more", classes.len());
        }
        // Every label is among the classes, which are sorted.
        let numbers = labels.iter().map(|label| classes.binary_search(label).unwrap_or_default()).collect();
        let mut table = if cells.is_sparse {
            let terms = terms(schema)?;
            Table::of_documents(
                name,
                Documents::new(terms, cells.indptr, cells.indices, cells.values)?,
                classes,
                numbers,
            )?
        } else {
            let columns = columns(schema);
            let x = Array2::from_shape_vec((labels.len(), columns.len()), cells.values)?;
            Table::new(name, columns, x, classes, numbers)?
        };
        // Without its folder, which is another one elsewhere.
        let file_name = input.path().and_then(Path::file_name);
        let source = file_name.map_or_else(|| input.name().into(), |name| name.to_string_lossy());
        table.provenance = Provenance { source: source.into_owned(), ..Provenance::default() };
        if let Some(path) = input.path() {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            table.provenance.sha256 = vec![nb_datasets::sha256_hex(&bytes)];
        }
        Ok(table)
    }
}

/// Cells, row by row: all of them, or those that are stored.
#[derive(Debug, Default)]
struct Rowwise {
    is_sparse: bool,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
}

impl Rowwise {
    fn add(&mut self, rows: &Cells) {
        match rows {
            Cells::Dense(cells) => self.values.extend(cells),
            Cells::Sparse(cells) => {
                self.is_sparse = true;
                let before = self.values.len();
                self.indptr.extend(cells.indptr()[1..].iter().map(|end| before + end));
                self.indices.extend(cells.indices());
                self.values.extend(cells.values());
            }
        }
    }
}

/// The columns of a table without texts.
fn columns(schema: &Schema) -> Vec<Column> {
    let columns = schema.columns.iter().map(|column| Column {
        name: column.name.clone(),
        kind: match &column.kind {
            nb_io::Kind::Categorical { levels } => Kind::Categorical { levels: levels.clone() },
            nb_io::Kind::Count => Kind::Count,
            _ => Kind::Numeric,
        },
    });
    columns.collect()
}

/// The terms of documents, which stand in one column of texts or are the columns of a sparse file.
fn terms(schema: &Schema) -> Result<Vec<String>> {
    let texts = schema.columns.iter().filter(|column| matches!(column.kind, nb_io::Kind::Text(_))).count();
    if texts > 0 && schema.columns.len() > 1 {
        bail!("comparisons take one text column or other columns, not both; leave some out with --ignore");
    }
    Ok(schema.features().map(|feature| feature.name()).collect())
}
