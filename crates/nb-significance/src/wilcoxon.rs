//! The signed-rank test: two classifiers over many data sets.

use crate::{
    ranks::doubled_midranks,
    scores::{Differences, ScoreError},
    special::normal_two_sided,
};

/// The most differences other than 0 for which the p-value is exact: as many as keep the counts of sign
/// patterns within the whole numbers that doubles hold.
const MOST_EXACT: usize = 50;

/// The most ranked pairs for which it is: zeros have ranks too, and the table of sums grows with the largest.
const MOST_EXACT_PAIRS: usize = 10_000;

/// What becomes of differences of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// They are ranked with the others, and their ranks are split evenly between the sums; of an odd number
    /// of them, one is left out first. Demšar 2006, section 3.1.3.
    Split,
    /// They are left out before ranking. Wilcoxon 1945.
    Drop,
}

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// From all sign patterns of the ranks, ties included.
    Exact,
    /// By the normal distribution.
    Normal {
        /// The sum of the ranks, less its expectation, by its standard deviation.
        z: f64,
    },
}

/// What the signed-rank test says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Wilcoxon {
    /// The number of pairs given.
    pub n_pairs: usize,
    /// The number of pairs ranked, which leaves out differences of 0 as [`Zeros`] says.
    pub n_ranked: usize,
    /// The number of pairs in which the first score is larger.
    pub n_first_larger: usize,
    /// The number of pairs in which the second score is larger.
    pub n_second_larger: usize,
    /// `R+`, the ranks of the pairs in which the first score is larger, and half of those of the zeros that
    /// were ranked.
    pub rank_sum_first: f64,
    /// `R-`, the same for the second score.
    pub rank_sum_second: f64,
    /// The two-sided p-value; 1 if all differences are 0.
    pub p: f64,
    /// How it was found.
    pub method: Method,
    /// The matched-pairs rank-biserial correlation `(R+ - R-)/(R+ + R-)`, from -1 to 1: by how much the
    /// evidence for the first being larger outweighs that against it. 0 if all differences are 0. Kerby
    /// 2014, *The simple difference formula*, Comprehensive Psychology 3, 11.IT.3.1.
    pub rank_biserial: f64,
}

/// The signed-rank test of Wilcoxon for two classifiers over data sets, one pair of scores each: whether the
/// differences lie symmetrically about 0. What Demšar recommends instead of the paired t-test over data sets.
///
/// Sizes of differences are ranked, with midranks for ties, and the ranks of positive and of negative ones
/// are summed. If neither classifier is better, each sign is as likely as the other. Up to 50 differences
/// other than 0 (and 10 000 pairs) the p-value is exact: the probability, over all sign patterns, of sums at
/// least as far apart as those observed. Beyond, the sum is taken as normal with the variance `Σ r²/4` of
/// these patterns, `r` being the ranks of differences other than 0; without ties and zeros it is the usual `n
/// (n + 1) (2n + 1)/24`, and with ties this less `Σ (t³ - t)/48`. There is no correction for continuity.
///
/// Scores such as 0.9 and 0.8 have no exact binary form, so that `0.9 - 0.8` and `0.8 - 0.7` are different
/// numbers. Differences are therefore tied, or 0, when rounding of the scores alone can set them apart
/// ([`are_tied`](crate::are_tied)).
///
/// Wilcoxon 1945, *Individual comparisons by ranking methods*, Biometrics Bulletin 1, 80-83; Demšar 2006,
/// *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine Learning Research 7,
/// 1-30, section 3.1.3; the variance with ties: Hollander, Wolfe and Chicken 2014, *Nonparametric statistical
/// methods*, section 3.1.
///
/// # Errors
/// If the scores do not pair up, there are none, or a pair has no finite difference.
///
/// ```
/// use nb_significance::{Zeros, wilcoxon};
///
/// let test = wilcoxon(&[0.80, 0.71, 0.93, 0.65, 0.88, 0.79], &[0.78, 0.70, 0.90, 0.61, 0.83, 0.73], Zeros::Split)?;
/// // All six signs agree, which has probability 2/2⁶.
/// assert_eq!(test.p, 0.03125);
/// assert_eq!(test.rank_biserial, 1.0);
/// # Ok::<(), nb_significance::ScoreError>(())
/// ```
pub fn wilcoxon(first: &[f64], second: &[f64], zeros: Zeros) -> Result<Wilcoxon, ScoreError> {
    let differences = Differences::of(first, second, 1)?;
    let ranks = SignedRanks::of(&differences, zeros);
    let (positive, negative) = (ranks.sum(|sign| sign > 0.0), ranks.sum(|sign| sign < 0.0));
    let zero = ranks.sum(|sign| sign == 0.0);
    let of_signs: Vec<u64> =
        ranks.0.iter().filter(|(difference, _)| *difference != 0.0).map(|&(_, rank)| rank).collect();
    let (p, method) = if of_signs.len() <= MOST_EXACT && ranks.0.len() <= MOST_EXACT_PAIRS {
        (exact_p(&of_signs, positive.min(negative)), Method::Exact)
    } else {
        let squares: f64 = of_signs.iter().map(|&rank| (rank as f64).powi(2)).sum();
        let z = (positive as f64 - negative as f64) / squares.sqrt();
        (normal_two_sided(z), Method::Normal { z })
    };
    let all = positive + negative + zero;
    Ok(Wilcoxon {
        n_pairs: differences.values.len(),
        n_ranked: ranks.0.len(),
        n_first_larger: differences.values.iter().filter(|&&difference| difference > 0.0).count(),
        n_second_larger: differences.values.iter().filter(|&&difference| difference < 0.0).count(),
        // Sums of doubled ranks, of which those of zeros count half.
        rank_sum_first: positive as f64 / 2.0 + zero as f64 / 4.0,
        rank_sum_second: negative as f64 / 2.0 + zero as f64 / 4.0,
        p,
        method,
        rank_biserial: if all == 0 { 0.0 } else { (positive as f64 - negative as f64) / all as f64 },
    })
}

/// Differences that are ranked, with twice their ranks.
struct SignedRanks(Vec<(f64, u64)>);

impl SignedRanks {
    fn of(differences: &Differences, zeros: Zeros) -> Self {
        let pairs = differences.values.iter().copied().zip(differences.rounding.iter().copied());
        let (mut ranked, mut rounding): (Vec<f64>, Vec<f64>) =
            pairs.filter(|(value, _)| *value != 0.0).unzip();
        let n_zeros = differences.values.len() - ranked.len();
        let n_left_out = match zeros {
            Zeros::Split => n_zeros % 2,
            Zeros::Drop => n_zeros,
        };
        ranked.resize(ranked.len() + n_zeros - n_left_out, 0.0);
        rounding.resize(ranked.len(), 0.0);
        let sizes: Vec<f64> = ranked.iter().map(|value| value.abs()).collect();
        // What is not 0 is larger than its allowance, so that it is not tied with what is.
        let are_tied = |a: usize, b: usize| (sizes[a] - sizes[b]).abs() <= rounding[a] + rounding[b];
        let ranks = doubled_midranks(&sizes, are_tied);
        Self(ranked.into_iter().zip(ranks).collect())
    }

    fn sum(&self, sign: impl Fn(f64) -> bool) -> u64 {
        self.0.iter().filter(|(difference, _)| sign(*difference)).map(|(_, rank)| rank).sum()
    }
}

/// Twice the part of all sign patterns in which the positive ranks sum to at most `smaller`.
fn exact_p(ranks: &[u64], smaller: u64) -> f64 {
    // How many subsets of the ranks so far have each sum up to the one asked for: at most 2^50, exact in
    // doubles.
    let mut counts = vec![0.0; smaller as usize + 1];
    counts[0] = 1.0;
    for &rank in ranks {
        for sum in (rank as usize..counts.len()).rev() {
            counts[sum] += counts[sum - rank as usize];
        }
    }
    let at_most: f64 = counts.iter().sum();
    let all = (1_u64 << ranks.len()) as f64;
    (2.0 * at_most / all).min(1.0)
}
