//! A term for every level and class, by conditional likelihood.

use super::{
    curvature::Curvature,
    minimise::minimise,
    multiplied::Multiplied,
    parts::sum_over_rows,
    row_weights::RowWeights,
    sums::{add_all_scores, levels, probabilities, products::Power, residuals},
};

/// The curvature of a row counts at least as this share of what it is where all classes are equally probable:
/// a row that is fitted well now need not be so after a step.
const LEAST: f64 = 0.1;

/// What the terms of a problem share: rows, neighbours and penalties.
pub(super) struct Tables<'a> {
    /// The levels of the rows, by column.
    pub(super) columns: Vec<&'a [u32]>,
    /// What is multiplied with terms: texts, and numbers. Their terms come after those of the levels.
    pub(super) products: Vec<Products<'a>>,
    pub(super) labels: &'a [usize],
    pub(super) row_weights: RowWeights<'a>,
    pub(super) log_prior: &'a [f64],
    /// The ridge penalty of each level of all columns.
    pub(super) ridges: Vec<f64>,
    /// Pairs of levels whose terms should be near each other, in chains: the bins of a column.
    pub(super) chains: Smooth<'a>,
    /// The same in grids: the cells of two columns.
    pub(super) grids: Smooth<'a>,
}

/// Numbers that are multiplied with terms.
pub(super) struct Products<'a> {
    pub(super) numbers: Box<dyn Multiplied + 'a>,
    /// The ridge penalty of each term.
    pub(super) ridge: f64,
}

/// Pairs of levels, with a penalty on the squares of the differences of their terms.
#[derive(Clone, Copy)]
pub(super) struct Smooth<'a> {
    pub(super) neighbours: &'a [(usize, usize)],
    pub(super) penalty: f64,
}

impl Tables<'_> {
    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.log_prior.len()
    }

    /// The ridge penalty of each term but those of classes.
    fn ridges(&self) -> Vec<f64> {
        let of_products = self
            .products
            .iter()
            .flat_map(|products| std::iter::repeat_n(products.ridge, products.numbers.n_terms()));
        let all = self.ridges.iter().copied().chain(of_products);
        all.flat_map(|ridge| std::iter::repeat_n(ridge, self.n_classes())).collect()
    }

    /// Where the terms of each of the products are, after those of levels.
    fn ranges_of_products(&self) -> impl Iterator<Item = (&Products<'_>, std::ops::Range<usize>)> {
        let mut next = self.ridges.len() * self.n_classes();
        self.products.iter().map(move |products| {
            let start = next;
            next += products.numbers.n_terms() * self.n_classes();
            (products, start..next)
        })
    }

    /// Moves `terms` to those that minimise
    /// `-Σ w log p(y | x) + ridge Σ t² / 2 + smoothness Σ (t - t')² / 2`, over all levels and over
    /// neighbouring bins, with `log p(c | x) = log π_c + b_c + Σ_j t_{x_j, c} - log Z`, and `x_j t_{j,
    /// c}` for the count of a term of a text: penalised logistic regression on levels, started where
    /// naive Bayes is (Zaidi, Webb, Carman, Petitjean and Cerquides 2016, *`ALRn`: accelerated higher-order
    /// logistic regression*, Machine Learning 104, of which this is the first order; Eilers and Marx
    /// 1996, *Flexible smoothing with B-splines and penalties*, Statistical Science 11, for the
    /// differences).
    pub(super) fn fit(&self, terms: &mut Vec<f64>, precision: f64) {
        let n_classes = self.n_classes();
        let (n_tables, ridges) = (terms.len() - n_classes, self.ridges());
        let curvature = Curvature::new(self, self.curvature(terms), &ridges);
        minimise(
            terms,
            0,
            precision,
            |values| curvature.divide(values),
            |terms, gradient| {
                let tables = &terms[..n_tables];
                let (mut value, sums) = self.sum(terms, Power::One, |scores, labels, row_weights| {
                    residuals(scores, labels, row_weights, n_classes)
                });
                gradient.copy_from_slice(&sums);
                for ((gradient, term), ridge) in gradient.iter_mut().zip(tables).zip(&ridges) {
                    *gradient += ridge * term;
                    value += 0.5 * ridge * term * term;
                }
                for Smooth { neighbours, penalty } in [self.chains, self.grids] {
                    for &(below, above) in neighbours {
                        for class in 0..n_classes {
                            let (below, above) = (below * n_classes + class, above * n_classes + class);
                            let difference = tables[above] - tables[below];
                            gradient[above] += penalty * difference;
                            gradient[below] -= penalty * difference;
                            value += 0.5 * penalty * difference * difference;
                        }
                    }
                }
                value
            },
        );
    }

    /// The sums over rows, by level and for all, of what `work` makes of their scores, and the sum of its
    /// answers. For the terms of texts it is multiplied by a power of numbers.
    fn sum(
        &self,
        terms: &[f64],
        power: Power,
        work: impl Fn(&mut [f64], &[usize], RowWeights<'_>) -> f64 + Sync,
    ) -> (f64, Vec<f64>) {
        let n_classes = self.n_classes();
        let n_tables = terms.len() - n_classes;
        let (tables, offsets) = terms.split_at(n_tables);
        let base = self.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
        let base: Vec<f64> = base.collect();
        sum_over_rows((self.labels.len(), n_classes), terms.len(), |rows, sums| {
            let mut scores = base.repeat(rows.len());
            let columns: Vec<&[u32]> = self.columns.iter().map(|column| &column[rows.clone()]).collect();
            levels::add_terms(&columns, tables, n_classes, &mut scores);
            for (Products { numbers, .. }, range) in self.ranges_of_products() {
                numbers.add_terms(rows.clone(), &tables[range], n_classes, &mut scores);
            }
            let row_weights = self.row_weights.slice(rows.clone());
            let answer = work(&mut scores, &self.labels[rows.clone()], row_weights);
            let (by_level, of_all) = sums.split_at_mut(n_tables);
            levels::add_scores(&columns, &scores, n_classes, by_level);
            for (Products { numbers, .. }, range) in self.ranges_of_products() {
                let sums = &mut by_level[range];
                numbers.add_scores(rows.clone(), &scores, n_classes, power, sums);
            }
            add_all_scores(&scores, of_all);
            answer
        })
    }

    /// The diagonal of the Hessian of the loss where the terms are.
    fn curvature(&self, terms: &[f64]) -> Vec<f64> {
        let n_classes = self.n_classes();
        let share = 1.0 / n_classes as f64;
        let of_row = share * (1.0 - share);
        let (_, sums) = self.sum(terms, Power::Two, |scores, labels, row_weights| {
            probabilities(scores, labels, n_classes);
            for score in scores.iter_mut() {
                *score = (*score * (1.0 - *score)).max(LEAST * of_row);
            }
            row_weights.multiply(scores, n_classes);
            0.0
        });
        sums
    }
}
