//! One random split: training sets that grow, and what both learners get wrong on the same test rows.

use rand::seq::SliceRandom;

use super::{
    NgJordan,
    learner::{Growing, Rule},
    problem::Problem,
};
use crate::{experiment::error::LearnerError, plan::generator};

/// How the rows of a problem are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The sizes of the training sets, ascending.
    pub(super) sizes: Vec<usize>,
    /// The number of test rows.
    pub(super) n_test: usize,
}

impl Layout {
    /// A third of the rows is tested, up to a limit; training sets grow from two rows by the root of two each
    /// time, to all other rows or a limit.
    pub(super) fn new(n_rows: usize, options: &NgJordan) -> Self {
        let n_test = (n_rows / 3).clamp(1, options.most_tested);
        let largest = n_rows.saturating_sub(n_test).min(options.largest).max(2);
        let mut sizes: Vec<usize> = (2..64)
            .map(|power: u8| libm::exp2(f64::from(power) / 2.0).round() as usize)
            .take_while(|&size| size < largest)
            .collect();
        // The last step is left out where it would be a small one.
        sizes.retain(|&size| size * 6 <= largest * 5);
        sizes.push(largest);
        sizes.dedup();
        Self { sizes, n_test }
    }
}

/// How many test rows naive Bayes and logistic regression get wrong, for each size; none where the training
/// rows are of one class.
pub(super) type Wrong = Vec<Option<[u32; 2]>>;

/// Does one split, with each of these penalties. Seed, problem and number decide it.
pub(super) fn split(
    problem: &Problem,
    layout: &Layout,
    (options, penalties): (&NgJordan, &[f64]),
    seed: u64,
    number: usize,
) -> Result<Vec<Wrong>, LearnerError> {
    let mut order: Vec<usize> = (0..problem.labels.len()).collect();
    order.shuffle(&mut generator(seed, problem.source.name, number));
    let (training, test) = order.split_at(order.len() - layout.n_test);
    let largest = layout.sizes.last().copied().unwrap_or(0);
    let problem = &*problem.rescaled(training.get(..largest).ok_or("the problem has too few rows")?);
    let mut growing = Growing::new(problem)?;
    let mut before = 0;
    let mut wrong = vec![Wrong::with_capacity(layout.sizes.len()); penalties.len()];
    for &size in &layout.sizes {
        let train = &training[..size];
        growing.add(&train[before..])?;
        before = size;
        if !growing.has_both() {
            for wrong in &mut wrong {
                wrong.push(None);
            }
            continue;
        }
        let naive_bayes = growing.wrong(test, options.l)?;
        for (wrong, &l2) in wrong.iter_mut().zip(penalties) {
            let rule = Rule::fit(problem, train, l2)?;
            wrong.push(Some([naive_bayes, rule.wrong(problem, test)]));
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_by_the_root_of_two() {
        let layout = |n_rows| Layout::new(n_rows, &NgJordan::default());
        assert_eq!(layout(9), Layout { sizes: vec![2, 3, 4, 6], n_test: 3 });
        assert_eq!(layout(106).sizes, [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 71]);
        assert_eq!(layout(32561).sizes.last(), Some(&NgJordan::default().largest));
        assert_eq!(layout(32561).n_test, NgJordan::default().most_tested);
        assert_eq!(layout(3).sizes, [2]);
    }
}
