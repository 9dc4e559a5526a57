//! The probabilities of one-dependence estimators, as tables of logarithms.

use nb_core::{
    Unseen,
    error::{FamilyError, FamilyProblem},
    exact::{Exact, ExactSums},
    family::ClassSums,
};

use super::{PairCounts, pair_counts::pair};
use crate::compensated::{Compensated, largest, others};

/// `log P(y, x_i)` and `log P(x_j | y, x_i)` for all classes and categories. Categories are numbered over all
/// columns; with [`Unseen::Other`] each column has one more than declared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tables {
    columns: Vec<Column>,
    /// The number of categories of all columns together.
    width: usize,
    /// The training weight of each category over all classes.
    weights: Vec<f64>,
    /// `log P(y, x_i)`, class after class.
    joint: Vec<f64>,
    /// `log P(x_j | y, x_i)`, or the probabilities themselves: class after class, a row for each `x_i`.
    conditional: Vec<f64>,
}

/// A category that is the parent of all others of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    pub(super) category: usize,
    /// Its weight in the mean, above zero.
    pub(super) weight: f64,
}

/// A category that was declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) column: usize,
    /// Its number among those with sums.
    pub(super) sum: usize,
    /// Its number among all.
    pub(super) category: usize,
}

/// The categories of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    /// The number of the first.
    start: usize,
    /// How many there are.
    len: usize,
    /// How many of them were declared.
    declared: usize,
}

impl Column {
    fn categories(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

impl Tables {
    /// From the pair sums of each class, in label order.
    pub(super) fn new(model: &PairCounts, classes: &[ClassSums<'_>]) -> Result<Self, FamilyError> {
        Self::with_entries(model, classes, log_ratio)
    }

    /// The same with probabilities in place of their logarithms, for sums of them.
    pub(super) fn of_probabilities(
        model: &PairCounts,
        classes: &[ClassSums<'_>],
    ) -> Result<Self, FamilyError> {
        Self::with_entries(model, classes, ratio)
    }

    /// `entry` makes an entry of a count and the total of such counts.
    fn with_entries(
        model: &PairCounts,
        classes: &[ClassSums<'_>],
        entry: fn(f64, f64) -> f64,
    ) -> Result<Self, FamilyError> {
        let classes: Vec<&ExactSums> = classes.iter().map(|sums| sums.part(0)).collect();
        let others = usize::from(model.unseen == Unseen::Other);
        let columns: Vec<Column> = model
            .n_codes()
            .zip(model.starts())
            .enumerate()
            .map(|(column, (declared, start))| Column {
                start: start + column * others,
                len: declared + others,
                declared,
            })
            .collect();
        let width = columns.iter().map(|column| column.len).sum();
        let mut tables = Self {
            columns,
            width,
            weights: vec![0.0; width],
            joint: Vec::with_capacity(classes.len() * width),
            conditional: Vec::with_capacity(classes.len() * width * width),
        };
        let observed = tables.weigh(model, &classes);
        for (class, sums) in classes.iter().enumerate() {
            let counts = tables.square(class, model, sums)?;
            tables.push_joint(model, &counts, &observed, classes.len(), entry);
            tables.push_conditional(model, &counts, entry);
        }
        Ok(tables)
    }

    /// Sets the weights of the categories, and tells the weight of the rows in which each column is observed.
    /// The sums over classes are exact, so that the order of the classes decides on no parent.
    fn weigh(&mut self, model: &PairCounts, classes: &[&ExactSums]) -> Vec<f64> {
        let columns = self.columns.iter().zip(model.starts());
        let of_column = |(column, start): (&Column, usize)| {
            let mut observed = Exact::ZERO;
            for code in 0..column.declared {
                let single = pair(start + code, start + code);
                let weight = classes.iter().fold(Exact::ZERO, |total, sums| &total + &sums.get(single));
                self.weights[column.start + code] = weight.to_f64();
                observed = &observed + &weight;
            }
            observed.to_f64()
        };
        columns.map(of_column).collect()
    }

    /// The categories that were declared, all of which have sums.
    pub(super) fn declared(&self, model: &PairCounts) -> Vec<Declared> {
        let columns = self.columns.iter().zip(model.starts()).enumerate();
        let of_column = |(column, (own, start)): (usize, (&Column, usize))| {
            let category = own.start;
            (0..own.declared).map(move |code| Declared {
                column,
                sum: start + code,
                category: category + code,
            })
        };
        columns.flat_map(of_column).collect()
    }

    /// The counts of a class as a full square, zeros for categories that were not declared.
    fn square(&self, class: usize, model: &PairCounts, pairs: &ExactSums) -> Result<Vec<f64>, FamilyError> {
        let mut square = vec![0.0; self.width * self.width];
        let declared = self.declared(model);
        for (position, &Declared { column, sum: later, category: row }) in declared.iter().enumerate() {
            for &Declared { sum: earlier, category: other, .. } in &declared[..=position] {
                let count = pairs.get(pair(later, earlier)).to_f64();
                if count < 0.0 || !count.is_finite() {
                    let problem = FamilyProblem::Impossible { sum: count };
                    return Err(FamilyError { class, column, problem });
                }
                square[row * self.width + other] = count;
                square[other * self.width + row] = count;
            }
        }
        Ok(square)
    }

    /// `log P(y, x_i)` of a class.
    fn push_joint(
        &mut self,
        model: &PairCounts,
        counts: &[f64],
        observed: &[f64],
        n_classes: usize,
        entry: fn(f64, f64) -> f64,
    ) {
        for ((number, column), observed) in self.columns.iter().enumerate().zip(observed) {
            let n_counts = n_classes * column.len;
            let l = model.pseudo_count(number, n_counts);
            let total = observed + l * n_counts as f64;
            let of_category = |category| entry(counts[category * self.width + category] + l, total);
            self.joint.extend(column.categories().map(of_category));
        }
    }

    /// `log P(x_j | y, x_i)` of a class.
    fn push_conditional(&mut self, model: &PairCounts, counts: &[f64], entry: fn(f64, f64) -> f64) {
        for parent in counts.chunks_exact(self.width) {
            for (number, column) in self.columns.iter().enumerate() {
                let l = model.pseudo_count(number, column.len);
                let counts = &parent[column.categories()];
                let total = counts.iter().sum::<f64>() + l * column.len as f64;
                self.conditional.extend(counts.iter().map(|count| entry(count + l, total)));
            }
        }
    }

    /// The number of the category of a checked cell; none for one that says nothing.
    pub(super) fn category(&self, column: usize, code: f64) -> Option<usize> {
        let column = self.columns[column];
        if code.is_nan() {
            return None;
        }
        let code = code as usize;
        if code < column.declared {
            Some(column.start + code)
        } else {
            (column.declared < column.len).then_some(column.start + column.declared)
        }
    }

    /// The same for categories that some training row has.
    pub(super) fn known(&self, column: usize, code: f64) -> Option<usize> {
        self.category(column, code).filter(|&category| self.weights[category] > 0.0)
    }

    /// `log P(x_j | y, x_i)`.
    pub(super) fn log_conditional(&self, class: usize, parent: usize, child: usize) -> f64 {
        self.conditional[(class * self.width + parent) * self.width + child]
    }

    /// The entries of all children of a parent.
    pub(super) fn children(&self, class: usize, parent: usize) -> &[f64] {
        let row = (class * self.width + parent) * self.width;
        &self.conditional[row..row + self.width]
    }

    /// The numbers of the categories of a row whose cells were checked; none for cells that say nothing.
    pub(super) fn place(&self, cells: &[f64], categories: &mut Vec<usize>) {
        categories.clear();
        let cells = cells.iter().enumerate();
        categories.extend(cells.filter_map(|(column, &code)| self.category(column, code)));
    }

    /// Adds those of the categories that a training weight of at least `minimum_count`, and above zero, makes
    /// parents.
    pub(super) fn parents(&self, categories: &[usize], minimum_count: f64, parents: &mut Vec<Parent>) {
        let qualifies = |category: &usize| {
            let weight = self.weights[*category];
            weight > 0.0 && weight >= minimum_count
        };
        let categories = categories.iter().copied().filter(qualifies);
        parents.extend(categories.map(|category| Parent { category, weight: 1.0 }));
    }

    /// How many categories all columns have.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The training weight of a category over all classes.
    pub(super) fn weight(&self, category: usize) -> f64 {
        self.weights[category]
    }

    /// For each category the number of its column.
    pub(super) fn of_columns(&self, numbers: &[f64]) -> Vec<f64> {
        let columns = self.columns.iter().zip(numbers);
        columns.flat_map(|(column, &number)| std::iter::repeat_n(number, column.len)).collect()
    }

    /// `log P(y, x)` of a class: the logarithm of the weighted mean over the parents, of which there is at
    /// least one.
    pub(super) fn log_joint(
        &self,
        class: usize,
        categories: &[usize],
        parents: &[Parent],
        terms: &mut Vec<Compensated>,
    ) -> Compensated {
        terms.clear();
        terms.extend(parents.iter().map(|parent| {
            let conditional = self.children(class, parent.category);
            let mut term = Compensated::from(libm::log(parent.weight));
            term.add(self.joint[class * self.width + parent.category]);
            let children = categories.iter().filter(|&&child| child != parent.category);
            children.for_each(|&child| term.add(conditional[child]));
            term
        }));
        let Some(best) = largest(terms) else {
            return Compensated::from(f64::NEG_INFINITY);
        };
        let mut mean = terms[best];
        mean.add(libm::log1p(others(terms, best)));
        mean.add(-libm::log(parents.iter().map(|parent| parent.weight).sum()));
        mean
    }
}

/// `count / total`; one, which changes no product, where there is no total.
fn ratio(count: f64, total: f64) -> f64 {
    if total == 0.0 { 1.0 } else { count / total }
}

/// `ln(count / total)`, also where the quotient is near one and its logarithm near zero. Zero, which says
/// nothing, where there is no total: without smoothing, nothing is known of a column among rows that there
/// are none of.
pub(super) fn log_ratio(count: f64, total: f64) -> f64 {
    if total == 0.0 {
        0.0
    } else if count > total / 2.0 {
        libm::log1p((count - total) / total)
    } else {
        libm::log(count / total)
    }
}
