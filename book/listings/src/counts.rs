//! Counts: the multinomial model of texts.

use std::fmt::Write;

use naive_bayes::{
    Bernoulli, Multinomial, NaiveBayes,
    datasets::{load, load_text},
    nb_core::{CsrView, RowSubset},
    ndarray::array,
    report::{Axis, Dot, Dots},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("china");
    // ANCHOR: china
    let china = load("iir_china")?; // Beijing, Chinese, Japan, Macao, Shanghai, Tokyo
    let (x, y) = (china.x(), china.y());
    let document = array![[0.0, 3.0, 1.0, 0.0, 0.0, 1.0]]; // Chinese Chinese Chinese Tokyo Japan
    let multinomial = NaiveBayes::new(Multinomial::default()).fit(&x, &y)?; // l = 1
    let logs = multinomial.likelihood().log_probabilities();
    for (class, name) in multinomial.classes().iter().enumerate() {
        let theta = |term: usize| logs[[class, term]].exp();
        writeln!(
            out,
            "{name:<4} theta: Chinese {:.4}, Japan {:.4}, Tokyo {:.4}",
            theta(1),
            theta(2),
            theta(5)
        )?;
    }
    let joint = multinomial.joint_log_likelihood(&document)?;
    writeln!(
        out,
        "joint: no {:.5}, yes {:.5}",
        joint[[0, 0]].exp(),
        joint[[0, 1]].exp()
    )?;
    writeln!(
        out,
        "posterior of yes {:.4}",
        multinomial.predict_proba(&document)?[[0, 1]]
    )?;
    // ANCHOR_END: china
    out.part("bernoulli");
    // ANCHOR: bernoulli
    let present = |counts: &naive_bayes::ndarray::Array2<f64>| {
        counts.mapv(|n| f64::from(u8::from(n > 0.0)))
    };
    let bernoulli = NaiveBayes::new(Bernoulli::default()).fit(&present(&x), &y)?;
    let joint = bernoulli.joint_log_likelihood(&present(&document))?;
    writeln!(
        out,
        "joint: no {:.4}, yes {:.4}",
        joint[[0, 0]].exp(),
        joint[[0, 1]].exp()
    )?;
    writeln!(
        out,
        "posterior of yes {:.4}",
        bernoulli.predict_proba(&present(&document))?[[0, 1]]
    )?;
    // ANCHOR_END: bernoulli
    sms(out)
}

fn sms(out: &mut Output) -> Outcome {
    out.part("sms");
    // ANCHOR: sms
    let sms = load_text()?;
    let x = CsrView::new(sms.n_terms(), &sms.indptr, &sms.indices, &sms.values)?;
    let y = sms.y();
    let (test, train): (Vec<usize>, Vec<usize>) =
        (0..y.len()).partition(|message| message % 5 == 0);
    let labels_of =
        |rows: &[usize]| rows.iter().map(|&row| y[row]).collect::<Vec<_>>();
    let rows = |numbers| RowSubset::new(&x, numbers).expect("rows of x");
    let classifier = NaiveBayes::new(Multinomial::default())
        .fit(&rows(&train), &labels_of(&train))?;
    let predicted = classifier.predict(&rows(&test))?;
    let truth = labels_of(&test);
    let count = |label: &str, as_label: &str| {
        truth
            .iter()
            .zip(&predicted)
            .filter(|(truth, predicted)| {
                **truth == label && **predicted == as_label
            })
            .count()
    };
    writeln!(
        out,
        "{} messages: {} learnt from, {} held out; {} terms",
        y.len(),
        train.len(),
        test.len(),
        sms.n_terms()
    )?;
    for label in ["ham", "spam"] {
        writeln!(
            out,
            "{label:<5} predicted ham {:>4}, spam {:>4}",
            count(label, "ham"),
            count(label, "spam")
        )?;
    }
    writeln!(out, "right {}", count("ham", "ham") + count("spam", "spam"))?;
    // ANCHOR_END: sms

    out.part("words");
    // ANCHOR: words
    let logs = classifier.likelihood().log_probabilities();
    let log_odds = |term: usize| logs[[1, term]] - logs[[0, term]];
    let mut terms: Vec<usize> = (0..sms.n_terms())
        .filter(|&term| sms.document_frequency[term] >= 50)
        .collect();
    terms.sort_by(|&a, &b| log_odds(a).total_cmp(&log_odds(b)));
    // ANCHOR_END: words
    let shown: Vec<usize> = terms
        .iter()
        .rev()
        .take(10)
        .chain(terms.iter().take(10).rev())
        .copied()
        .collect();
    for &term in &shown {
        writeln!(out, "{:<10}{:>7.2}", sms.vocabulary[term], log_odds(term))?;
    }
    let names = shown.iter().map(|&term| sms.vocabulary[term].clone());
    let mut dots = Dots::new(
        Axis::linear("log-odds of spam, for one occurrence"),
        "word",
        names,
    );
    dots.push(
        "multinomial, l = 1",
        shown.iter().map(|&term| Some(Dot::new(log_odds(term)))),
    );
    out.picture(
        "counts-words",
        "Words that say most",
        "Of the words in at least 50 messages.",
        dots,
    );
    Ok(())
}
