//! The probabilities of two-dependence estimators.

use nb_core::{
    error::{FamilyError, FamilyProblem},
    exact::{Exact, ExactSums},
    family::ClassSums,
};

use super::super::{PairCounts, pair_counts::pair, tables::log_ratio};
use crate::compensated::{Compensated, largest, others};

/// The place of three codes, the latest first, all counted over all columns.
pub(super) fn triple(c: usize, b: usize, a: usize) -> usize {
    n_triples(c as u64) as usize + b * b.saturating_sub(1) / 2 + a
}

/// How many triples there are of this number of codes; the largest number if there are more.
pub(super) fn n_triples(n_codes: u64) -> u64 {
    let n = u128::from(n_codes);
    u64::try_from(n.saturating_mul(n.saturating_sub(1)).saturating_mul(n.saturating_sub(2)) / 6)
        .unwrap_or(u64::MAX)
}

/// The value of a column in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    column: usize,
    /// Its number over all columns; `None` for a category that was not declared.
    code: Option<usize>,
}

/// Two values of a row that are the parents of all others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parents {
    earlier: Cell,
    later: Cell,
    /// Their place among the pairs.
    pair: usize,
}

/// Counts of two and three codes, and what is needed to make probabilities of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Triples {
    counts: PairCounts,
    starts: Vec<usize>,
    n_columns: usize,
    n_classes: usize,
    /// The weights of all pairs over all classes.
    weights: Vec<f64>,
    /// For two columns, the later first, the weight of the rows in which both are observed.
    observed: Vec<f64>,
    classes: Vec<OfClass>,
}

/// The counts of a class.
#[derive(Clone, Debug, PartialEq)]
struct OfClass {
    pairs: Vec<f64>,
    triples: Vec<f64>,
    /// For each pair and column the weight of the rows with both codes in which the column is observed.
    totals: Vec<f64>,
}

impl Triples {
    /// From the sums of each class, in label order.
    pub(super) fn new(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Result<Self, FamilyError> {
        let starts = counts.starts();
        let n_columns = starts.len();
        let columns: Vec<usize> = counts
            .n_codes()
            .enumerate()
            .flat_map(|(column, n_codes)| std::iter::repeat_n(column, n_codes))
            .collect();
        let n_pairs = pair(columns.len(), 0);
        // Over all classes exactly, so that the order of the classes decides on no parent.
        let weight =
            |place: usize| classes.iter().fold(Exact::ZERO, |sum, class| &sum + &class.part(0).get(place));
        let mut weights = Vec::with_capacity(n_pairs);
        let mut observed = vec![Exact::ZERO; pair(n_columns, 0)];
        for (c, &later) in columns.iter().enumerate() {
            for (b, &earlier) in columns[..=c].iter().enumerate() {
                let weight = weight(pair(c, b));
                weights.push(weight.to_f64());
                let sum = &mut observed[pair(later, earlier)];
                *sum = &*sum + &weight;
            }
        }
        let observed = observed.iter().map(Exact::to_f64).collect();
        let of_class = |(class, sums): (usize, &ClassSums<'_>)| {
            OfClass::new(&columns, n_columns, sums).map_err(|(code, problem)| FamilyError {
                class,
                column: columns[code],
                problem,
            })
        };
        let n_classes = classes.len();
        let classes = classes.iter().enumerate().map(of_class).collect::<Result<_, _>>()?;
        Ok(Self { counts: counts.clone(), starts, n_columns, n_classes, weights, observed, classes })
    }

    /// The values of a row whose cells were checked.
    pub(super) fn place(&self, codes: &[f64], cells: &mut Vec<Cell>) {
        cells.clear();
        cells.extend(codes.iter().enumerate().filter_map(|(column, &code)| {
            let n_codes = self.counts.codings.n_codes(column);
            let code = (!code.is_nan()).then_some(code as usize)?;
            let is_declared = code < n_codes;
            let is_value = is_declared || n_codes < self.counts.n_values_of(column);
            is_value.then(|| Cell { column, code: is_declared.then(|| self.starts[column] + code) })
        }));
    }

    /// The pairs of values that have together a training weight of at least `minimum_count`, and above zero.
    pub(super) fn parents(&self, cells: &[Cell], minimum_count: f64, parents: &mut Vec<Parents>) {
        parents.clear();
        for (position, &later) in cells.iter().enumerate() {
            for &earlier in &cells[..position] {
                let (Some(c), Some(b)) = (later.code, earlier.code) else { continue };
                let weight = self.weights[pair(c, b)];
                if weight > 0.0 && weight >= minimum_count {
                    parents.push(Parents { earlier, later, pair: pair(c, b) });
                }
            }
        }
    }

    /// `log P(y, x)` of a class: the logarithm of the mean over the parents, of which there is at least one
    /// pair.
    pub(super) fn log_joint(
        &self,
        class: usize,
        cells: &[Cell],
        parents: &[Parents],
        terms: &mut Vec<Compensated>,
    ) -> Compensated {
        terms.clear();
        terms.extend(parents.iter().map(|parents| self.log_of_parents(class, cells, parents)));
        let Some(best) = largest(terms) else {
            return Compensated::from(f64::NEG_INFINITY);
        };
        let mut mean = terms[best];
        mean.add(libm::log1p(others(terms, best)));
        mean.add(-libm::log(parents.len() as f64));
        mean
    }

    /// `log P(y, x_i, x_j) + Σ_k log P(x_k | y, x_i, x_j)`.
    fn log_of_parents(&self, class: usize, cells: &[Cell], parents: &Parents) -> Compensated {
        let own = &self.classes[class];
        let (earlier, later) = (parents.earlier.column, parents.later.column);
        let n_values = |column| self.counts.n_values_of(column);
        let n_joint = self.n_classes * n_values(earlier) * n_values(later);
        let l = f64::midpoint(
            self.counts.pseudo_count(earlier, n_joint),
            self.counts.pseudo_count(later, n_joint),
        );
        let total = self.observed[pair(later, earlier)] + l * n_joint as f64;
        let mut term = Compensated::from(log_ratio(own.pairs[parents.pair] + l, total));
        let totals = &own.totals[parents.pair * self.n_columns..][..self.n_columns];
        for child in cells.iter().filter(|child| child.column != earlier && child.column != later) {
            let n_values = n_values(child.column);
            let l = self.counts.pseudo_count(child.column, n_values);
            let count = own.count(parents, child);
            term.add(log_ratio(count + l, totals[child.column] + l * n_values as f64));
        }
        term
    }
}

impl OfClass {
    /// `columns` are those of all codes. An error has the number of a code.
    fn new(
        columns: &[usize],
        n_columns: usize,
        sums: &ClassSums<'_>,
    ) -> Result<Self, (usize, FamilyProblem)> {
        let n_codes = columns.len();
        let checked = |code: usize, part: &ExactSums, place: usize| {
            let count = part.get(place).to_f64();
            let is_count = count >= 0.0 && count.is_finite();
            if is_count { Ok(count) } else { Err((code, FamilyProblem::Impossible { sum: count })) }
        };
        let mut own = Self {
            pairs: Vec::with_capacity(pair(n_codes, 0)),
            triples: Vec::with_capacity(sums.part(1).len()),
            totals: vec![0.0; pair(n_codes, 0) * n_columns],
        };
        for c in 0..n_codes {
            for b in 0..=c {
                own.pairs.push(checked(c, sums.part(0), pair(c, b))?);
            }
            for b in 0..c {
                for a in 0..b {
                    let count = checked(c, sums.part(1), triple(c, b, a))?;
                    own.triples.push(count);
                    own.totals[pair(c, b) * n_columns + columns[a]] += count;
                    own.totals[pair(c, a) * n_columns + columns[b]] += count;
                    own.totals[pair(b, a) * n_columns + columns[c]] += count;
                }
            }
        }
        Ok(own)
    }

    /// How many rows have the values of the parents and of the child.
    fn count(&self, parents: &Parents, child: &Cell) -> f64 {
        let (Some(b), Some(c), Some(child_code)) = (parents.earlier.code, parents.later.code, child.code)
        else {
            return 0.0;
        };
        let place = if child.column > parents.later.column {
            triple(child_code, c, b)
        } else if child.column > parents.earlier.column {
            triple(c, child_code, b)
        } else {
            triple(c, b, child_code)
        };
        self.triples[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples_are_numbered_one_after_another() {
        let mut place = 0;
        for c in 0..7 {
            for b in 0..c {
                for a in 0..b {
                    assert_eq!(triple(c, b, a), place);
                    place += 1;
                }
            }
        }
        assert_eq!(n_triples(7), place as u64);
        assert_eq!([0, 1, 2, u64::MAX].map(n_triples), [0, 0, 0, u64::MAX]);
    }
}
