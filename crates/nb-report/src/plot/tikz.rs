//! Pictures as `TikZ`.

use std::fmt::Write as _;

use super::{
    canvas::{Anchor, Drawn, Place, Shape},
    looks::{Colour, Style, painted},
};
use crate::escape;

impl Drawn {
    /// The picture as a `tikzpicture` with a point for each pixel, in the light colours of the style sheet.
    pub(crate) fn tikz(&self) -> String {
        let mut tikz = String::from("\\begin{tikzpicture}[x=1pt,y=-1pt,line join=round]\n");
        let _ = writeln!(tikz, "\\useasboundingbox (0,0) rectangle {};", at((self.width, self.height)));
        // The first shape is the paper.
        for (shape, style) in painted(self).iter().skip(1) {
            write(&mut tikz, shape, style);
        }
        tikz + "\\end{tikzpicture}"
    }
}

fn at((x, y): Place) -> String {
    format!("({x:.2},{y:.2})")
}

fn write(tikz: &mut String, shape: &Shape, style: &Style) {
    let _ = match shape {
        Shape::Path { points, closed } => {
            // TeX reads no lines of any length.
            let points: Vec<String> = points.iter().map(|&point| at(point)).collect();
            let points: Vec<String> = points.chunks(50).map(|line| line.join("--")).collect();
            let end = if *closed { "--cycle" } else { "" };
            writeln!(tikz, "\\path[{}] {}{end};", paint(style), points.join("--\n"))
        }
        Shape::Disc { centre, radius } => {
            writeln!(tikz, "\\path[{}] {} circle[radius={radius:.2}pt];", paint(style), at(*centre))
        }
        Shape::Rect { corner, size } => {
            let end = (corner.0 + size.0, corner.1 + size.1);
            writeln!(tikz, "\\path[{}] {} rectangle {};", paint(style), at(*corner), at(end))
        }
        Shape::Text { place, anchor, turn, text } => {
            let anchor = match anchor {
                Anchor::Start => "base west",
                Anchor::Middle => "base",
                Anchor::End => "base east",
            };
            let (ink, size) = (style.fill.unwrap_or_default(), style.text_size);
            writeln!(
                tikz,
                "\\node[anchor={anchor},rotate={},inner sep=0pt,text={},font=\\sffamily\\fontsize{{{size}}}{{{size}}}\\selectfont] \
                 at {} {{{}}};",
                -turn,
                colour(ink),
                at(*place),
                escape::latex(text),
            )
        }
    };
}

/// How a shape is filled and drawn.
fn paint(style: &Style) -> String {
    let mut options = Vec::new();
    if let Some(fill) = style.fill {
        options.push(format!("fill={},fill opacity={:.3}", colour(fill), style.fill_opacity));
    }
    if let Some(stroke) = style.stroke {
        options.push(format!(
            "draw={},draw opacity={:.3},line width={:.2}pt",
            colour(stroke),
            style.stroke_opacity,
            style.width
        ));
        let dashes: Vec<String> = (style.dashes.chunks_exact(2))
            .map(|dash| format!("on {}pt off {}pt", dash[0], dash[1]))
            .collect();
        if !dashes.is_empty() {
            options.push(format!("dash pattern={}", dashes.join(" ")));
        }
    }
    options.join(",")
}

fn colour(Colour([red, green, blue]): Colour) -> String {
    format!("{{rgb,255:red,{red};green,{green};blue,{blue}}}")
}

#[cfg(test)]
mod tests {
    use super::super::canvas::Canvas;

    #[test]
    fn shapes_are_paths_and_texts_nodes() {
        let mut canvas = Canvas::new();
        canvas.line("grid", (0.0, 1.0), (2.0, 3.0));
        canvas.turned_text("", (4.0, 5.0), super::Anchor::End, -90, "a_b");
        let tikz = canvas.finish(10.0, 20.0, "").tikz();
        assert!(tikz.contains("\\useasboundingbox (0,0) rectangle (10.00,20.00);"), "{tikz}");
        assert!(tikz.contains("] (0.00,1.00)--(2.00,3.00);"), "{tikz}");
        assert!(
            tikz.contains("anchor=base east,rotate=90,") && tikz.contains("at (4.00,5.00) {a\\_b};"),
            "{tikz}"
        );
    }
}
