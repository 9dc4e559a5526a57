//! What two features add together to the scores, beyond what each adds alone: a matrix with a colour for each
//! cell.

use nb_discriminative::{GridAxis, PairCorrection};
use nb_io::{FittedFamily, Kind, Schema};
use nb_report::{Heatmap, Shades};

use crate::output::visible;

use super::{
    feature::{Fitted, PlottedColumn},
    picture::{Picture, Shown, Subject, Words, rounded},
};

/// The most names of categories that share a place.
const MOST_NAMES: usize = 3;

/// What is added for two columns together, if anything is, with the first column given as the first axis.
pub(crate) fn pair_of(classifier: &Fitted, columns: [usize; 2]) -> Option<PairCorrection> {
    let FittedFamily::Refined(refined) = classifier.likelihood() else { return None };
    let [a, b] = columns;
    let pairs = &refined.refinement().pairs;
    let pair = pairs.iter().find(|pair| pair.columns == [a, b] || pair.columns == [b, a])?;
    Some(if pair.columns == columns { pair.clone() } else { turned(pair, classifier.classes().len()) })
}

/// The pairs of a model, by name.
pub(crate) fn names_of_pairs(classifier: &Fitted, schema: &Schema) -> Vec<String> {
    let FittedFamily::Refined(refined) = classifier.likelihood() else { return Vec::new() };
    refined.refinement().pairs.iter().map(|pair| schema.joint_name(&pair.columns)).collect()
}

/// A line about the pairs of a model.
pub(crate) fn pairs_of_columns(pairs: &[String]) -> String {
    /// The most that are named.
    const MOST: usize = 8;
    let shown: Vec<_> = pairs.iter().take(MOST).map(|name| visible(name)).collect();
    let more = match pairs.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("pairs of columns that say more together: {}{more}\n", shown.join(", "))
}

fn turned(pair: &PairCorrection, n_classes: usize) -> PairCorrection {
    let [first, second] = &pair.axes;
    let (n_rows, n_columns) = (first.n_places(), second.n_places());
    let cells =
        (0..n_columns).flat_map(|column| (0..n_rows).map(move |row| (row * n_columns + column) * n_classes));
    PairCorrection {
        columns: [pair.columns[1], pair.columns[0]],
        axes: [second.clone(), first.clone()],
        cells: cells.flat_map(|start| pair.cells[start..start + n_classes].to_vec()).collect(),
    }
}

/// A pair as a matrix: with two classes what it adds to the log-odds of the second one, with more what it
/// adds to the score of the class that it moves most, around the mean of the classes.
pub(crate) struct PairMatrix {
    pub(crate) class: usize,
    pub(crate) heatmap: Heatmap,
}

impl PairMatrix {
    pub(crate) fn new(pair: &PairCorrection, classes: &[String], schema: &Schema) -> Self {
        let n_classes = classes.len();
        let centred = |class: usize| -> Vec<f64> {
            let of_cell = |scores: &[f64]| {
                if n_classes == 2 {
                    scores[1] - scores[0]
                } else {
                    scores[class] - scores.iter().sum::<f64>() / n_classes as f64
                }
            };
            pair.cells.chunks_exact(n_classes).map(of_cell).collect()
        };
        let size = |class: &usize| centred(*class).iter().map(|cell| cell * cell).sum::<f64>();
        let class = if n_classes == 2 {
            1
        } else {
            (0..n_classes).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0)
        };
        let cells = centred(class);
        let largest = cells.iter().fold(f64::MIN_POSITIVE, |most, cell| most.max(cell.abs()));
        let reach = two_digits(largest);
        let [rows, columns] = [1, 0].map(|axis| names(&pair.axes[axis], schema, pair.columns[axis]));
        let n_rows = rows.len();
        let value = |row: usize, column: usize| Some(cells[column * n_rows + row]);
        // The places of the second feature from the largest to the smallest, as on an axis.
        let n_columns = columns.len();
        let values =
            (0..n_rows).rev().map(|row| (0..n_columns).map(|column| value(row, column)).collect::<Vec<_>>());
        let rows = rows.into_iter().rev().collect::<Vec<_>>();
        let measure = if n_classes == 2 { "log-odds" } else { "log-score" };
        let [x, y] = pair.columns.map(|column| schema.feature_name(column).unwrap_or_default());
        let heatmap = Heatmap::new(rows, columns, values, 2, Shades::Diverging { center: 0.0, reach });
        Self { class, heatmap: heatmap.named(y, x, format!("{measure} of {}", classes[class])) }
    }
}

/// A positive number with at most two digits in the legend, not below this one.
fn two_digits(number: f64) -> f64 {
    let unit = 10.0_f64.powf(number.log10().floor() - 1.0);
    let above = (number / unit).ceil() * unit;
    // A product with a power of ten has its own digits.
    format!("{above:.1e}").parse().unwrap_or(above)
}

/// What the places of an axis are called.
fn names(axis: &GridAxis, schema: &Schema, column: usize) -> Vec<String> {
    match axis {
        GridAxis::Bins(cuts) => {
            let name = |place: usize| match (place.checked_sub(1).map(|below| cuts[below]), cuts.get(place)) {
                (None, None) => "all".into(),
                (None, Some(&to)) => format!("≤ {}", rounded(to)),
                (Some(from), Some(&to)) => format!("{} to {}", rounded(from), rounded(to)),
                (Some(from), None) => format!("> {}", rounded(from)),
            };
            (0..=cuts.len()).map(name).collect()
        }
        GridAxis::Categories { places, n_places } => {
            let feature = schema.feature(column);
            let name = |code: usize| match feature.as_ref().map(nb_io::Feature::kind) {
                Some(Kind::Categorical { levels }) if code < levels.len() => levels[code].clone(),
                _ => code.to_string(),
            };
            let of_place = |place: usize| {
                let all: Vec<String> =
                    (0..places.len()).filter(|&code| places[code] == place).map(name).collect();
                let more = all.len().saturating_sub(MOST_NAMES);
                let shown = all.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
                if more > 0 { format!("{shown} and {more} more") } else { shown }
            };
            (0..*n_places).map(of_place).collect()
        }
    }
}

/// Draws what two features add together.
pub(crate) fn pair(subject: &Subject<'_>, features: [&PlottedColumn; 2], pair: &PairCorrection) -> Picture {
    let schema = subject.evidence.schema();
    let PairMatrix { class, heatmap } = PairMatrix::new(pair, subject.classifier.classes(), schema);
    let of = if subject.n_classes() == 2 { "log-odds" } else { "log-score" };
    let words = Words {
        title: format!("What {} and {} say together", features[0].name, features[1].name),
        subtitle: format!("added to the {of} of {}; model {}", subject.classifier.classes()[class], subject.model),
        caption: "Beyond what each of the two adds alone: means over the training rows are 0 in every row and column.".into(),
    };
    let shown =
        [&heatmap.columns, &heatmap.rows].map(|names| Shown::Categories { categories: names.clone() });
    Picture {
        kind: "pair",
        drawn: nb_report::Picture::new(&words.title, &words.subtitle, &words.caption, &heatmap.into()),
        shown: shown.to_vec(),
        outside: 0,
        missing: 0,
        contributions: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_have_two_digits() {
        for (number, expected) in
            [(4.0977, 4.1), (1.98, 2.0), (0.031_7, 0.032), (97.2, 98.0), (5.0, 5.0), (2e-300, 2e-300)]
        {
            assert_eq!(two_digits(number), expected);
        }
    }

    #[test]
    fn a_turned_pair_has_the_same_numbers_for_the_same_values() {
        let cells: Vec<f64> = (0..12).map(f64::from).collect();
        let axes = [GridAxis::Bins(vec![1.0]), GridAxis::Bins(vec![1.0, 2.0])];
        let pair = PairCorrection { columns: [3, 5], axes, cells };
        let turned = turned(&pair, 2);
        assert_eq!(turned.columns, [5, 3]);
        for (x, y) in [(0.5, 0.5), (1.5, 0.5), (0.5, 2.5), (1.5, 1.5)] {
            assert_eq!(turned.at([y, x]), pair.at([x, y]));
        }
    }
}
