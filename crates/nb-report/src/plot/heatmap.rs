//! Matrices drawn.

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, Drawn, LONGEST, shortened, text_width},
    exact,
    frame::FONT,
    named,
};
use crate::{HeatCell, Heatmap, Shades, number};

/// How much of the full colour covers the ground at most, so that the number on it can be read in both
/// schemes.
pub(crate) const DEEPEST: f64 = 0.6;

pub(super) fn draw(heatmap: &Heatmap, label: &str) -> Drawing {
    let widest = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| text_width(text, FONT)).fold(0.0, f64::max).min(LONGEST)
    };
    let names = widest(&mut heatmap.rows.iter().map(String::as_str));
    let titles = widest(&mut heatmap.columns.iter().map(String::as_str));
    let numbers = widest(&mut heatmap.cells.iter().flatten().flatten().map(|cell| cell.text.as_str()));
    let n_columns = heatmap.columns.len() as f64;
    // Titles lie flat where that does not make the cells wide.
    let level = titles + 10.0 < (numbers + 16.0).max(64.0) || titles * n_columns < 420.0;
    let cell = ((if level { titles.max(numbers) } else { numbers }) + 12.0).max(40.0);
    let high = 28.0;
    let named_columns = if heatmap.column.is_empty() { 0.0 } else { 18.0 };
    let left = names + 16.0;
    // Titles are turned by 45 degrees.
    let (above, beside) =
        if level { (24.0, 4.0) } else { (0.71 * titles + 18.0, (0.71 * titles - cell / 2.0).max(4.0)) };
    let top = above + named_columns;
    let size = (left + cell * n_columns + beside + 8.0, top + high * heatmap.rows.len() as f64 + 4.0);

    let mut canvas = Canvas::new();
    canvas.text("axis-label", (left + cell * n_columns / 2.0, 13.0), Anchor::Middle, &heatmap.column);
    canvas.text("axis-label", (left - 8.0, top - 8.0), Anchor::End, &heatmap.row);
    for (j, title) in heatmap.columns.iter().enumerate() {
        let middle = left + cell * (j as f64 + 0.5);
        let (anchor, turn) = if level { (Anchor::Middle, 0) } else { (Anchor::Start, -45) };
        canvas.turned_text("", (middle, top - 8.0), anchor, turn, &shortened(title, LONGEST, FONT));
    }
    for (i, (name, row)) in heatmap.rows.iter().zip(&heatmap.cells).enumerate() {
        let upper = top + high * i as f64;
        canvas.text("", (left - 8.0, upper + high / 2.0 + 4.0), Anchor::End, &shortened(name, LONGEST, FONT));
        for (j, content) in row.iter().enumerate() {
            let corner = (left + cell * j as f64 + 1.0, upper + 1.0);
            let inside = (cell - 2.0, high - 2.0);
            let Some(content) = content else {
                canvas.rect("nothing", corner, inside, None);
                continue;
            };
            let column = heatmap.columns.get(j).map_or("", String::as_str);
            let words = words(heatmap, name, column, content);
            canvas.mark("cell", &words, |canvas| {
                canvas.rect("ground", corner, inside, None);
                let (class, opacity) = shade(heatmap.shades, content.value);
                canvas.rect(class, corner, inside, Some(opacity));
                let place = (corner.0 + inside.0 / 2.0, corner.1 + inside.1 / 2.0 + 4.0);
                canvas.text("", place, Anchor::Middle, &number::for_eyes(&content.text));
            });
        }
    }
    let pictures = vec![Panel { title: String::new(), drawn: canvas.finish(size.0, size.1, label) }];
    let legend = legend(heatmap);
    Drawing { pictures, columns: 1, legend, ..Drawing::default() }
}

fn words(heatmap: &Heatmap, row: &str, column: &str, cell: &HeatCell) -> Vec<String> {
    vec![
        named(&heatmap.row, row),
        named(&heatmap.column, column),
        named(&heatmap.measure, &exact(cell.value)),
    ]
}

/// The class of a cell's colour, and how much of it covers the ground.
fn shade(shades: Shades, value: f64) -> (&'static str, f64) {
    let (class, share) = match shades {
        Shades::Sequential { none, full } => ("above", (value - none) / (full - none)),
        Shades::Diverging { center, reach } => {
            let share = (value - center) / reach;
            (if share < 0.0 { "below" } else { "above" }, share.abs())
        }
    };
    // No share at all where both ends are the same or the value is none.
    (class, if share.is_nan() { 0.0 } else { DEEPEST * share.clamp(0.0, 1.0) })
}

fn legend(heatmap: &Heatmap) -> Vec<(Drawn, String)> {
    let ends = match heatmap.shades {
        Shades::Sequential { none, full } => vec![none, full],
        Shades::Diverging { center, reach } => vec![center - reach, center, center + reach],
    };
    let entry = |value: f64| {
        let mut canvas = Canvas::new();
        let (class, opacity) = shade(heatmap.shades, value);
        canvas.rect("ground", (0.5, 0.5), (21.0, 13.0), None);
        canvas.rect(class, (0.5, 0.5), (21.0, 13.0), Some(opacity));
        (canvas.finish(22.0, 14.0, ""), exact(value))
    };
    ends.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_of_odd_values() {
        let sequential = Shades::Sequential { none: 0.05, full: 0.0 };
        assert_eq!(shade(sequential, 0.0), ("above", DEEPEST));
        assert_eq!(shade(sequential, 0.5), ("above", 0.0));
        assert_eq!(shade(sequential, f64::NAN).1, 0.0);
        assert_eq!(shade(Shades::Sequential { none: 1.0, full: 1.0 }, 1.0).1, 0.0);
        let diverging = Shades::Diverging { center: 0.0, reach: 2.0 };
        assert_eq!(shade(diverging, -1.0), ("below", DEEPEST / 2.0));
        assert_eq!(shade(diverging, f64::INFINITY), ("above", DEEPEST));
    }
}
