//! Calibration.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes,
    calibration::{
        Calibrated, Calibration, Calibrator, HeldOutScores, Temperature,
    },
    datasets::load,
    metrics::Measures,
    report::{Reliability, ReliabilityPoint},
};

use crate::{
    Outcome, Output,
    rows::{Table, measures},
};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("before");
    // ANCHOR: before
    let letters = load("letter")?;
    let (train, test) =
        Table { x: letters.x(), y: letters.labels.clone() }.split(3);
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let plain = naive_bayes.fit(&train.x, &train.y)?;
    let before = measures(&plain.predict_log_proba(&test.x)?, &test.y)?;
    writeln!(out, "plain       {}", in_words(&before))?;
    // ANCHOR_END: before
    out.part("after");
    // ANCHOR: after
    let mut after = Vec::new();
    for map in [Calibration::Temperature, Calibration::Platt, Calibration::Isotonic]
    {
        let calibrated = Calibrated::new(naive_bayes.clone(), map, 10)
            .fit(&train.x, &train.y)?;
        let found = measures(&calibrated.predict_log_proba(&test.x)?, &test.y)?;
        writeln!(out, "{:<12}{}", format!("{map:?}"), in_words(&found))?;
        after.push(found);
    }
    // ANCHOR_END: after
    out.part("temperature");
    // ANCHOR: temperature
    let held_out = HeldOutScores::new(&naive_bayes, &train.x, &train.y, None, 10)?;
    let map =
        Temperature.fit(held_out.log_posteriors.view(), &held_out.truth, None)?;
    writeln!(
        out,
        "temperature {:.2}: log-odds are multiplied by {:.4}",
        map.temperature(),
        map.inverse_temperature()
    )?;
    // ANCHOR_END: temperature

    let mut reliability = Reliability::default();
    for (name, measures) in [("plain", &before), ("isotonic", &after[2])] {
        let points = measures.reliability.iter().filter(|bin| bin.rows.rows >= 10);
        reliability.push(
            name,
            points.map(|bin| {
                ReliabilityPoint::new(
                    bin.confidence,
                    bin.accuracy,
                    bin.rows.rows as f64,
                )
                .between(bin.interval.lower, bin.interval.upper)
            }),
        );
    }
    let caption =
        "Held-out rows of letter, by the probability of the predicted class.";
    out.picture(
        "calibration-reliability",
        "As often right as they say?",
        caption,
        reliability,
    );

    out.part("hard");
    // ANCHOR: hard
    let spam = load("spam")?;
    let (train, test) = Table { x: spam.x(), y: spam.labels.clone() }.split(3);
    let plain = naive_bayes.fit(&train.x, &train.y)?;
    let found = measures(&plain.predict_log_proba(&test.x)?, &test.y)?;
    writeln!(out, "plain       {}", in_words(&found))?;
    for map in [Calibration::Temperature, Calibration::Isotonic] {
        let calibrated = Calibrated::new(naive_bayes.clone(), map, 10)
            .fit(&train.x, &train.y)?;
        let found = measures(&calibrated.predict_log_proba(&test.x)?, &test.y)?;
        writeln!(out, "{:<12}{}", format!("{map:?}"), in_words(&found))?;
    }
    // ANCHOR_END: hard
    let largest = plain
        .joint_log_likelihood(&test.x)?
        .rows()
        .into_iter()
        .zip(&test.y)
        .fold(0.0_f64, |largest, (row, &y)| largest.max(row[1 - y] - row[y]));
    writeln!(out, "the worst row has log-odds of {largest:.0} against its class")?;
    Ok(())
}

fn in_words(measures: &Measures) -> String {
    let value = |measure: Option<f64>| measure.unwrap_or(f64::NAN);
    format!(
        "log-loss {:.3}, accuracy {:.3}, expected calibration error {:.3}",
        value(measures.log_loss),
        value(measures.accuracy),
        value(measures.expected_calibration_error)
    )
}
