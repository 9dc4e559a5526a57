//! Rows on their first two principal components.

use super::{
    frame::{Axis, Frame, Scale, Words},
    legend::Key,
    limits,
    palette::{Marker, unlabelled},
    pca::Components,
    picture::{Picture, Shown, Subject},
    sample::count,
    shapes::{INK, Shape, WHITE},
};

/// Maximum number of points drawn, evenly spread over the file.
const MOST_POINTS: usize = 2000;

/// A row: its class, the number of classes if that is not known, and whether another one was predicted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) class: usize,
    pub(crate) is_wrong: bool,
}

/// Draws rows in the colours of their classes, with a ring around those that are predicted wrongly.
pub(crate) fn components(subject: &Subject<'_>, found: &Components, rows: &[Row], file: &str) -> Picture {
    let limits = [0, 1].map(|place| {
        let of = |&(x, y): &(f64, f64)| if place == 0 { x } else { y };
        limits::of_groups(&[found.at.iter().map(of).collect()]).unwrap_or((-1.0, 1.0))
    });
    let inside = |(x, y): (f64, f64)| {
        (limits[0].0..=limits[0].1).contains(&x) && (limits[1].0..=limits[1].1).contains(&y)
    };
    let n_inside = found.at.iter().filter(|at| inside(**at)).count();
    let mut number = 0;
    let mut drawn: Vec<((f64, f64), Row)> = found.at.iter().copied().zip(rows.iter().copied()).collect();
    drawn.retain(|(at, _)| {
        if !inside(*at) {
            return false;
        }
        number += 1;
        // Evenly spread: those where the count of points to draw goes up.
        let n = n_inside.max(MOST_POINTS);
        number * MOST_POINTS / n > (number - 1) * MOST_POINTS / n
    });
    let axes = [0, 1].map(|place| Axis {
        name: format!("component {} ({:.1} % of the variance)", place + 1, 100.0 * found.shares[place]),
        scale: Scale::Numbers { low: limits[place].0, high: limits[place].1, whole: false },
    });
    let words = words(subject, found, rows, (found.at.len() - n_inside, drawn.len(), n_inside), file);
    let mut legend = subject.legend(|style| Key::Points { marker: style.marker, colour: style.colour });
    if rows.iter().any(|row| row.is_wrong) {
        legend = legend.with_note(Key::Points { marker: Marker::Ring, colour: INK }, "wrongly predicted");
    }
    if rows.iter().any(|row| row.class == subject.n_classes()) {
        let style = unlabelled();
        legend =
            legend.with_note(Key::Points { marker: style.marker, colour: style.colour }, "unknown label");
    }
    let frame = Frame::new(&words, &axes[0], &axes[1], &legend);
    let size = if drawn.len() > 500 { 2.8 } else { 3.6 };
    let mut shapes = Vec::new();
    // Wrong rows come last, so that none covers their rings.
    drawn.sort_by_key(|(_, row)| row.is_wrong);
    for ((x, y), row) in &drawn {
        let (centre, style) = ((frame.x(*x), frame.y(*y)), subject.style(row.class));
        if row.is_wrong {
            shapes.push(Shape::Disc { centre, radius: size + 3.0, colour: INK });
            shapes.push(Shape::Disc { centre, radius: size + 1.8, colour: WHITE });
        }
        shapes.extend(style.marker.shapes(centre, size, style.colour));
    }
    Picture {
        kind: "principal components",
        area: frame.area,
        shapes: frame.around(shapes),
        shown: limits.map(|(low, high)| Shown::Limits { low, high }).to_vec(),
        outside: found.at.len() - n_inside,
        missing: 0,
        contributions: Vec::new(),
    }
}

fn words(
    subject: &Subject<'_>,
    found: &Components,
    rows: &[Row],
    (outside, drawn, inside): (usize, usize, usize),
    file: &str,
) -> Words {
    let n_wrong = rows.iter().filter(|row| row.is_wrong).count();
    let mut caption = format!("{file}: {}, {n_wrong} predicted wrongly.", count(rows.len()));
    if outside > 0 {
        caption.push_str(&format!(" {} outside the picture.", count(outside)));
    }
    if drawn < inside {
        caption.push_str(&format!(" {} drawn.", count(drawn)));
    }
    if found.n_missing > 0 {
        let cells = if found.n_missing == 1 { "cell is" } else { "cells are" };
        caption.push_str(&format!(" {} missing {cells} put at the mean.", found.n_missing));
    }
    Words {
        title: format!("{} on two principal components", subject.label),
        subtitle: format!(
            "of {} standardised columns of numbers; model {}",
            found.columns.len(),
            subject.model
        ),
        caption,
    }
}
