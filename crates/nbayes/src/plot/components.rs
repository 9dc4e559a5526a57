//! Rows on their first two principal components.

use nb_report::{Axis, Ink, Layer, Mark, Plane};

use super::{
    limits,
    pca::Components,
    picture::{Picture, Shown, Subject, Words},
    sample::count,
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
pub(crate) fn components(subject: &Subject<'_>, found: &Components<2>, rows: &[Row], file: &str) -> Picture {
    let limits = [0, 1].map(|place| {
        let of = |at: &[f64; 2]| at[place];
        limits::of_groups(&[found.at.iter().map(of).collect()]).unwrap_or((-1.0, 1.0))
    });
    let inside = |(x, y): (f64, f64)| {
        (limits[0].0..=limits[0].1).contains(&x) && (limits[1].0..=limits[1].1).contains(&y)
    };
    let n_inside = found.at.iter().filter(|&&[x, y]| inside((x, y))).count();
    let mut number = 0;
    let mut drawn: Vec<((f64, f64), Row)> =
        found.at.iter().map(|&[x, y]| (x, y)).zip(rows.iter().copied()).collect();
    drawn.retain(|(at, _)| {
        if !inside(*at) {
            return false;
        }
        number += 1;
        // Evenly spread: those where the count of points to draw goes up.
        let n = n_inside.max(MOST_POINTS);
        number * MOST_POINTS / n > (number - 1) * MOST_POINTS / n
    });
    let [x, y] = [0, 1].map(|place| {
        let name = format!("component {} ({:.1} % of the variance)", place + 1, 100.0 * found.shares[place]);
        Axis::linear(name).between(limits[place].0, limits[place].1)
    });
    let words = words(subject, found, rows, (found.at.len() - n_inside, drawn.len(), n_inside), file);
    let mut plane = Plane { series: subject.label.into(), ..Plane::new(x, y) };
    let is_dense = drawn.len() > 500;
    let area = if is_dense { 13.0 } else { 40.0 };
    // Wrong rows come last, so that none covers their rings; else in the order of the rows, so that no class
    // covers another.
    drawn.sort_by_key(|(_, row)| row.is_wrong);
    for run in drawn.chunk_by(|a, b| a.1.class == b.1.class) {
        let at = run.iter().map(|(at, _)| *at).collect();
        plane.push(subject.layer(run[0].1.class, Mark::Points { at, area }));
    }
    if rows.iter().any(|row| row.is_wrong) {
        let at = drawn.iter().filter(|(_, row)| row.is_wrong).map(|(at, _)| *at).collect();
        let mark = if is_dense { Mark::Points { at, area: 30.0 } } else { Mark::Rings(at) };
        plane.push(Layer::new("wrongly predicted", Ink::Dark, mark));
    }
    Picture {
        kind: "principal components",
        drawn: words.around(plane),
        shown: limits.map(|(low, high)| Shown::Limits { low, high }).to_vec(),
        outside: found.at.len() - n_inside,
        missing: 0,
        contributions: Vec::new(),
    }
}

fn words(
    subject: &Subject<'_>,
    found: &Components<2>,
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
