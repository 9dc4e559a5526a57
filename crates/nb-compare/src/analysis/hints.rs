//! What may be behind results that look wrong.

use crate::{Analysis, Data, Measure};

impl Analysis<'_> {
    /// Hints for data sets on which every variant has an infinite log-loss: classes of a single row, which no
    /// training rows have when it is tested.
    pub fn hints(&self) -> Vec<String> {
        let is_infinite = |row: &Vec<crate::Cell>| {
            let mut losses = row.iter().filter_map(|cell| cell.mean(Measure::LogLoss)).peekable();
            losses.peek().is_some() && losses.all(f64::is_infinite)
        };
        let of_set = |(data, row): (&Data, &Vec<crate::Cell>)| {
            let single =
                data.classes.iter().filter(|(_, rows)| *rows == 1).map(|(class, _)| format!("{class:?}"));
            let single: Vec<String> = single.collect();
            (is_infinite(row) && !single.is_empty()).then(|| {
                let (classes, have) = if single.len() == 1 { ("class", "has") } else { ("classes", "have") };
                format!(
                    "{}: {classes} {} {have} a single row. When it is tested no training row has its class, so that its probability is 0 and the \
                     log-loss infinite for every variant; leave such rows out, or join their class with another.",
                    data.name,
                    single.join(", ")
                )
            })
        };
        self.comparison.data.iter().zip(&self.cells).filter_map(of_set).collect()
    }
}
