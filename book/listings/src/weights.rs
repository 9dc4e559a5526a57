//! Weights, corrections and pairs.

use std::fmt::Write;

use naive_bayes::{
    datasets::load,
    discriminative::{ColumnKind, Learner},
    ndarray::{Array2, Axis as Side, concatenate},
    report::{Axis, Dot, Dots},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("copies");
    // ANCHOR: copies
    let pima = load("pima")?;
    let glucose = pima.matrix(&["glucose"])?;
    let mut rows = Vec::new();
    for n_copies in [0, 3] {
        let copies = vec![glucose.view(); n_copies];
        let x = pima.x();
        let x = concatenate(Side(1), &[&[x.view()], &copies[..]].concat())?;
        let kinds = vec![ColumnKind::Numbers; x.ncols()];
        let learnt =
            Learner::default().weights_only().learn(&x, &kinds, &pima.labels, 2)?;
        let refined = Learner::default().learn(&x, &kinds, &pima.labels, 2)?;
        let (weights, all) = (learnt.summary.held_out, refined.summary.held_out);
        writeln!(
            out,
            "{n_copies} copies: held-out log-loss {weights:.4} by weights,"
        )?;
        writeln!(out, "          {all:.4} with corrections and pairs")?;
        rows.push(learnt.refinement.weights);
    }
    // ANCHOR_END: copies
    out.part("weights");
    let mut names: Vec<String> =
        pima.features().map(|column| column.name.clone()).collect();
    names.extend((1..=3).map(|copy| format!("glucose, copy {copy}")));
    writeln!(out, "{:<16}{:>8}{:>14}", "weight of", "alone", "with copies")?;
    for (place, name) in names.iter().enumerate() {
        let alone = rows[0]
            .get(place)
            .map_or(String::new(), |weight| format!("{weight:.3}"));
        writeln!(out, "{name:<16}{alone:>8}{:>14.3}", rows[1][place])?;
    }
    let mut dots = Dots::new(
        Axis::linear("weight").between(0.0, 1.5),
        "column",
        names.clone(),
    );
    dots.push(
        "as it is",
        (0..names.len()).map(|i| rows[0].get(i).map(|&w| Dot::new(w))),
    );
    dots.push(
        "with three copies of glucose",
        rows[1].iter().map(|&w| Some(Dot::new(w))),
    );
    out.picture("weights-copies", "Weights of columns on pima", "", dots);

    out.part("xor");
    // ANCHOR: xor
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let n = 1000;
    let x = Array2::from_shape_fn((n, 2), |_| rng.random::<f64>());
    // The label is whether the two are on the same side of one half, and wrong in
    // one of ten rows.
    let labels: Vec<usize> = x
        .rows()
        .into_iter()
        .map(|row| {
            usize::from((row[0] > 0.5) == (row[1] > 0.5))
                ^ usize::from(rng.random::<f64>() < 0.1)
        })
        .collect();
    let kinds = [ColumnKind::Numbers; 2];
    let weighted =
        Learner::default().weights_only().learn(&x, &kinds, &labels, 2)?;
    let refined = Learner::default().learn(&x, &kinds, &labels, 2)?;
    for (name, learnt) in [("weights", &weighted), ("with pairs", &refined)] {
        let (loss, accuracy) = (learnt.summary.held_out, learnt.summary.accuracy);
        let n = learnt.refinement.pairs.len();
        writeln!(
            out,
            "{name:<11} log-loss {loss:.4}, accuracy {accuracy:.3}, pairs {n}"
        )?;
    }
    // ANCHOR_END: xor
    let best: f64 = -(0.9_f64.ln() * 0.9 + 0.1_f64.ln() * 0.1);
    writeln!(
        out,
        "the best that there can be: log-loss {best:.4}, accuracy 0.900"
    )?;
    Ok(())
}
