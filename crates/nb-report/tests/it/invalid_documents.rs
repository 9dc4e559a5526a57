//! Documents that cannot be rendered, and why.

use nb_report::{
    Axis, Cell, Column, CriticalDifference, Document, DocumentError, Dots, Download, Figure, Heatmap,
    Section, Shades, Table, Text,
};

/// Why a section cannot be rendered: the same in all forms.
fn refused(fill: impl Fn(&mut Section)) -> DocumentError {
    let mut section = Section::new("s", "S");
    fill(&mut section);
    let mut document = Document::new("D");
    document.push(section);
    let error = document.to_html().expect_err("a document that cannot be rendered");
    assert_eq!(document.to_markdown().as_ref(), Err(&error));
    assert_eq!(document.latex_tables().as_ref(), Err(&error));
    error
}

#[test]
fn rows_of_other_lengths() {
    let error = refused(|section| {
        let mut table = Table::new("T", [Column::text("a"), Column::text("b")]);
        table.push([Cell::text("1"), Cell::text("2")]);
        table.push_footer([Cell::text("1")]);
        section.push(table);
    });
    assert_eq!(error, DocumentError::Row { table: "T".into(), row: 2, found: 1, expected: 2 });
}

#[test]
fn figures_with_too_few_values() {
    let error = refused(|section| {
        let mut dots = Dots::new(Axis::linear("x"), "set", ["a", "b"]);
        dots.push("m", [None]);
        section.push(Figure::new("F", dots));
    });
    let part = "the series `m`".to_string();
    assert_eq!(error, DocumentError::Values { figure: "F".into(), part, found: 1, expected: 2 });

    let shades = Shades::Sequential { none: 0.0, full: 1.0 };
    for (cells, expected) in
        [(vec![vec![None]], "the list of rows"), (vec![vec![None], vec![]], "the row `b`")]
    {
        let error = refused(|section| {
            section.push(Figure::new("F", Heatmap::new(["a", "b"], ["c"], cells.clone(), 1, shades)));
        });
        assert!(matches!(error, DocumentError::Values { part, .. } if part == expected));
    }
}

#[test]
fn groups_of_methods_that_do_not_exist() {
    let error = refused(|section| {
        let mut diagram = CriticalDifference::new([("a".into(), 1.0)], 1.0);
        diagram.groups.push(vec![0, 1]);
        section.push(Figure::new("F", diagram));
    });
    assert_eq!(error, DocumentError::Group { figure: "F".into(), method: 1, n_methods: 1 });
}

#[test]
fn ids_links_addresses_and_names_of_files() {
    for id in ["", "1a", "a b", "nb-file-1", "ä", "a\""] {
        assert_eq!(refused(|section| section.id = id.into()), DocumentError::Id { id: id.into() });
    }
    let twice = refused(|section| section.push(Table::new("", []).with_id("s")));
    assert_eq!(twice, DocumentError::Twice { id: "s".into() });
    let link = refused(|section| section.push(Text::default().link("t", "")));
    assert_eq!(link, DocumentError::Link { to: "t".into() });
    for url in ["javascript:alert(1)", "ftp://a", ""] {
        let address = refused(|section| section.push(Text::default().web(url, "")));
        assert_eq!(address, DocumentError::Address { url: url.into() });
    }
    for name in ["", "a/b", "..", "a\\b", "a\n"] {
        let error = refused(|section| {
            section.push(Download { file_name: name.into(), ..Download::default() });
        });
        assert_eq!(error, DocumentError::FileName { name: name.into() });
    }
}
