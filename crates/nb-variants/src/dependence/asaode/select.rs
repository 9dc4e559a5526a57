//! Which columns are parents and children, by leave-one-out cross-validation.

use nb_core::{
    Rows,
    exact::ExactSums,
    family::{BlockBuffer, ClassSums},
};

use super::super::{
    PairCounts,
    held_out::{first_least, squared_loss},
    information,
    pair_counts::pair,
    tables::log_ratio,
};

/// Rows that are looked at together.
const CHUNK: usize = 1024;

/// Whether each column is a parent, and whether it is a child.
pub(super) fn select(
    counts: &PairCounts,
    minimum_count: f64,
    classes: &[ClassSums<'_>],
    (rows, labels): (&(impl Rows + ?Sized), &[usize]),
) -> (Vec<bool>, Vec<bool>) {
    let with_class = information::with_class(counts, classes);
    let n_columns = with_class.len();
    let mut order: Vec<usize> = (0..n_columns).collect();
    order.sort_by(|&a, &b| with_class[b].total_cmp(&with_class[a]));
    let held_out = HeldOut::new(counts, minimum_count, classes, &order);
    // Exact, so that the order of the rows does not matter.
    let mut losses = ExactSums::new(n_columns * n_columns);
    let mut of_row = vec![0.0; n_columns * n_columns];
    let all: Vec<usize> = (0..rows.n_rows()).collect();
    let mut buffer = BlockBuffer::default();
    for chunk in all.chunks(CHUNK) {
        rows.copy_rows(chunk, &mut buffer);
        buffer.block().for_each_row(|place, cells| {
            held_out.losses(labels[chunk[place]], cells, &mut of_row);
            of_row.iter().enumerate().for_each(|(tried, &loss)| losses.add(tried, loss));
        });
    }
    let best = first_least(&losses, rows.n_rows());
    let mut roles = [vec![false; n_columns], vec![false; n_columns]];
    if let (Some(parents), Some(children)) = (best.checked_div(n_columns), best.checked_rem(n_columns)) {
        for (role, last) in roles.iter_mut().zip([parents, children]) {
            for &column in &order[..=last] {
                role[column] = true;
            }
        }
    }
    let [parents, children] = roles;
    (parents, children)
}

/// Logarithms of estimates, each from all rows and from all but one of those that it is counted from.
struct HeldOut<'a> {
    counts: &'a PairCounts,
    minimum_count: f64,
    order: &'a [usize],
    starts: Vec<usize>,
    /// The number of codes of all columns together.
    width: usize,
    /// How many rows have each code.
    weights: Vec<f64>,
    /// How many rows each class has.
    n_rows: Vec<f64>,
    /// Of each class; the second of each pair is without a row.
    classes: Vec<[Logs; 2]>,
}

/// Logarithms of estimates of a class.
struct Logs {
    /// `log P(y, x_i)` by code. Without a row, the column is observed in one row less, in every class.
    joint: Vec<f64>,
    /// `log P(x_j | y, x_i)`: a row of codes `x_j` for each `x_i`.
    conditional: Vec<f64>,
    /// `log P(x_j | y)` by code.
    single: Vec<f64>,
}

impl<'a> HeldOut<'a> {
    fn new(
        counts: &'a PairCounts,
        minimum_count: f64,
        classes: &[ClassSums<'_>],
        order: &'a [usize],
    ) -> Self {
        let starts = counts.starts();
        let width: usize = counts.n_codes().sum();
        let squares: Vec<Vec<f64>> = classes
            .iter()
            .map(|class| {
                let count = |place: usize| {
                    let (a, b) = (place / width.max(1), place % width.max(1));
                    class.part(0).get(pair(a.max(b), a.min(b))).to_f64()
                };
                (0..width * width).map(count).collect()
            })
            .collect();
        let weights: Vec<f64> =
            (0..width).map(|code| squares.iter().map(|square| square[code * width + code]).sum()).collect();
        let mut held_out = Self {
            counts,
            minimum_count,
            order,
            starts,
            width,
            weights,
            n_rows: classes.iter().map(|class| class.weight().to_f64()).collect(),
            classes: Vec::new(),
        };
        held_out.classes =
            squares.iter().map(|square| [0.0, 1.0].map(|without| held_out.logs(square, without))).collect();
        held_out
    }

    /// The codes of a column among all.
    fn codes(&self, column: usize) -> std::ops::Range<usize> {
        let start = self.starts[column];
        start..start + self.counts.codings.n_codes(column)
    }

    /// The estimates of a class from these counts, with `without` rows less in those that the row is part of.
    fn logs(&self, square: &[f64], without: f64) -> Logs {
        let (width, n_classes) = (self.width, self.n_rows.len());
        let n_columns = self.starts.len();
        let (mut joint, mut single) = (vec![0.0; width], vec![0.0; width]);
        let mut conditional = vec![0.0; width * width];
        for column in 0..n_columns {
            let n_values = self.counts.n_values_of(column);
            let l = self.counts.pseudo_count(column, n_values);
            // Of the class, and of all classes: there a row is always left out.
            let of_class: f64 = self.codes(column).map(|code| square[code * width + code]).sum();
            let of_all: f64 = self.codes(column).map(|code| self.weights[code]).sum();
            let n_joint = n_classes * n_values;
            let of_one = self.counts.pseudo_count(column, n_joint);
            for code in self.codes(column) {
                let own = square[code * width + code] - without;
                joint[code] = log_ratio(own + of_one, of_all - 1.0 + of_one * n_joint as f64);
                single[code] = log_ratio(own + l, of_class - without + l * n_values as f64);
            }
            for parent in 0..width {
                let row = &square[parent * width..][..width];
                let total = row[self.codes(column)].iter().sum::<f64>() - without + l * n_values as f64;
                for code in self.codes(column) {
                    conditional[parent * width + code] = log_ratio(row[code] - without + l, total);
                }
            }
        }
        Logs { joint, conditional, single }
    }

    /// `(1 - P(y | x))²` of a row of this class, with the first `r` columns as parents and the first `s` as
    /// children, for each `r` (rows) and `s`.
    fn losses(&self, own: usize, cells: &[f64], losses: &mut [f64]) {
        let (n_columns, n_classes) = (self.order.len(), self.n_rows.len());
        let code = |&column: &usize| {
            let value = cells[column];
            (!value.is_nan()).then(|| self.starts[column] + self.counts.codings.code(column, value) as usize)
        };
        let codes: Vec<Option<usize>> = self.order.iter().map(code).collect();
        let is_parent = |code: usize| {
            let others = self.weights[code] - 1.0;
            others > 0.0 && others >= self.minimum_count
        };
        let logs = |class: usize| &self.classes[class][usize::from(class == own)];
        let prior = |class: usize| libm::log(self.n_rows[class] - f64::from(u8::from(class == own)));
        // `log P(y, x_i) Π P(x_j | y, x_i)` of each parent and class, with the children so far, and the same
        // of naive Bayes.
        let mut of_parents: Vec<Option<Vec<f64>>> = codes
            .iter()
            .map(|code| {
                let code = code.filter(|&code| is_parent(code))?;
                Some((0..n_classes).map(|class| logs(class).joint[code]).collect())
            })
            .collect();
        let mut of_bayes: Vec<f64> = (0..n_classes).map(prior).collect();
        let mut joint = vec![(0.0, 0.0); n_classes];
        for (child, &code) in codes.iter().enumerate() {
            if let Some(code) = code {
                for (class, score) in of_bayes.iter_mut().enumerate() {
                    *score += logs(class).single[code];
                }
                let others =
                    of_parents.iter_mut().zip(&codes).enumerate().filter(|(place, _)| *place != child);
                for (_, (of_parent, parent)) in others {
                    let (Some(of_parent), Some(parent)) = (of_parent, parent) else { continue };
                    for (class, score) in of_parent.iter_mut().enumerate() {
                        *score += logs(class).conditional[parent * self.width + code];
                    }
                }
            }
            let mut n_parents = 0;
            joint.fill((f64::NEG_INFINITY, 0.0));
            for (last, of_parent) in of_parents.iter().enumerate() {
                if let Some(of_parent) = of_parent {
                    n_parents += 1;
                    joint.iter_mut().zip(of_parent).for_each(|(sum, &term)| add(sum, term));
                }
                // A class whose only row is left out is none.
                if self.n_rows[own] <= 1.0 {
                    losses[last * n_columns + child] = 1.0;
                } else if n_parents > 0 {
                    losses[last * n_columns + child] = squared_loss(&joint, own);
                } else {
                    let scores: Vec<(f64, f64)> = of_bayes.iter().map(|&score| (score, 1.0)).collect();
                    losses[last * n_columns + child] = squared_loss(&scores, own);
                }
            }
        }
    }
}

/// Adds a number, given as its logarithm, to a multiple of a scale.
fn add((scale, factor): &mut (f64, f64), term: f64) {
    if term > *scale {
        *factor = *factor * libm::exp(*scale - term) + 1.0;
        *scale = term;
    } else if term > f64::NEG_INFINITY {
        *factor += libm::exp(term - *scale);
    }
}
