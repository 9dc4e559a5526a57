//! The colours of the style sheet have the contrasts that readers need: 3 to 1 for marks, 4.5 to 1 for text, after the Web
//! Content Accessibility Guidelines 2.2, success criteria 1.4.3 and 1.4.11.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../../src/html/report.css");

type Colour = [f64; 3];
type Colours = BTreeMap<String, Colour>;

/// The colours of the light and of the dark rule.
fn schemes() -> [Colours; 2] {
    let mut rules = STYLE.split(":root {").skip(1).map(|rule| {
        let lines = rule.split_once('}').expect("an end").0.lines();
        let colours =
            lines.filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"));
        colours.map(|(name, digits)| (name.to_string(), colour(digits))).collect()
    });
    [rules.next().expect("a light rule"), rules.next().expect("a dark rule")]
}

fn colour(digits: &str) -> Colour {
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")) / 255.0)
}

/// Relative luminance, as the guidelines define it.
fn luminance(colour: Colour) -> f64 {
    let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: Colour, other: Colour) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// A colour that covers so much of another.
fn over(colour: Colour, share: f64, ground: Colour) -> Colour {
    [0, 1, 2].map(|i| share * colour[i] + (1.0 - share) * ground[i])
}

#[test]
fn contrasts() {
    // The guidelines' own example: #777 on white is just below 4.5.
    assert!((contrast(colour("777777"), colour("ffffff")) - 4.48).abs() < 0.005);
    for (name, colours) in ["light", "dark"].into_iter().zip(schemes()) {
        let mut too_low = Vec::new();
        let mut check = |what: &str, ground: &str, found: f64, needed: f64| {
            if found < needed {
                too_low.push(format!("{name}: {what} on {ground}: {found:.2}"));
            }
        };
        for text in ["ink", "soft", "link"] {
            for ground in ["paper", "raised"] {
                check(text, ground, contrast(colours[text], colours[ground]), 4.5);
            }
        }
        check("ink", "best", contrast(colours["ink"], colours["best"]), 4.5);
        for series in 0..8 {
            let series = format!("c{series}");
            for ground in ["paper", "raised"] {
                check(&series, ground, contrast(colours[&series], colours[ground]), 3.0);
            }
        }
        // The deepest shade of a heatmap, below its number.
        for shade in ["above", "below"] {
            let deepest = over(colours[shade], 0.6, colours["paper"]);
            check("ink", shade, contrast(colours["ink"], deepest), 4.5);
        }
        assert_eq!(too_low, Vec::<String>::new());
    }
}

#[test]
fn both_schemes_have_all_colours() {
    let [light, dark] = schemes();
    assert_eq!(light.keys().collect::<Vec<_>>(), dark.keys().collect::<Vec<_>>());
    assert_eq!(light.len(), 18);
}
