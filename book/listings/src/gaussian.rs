//! Numbers: the Gaussian model and its boundaries.

use std::fmt::Write;

use naive_bayes::{
    Classifier, Gaussian, NaiveBayes,
    datasets::load,
    linear::{SharedGaussian, gaussian_crossings},
    nb_core::Likelihood,
    ndarray::Array2,
    report::{Axis, Ink, Layer, Mark, Plane},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    one_dimension(out)?;
    two_dimensions(out)
}

fn one_dimension(out: &mut Output) -> Outcome {
    out.part("crossings");
    // ANCHOR: crossings
    let iris = load("iris")?;
    let keep: Vec<usize> = (0..150).filter(|&row| iris.labels[row] != 0).collect(); // without setosa
    let x = iris
        .matrix(&["petal_width_cm"])?
        .select(naive_bayes::ndarray::Axis(0), &keep);
    let y: Vec<&str> = keep.iter().map(|&row| iris.y()[row]).collect();
    let own = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
    let shared = NaiveBayes::new(SharedGaussian::default()).fit(&x, &y)?;
    let (means, variances) =
        (own.likelihood().means(), own.likelihood().variances());
    for (class, name) in own.classes().iter().enumerate() {
        writeln!(
            out,
            "{name:<11} mean {:.3}  variance {:.5}",
            means[[class, 0]],
            variances[[class, 0]]
        )?;
    }
    writeln!(out, "shared variance {:.5}", shared.likelihood().variances()[0])?;
    let points = gaussian_crossings(&own, 1, 0, 0, &[0.0])?;
    writeln!(
        out,
        "own variances: equal posteriors at {:.4} and {:.4} cm",
        points[0], points[1]
    )?;
    let midpoint = f64::midpoint(means[[0, 0]], means[[1, 0]]);
    writeln!(
        out,
        "one variance:  equal posteriors at {midpoint:.4} cm, the middle of the means"
    )?;
    // ANCHOR_END: crossings

    let mut plane = Plane::new(
        Axis::linear("petal width in cm").between(-1.0, 3.5),
        Axis::linear("prior times density").between(0.0, 1.2),
    );
    for (class, name) in own.classes().iter().enumerate() {
        let density =
            |at: f64| 0.5 * own.likelihood().log_likelihood(class, 0, at).exp();
        let curve = (0..=450)
            .map(|i| f64::from(i) / 100.0 - 1.0)
            .map(|at| (at, density(at)));
        plane.push(Layer::new(
            *name,
            Ink::Series(class),
            Mark::Curve(curve.collect()),
        ));
    }
    for at in &points {
        let line = vec![(*at, 0.0), (*at, 1.2)];
        plane.push(Layer::new("equal posteriors", Ink::Dark, Mark::Border(line)));
    }
    out.picture(
        "gaussian-crossings",
        "Two normal densities cross twice",
        "",
        plane,
    );
    Ok(())
}

fn two_dimensions(out: &mut Output) -> Outcome {
    let iris = load("iris")?;
    let x = iris.matrix(&["petal_length_cm", "petal_width_cm"])?;
    let y = iris.y();
    let quadratic = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
    let linear = NaiveBayes::new(SharedGaussian::default()).fit(&x, &y)?;
    out.part("regions");
    let right =
        |labels: Vec<&str>| labels.iter().zip(&y).filter(|(a, b)| a == b).count();
    writeln!(out, "own variances: {} of 150 right", right(quadratic.predict(&x)?))?;
    writeln!(
        out,
        "one variance a column: {} of 150 right",
        right(linear.predict(&x)?)
    )?;
    regions(
        out,
        "gaussian-quadratic",
        "Own variances: curved boundaries",
        &quadratic,
        &x,
        &y,
    )?;
    regions(
        out,
        "gaussian-linear",
        "One variance a column: straight boundaries",
        &linear,
        &x,
        &y,
    )
}

/// Draws which class is the most probable one, in small cells, and the rows.
fn regions<F: Likelihood>(
    out: &mut Output,
    file: &str,
    title: &str,
    classifier: &Classifier<&str, F>,
    x: &Array2<f64>,
    y: &[&str],
) -> Outcome {
    let (low, high) = ([0.5, -0.2], [7.5, 3.0]);
    let n_cells = 140;
    let step = [0, 1].map(|axis| (high[axis] - low[axis]) / f64::from(n_cells));
    let mut plane = Plane::new(
        Axis::linear("petal length in cm").between(low[0], high[0]),
        Axis::linear("petal width in cm").between(low[1], high[1]),
    );
    // Strips of cells with the same class.
    for i in 0..n_cells {
        let left = low[0] + f64::from(i) * step[0];
        let centres = (0..n_cells).map(|j| {
            [left + step[0] / 2.0, low[1] + (f64::from(j) + 0.5) * step[1]]
        });
        let labels =
            classifier.predict(&Array2::from(centres.collect::<Vec<_>>()))?;
        let mut from = 0;
        for to in 1..=labels.len() {
            if to == labels.len() || labels[to] != labels[from] {
                let class = classifier
                    .classes()
                    .iter()
                    .position(|class| *class == labels[from])
                    .unwrap_or(0);
                let (bottom, top) =
                    (low[1] + from as f64 * step[1], low[1] + to as f64 * step[1]);
                // Wider than the strip, as the next one hides what is too much: no
                // gaps show.
                let right = (left + 1.5 * step[0]).min(high[0]);
                let corners = vec![
                    (left, bottom),
                    (right, bottom),
                    (right, top),
                    (left, top),
                ];
                plane.push(Layer::new(
                    labels[from],
                    Ink::Series(class),
                    Mark::Region(corners),
                ));
                from = to;
            }
        }
    }
    for (class, name) in classifier.classes().iter().enumerate() {
        let rows = x.rows().into_iter().zip(y).filter(|(_, label)| *label == name);
        let at = rows.map(|(row, _)| (row[0], row[1])).collect();
        plane.push(Layer::new(
            *name,
            Ink::Series(class),
            Mark::Points { at, area: 40.0 },
        ));
    }
    out.picture(file, title, "The rows are those of iris.", plane);
    Ok(())
}
