//! The gallery as text: the same bytes each time, nothing from outside, every string in its place.

use nb_report::{
    Axis, Block, Cell, Column, Document, Download, Figure, Lines, Point, Section, Series, Table, Text,
};
use proptest::prelude::*;

use crate::{gallery::gallery, pdflatex::complaints};

#[test]
fn the_same_document_gives_the_same_bytes() {
    assert_eq!(gallery().to_html(), gallery().to_html());
    assert_eq!(gallery().to_markdown(), gallery().to_markdown());
}

/// The number of times that a string occurs.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_page_has_every_part_once() {
    let page = gallery().to_html().unwrap();
    for (part, times) in [
        ("<!doctype html>", 1),
        ("<html lang=\"en\">", 1),
        ("default-src 'none'", 1),
        ("<h1>", 1),
        ("<h2>", 4),
        ("<h3>", 8),
        ("<main", 1),
        ("<nav", 1),
        // Fourteen figures; one of them has nine pictures, and one has five.
        ("<figure ", 14),
        ("<svg viewBox=\"0 0 300 215\"", 9),
        ("role=\"group\"", 24),
        // Two tables, and the data of the figures.
        ("<table ", 16),
        ("<tfoot>", 3),
        // All files; tables make their CSV themselves.
        ("<script type=\"application/octet-stream\"", 1),
        ("data-save=", 3 + 2 * 2),
        ("data-csv=", 2 + 14),
    ] {
        assert_eq!(count(&page, part), times, "{part}");
    }
    // The files and the script, and no other.
    assert_eq!(count(&page, "<script"), 2);
    assert_eq!(count(&page, "</script"), 2);
    for element in
        ["div", "p", "section", "table", "tr", "td", "th", "svg", "g", "ul", "ol", "li", "figure", "button"]
    {
        let opened = count(&page, &format!("<{element} ")) + count(&page, &format!("<{element}>"));
        assert_eq!(opened, count(&page, &format!("</{element}>")), "{element}");
    }
}

#[test]
fn the_page_loads_nothing() {
    let page = gallery().to_html().unwrap();
    for part in ["src=", "<link", "@import", "url(", "javascript:", " style=", " onclick"] {
        assert_eq!(count(&page, part), 0, "{part}");
    }
    // The one address is that of a link.
    assert_eq!(count(&page, "https://"), 1);
    assert_eq!(count(&page, "http://"), 0);
}

#[test]
fn tables_in_all_forms() {
    let document = gallery();
    let tables = document.latex_tables().unwrap();
    assert_eq!(tables.len(), 2);
    assert!(tables[0].matches("\\toprule").count() > 1, "{}", tables[0]);
    assert!(
        tables[0].contains("\\textbf{0.643 $\\pm$ 0.014}\\textsuperscript{$\\bigtriangledown$}"),
        "{}",
        tables[0]
    );
    assert!(tables[0].contains("\\textless{}script\\textgreater{}\\allowbreak{}alert(1)"));
    let markdown = document.to_markdown().unwrap();
    assert!(markdown.contains("<a id=\"accuracy\"></a>\n\n**Table 1.** Accuracy, mean ± standard deviation"));
    assert!(markdown.contains("| **0.643 ± 0.014**<sup>▼</sup> |"));
    assert!(markdown.contains("| \\<script\\>alert(1)\\</script\\> "));
    assert!(markdown.contains("**Figure 10.**"));
}

#[test]
fn latex_fits_its_pages() {
    let Some(found) = complaints(&gallery().to_latex().unwrap()) else { return };
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn what_has_no_place_is_counted() {
    let mut lines = Lines::new(Axis::log("x"), Axis::linear("y"));
    let values = [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (1.0, 2.0), (2.0, 3.0)];
    lines.series.push(Series::new("s", values.map(|(x, y)| Point::new(x, y))));
    let mut section = Section::new("s", "S");
    section.push(Figure::new("", lines));
    let mut document = Document::new("D");
    document.push(section);
    let page = document.to_html().unwrap();
    assert!(page.contains("4 values have no place in the picture"));
    assert_eq!(count(&page, "class=\"mark c0\""), 2);
    assert!(!page.contains("NaN"));
}

#[test]
fn names_of_the_document_look_the_same_in_all_figures() {
    let figure = |names: &[&str]| {
        let mut lines = Lines::new(Axis::linear("x"), Axis::linear("y"));
        lines.series.extend(names.iter().map(|&name| Series::new(name, [Point::new(1.0, 1.0)])));
        Figure::new("", lines)
    };
    let mut section = Section::new("s", "S");
    section.push(figure(&["b"]));
    section.push(figure(&["new", "a", "b"]));
    let mut document = Document::new("D");
    document.series = vec!["a".into(), "b".into()];
    document.push(section);
    let page = document.to_html().unwrap();
    for (mark, times) in
        [("mark c1\"><title>b\n", 2), ("mark c2\"><title>new\n", 1), ("mark c0\"><title>a\n", 1)]
    {
        assert_eq!(count(&page, mark), times, "{mark}");
    }
    // What is not in a figure is not in its legend.
    assert_eq!(count(&page, "</svg>a</li>"), 1);
}

/// A document in which a string stands everywhere.
fn everywhere(text: &str) -> Document {
    let mut document = Document::new(text);
    document.subtitle = text.into();
    document.fact(text, text);
    let mut section = Section::new("s", text);
    section
        .push(Text::new(text).emphasis(text).code(text).link("s", text).web(format!("https://{text}"), text));
    section.push(Block::Quotation(text.into()));
    let mut table = Table::new(text, [Column::text(text).with_note(text)]);
    table.push([Cell::text(text).with_mark(text).with_title(text)]);
    table.note(text);
    section.push(table);
    let mut lines = Lines::new(Axis::linear(text), Axis::linear(text));
    lines.series.push(Series::new(text, [Point::new(1.0, 2.0)]));
    lines.horizontal(1.5, text);
    section.push(Figure::new(text, lines));
    section.push(Download {
        file_name: "a".into(),
        media_type: text.into(),
        bytes: text.into(),
        label: text.into(),
    });
    document.push(section);
    document
}

/// The tags of a page in their order, without their attributes.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|tag| tag.split(['>', ' ', '\n']).next().unwrap_or_default()).collect()
}

proptest! {
    #[test]
    fn no_string_changes_the_structure(text in any::<String>(), hostile in "[<>\"'&/a-z!-]{0,12}") {
        let plain = everywhere("a").to_html().unwrap();
        for text in [text, hostile, "</script><script>alert(1)</script><!--".into()] {
            // An empty subtitle and an empty label are left out.
            let text = format!("x{text}");
            let page = everywhere(&text).to_html().unwrap();
            prop_assert_eq!(tags(&page), tags(&plain));
            prop_assert!(everywhere(&text).to_markdown().is_ok());
            prop_assert!(everywhere(&text).to_latex().is_ok());
        }
    }

    #[test]
    fn no_numbers_are_too_odd(values in proptest::collection::vec((any::<f64>(), any::<f64>(), any::<f64>()), 0..8)) {
        let mut document = Document::new("D");
        let mut section = Section::new("s", "S");
        for axis in [Axis::linear("a"), Axis::log("a"), Axis::log("a").between(1.0, 10.0)] {
            let mut lines = Lines::new(axis.clone(), axis);
            let points = values.iter().map(|&(x, y, z)| Point::new(x, y).between(z, x));
            lines.series.push(Series::new("s", points));
            section.push(Figure::new("", lines));
        }
        let ranks = values.iter().map(|&(x, _, _)| ("m".to_string(), x));
        section.push(Figure::new("", nb_report::CriticalDifference::new(ranks, 1.0)));
        let bin = |&(confidence, accuracy, rows): &(f64, f64, f64)| {
            nb_report::ReliabilityPoint::new(confidence, accuracy, rows).between(rows, confidence)
        };
        let mut reliability = nb_report::Reliability::default();
        reliability.push("r", values.iter().map(bin));
        section.push(Figure::new("", reliability));
        document.push(section);
        let page = document.to_html().unwrap();
        for part in ["NaN", "inf\"", "inf "] {
            prop_assert!(!page.contains(part), "{}", part);
        }
    }
}
