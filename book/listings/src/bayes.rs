//! Bayes' rule, and a classifier.

use std::{collections::BTreeMap, fmt::Write};

use naive_bayes::{
    Categorical, NaiveBayes, Smoothing,
    datasets::{load, load_text},
    ndarray::array,
    report::{Axis, Lines, Point, Series},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    one_word(out)?;
    tennis(out)
}

fn one_word(out: &mut Output) -> Outcome {
    out.part("one-word");
    // ANCHOR: one-word
    let sms = load_text()?;
    let free = sms
        .vocabulary
        .binary_search(&"free".to_owned())
        .map_err(|_| "no such word")?;
    let mut messages = BTreeMap::from([("ham", 0.0), ("spam", 0.0)]);
    let mut with_free = messages.clone();
    for (row, label) in sms.y().into_iter().enumerate() {
        *messages.entry(label).or_default() += 1.0;
        if sms.indices[sms.indptr[row]..sms.indptr[row + 1]].contains(&free) {
            *with_free.entry(label).or_default() += 1.0;
        }
    }
    let prior = messages["spam"] / (messages["ham"] + messages["spam"]);
    let in_spam = with_free["spam"] / messages["spam"]; // P(free | spam)
    let in_ham = with_free["ham"] / messages["ham"]; // P(free | ham)
    let posterior =
        |prior: f64| in_spam * prior / (in_spam * prior + in_ham * (1.0 - prior));
    // ANCHOR_END: one-word
    let row = |kind: &str| {
        (with_free[kind], messages[kind] - with_free[kind], messages[kind])
    };
    writeln!(out, "           with \"free\"   without   messages")?;
    for kind in ["spam", "ham"] {
        let (with, without, all) = row(kind);
        writeln!(out, "{kind:<11}{with:>11}{without:>10}{all:>11}")?;
    }
    writeln!(out)?;
    writeln!(out, "messages       = {}", sms.n_rows())?;
    writeln!(out, "P(spam)        = {prior:.4}")?;
    writeln!(out, "P(free | spam) = {in_spam:.4}")?;
    writeln!(out, "P(free | ham)  = {in_ham:.4}")?;
    writeln!(out, "P(spam | free) = {:.4}", posterior(prior))?;
    writeln!(out, "ratio of likelihoods {:.1}", in_spam / in_ham)?;
    out.part("priors");
    for prior in [0.01, prior, 0.5] {
        writeln!(out, "prior {prior:.4}: posterior {:.4}", posterior(prior))?;
    }

    let mut lines = Lines::new(
        Axis::linear("P(spam)"),
        Axis::linear("P(spam | \"free\")").between(0.0, 1.0),
    );
    let curve = (0..=100)
        .map(|i| f64::from(i) / 100.0)
        .map(|prior| Point::new(prior, posterior(prior)));
    lines
        .series
        .push(Series::new("a message with \"free\"", curve).without_markers());
    let without = |prior: f64| {
        let (in_spam, in_ham) = (1.0 - in_spam, 1.0 - in_ham);
        in_spam * prior / (in_spam * prior + in_ham * (1.0 - prior))
    };
    let curve = (0..=100)
        .map(|i| f64::from(i) / 100.0)
        .map(|prior| Point::new(prior, without(prior)));
    lines.series.push(Series::new("a message without it", curve).without_markers());
    lines.vertical(prior, "share of spam in the data");
    out.picture("bayes-posterior", "From prior to posterior", "", lines);
    Ok(())
}

fn tennis(out: &mut Output) -> Outcome {
    out.part("by-hand");
    // ANCHOR: by-hand
    let days = load("playtennis")?;
    let (x, y) = (days.x(), days.y());
    let today = [2.0, 0.0, 0.0, 0.0]; // sunny, cool, high humidity, strong wind
    let mut joint = BTreeMap::new();
    for class in ["no", "yes"] {
        let rows: Vec<usize> =
            (0..y.len()).filter(|&row| y[row] == class).collect();
        let mut product = rows.len() as f64 / y.len() as f64;
        for (column, value) in today.iter().enumerate() {
            let n = rows.iter().filter(|&&row| x[[row, column]] == *value).count();
            product *= n as f64 / rows.len() as f64;
        }
        joint.insert(class, product);
    }
    let evidence = joint["no"] + joint["yes"];
    // ANCHOR_END: by-hand
    for (class, product) in &joint {
        writeln!(
            out,
            "{class:<4} joint {product:.4}   posterior {:.3}",
            product / evidence
        )?;
    }

    out.part("crate");
    // ANCHOR: crate
    let categorical = Categorical {
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        ..Categorical::default()
    };
    let classifier = NaiveBayes::new(categorical).fit(&x, &y)?;
    let today = array![today];
    writeln!(out, "label {:?}", classifier.predict(&today)?[0])?;
    writeln!(
        out,
        "posterior of \"no\" {:.3}",
        classifier.predict_proba(&today)?[[0, 0]]
    )?;
    // ANCHOR_END: crate
    Ok(())
}
