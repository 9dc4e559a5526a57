//! What rows are dealt by: their labels, groups and times.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, anyhow, bail};
use nb_io::{
    Column, Kind, Schema,
    read::{Inferred, KindChoice, Overrides, Table},
};

use crate::{
    columns::why,
    data::{Input, Purpose, ReadArgs, Wanted},
    output::Screen,
};

/// What messages call a missing label.
const MISSING: &str = "(missing)";

/// The columns that rows are dealt by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By<'a> {
    pub(crate) label: Option<&'a str>,
    pub(crate) group: Option<&'a str>,
    pub(crate) time: Option<&'a str>,
}

/// What the rows of a file say of these.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) n_rows: usize,
    /// The names of the classes in the order of their bytes, and the class of each row; one without a name
    /// if there are no labels.
    pub(crate) class_names: Vec<String>,
    pub(crate) classes: Vec<usize>,
    /// The names of the groups in the order of the rows, and the group of each row.
    pub(crate) group_names: Vec<String>,
    pub(crate) groups: Vec<usize>,
    /// The time of each row as a number, and as it is written.
    pub(crate) times: Vec<f64>,
    pub(crate) time_texts: Vec<String>,
}

impl Facts {
    pub(crate) fn of(input: &Input, read: &ReadArgs, by: By<'_>, screen: Screen) -> Result<Self> {
        let column = match by.time {
            Some(name) => Column { name: name.into(), kind: Kind::Numeric },
            None => any_column(input, read)?,
        };
        // No column of a file has this name.
        let schema = Schema { columns: vec![column], label: "\0".into() };
        let mut names: Vec<String> = Vec::new();
        for name in [by.label, by.group, by.time].into_iter().flatten() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let place = |name: Option<&str>| names.iter().position(|known| Some(known.as_str()) == name);
        let (label, group, time) = (place(by.label), place(by.group), place(by.time));
        let missing = read.missing_markers(input);
        let time_column = by.time.filter(|_| read.has_named_columns(input));
        let times = time_column.map(|time| written_times(input, read, time, screen)).transpose()?;
        let wanted = Wanted { ids: &names, inferred: times.as_ref(), ..Wanted::default() };
        let mut reader = read.open(input, &schema, wanted, Purpose::Predict, screen)?;
        let mut facts = Self::default();
        let mut labels: Numbering = Numbering::default();
        let mut groups: Numbering = Numbering::default();
        while let Some(chunk) = reader.next_chunk()? {
            let n_rows = nb_core::Rows::n_rows(&chunk.rows);
            facts.n_rows += n_rows;
            for row in 0..n_rows {
                let refuse = |column: Option<&str>, what: &str| {
                    let (row, column) = (chunk.first_row + row + 1, column.unwrap_or_default());
                    bail!("{}, row {row}, column {column:?}: {what}", input.name())
                };
                let label = label.map(|place| &chunk.ids[place][row]);
                let label = label.map(|text| if missing.contains(text) { MISSING } else { text });
                facts.classes.push(labels.of(label.unwrap_or_default()));
                if let Some(place) = group {
                    let text = &chunk.ids[place][row];
                    if missing.contains(text) {
                        refuse(
                            by.group,
                            "the row is in no group; fill in the cell, or leave the row out of the file",
                        )?;
                    }
                    facts.groups.push(groups.of(text));
                }
                if let Some(place) = time {
                    facts.time_texts.push(chunk.ids[place][row].clone());
                    let time = match &chunk.rows {
                        Table::Dense(rows) => rows[[row, 0]],
                        // A column of numbers is dense.
                        Table::Sparse(_) => f64::NAN,
                    };
                    if time.is_nan() {
                        refuse(
                            by.time,
                            "the row has no time; fill in the cell, or leave the row out of the file",
                        )?;
                    }
                    facts.times.push(time);
                }
            }
        }
        facts.group_names = groups.names;
        facts.sort_classes(labels.names);
        Ok(facts)
    }

    /// Puts the classes into the order of their names.
    fn sort_classes(&mut self, names: Vec<String>) {
        let sorted: BTreeMap<String, usize> =
            names.into_iter().enumerate().map(|(class, name)| (name, class)).collect();
        let mut new = vec![0; sorted.len()];
        for (place, &class) in sorted.values().enumerate() {
            new[class] = place;
        }
        for class in &mut self.classes {
            *class = new[*class];
        }
        self.class_names = sorted.into_keys().collect();
    }
}

/// What the column of times holds: how dates are written there, if they are not as ISO 8601 writes them.
fn written_times(input: &Input, read: &ReadArgs, time: &str, screen: Screen) -> Result<Inferred> {
    let mut overrides = Overrides::default()
        .with(time, KindChoice::Numeric)
        .with_date_orders(read.date_orders())
        .with_date_order(read.date_order());
    overrides.ignore = read.columns(input)?.into_iter().filter(|name| name != time).collect();
    let inferred = read.infer(input, None, None, &overrides, screen.silent())?;
    for column in &inferred.columns {
        if column.reason.dates().is_some_and(|dates| !dates.is_settled()) {
            screen.note(&format!("{}, column {time:?}: {}", input.name(), why(column)));
        }
    }
    Ok(inferred)
}

/// A column that is read because readers read one at least; whatever its cells are, they are unseen
/// categories.
fn any_column(input: &Input, read: &ReadArgs) -> Result<Column> {
    let name = read.columns(input)?.into_iter().next();
    let name = name.ok_or_else(|| anyhow!("{} has no columns", input.name()))?;
    Ok(Column { name, kind: Kind::Categorical { levels: Vec::new() } })
}

/// Numbers for texts, in the order in which they come.
#[derive(Debug, Default)]
struct Numbering {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
}

impl Numbering {
    fn of(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}
