//! What must hold before anything is rendered.

use std::collections::BTreeSet;

use crate::{Block, Document, DocumentError, Figure, Plot, Section, Span, Table, Text};

/// Everything that must hold for a document; the ids that links lead to.
pub(crate) fn document(document: &Document) -> Result<BTreeSet<&str>, DocumentError> {
    let mut ids = BTreeSet::new();
    let mut links = Vec::new();
    let facts = document.facts.iter().map(|(_, value)| value);
    for text in facts.chain([&document.subtitle]) {
        walk_text(text, &mut links)?;
    }
    for inner in &document.sections {
        section(inner, &mut ids, &mut links)?;
    }
    match links.iter().find(|&to| !ids.contains(to)) {
        Some(&to) => Err(DocumentError::Link { to: to.into() }),
        None => Ok(links.into_iter().collect()),
    }
}

fn section<'a>(
    section: &'a Section,
    ids: &mut BTreeSet<&'a str>,
    links: &mut Vec<&'a str>,
) -> Result<(), DocumentError> {
    add_id(&section.id, ids)?;
    for block in &section.blocks {
        match block {
            Block::Paragraph(text) | Block::Note(text) | Block::Quotation(text) => walk_text(text, links)?,
            Block::List(list) => list.items.iter().try_for_each(|item| walk_text(item, links))?,
            Block::Table(inner) => {
                inner.id.iter().try_for_each(|id| add_id(id, ids))?;
                table(inner)?;
            }
            Block::Figure(inner) => {
                inner.id.iter().try_for_each(|id| add_id(id, ids))?;
                walk_text(&inner.caption, links)?;
                figure(inner)?;
            }
            Block::Code(_) => {}
            Block::Download(download) => file_name(&download.file_name)?,
        }
    }
    section.sections.iter().try_for_each(|inner| self::section(inner, ids, links))
}

/// One cell per column.
pub(crate) fn table(table: &Table) -> Result<(), DocumentError> {
    let expected = table.columns.len();
    let rows = table.rows.iter().chain(&table.footer).enumerate();
    for (i, row) in rows {
        if row.len() != expected {
            let (table, found) = (table.caption.clone(), row.len());
            return Err(DocumentError::Row { table, row: i + 1, found, expected });
        }
    }
    Ok(())
}

/// One value per column or category; groups of methods that exist.
fn figure(figure: &Figure) -> Result<(), DocumentError> {
    let caption = || figure.caption.words();
    let values = |part: String, found: usize, expected: usize| {
        if found == expected {
            return Ok(());
        }
        Err(DocumentError::Values { figure: caption(), part, found, expected })
    };
    match &figure.plot {
        Plot::Dots(dots) => dots.series.iter().try_for_each(|series| {
            values(format!("the series `{}`", series.name), series.values.len(), dots.categories.len())
        }),
        Plot::Heatmap(heatmap) => {
            values("the list of rows".into(), heatmap.cells.len(), heatmap.rows.len())?;
            heatmap.rows.iter().zip(&heatmap.cells).try_for_each(|(name, row)| {
                values(format!("the row `{name}`"), row.len(), heatmap.columns.len())
            })
        }
        Plot::CriticalDifference(diagram) => {
            let n_methods = diagram.ranks.len();
            match diagram.groups.iter().flatten().find(|&&method| method >= n_methods) {
                Some(&method) => Err(DocumentError::Group { figure: caption(), method, n_methods }),
                None => Ok(()),
            }
        }
        Plot::Lines(_) | Plot::Panels(_) | Plot::Reliability(_) | Plot::Bars(_) | Plot::Plane(_) => Ok(()),
    }
}

fn walk_text<'a>(text: &'a Text, links: &mut Vec<&'a str>) -> Result<(), DocumentError> {
    for span in &text.spans {
        match span {
            Span::Link { to, .. } => links.push(to),
            Span::Web { url, .. } if !url.starts_with("https://") && !url.starts_with("http://") => {
                return Err(DocumentError::Address { url: url.clone() });
            }
            Span::File(name) => file_name(name)?,
            _ => {}
        }
    }
    Ok(())
}

fn add_id<'a>(id: &'a str, ids: &mut BTreeSet<&'a str>) -> Result<(), DocumentError> {
    let usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    // What the renderer names itself begins so.
    let ours = id.starts_with("nb-");
    if ours || !id.starts_with(|c: char| c.is_ascii_alphabetic()) || !id.chars().all(usual) {
        return Err(DocumentError::Id { id: id.into() });
    }
    if ids.insert(id) { Ok(()) } else { Err(DocumentError::Twice { id: id.into() }) }
}

fn file_name(name: &str) -> Result<(), DocumentError> {
    let folders = name.is_empty() || name == "." || name == "..";
    if folders || name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\')) {
        return Err(DocumentError::FileName { name: name.into() });
    }
    Ok(())
}
