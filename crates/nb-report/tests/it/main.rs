//! Integration tests: the page of the gallery as text and in a browser, figures as files, and the colours of
//! the style sheet.

mod browser;
mod chromium;
mod colours;
mod document;
#[path = "../../examples/gallery/document.rs"]
mod gallery;
mod invalid_documents;
mod pdflatex;
mod pictures;
