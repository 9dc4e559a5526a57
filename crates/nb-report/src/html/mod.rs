//! The document as one HTML file.

use crate::{Document, DocumentError, check};

impl Document {
    /// The document as one HTML file that needs no network.
    ///
    /// # Errors
    ///
    /// What makes the document impossible to render.
    pub fn to_html(&self) -> Result<String, DocumentError> {
        check::document(self)?;
        let mut html = String::from("<!doctype html>");
        for section in &self.sections {
            html.push_str(&format!("<h2>{}</h2><svg></svg>", section.title));
        }
        Ok(html)
    }
}
