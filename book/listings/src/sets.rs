//! Sets of labels.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes,
    calibration::PredictionSets,
    datasets::load,
    report::{Axis, Lines, Point, Series},
};

use crate::{
    Outcome, Output,
    rows::{Table, shuffled},
};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("rank");
    // ANCHOR: rank
    let of_true_class = vec![0.9, 0.8, 0.95, 0.3, 0.7, 0.99, 0.6, 0.85, 0.4];
    let sets = PredictionSets::calibrated(of_true_class, 0.8)?;
    writeln!(
        out,
        "a class is in the set from the probability {} on",
        sets.least()
    )?;
    writeln!(out, "{:?}", sets.set(&[0.55_f64, 0.42, 0.03].map(f64::ln)))?;
    // ANCHOR_END: rank

    out.part("letters");
    let letters = load("letter")?;
    let table = Table { x: letters.x(), y: letters.labels.clone() };
    let coverages = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];
    let n_draws = 20;
    let (mut covered, mut sizes, mut empty) =
        (vec![Vec::new(); 7], [0.0; 7], [0; 7]);
    let mut right = 0.0;
    for draw in 0..n_draws {
        // ANCHOR: letters
        let rows = shuffled(table.y.len(), draw);
        let (train, rest) = rows.split_at(10_000);
        let (held_out, test) = rest.split_at(2_000);
        let (train, held_out, test) =
            (table.rows(train), table.rows(held_out), table.rows(test));
        let classifier =
            NaiveBayes::new(Gaussian::default()).fit(&train.x, &train.y)?;
        let posteriors = classifier.predict_proba(&held_out.x)?;
        let of_true_class: Vec<f64> = held_out
            .y
            .iter()
            .enumerate()
            .map(|(row, &y)| posteriors[[row, y]])
            .collect();
        // ANCHOR_END: letters
        let logs = classifier.predict_log_proba(&test.x)?;
        let n = test.y.len() as f64;
        for (place, coverage) in coverages.into_iter().enumerate() {
            let sets = PredictionSets::calibrated(of_true_class.clone(), coverage)?;
            let sets = logs
                .rows()
                .into_iter()
                .map(|row| sets.set(&row.to_vec()))
                .collect::<Vec<_>>();
            let n_covered =
                sets.iter().zip(&test.y).filter(|(set, y)| set.contains(y)).count();
            covered[place].push(100.0 * n_covered as f64 / n);
            sizes[place] += sets.iter().map(Vec::len).sum::<usize>() as f64
                / n
                / n_draws as f64;
            empty[place] += sets.iter().filter(|set| set.is_empty()).count();
        }
        let n_right = classifier
            .predict(&test.x)?
            .iter()
            .zip(&test.y)
            .filter(|(a, b)| a == b)
            .count();
        right += 100.0 * n_right as f64 / n / n_draws as f64;
    }
    writeln!(
        out,
        "coverage   covered, mean of {n_draws} draws   least   most   labels in a set   empty sets"
    )?;
    for (place, coverage) in coverages.into_iter().enumerate() {
        let draws = &covered[place];
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let (least, most) = draws
            .iter()
            .fold((100.0_f64, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
        let empty = 100.0 * empty[place] as f64 / (8_000 * n_draws) as f64;
        writeln!(
            out,
            "{coverage:<8}{mean:>20.1} %{least:>16.1} {most:>7.1}{:>14.2}{empty:>15.1} %",
            sizes[place]
        )?;
    }
    writeln!(
        out,
        "the most probable label alone is right in {right:.1} % of 8000 rows"
    )?;
    let points = coverages
        .iter()
        .zip(sizes)
        .map(|(&coverage, size)| Point::new(coverage, size));
    let mut lines = Lines::new(
        Axis::linear("nominal coverage"),
        Axis::linear("labels in a set, mean"),
    );
    lines.series.push(Series::new("letter, 26 classes", points));
    out.picture(
        "sets-size",
        "What certainty costs",
        "Sets of 8,000 letters, means of 20 draws.",
        lines,
    );
    Ok(())
}
