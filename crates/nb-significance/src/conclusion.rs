//! What may be concluded from a test, as sentences.
//!
//! A difference that is not significant is never called equality: it is one that the data do not show. All of
//! them call a difference significant when the p-value is at most `α`.

use crate::{
    corrected_t::CorrectedT, friedman::Friedman, mcnemar::McNemar, pairwise::PairwisePValues, scores::Better,
    text, wilcoxon::Wilcoxon,
};

/// Why there is no conclusion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConclusionError {
    /// Not one name per classifier.
    #[error("there are {found} names for {n_classifiers} classifiers; give one each")]
    Names {
        /// The number of names.
        found: usize,
        /// The number of classifiers.
        n_classifiers: usize,
    },
    /// The p-values are of other classifiers.
    #[error("there are p-values of {found} classifiers for {n_classifiers}; give those of the same ones")]
    PValues {
        /// The number of classifiers that have p-values.
        found: usize,
        /// The number of classifiers.
        n_classifiers: usize,
    },
    /// The significance level is none.
    #[error("the significance level is {alpha}; it must lie between 0 and 1, such as 0.05")]
    Alpha {
        /// The level.
        alpha: f64,
    },
}

fn check_alpha(alpha: f64) -> Result<(), ConclusionError> {
    if alpha > 0.0 && alpha < 1.0 { Ok(()) } else { Err(ConclusionError::Alpha { alpha }) }
}

impl CorrectedT {
    /// What may be concluded at `α` = 1 - level about two classifiers, given their names and that of the
    /// measure, which is better as stated. Where all differences are equal it states that, whatever the
    /// p-value.
    ///
    /// ```
    /// use nb_significance::{Better, corrected_cross_validation_t};
    ///
    /// let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
    /// let test = corrected_cross_validation_t(&first, &second, 5, 0.95)?;
    /// assert_eq!(
    ///     test.conclusion(["Gaussian", "kernel"], "accuracy", Better::Larger),
    ///     "The data do not show a difference between Gaussian and kernel in accuracy (corrected resampled t-test over \
    ///      5 splits, p = 0.205); the 95 % interval of the difference, Gaussian less kernel, is from -0.018 to 0.062."
    /// );
    /// # Ok::<(), nb_significance::CorrectedTError>(())
    /// ```
    pub fn conclusion(&self, names: [&str; 2], measure: &str, better: Better) -> String {
        let [first, second] = names;
        let n = self.n;
        if self.standard_error == 0.0 {
            if self.mean_difference == 0.0 {
                return format!(
                    "{first} and {second} have the same {measure} on all {n} splits; this shows no difference, and it \
                     does not show that they are equal."
                );
            }
            return format!(
                "All {n} differences in {measure}, {first} less {second}, are {}; without any variance among them the \
                 t-test has nothing to judge by.",
                text::number(self.mean_difference)
            );
        }
        let alpha = 1.0 - self.level;
        let claim = if self.p <= alpha {
            let [good, bad] = in_order(names, self.mean_difference, better);
            format!("At α = {} {good} is better than {bad} in {measure}", text::level(alpha))
        } else {
            no_difference(names, measure)
        };
        format!(
            "{claim} (corrected resampled t-test over {n} splits, {}); the {} % interval of the difference, {first} less \
             {second}, is from {} to {}.",
            text::p_value(self.p, alpha),
            text::level(self.level * 100.0),
            text::number(self.interval.lower),
            text::number(self.interval.upper),
        )
    }
}

impl McNemar {
    /// What may be concluded at `α` = 1 - level about two classifiers, by the mid-p-value, given their names.
    ///
    /// ```
    /// use nb_significance::mcnemar;
    ///
    /// assert_eq!(
    ///     mcnemar(25, 10, 0.95)?.conclusion(["Gaussian", "kernel"]),
    ///     "At α = 0.05 Gaussian is right more often than kernel: of 35 rows that only one of them got right, Gaussian got \
    ///      25 and kernel 10 (McNemar's test, mid-p-value, p = 0.011)."
    /// );
    /// # Ok::<(), nb_significance::McNemarError>(())
    /// ```
    pub fn conclusion(&self, names: [&str; 2]) -> String {
        let [first, second] = names;
        let (b, c) = (self.only_first, self.only_second);
        if b == 0 && c == 0 {
            return format!(
                "{first} and {second} got the same rows right; this shows no difference, and it does not show that they \
                 are equal."
            );
        }
        let alpha = 1.0 - self.level;
        let claim = if self.p_mid <= alpha {
            let [good, bad] = in_order(names, b as f64 - c as f64, Better::Larger);
            format!("At α = {} {good} is right more often than {bad}", text::level(alpha))
        } else {
            no_difference(names, "accuracy")
        };
        format!(
            "{claim}: of {} that only one of them got right, {first} got {b} and {second} {c} (McNemar's test, \
             mid-p-value, {}).",
            text::count(b + c, "row", "rows"),
            text::p_value(self.p_mid, alpha),
        )
    }
}

impl Wilcoxon {
    /// What may be concluded at `alpha` about two classifiers over data sets, given their names and that of
    /// the measure, which is better as said.
    ///
    /// # Errors
    /// If `alpha` is not between 0 and 1.
    ///
    /// ```
    /// use nb_significance::{Better, Zeros, wilcoxon};
    ///
    /// let test = wilcoxon(&[0.31, 0.75, 0.02, 0.41], &[0.33, 0.79, 0.05, 0.40], Zeros::Split)?;
    /// assert_eq!(
    ///     test.conclusion(["Gaussian", "kernel"], "log-loss", Better::Smaller, 0.05)?,
    ///     "The data do not show a difference between Gaussian and kernel in log-loss (Wilcoxon signed-rank test over 4 \
    ///      data sets, p = 0.250): Gaussian is better on 3, worse on 1 and as good on 0."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conclusion(
        &self,
        names: [&str; 2],
        measure: &str,
        better: Better,
        alpha: f64,
    ) -> Result<String, ConclusionError> {
        check_alpha(alpha)?;
        let (larger, smaller) = (self.n_first_larger, self.n_second_larger);
        let is_significant = self.p <= alpha;
        let wins = if better == Better::Larger { larger } else { smaller };
        let losses = larger + smaller - wins;
        let [first, second] = names;
        // Told from the side of the better one, or of the first.
        let (good, bad, wins, losses) = if is_significant && !is_better(self.rank_biserial, better) {
            (second, first, losses, wins)
        } else {
            (first, second, wins, losses)
        };
        let claim = if is_significant {
            format!("At α = {} {good} is better than {bad} in {measure}", text::level(alpha))
        } else {
            no_difference(names, measure)
        };
        Ok(format!(
            "{claim} (Wilcoxon signed-rank test over {}, {}): {good} is better on {wins}, worse on {losses} and as good \
             on {}.",
            text::count(self.n_pairs as u64, "data set", "data sets"),
            text::p_value(self.p, alpha),
            self.n_pairs - larger - smaller,
        ))
    }
}

impl Friedman {
    /// What may be concluded at `alpha` about classifiers over data sets, given their names, the p-values of
    /// all pairs adjusted for their number, and the name of the test that these come from. It must be a
    /// test of the average ranks, such as [`nemenyi`](crate::nemenyi) or
    /// [`rank_p_values`](crate::rank_p_values), as the ranks say who is the better one. Pairs are
    /// compared only if the Friedman test finds a difference, by its χ².
    ///
    /// # Errors
    /// If there is not one name and one p-value for each, or `alpha` is not between 0 and 1.
    ///
    /// ```
    /// use nb_significance::{Better, friedman, nemenyi};
    ///
    /// let log_losses = [[0.31, 0.33, 0.52], [0.75, 0.79, 0.81], [0.02, 0.05, 0.07], [0.41, 0.40, 0.47]];
    /// let test = friedman(&log_losses, Better::Smaller)?;
    /// let pairs = nemenyi(&test, 0.05)?.p_values;
    /// assert_eq!(
    ///     test.conclusion(&["kernel", "Gaussian", "Bernoulli"], &pairs, "Nemenyi's test", 0.05)?,
    ///     "Over 4 data sets the ranks of 3 classifiers differ (Friedman χ² = 6.500, p = 0.039); at α = 0.05, by Nemenyi's \
    ///      test, kernel ranks above Bernoulli; no other pair differs significantly."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conclusion(
        &self,
        names: &[&str],
        p_values: &PairwisePValues,
        post_hoc: &str,
        alpha: f64,
    ) -> Result<String, ConclusionError> {
        let n_classifiers = self.average_ranks.len();
        check_alpha(alpha)?;
        if names.len() != n_classifiers {
            return Err(ConclusionError::Names { found: names.len(), n_classifiers });
        }
        if p_values.n_classifiers() != n_classifiers {
            return Err(ConclusionError::PValues { found: p_values.n_classifiers(), n_classifiers });
        }
        let n = self.n_data_sets;
        let figures =
            format!("(Friedman χ² = {}, {})", text::number(self.chi_squared), text::p_value(self.p, alpha));
        if self.p > alpha {
            return Ok(format!(
                "Over {n} data sets the data do not show that the ranks of {n_classifiers} classifiers differ {figures}."
            ));
        }
        let alpha_text = text::level(alpha);
        let start = format!(
            "Over {n} data sets the ranks of {n_classifiers} classifiers differ {figures}; at α = {alpha_text}"
        );
        let (claims, n_pairs) = self.claims(names, p_values, alpha);
        if claims.is_empty() {
            return Ok(format!("{start} {post_hoc} does not show between which of them."));
        }
        let rest = if n_pairs == p_values.values().len() {
            String::new()
        } else {
            "; no other pair differs significantly".into()
        };
        Ok(format!("{start}, by {post_hoc}, {}{rest}.", claims.join("; ")))
    }

    /// Who ranks above whom, best first, and the number of pairs that this decides.
    fn claims(&self, names: &[&str], p_values: &PairwisePValues, alpha: f64) -> (Vec<String>, usize) {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| self.average_ranks[a].total_cmp(&self.average_ranks[b]));
        let mut n_pairs = 0;
        let mut claims = Vec::new();
        for &good in &order {
            let worse: Vec<&str> = order
                .iter()
                .filter(|&&bad| self.average_ranks[good] < self.average_ranks[bad])
                .filter(|&&bad| p_values.get(good, bad).is_some_and(|p| p <= alpha))
                .map(|&bad| names[bad])
                .collect();
            n_pairs += worse.len();
            if !worse.is_empty() {
                claims.push(format!("{} ranks above {}", names[good], text::list(&worse)));
            }
        }
        (claims, n_pairs)
    }
}

fn no_difference([first, second]: [&str; 2], measure: &str) -> String {
    format!("The data do not show a difference between {first} and {second} in {measure}")
}

/// The better one first, given the sign of first less second.
fn in_order([first, second]: [&str; 2], difference: f64, better: Better) -> [&str; 2] {
    if is_better(difference, better) { [first, second] } else { [second, first] }
}

/// Whether first less second speaks for the first.
fn is_better(difference: f64, better: Better) -> bool {
    (difference > 0.0) == (better == Better::Larger)
}
