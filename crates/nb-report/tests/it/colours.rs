//! The colours of the style sheet have the contrasts that readers need: 3 to 1 for marks, 4.5 to 1 for text,
//! after the Web Content Accessibility Guidelines 2.2, success criteria 1.4.3 and 1.4.11.

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

fn linear(colour: Colour) -> Colour {
    colour.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}

/// Relative luminance, as the guidelines define it.
fn luminance(colour: Colour) -> f64 {
    let [red, green, blue] = linear(colour);
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

type Matrix = [[f64; 3]; 3];

/// What is seen without one of the three kinds of cones, for linear light: Machado, Oliveira and Fernandes
/// (2009), *A physiologically-based model for simulation of color vision deficiency*, IEEE Transactions on
/// Visualization and Computer Graphics 15, the matrices of severity 1.
const VISION: [(&str, Matrix); 3] = [
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

fn times(matrix: &Matrix, vector: Colour) -> Colour {
    [0, 1, 2].map(|i| (0..3).map(|j| matrix[i][j] * vector[j]).sum())
}

/// CIE 1976 L*a*b* of linear light, with the white of D65; distances of 2 or 3 can just be seen.
fn lab(light: Colour) -> Colour {
    let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let [x, y, z] = times(&to_xyz, light.map(|c| c.clamp(0.0, 1.0)));
    let [x, y, z] = [x / 0.9505, y, z / 1.089].map(|t| {
        let small = 6.0 / 29.0_f64;
        if t > small.powi(3) { t.cbrt() } else { t / (3.0 * small * small) + 4.0 / 29.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn series_stay_apart_without_a_kind_of_cones() {
    for colours in schemes() {
        for (name, matrix) in &VISION {
            let seen = |i: usize| lab(times(matrix, linear(colours[&format!("c{i}")])));
            for (i, j) in (0..8).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let (one, other) = (seen(i), seen(j));
                let distance = (0..3).map(|k| (one[k] - other[k]).powi(2)).sum::<f64>().sqrt();
                assert!(distance > 12.0, "c{i} and c{j} with {name}: {distance:.1}");
            }
        }
    }
}

#[test]
fn regions_stay_apart_without_a_kind_of_cones() {
    let identity = ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    for (name, matrix) in VISION[..2].iter().chain([&identity]) {
        let seen = |i: usize| lab(times(matrix, linear(colour(&nb_report::Ink::Series(i).region()[1..]))));
        for (i, j) in (0..8).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (one, other) = (seen(i), seen(j));
            let distance = (0..3).map(|k| (one[k] - other[k]).powi(2)).sum::<f64>().sqrt();
            assert!(distance > 10.0, "regions of c{i} and c{j} with {name}: {distance:.1}");
        }
    }
    let mut regions: Vec<String> = (0..28).map(|i| nb_report::Ink::Series(i).region()).collect();
    regions.sort();
    regions.dedup();
    assert_eq!(regions.len(), 28, "colours come again in other tones");
}
