//! What classes look like in files: the part of the style sheet that is about pictures, in its light colours.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{
    canvas::{Drawn, Element, Shape, Tone},
    frame::FONT,
};

/// A colour by its red, green and blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Colour(pub(super) [u8; 3]);

impl Colour {
    /// As CSS writes it.
    pub(crate) fn hex(self) -> String {
        let [red, green, blue] = self.0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// This share of the colour over another.
    pub(super) fn over(self, share: f64, below: Self) -> Self {
        let part =
            |i: usize| (share * f64::from(self.0[i]) + (1.0 - share) * f64::from(below.0[i])).round() as u8;
        Self([0, 1, 2].map(part))
    }
}

/// How something is painted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) fill: Option<Colour>,
    pub(super) fill_opacity: f64,
    pub(super) stroke: Option<Colour>,
    pub(super) stroke_opacity: f64,
    pub(super) width: f64,
    /// Lengths of strokes and of the gaps after them, in turn.
    pub(super) dashes: Vec<f64>,
    /// Whether the stroke lies below the fill.
    pub(super) halo: bool,
    pub(super) text_size: f64,
}

/// The part of the style sheet about pictures is between these.
const FROM: &str = "/* Pictures. */";
const TO: &str = "/* Pictures end. */";

/// The declarations of classes, and the light colours.
struct Sheet {
    classes: BTreeMap<&'static str, Vec<(&'static str, &'static str)>>,
    colours: BTreeMap<&'static str, Colour>,
}

fn sheet() -> &'static Sheet {
    static SHEET: OnceLock<Sheet> = OnceLock::new();
    SHEET.get_or_init(|| {
        let text = crate::html::STYLE;
        let light =
            text.split_once(":root {").and_then(|(_, rest)| rest.split_once('}')).map_or("", |rule| rule.0);
        let colours = declarations(light)
            .filter_map(|(name, value)| Some((name.strip_prefix("--")?, colour(value.strip_prefix('#')?)?)));
        let pictures =
            text.split_once(FROM).and_then(|(_, rest)| rest.split_once(TO)).map_or("", |part| part.0);
        let mut classes: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (selectors, body) in pictures.split('}').filter_map(|rule| rule.split_once('{')) {
            for selector in selectors.split(',') {
                // Also of "svg .class"; of "svg text" the element.
                let name = selector.trim().trim_start_matches("svg ").trim_start_matches('.');
                classes.entry(name).or_default().extend(declarations(body));
            }
        }
        Sheet { classes, colours: colours.collect() }
    })
}

fn declarations(body: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    body.split(';').filter_map(|one| one.split_once(':')).map(|(name, value)| (name.trim(), value.trim()))
}

fn colour(digits: &str) -> Option<Colour> {
    let part = |i: usize| u8::from_str_radix(digits.get(i..i + 2)?, 16).ok();
    Some(Colour([part(0)?, part(2)?, part(4)?]))
}

/// A light colour of the style sheet.
pub(crate) fn named(name: &str) -> Colour {
    sheet().colours.get(name).copied().unwrap_or_default()
}

fn number(value: &str) -> Option<f64> {
    value.trim_end_matches("px").parse().ok()
}

/// The style of classes, separated by blanks; `current` is the colour that they have from what they are in.
pub(super) fn style(classes: &str, current: Colour) -> Style {
    let rules = || classes.split(' ').filter_map(|class| sheet().classes.get(class)).flatten().copied();
    let value_of = |name: &str| rules().rfind(|rule| rule.0 == name).map(|rule| rule.1);
    let variable = |value: &str| named(value.trim_start_matches("var(--").trim_end_matches(')'));
    let current = value_of("color").map_or(current, variable);
    let paint = |name: &str| match value_of(name) {
        None | Some("none") => None,
        Some("currentColor") => Some(current),
        Some(value) => Some(variable(value)),
    };
    let share = |name: &str| value_of(name).and_then(number).unwrap_or(1.0);
    Style {
        fill: paint("fill"),
        fill_opacity: share("fill-opacity") * share("opacity"),
        stroke: paint("stroke"),
        stroke_opacity: share("stroke-opacity") * share("opacity"),
        width: value_of("stroke-width").and_then(number).unwrap_or(1.0),
        dashes: value_of("stroke-dasharray")
            .map_or_else(Vec::new, |value| value.split(' ').filter_map(number).collect()),
        halo: value_of("paint-order").is_some(),
        text_size: value_of("font-size").and_then(number).unwrap_or(FONT),
    }
}

/// Everything that is seen, from below: first the paper.
pub(super) fn painted(drawn: &Drawn) -> Vec<(Shape, Style)> {
    let (paper, ink) = (named("paper"), named("ink"));
    let whole = Shape::Rect { corner: (0.0, 0.0), size: (drawn.width, drawn.height) };
    let mut all = vec![(whole, Style { fill: Some(paper), ..style("", paper) })];
    let mut around: Vec<&str> = Vec::new();
    for element in &drawn.canvas.elements {
        let (class, shape, tone) = match element {
            Element::Mark { class, .. } => {
                around.push(class);
                continue;
            }
            Element::End => {
                around.pop();
                continue;
            }
            Element::Shape { .. } if around.iter().any(|class| class.contains("hidden-mark")) => continue,
            Element::Shape { class, shape, tone } => (class, shape, *tone),
        };
        let current =
            around.iter().flat_map(|class| class.split(' ')).find_map(|class| sheet().colours.get(class));
        let mut style = style(class, current.copied().unwrap_or(ink));
        match tone {
            Tone::Full => {}
            Tone::Through(share) => style.fill_opacity = share,
            Tone::Mixed(share) => {
                let mixed = |colour: Colour| colour.over(share, paper);
                (style.fill, style.stroke) = (style.fill.map(mixed), style.stroke.map(mixed));
            }
        }
        if matches!(shape, Shape::Text { .. }) {
            style.fill = style.fill.or(Some(ink));
        }
        all.push((shape.clone(), style));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_style_sheet() {
        let line = style("line c1 dashed", Colour::default());
        assert_eq!((line.stroke, line.fill, line.width), (Some(named("c1")), None, 2.0));
        assert_eq!(line.dashes, [7.0, 4.0]);
        let marker = style("marker", named("c2"));
        assert_eq!((marker.fill, marker.stroke), (Some(named("c2")), Some(named("paper"))));
        assert_eq!(style("band c0", Colour::default()).fill_opacity, 0.16);
        assert!(style("halo", Colour::default()).halo && named("c0") != Colour::default());
        assert!(style("title", Colour::default()).text_size > FONT);
    }
}
