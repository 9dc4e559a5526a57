//! What a listing prints and draws.

use std::{collections::BTreeMap, fmt};

use naive_bayes::report::{Picture, Plot};

/// The text and the pictures of a chapter.
#[derive(Debug, Default)]
pub struct Output {
    /// Lines, in parts that the chapter includes by their names.
    pub text: String,
    /// Names of files, and the SVG pictures in them.
    pub pictures: BTreeMap<String, String>,
    part: Option<String>,
}

impl Output {
    /// Begins a part of the text.
    pub(crate) fn part(&mut self, name: &str) {
        self.end();
        self.text.extend(["ANCHOR: ", name, "\n"]);
        self.part = Some(name.to_owned());
    }

    /// Ends the last part.
    pub fn end(&mut self) {
        if let Some(part) = self.part.take() {
            self.text.extend(["ANCHOR_END: ", &part, "\n"]);
        }
    }

    /// Draws a picture for the file `name.svg`.
    pub(crate) fn picture(
        &mut self,
        name: &str,
        title: &str,
        caption: &str,
        plot: impl Into<Plot>,
    ) {
        let picture = Picture::new(title, "", caption, &plot.into());
        self.pictures.insert(format!("{name}.svg"), picture.svg());
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}
