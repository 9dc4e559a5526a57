//! Data files as tables to compare on.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use nb_compare::{Column, Dealing, Documents, FileSet, Folds, Kind, Protected, Provenance, Set, Table};
use nb_io::{Schema, read::Table as Cells};
use nb_train::are_measurements;
use ndarray::Array2;

use super::{
    columns, openml, splits,
    texts::{self, Texts},
};
use crate::{
    columns::{Found, family_option, measurements},
    data::{Input, Purpose, ReadArgs, Wanted},
    design::TextArgs,
    failure::usage,
    output::Screen,
};

/// How files are read.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    /// The column of labels of files that say nothing else.
    pub(super) label: Option<&'a str>,
    /// The column whose groups measures of fairness compare.
    pub(super) protected: Option<&'a str>,
    pub(super) read: &'a ReadArgs,
    /// Whether labels may be measurements.
    pub(super) numeric_labels: bool,
}

impl Reading<'_> {
    /// Loads a data set of a design under its name.
    pub(super) fn load(&self, set: &Set, name: &str, screen: Screen) -> Result<Table> {
        let set = match set {
            Set::Embedded(name) => return Ok(Table::embedded(name)?),
            Set::File(set) => set,
        };
        let input = Input::find(&set.file)?;
        let label = set.label.clone().or_else(|| self.label.map(String::from));
        let label = label.or_else(|| self.read.own_label(&input)).ok_or_else(|| {
            usage(format!("{}: no label column given; name it with --label COLUMN", set.file))
        })?;
        let label = self.read.label_named(&label, &input)?;
        let (table, dealt) = self.file(input, set, name, &label, screen).with_context(|| set.file.clone())?;
        let dealing = match &set.splits {
            Some(path) => {
                let given = Dealing::Given(splits::read(path, (name, table.n_rows()), screen)?);
                return table.with_dealing(given).with_context(|| path.clone());
            }
            None => dealt,
        };
        Ok(table.with_dealing(dealing)?)
    }

    fn file(
        &self,
        input: Input,
        set: &FileSet,
        name: &str,
        label: &str,
        screen: Screen,
    ) -> Result<(Table, Dealing)> {
        let (choices, text) = (columns::choices(set), TextArgs::from_table(&set.text_options)?);
        // Splits are of all rows of a file.
        let all = set.splits.is_some().then(|| self.read.of_all_rows());
        let read = all.as_ref().unwrap_or(self.read).with_header_of(Some(&input), Some(label), screen)?;
        let found = Found::new(vec![input], Some(label), None, choices, text, &read, screen)?
            .without_useless_columns()?;
        let (input, schema) = (&found.inputs[0], &found.columns.inferred.schema);
        let dealt: Vec<String> = set.group.iter().chain(&set.fold).cloned().collect();
        let mut texts = Texts::new(schema);
        for column in &found.columns.left_out {
            let kind = if column.kind == nb_io::Kind::Numeric { "numeric" } else { "categorical" };
            let (keep, reason) = (family_option(kind, &column.column), &column.reason);
            screen.note(&format!(
                "{name}: column {:?} is left out: {reason}; `{keep}` keeps it",
                column.column
            ));
        }
        texts::note(&found.columns.inferred, set, screen);
        let is_in_file =
            |name: &str| Ok::<_, anyhow::Error>(read.columns(input)?.iter().any(|column| column == name));
        let protected = match self.protected {
            Some(name) => is_in_file(name)?.then_some(name),
            None => None,
        };
        let groups: Vec<String> = protected.map(String::from).into_iter().collect();
        let ids = [&groups, dealt.as_slice(), &texts.names()].concat();
        let missing = read.missing_markers(input);
        let wanted = Wanted { inferred: Some(&found.columns.inferred), ids: &ids, ..Wanted::default() };
        let mut reader = read.open(input, schema, wanted, Purpose::Learn, screen)?;
        let mut cells = Rowwise { indptr: vec![0], ..Rowwise::default() };
        let (mut labels, mut parts, mut of_groups) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(chunk) = reader.next_chunk()? {
            cells.add(&chunk.rows);
            let mut of_ids = chunk.ids.into_iter();
            of_groups.extend(of_ids.by_ref().take(groups.len()).flatten());
            labels.extend(chunk.labels.unwrap_or_default());
            if let (Some(column), Some(of_rows)) = (dealt.first(), of_ids.by_ref().take(dealt.len()).next()) {
                if let Some(row) = of_rows.iter().position(|text| missing.contains(text)) {
                    let row = chunk.first_row + row + 1;
                    bail!(
                        "row {row}, column {column:?}: the cell is missing; fill it in, or leave the row out of the file"
                    );
                }
                parts.extend(of_rows);
            }
            texts.add(of_ids);
        }
        let classes: Vec<String> = labels.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        if classes.len() < 2 {
            bail!("column {label:?} has {} different labels; there must be two or more", classes.len());
        }
        if !self.numeric_labels && are_measurements(classes.iter().map(String::as_str), labels.len()) {
            return Err(usage(measurements(label, classes.len(), labels.len())));
        }
        // Every label is among the classes, which are sorted.
        let numbers = labels.iter().map(|label| classes.binary_search(label).unwrap_or_default()).collect();
        let mut table = if texts.are_none() && cells.is_sparse {
            let terms = schema.features().map(|feature| feature.name()).collect();
            Table::of_documents(
                name,
                Documents::new(terms, cells.indptr, cells.indices, cells.values)?,
                classes,
                numbers,
            )?
        } else {
            let x = if texts.are_none() { cells.values } else { texts::beside(schema, &cells) };
            let columns = columns(schema, texts, &found.text)?;
            let x = Array2::from_shape_vec((labels.len(), columns.len()), x)?;
            Table::new(name, columns, x, classes, numbers)?
        };
        if let Some(path) = input.path() {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            // Without its folder, which is another one elsewhere.
            let source = path.file_name().map_or_else(|| input.name().into(), |name| name.to_string_lossy());
            let file = Provenance { source: source.into_owned(), ..Provenance::default() };
            table.provenance = openml::provenance(path).unwrap_or(file);
            table.provenance.sha256 = vec![nb_datasets::sha256_hex(&bytes)];
        } else if let Some(embedded) = set.file.strip_prefix('@') {
            table.provenance = Table::embedded(embedded)?.provenance;
        } else {
            table.provenance.source = input.name().into();
        }
        if let Some(column) = protected {
            let known =
                of_groups.iter().map(|text| Some(text).filter(|text| !missing.contains(text.as_str())));
            table = table.with_protected(Protected::new(column, &known.collect::<Vec<_>>()))?;
        }
        Ok((table, dealing(set, &parts)))
    }
}

/// How the rows are split, if a column assigns them.
fn dealing(set: &FileSet, parts: &[String]) -> Dealing {
    let names: BTreeSet<&String> = parts.iter().collect();
    let mut names: Vec<&String> = names.into_iter().collect();
    // Folds that are numbered keep their order.
    let number = |name: &String| name.parse::<f64>().unwrap_or(f64::INFINITY);
    names.sort_by(|one, other| number(one).total_cmp(&number(other)));
    let places: BTreeMap<&String, usize> =
        names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let of_row = parts.iter().filter_map(|part| places.get(part).copied());
    match (&set.group, &set.fold) {
        (Some(column), _) => Dealing::Groups { column: column.clone(), of_row: of_row.collect() },
        (None, Some(_)) => {
            Dealing::Given(vec![Folds { of_row: of_row.map(Some).collect(), n_folds: names.len() }])
        }
        (None, None) => Dealing::Rows,
    }
}

/// Cells, row by row: all of them, or those that are stored.
#[derive(Debug, Default)]
pub(super) struct Rowwise {
    pub(super) is_sparse: bool,
    pub(super) indptr: Vec<usize>,
    pub(super) indices: Vec<usize>,
    pub(super) values: Vec<f64>,
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

/// The columns of a table.
fn columns(schema: &Schema, texts: Texts, options: &TextArgs) -> Result<Vec<Column>> {
    let mut texts = texts.0.into_iter();
    let columns = schema.columns.iter().map(|column| {
        let kind = match &column.kind {
            nb_io::Kind::Categorical { levels } => Kind::Categorical { levels: levels.clone() },
            nb_io::Kind::Count => Kind::Count,
            nb_io::Kind::Text(text) => {
                let own = texts.next().map(|texts| texts.cells).unwrap_or_default();
                Kind::texts(own, &options.options_with(text.tokens.clone()))
                    .with_context(|| format!("column {:?}", column.name))?
            }
            _ => Kind::Numeric,
        };
        Ok(Column { name: column.name.clone(), kind })
    });
    columns.collect()
}
