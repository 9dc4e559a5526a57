//! `nbayes datasets`: the embedded data sets.

use anyhow::Result;
use serde::Serialize;

use crate::output::{Screen, Table};

/// List the embedded data sets; `@name` can be used in place of a data file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes datasets\n  nbayes datasets iris\n  nbayes train @iris")]
pub(crate) struct Datasets {
    /// The data set to describe.
    name: Option<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    rows: usize,
    columns: usize,
    classes: usize,
    missing_cells: usize,
    label: &'a str,
}

#[derive(Serialize)]
struct Description<'a> {
    #[serde(flatten)]
    line: Line<'a>,
    source: &'a str,
    licence: &'a str,
    citation: &'a str,
    why: Option<&'a str>,
    note: Option<&'a str>,
}

impl<'a> Line<'a> {
    fn new(info: &'a nb_datasets::Info) -> Self {
        let is_text = info.group == nb_datasets::Group::Text;
        Self {
            name: &info.name,
            rows: info.rows,
            columns: if is_text { 1 } else { info.columns.len() },
            classes: info.classes.len(),
            missing_cells: info.missing_cells,
            label: if is_text { "label" } else { &info.target },
        }
    }
}

impl Datasets {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        match &self.name {
            Some(name) => describe(name.trim_start_matches('@'), screen),
            None => list(screen),
        }
    }
}

fn list(screen: Screen) -> Result<()> {
    let lines: Vec<Line<'_>> = nb_datasets::catalogue().iter().map(Line::new).collect();
    screen.show(&lines, || {
        let mut table = Table::new(["name", ">rows", ">columns", ">classes", ">missing cells", "label"]);
        for line in &lines {
            let counts = [line.rows, line.columns, line.classes, line.missing_cells].map(|n| n.to_string());
            let [rows, columns, classes, missing] = counts;
            table.row([format!("@{}", line.name), rows, columns, classes, missing, line.label.into()]);
        }
        table.to_string()
    })
}

fn describe(name: &str, screen: Screen) -> Result<()> {
    let info = nb_datasets::info(name)?;
    let description = Description {
        line: Line::new(info),
        source: &info.source,
        licence: &info.licence,
        citation: &info.citation,
        why: info.why.as_deref(),
        note: info.note.as_deref(),
    };
    screen.show(&description, || {
        let line = &description.line;
        let classes = info.classes.iter().map(|class| format!("{} ({})", class.name, class.count));
        let mut text = format!(
            "@{}: {} rows, {} columns, {} missing cells\n\nlabel     {}: {}\n",
            line.name,
            line.rows,
            line.columns,
            line.missing_cells,
            line.label,
            classes.collect::<Vec<_>>().join(", ")
        );
        let rest = [
            ("source", Some(description.source)),
            ("licence", Some(description.licence)),
            ("citation", Some(description.citation)),
            ("why", description.why),
            ("note", description.note),
        ];
        for (head, content) in rest {
            if let Some(content) = content {
                text.push_str(&format!("{head:9} {content}\n"));
            }
        }
        text
    })
}
