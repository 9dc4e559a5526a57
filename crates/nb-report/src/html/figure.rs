//! Figures in HTML.

use std::fmt::Write as _;

use super::{Page, inline};
use crate::{Figure, escape, plot};

impl Page<'_> {
    /// A numbered figure with its legend and caption, then its data; its id and caption.
    pub(super) fn figure(&mut self, figure: &Figure) -> (Option<String>, String) {
        self.n_figures += 1;
        let number = self.n_figures;
        let description = figure.alternative.clone().unwrap_or_else(|| plot::description(&figure.plot));
        let drawing = plot::draw(&figure.plot, &description, self.series);
        let id = figure.id.as_ref().map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
        let body = &mut self.body;
        let _ = write!(
            body,
            "<div class=\"block\"{id}>\n<figure aria-labelledby=\"nb-figure-{number}\">\n<div class=\"pictures in-{}\">\n",
            drawing.columns
        );
        for picture in &drawing.pictures {
            body.push_str("<div class=\"picture\">");
            if !picture.title.is_empty() {
                let _ = write!(body, "<p>{}</p>", escape::html(&picture.title));
            }
            let _ = writeln!(body, "<div class=\"scroll\">{}</div></div>", picture.drawn.element());
        }
        body.push_str("</div>\n");
        if !drawing.legend.is_empty() {
            body.push_str("<ul class=\"legend\" aria-label=\"Legend\">\n");
            if !drawing.legend_title.is_empty() {
                let _ = writeln!(body, "<li>{}:</li>", escape::html(&drawing.legend_title));
            }
            for (swatch, name) in &drawing.legend {
                let _ = writeln!(body, "<li>{}{}</li>", swatch.element(), escape::html(name));
            }
            body.push_str("</ul>\n");
        }
        let caption = format!("<strong>Figure {number}.</strong> {}", inline(&figure.caption));
        let _ = write!(
            body,
            "<figcaption id=\"nb-figure-{number}\">{caption}{}</figcaption>\n</figure>\n",
            omitted(drawing.n_omitted)
        );
        let data = plot::data(&figure.plot);
        let _ = writeln!(body, "<details><summary>Data of figure {number}</summary>");
        self.bare_table(&data, &format!("aria-label=\"Data of figure {number}\""));
        self.csv_button(&format!("figure-{number}.csv"));
        self.body.push_str("</p>\n</details>\n</div>\n");
        (figure.id.clone(), caption)
    }
}

/// A picture does not hide what it leaves out.
fn omitted(n_omitted: usize) -> String {
    let (values, have) = match n_omitted {
        0 => return String::new(),
        1 => ("value", "has"),
        _ => ("values", "have"),
    };
    format!(
        "<span class=\"omitted\">{n_omitted} {values} {have} no place in the picture (missing, infinite, or not \
         positive on a logarithmic axis); see the data.</span>"
    )
}
