//! What a column says of the label.

use serde::Serialize;

/// The mutual information of a column and the label, over the rows in which both have a value.
///
/// `I = sum over x, y of p(x, y) ln(p(x, y) / (p(x) p(y)))`, in nats (Cover and Thomas 2006, *Elements of
/// Information Theory*, equation 2.28), with shares of rows for probabilities. Categories, and numbers of
/// which at most ten are different, count as they are; other numbers count by the tenth of the cells in which
/// they are, between deciles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Information {
    /// The mutual information, in nats.
    pub nats: f64,
    /// The same as a share of the entropy of the label (Theil's uncertainty coefficient): 1 if the column
    /// determines the label, 0 if the rows have one label only.
    pub share: f64,
    /// What a column that says nothing of the label would have on average: `(k - 1) (m - 1) / (2 n)` for `k`
    /// values, `m` labels and `n` rows (Miller 1955).
    pub by_chance: f64,
}

impl Information {
    /// From the number of rows for each value and label.
    pub(super) fn of(rows: &[Vec<u64>]) -> Option<Self> {
        let of_values: Vec<u64> = rows.iter().map(|row| row.iter().sum()).collect();
        let n_labels = rows.iter().map(Vec::len).max()?;
        let of_labels: Vec<u64> = (0..n_labels)
            .map(|label| rows.iter().map(|row| row.get(label).copied().unwrap_or(0)).sum())
            .collect();
        let n: u64 = of_values.iter().sum();
        if n == 0 {
            return None;
        }
        let total = n as f64;
        let mut nats = 0.0;
        for (row, &of_value) in rows.iter().zip(&of_values) {
            for (&both, &of_label) in row.iter().zip(&of_labels).filter(|(both, _)| **both > 0) {
                let both = both as f64;
                nats += both / total * (both * total / (of_value as f64 * of_label as f64)).ln();
            }
        }
        let occurring = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count() as f64;
        let by_chance = (occurring(&of_values) - 1.0) * (occurring(&of_labels) - 1.0) / (2.0 * total);
        // Rounding may leave a little below zero, or above the entropy.
        let entropy = entropy(&of_labels);
        let nats = nats.clamp(0.0, entropy);
        Some(Self { nats, share: if entropy > 0.0 { nats / entropy } else { 0.0 }, by_chance })
    }
}

/// The entropy of shares, in nats.
fn entropy(counts: &[u64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    let terms = counts.iter().filter(|&&count| count > 0).map(|&count| {
        let share = count as f64 / n;
        -share * share.ln()
    });
    terms.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let independent = Information::of(&[vec![10, 20], vec![30, 60]]).unwrap();
        assert!(independent.nats < 1e-15 && independent.by_chance == 1.0 / 240.0);
        let determined = Information::of(&[vec![50, 0], vec![0, 50]]).unwrap();
        assert!((determined.nats - std::f64::consts::LN_2).abs() < 1e-15);
        assert!((determined.share - 1.0).abs() < 1e-15);
        // H(Y) - H(Y | X) = ln 2 - (2/3) h(1/4) - (1/3) h(1) with h(p) the entropy of p and 1 - p.
        let some = Information::of(&[vec![15, 45], vec![30, 0], vec![0, 0]]).unwrap();
        let h = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
        assert!((some.nats - (std::f64::consts::LN_2 - 2.0 / 3.0 * h(0.25))).abs() < 1e-14);
        assert_eq!(Information::of(&[vec![7]]).map(|one| (one.nats, one.share)), Some((0.0, 0.0)));
        assert_eq!(Information::of(&[vec![0, 0]]), None);
        assert_eq!(Information::of(&[]), None);
    }
}
