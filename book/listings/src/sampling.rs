//! Generating data.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes,
    datasets::load,
    ndarray::{Array2, s},
    report::{Axis, Ink, Layer, Mark, Plane},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("sample");
    // ANCHOR: sample
    let iris = load("iris")?;
    let (x, y) = (iris.x(), iris.y());
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (sampled, labels) = classifier.sample(5, &mut rng);
    for (row, label) in sampled.rows().into_iter().zip(labels) {
        writeln!(
            out,
            "{label:<11} {:.1} {:.1} {:.1} {:.1}",
            row[0], row[1], row[2], row[3]
        )?;
    }
    // ANCHOR_END: sample

    out.part("moments");
    // ANCHOR: moments
    let real = x.slice(s![50..100, 2..]).to_owned(); // versicolor: petal length and width
    let made = classifier
        .sample_class(&"versicolor", 5000, &mut rng)?
        .slice(s![.., 2..])
        .to_owned();
    for (name, rows) in [("the flowers", &real), ("the samples", &made)] {
        let (means, sds, correlation) = moments(rows);
        writeln!(
            out,
            "{name}: means {:.2} {:.2}, standard deviations {:.2} {:.2}, correlation {correlation:+.2}",
            means[0], means[1], sds[0], sds[1]
        )?;
    }
    // ANCHOR_END: moments

    let few = classifier
        .sample_class(&"versicolor", 50, &mut rng)?
        .slice(s![.., 2..])
        .to_owned();
    let mut plane = Plane::new(
        Axis::linear("petal length in cm").between(2.5, 6.0),
        Axis::linear("petal width in cm").between(0.8, 2.0),
    );
    for (number, (name, rows)) in
        [("flowers", &real), ("samples", &few)].into_iter().enumerate()
    {
        let at = rows.rows().into_iter().map(|row| (row[0], row[1])).collect();
        plane.push(Layer::new(
            name,
            Ink::Series(number),
            Mark::Points { at, area: 50.0 },
        ));
    }
    out.picture(
        "sampling-versicolor",
        "Fifty versicolor, and fifty rows that the model draws",
        "",
        plane,
    );

    out.part("again");
    // ANCHOR: again
    let (x, y) = classifier.sample(2000, &mut rng);
    let again = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
    let (old, new) = (classifier.likelihood().means(), again.likelihood().means());
    let difference =
        (&old - &new).iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
    writeln!(out, "largest difference of a mean: {difference:.3} cm")?;
    // ANCHOR_END: again
    Ok(())
}

/// Means, standard deviations and the correlation of two columns.
fn moments(rows: &Array2<f64>) -> ([f64; 2], [f64; 2], f64) {
    let n = rows.nrows() as f64;
    let means = [0, 1].map(|j| rows.column(j).sum() / n);
    let product = |i: usize, j: usize| {
        rows.rows()
            .into_iter()
            .map(|row| (row[i] - means[i]) * (row[j] - means[j]))
            .sum::<f64>()
            / n
    };
    let sds = [0, 1].map(|j| product(j, j).sqrt());
    (means, sds, product(0, 1) / (sds[0] * sds[1]))
}
