//! Weights and costs as they are written.

use std::path::Path;

use anyhow::{Result, bail};
use nb_io::{Column, Kind, Schema};

use crate::{
    data::{Input, Purpose, ReadArgs, Wanted},
    design::pairs,
    failure::usage,
    output::{Screen, quoted_list},
};

/// A weight for each class: those that are given, and 1.
pub(super) fn weights(text: &str, classes: &[String]) -> Result<Vec<f64>> {
    let Some(given) = pairs(text) else {
        return Err(usage(
            "--weights must be label=weight,label=weight,...; quote a label that has a comma: '\"a,b\"=2'",
        ));
    };
    let mut weights = vec![1.0; classes.len()];
    for (label, weight) in given {
        weights[place(&label, classes)?] = weight;
    }
    Ok(weights)
}

/// A cost for each predicted and each actual class: those that are given, else 1 for a mistake and 0 for a
/// right answer.
pub(super) fn costs(text: &str, classes: &[String], screen: Screen) -> Result<Vec<f64>> {
    let n_classes = classes.len();
    let mut costs: Vec<f64> =
        (0..n_classes * n_classes).map(|place| f64::from(u8::from(place % (n_classes + 1) != 0))).collect();
    if Path::new(text).is_file() {
        for (predicted, actual, cost) in of_file(text, screen)? {
            costs[place(&predicted, classes)? * n_classes + place(&actual, classes)?] = cost;
        }
        return Ok(costs);
    }
    let Some(given) = pairs(text) else {
        return Err(usage(
            "--costs must be predicted|actual=cost,predicted|actual=cost,..., or a CSV file with the columns predicted, actual and cost",
        ));
    };
    for (pair, cost) in given {
        // A label may have the character, too.
        let ways = pair.match_indices('|').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
        let ways: Vec<(&str, &str)> = ways.collect();
        let known: Vec<_> = ways
            .iter()
            .filter_map(|(predicted, actual)| {
                Some((place(predicted, classes).ok()?, place(actual, classes).ok()?))
            })
            .collect();
        match (&known[..], &ways[..]) {
            ([(predicted, actual)], _) => costs[predicted * n_classes + actual] = cost,
            ([], [(predicted, actual)]) => {
                place(predicted, classes)?;
                place(actual, classes)?;
            }
            _ => {
                return Err(usage(format!(
                    "--costs: {pair:?} is not one predicted and one actual class with | between them"
                )));
            }
        }
    }
    Ok(costs)
}

/// The place of a class.
pub(super) fn place(label: &str, classes: &[String]) -> Result<usize> {
    let found = classes.iter().position(|class| class == label.trim());
    found.ok_or_else(|| {
        usage(format!("the model has no class {:?}; its classes are {}", label.trim(), quoted_list(classes)))
    })
}

/// The costs in a file.
fn of_file(name: &str, screen: Screen) -> Result<Vec<(String, String, f64)>> {
    let names = ["predicted".to_owned(), "actual".to_owned(), "cost".to_owned()];
    let column = Column { name: names[2].clone(), kind: Kind::Numeric };
    let schema = Schema { columns: vec![column], label: "\0".into() };
    let input = Input::find(name)?;
    let wanted = Wanted { ids: &names, ..Wanted::default() };
    let read = ReadArgs::default();
    let mut reader = read.open(&input, &schema, wanted, Purpose::Predict, screen)?;
    let mut costs = Vec::new();
    while let Some(chunk) = reader.next_chunk()? {
        for row in 0..chunk.ids[0].len() {
            let [predicted, actual, cost] = [0, 1, 2].map(|column: usize| chunk.ids[column][row].clone());
            let Ok(number) = cost.parse() else {
                bail!("{name}, row {}, column \"cost\": {cost:?} is not a number", chunk.first_row + row + 1);
            };
            costs.push((predicted, actual, number));
        }
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_and_costs_are_given_by_label() {
        let classes = ["a|b", "c", "d"].map(String::from);
        let screen = Screen::new(false, true);
        assert_eq!(weights("c=5", &classes).unwrap(), [1.0, 5.0, 1.0]);
        assert!(weights("x=5", &classes).is_err() && weights("c", &classes).is_err());
        assert_eq!(
            costs("c|d=5,a|b|c=7", &classes, screen).unwrap(),
            [0.0, 7.0, 1.0, 1.0, 0.0, 5.0, 1.0, 1.0, 0.0]
        );
        assert!(costs("c|x=5", &classes, screen).is_err() && costs("c=5", &classes, screen).is_err());
    }
}
