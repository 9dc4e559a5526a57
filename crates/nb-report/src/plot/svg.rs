//! Pictures as SVG: for pages, whose style sheet says what classes look like, and for files, which say it
//! themselves.

use std::fmt::Write as _;

use super::{
    canvas::{Anchor, Drawn, Element, Shape, Tone},
    looks::{Colour, Style, painted},
};
use crate::escape;

/// A coordinate: a hundredth of a pixel is enough, and short.
fn at(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(short, "-0" | "") { "0".into() } else { short.into() }
}

impl Drawn {
    /// The picture as an element of a page.
    pub(crate) fn element(&self) -> String {
        let mut elements = String::new();
        let mut role = "img";
        for element in &self.canvas.elements {
            match element {
                Element::Shape { class, shape, tone } => {
                    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
                    let opacity = match tone {
                        Tone::Full => String::new(),
                        Tone::Through(share) => format!(" fill-opacity=\"{share:.3}\""),
                        Tone::Mixed(share) => {
                            // What lies below is hidden by paper.
                            write(&mut elements, shape, " class=\"region white\"");
                            format!(" fill-opacity=\"{share:.3}\" stroke-opacity=\"{share:.3}\"")
                        }
                    };
                    write(&mut elements, shape, &(class + &opacity));
                }
                Element::Mark { class, lines } => {
                    role = "group";
                    let title = escape::html(&lines.join("\n"));
                    let _ = write!(elements, "<g class=\"mark {class}\"><title>{title}</title>");
                }
                Element::End => elements.push_str("</g>"),
            }
        }
        let (width, height) = (at(self.width), at(self.height));
        let says = match self.label.as_str() {
            "" => "aria-hidden=\"true\"".into(),
            label => format!("role=\"{role}\" aria-label=\"{}\"", escape::html(label)),
        };
        format!(
            r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" {says}>{elements}</svg>"#
        )
    }

    /// The picture as a file, in the light colours of the style sheet.
    pub(crate) fn file(&self) -> String {
        let (width, height) = (at(self.width), at(self.height));
        let label = escape::html(&self.label);
        let mut svg = format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" \
             role=\"img\" aria-label=\"{label}\" font-family=\"Arial, Helvetica, Liberation Sans, Arimo, sans-serif\">\n"
        );
        for (shape, style) in painted(self) {
            write(&mut svg, &shape, &attributes(&shape, &style));
            svg.push('\n');
        }
        svg + "</svg>\n"
    }
}

/// Writes a shape with these attributes.
fn write(svg: &mut String, shape: &Shape, attributes: &str) {
    let _ = match shape {
        Shape::Path { points, closed } => {
            let name = if *closed { "polygon" } else { "polyline" };
            let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", at(x), at(y))).collect();
            write!(svg, r#"<{name}{attributes} points="{}"/>"#, points.join(" "))
        }
        Shape::Disc { centre, radius } => {
            let [x, y, radius] = [centre.0, centre.1, *radius].map(at);
            write!(svg, r#"<circle{attributes} cx="{x}" cy="{y}" r="{radius}"/>"#)
        }
        Shape::Rect { corner, size } => {
            let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(at);
            write!(svg, r#"<rect{attributes} x="{x}" y="{y}" width="{width}" height="{height}"/>"#)
        }
        Shape::Text { place, anchor, turn, text } => {
            let (x, y) = (at(place.0), at(place.1));
            let turned = match turn {
                0 => String::new(),
                turn => format!(r#" transform="rotate({turn} {x} {y})""#),
            };
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let text = escape::html(text);
            write!(svg, r#"<text{attributes} x="{x}" y="{y}" text-anchor="{anchor}"{turned}>{text}</text>"#)
        }
    };
}

fn attributes(shape: &Shape, style: &Style) -> String {
    let mut text = format!(" fill=\"{}\"", style.fill.map_or_else(|| "none".into(), Colour::hex));
    let mut add = |name: &str, value: f64, usual: f64| {
        if value != usual {
            let _ = write!(text, " {name}=\"{}\"", at(value));
        }
    };
    add("fill-opacity", style.fill_opacity, 1.0);
    if matches!(shape, Shape::Text { .. }) {
        add("font-size", style.text_size, 0.0);
    }
    if let Some(stroke) = style.stroke {
        add("stroke-width", style.width, 1.0);
        add("stroke-opacity", style.stroke_opacity, 1.0);
        let _ = write!(text, " stroke=\"{}\" stroke-linejoin=\"round\"", stroke.hex());
    }
    if !style.dashes.is_empty() {
        let dashes: Vec<String> = style.dashes.iter().map(|&length| at(length)).collect();
        let _ = write!(text, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    if style.halo {
        text.push_str(" paint-order=\"stroke\"");
    }
    text
}
