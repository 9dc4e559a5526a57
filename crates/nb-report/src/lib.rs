//! Plots, and self-contained reports with them.
//!
//! # Should I be using this crate?
//!
//! Yes, to write results as one HTML file that can be mailed, archived and opened in twenty years: tables
//! that sort, plots as inline SVG with a readout of the exact values, light and dark, on paper and on small
//! screens, files inside the file, no network. Files are compressed, and so is what is far down on large
//! pages. The same document gives Markdown and LaTeX, and each table CSV. And to draw a plot as a file of its
//! own ([`Picture`]): SVG, and with the feature `png` PNG. The crate knows nothing of classifiers,
//! reads and writes no files, and knows no clock: the same document gives the same bytes.
//!
//! ```text
//! Document ─ Section ─ Block ─ Paragraph, Note, Quotation, List, Code, Download
//!               │         ├─── Table ─ Column, Cell
//!            Section      └─── Figure ─ Lines, Panels, Dots, CriticalDifference, Reliability, Heatmap, Bars, Plane
//!
//! Document ──to_html──▶ one file      ──to_markdown──▶ text      ──to_latex──▶ what papers include
//! Plot ──Picture──▶ SVG, PNG
//! ```
//!
//! ```
//! use nb_report::{Axis, Cell, Column, Document, Figure, Lines, Point, Section, Series, Stroke, Table, Text};
//!
//! let mut document = Document::new("Generative and discriminative");
//! document.subtitle = "Error of two classifiers by the size of the training set".into();
//! document.fact("seed", "7");
//!
//! let mut section = Section::new("curves", "Learning curves");
//! section.push(Text::new("The lines cross, see ").link("curve", "the figure").plain("."));
//!
//! let mut lines = Lines::new(Axis::log("m"), Axis::linear("error"));
//! lines.series.push(Series::new("naive Bayes", [Point::new(10.0, 0.31), Point::new(100.0, 0.24)]));
//! let logistic = [Point::new(10.0, 0.38).between(0.35, 0.41), Point::new(100.0, 0.22).between(0.21, 0.23)];
//! lines.series.push(Series::new("logistic regression", logistic).with_stroke(Stroke::Dashed));
//! section.push(Figure::new("Test error against m", lines).with_id("curve"));
//!
//! let mut table = Table::new("Error", [Column::text("classifier"), Column::number("m = 100")]);
//! table.push([Cell::text("naive Bayes"), Cell::number(0.24, 2)]);
//! table.push([Cell::text("logistic regression"), Cell::number(0.22, 2).best().with_mark("*")]);
//! table.note("* differs at the level 0.05");
//! section.push(table);
//! document.push(section);
//!
//! let page = document.to_html()?;
//! assert!(page.starts_with("<!doctype html>") && page.contains("<svg"));
//! assert!(document.to_markdown()?.contains("| logistic regression | **0.22**<sup>\\*</sup> |"));
//! assert!(document.latex_tables()?[0].contains(r"\toprule"));
//! # Ok::<(), nb_report::DocumentError>(())
//! ```
//!
//! # What can go wrong
//!
//! Rendering fails for what would be wrong on the page: rows of other lengths than the table, ids given
//! twice, links that lead nowhere ([`DocumentError`]). Values that have no place in a plot (missing,
//! infinite, not positive on a logarithmic axis) are left out of the picture, the figure says how many, and
//! its table of data has them all. Every string is escaped, so names may come from anywhere.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod check;
mod csv;
mod document;
mod error;
mod escape;
mod figure;
mod html;
mod latex;
mod markdown;
mod number;
mod plot;
mod table;
mod text;

pub use document::{Block, Code, Document, Download, List, Section};
pub use error::DocumentError;
pub use figure::{
    Axis, BarPanel, BarSet, Bars, CriticalDifference, Direction, Dot, DotSeries, Dots, Figure, HeatCell,
    Heatmap, Ink, Layer, Lines, Mark, Name, Panels, Plane, Plot, Point, Reference, Reliability,
    ReliabilityPoint, ReliabilitySeries, Scale, Series, Shades, Side, Spread, Stroke,
};
pub use html::saved_text;
pub use plot::{Area, Picture};
pub use table::{Cell, Column, Emphasis, Kind, Table};
pub use text::{Span, Text};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
