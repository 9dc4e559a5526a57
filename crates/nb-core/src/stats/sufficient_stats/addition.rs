//! Statistics as a group: added to each other, taken out of each other, scaled.

use exact_sums::{ExactSums, domain::is_weight};

use super::{ClassEvidence, SufficientStats};
use crate::model::{ClassSums, MismatchError, RetractError, ScaleError, threads};

impl<L: Ord + Clone> SufficientStats<L> {
    /// Adds the evidence of other statistics, as if their rows had been added here.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let mut other = stats.empty();
    /// other.update(&model, &array![[0.1], [0.2]], &["b", "b"])?;
    /// stats.merge(&other)?;
    /// assert_eq!(stats.class_weights()[1].to_f64(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MismatchError`] if the statistics are of another family or another number of columns.
    pub fn merge(&mut self, other: &Self) -> Result<(), MismatchError> {
        /// With this many columns in all classes together, other cores are worth waking.
        const MANY_COLUMNS: usize = 1 << 15;
        self.check_match(other)?;
        let merge = |(evidence, other): (&mut ClassEvidence, _)| evidence.combine(other, ExactSums::merge);
        if self.n_columns.saturating_mul(other.classes.len()) < MANY_COLUMNS {
            other.classes.iter().for_each(|(label, other)| merge((self.class_mut(label), other)));
            return Ok(());
        }
        for label in other.classes.keys() {
            self.class_mut(label);
        }
        // Both are in the order of labels.
        let mut others = other.classes.iter().peekable();
        let pairs = self.classes.iter_mut().filter_map(|(label, evidence)| {
            others.next_if(|(other, _)| *other == label).map(|(_, other)| (evidence, other))
        });
        threads::map(pairs.collect(), merge);
        Ok(())
    }

    /// Takes out the evidence of other statistics: the exact inverse of [`merge`](Self::merge).
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let mut twice = stats.clone();
    /// twice.merge(&stats)?;
    /// twice.subtract(&stats)?;
    /// assert_eq!(twice, stats);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RetractError`] if the statistics do not match, or a class would be left with sums that no rows can
    /// have, such as a negative count or a negative variance; nothing was changed then. These are
    /// necessary conditions: statistics alone cannot tell rows that were added from others that leave
    /// sums which some rows could have.
    pub fn subtract(&mut self, other: &Self) -> Result<(), RetractError> {
        self.check_match(other)?;
        let mut left = Vec::with_capacity(other.classes.len());
        for (position, (label, evidence)) in other.classes.iter().enumerate() {
            let Some(known) = self.classes.get(label) else {
                return Err(RetractError::UnknownClass { class: position });
            };
            let class = || self.classes.range(..label).count();
            let mut rest = known.clone();
            rest.combine(evidence, ExactSums::subtract);
            let weight = rest.weight.get(0);
            if weight.is_negative() {
                return Err(RetractError::NegativeWeight { class: class(), weight: weight.to_f64() });
            }
            if weight.is_zero() && !rest.parts.iter().all(ExactSums::is_zero) {
                return Err(RetractError::Leftover { class: class() });
            }
            if let Some(sums) = self.layout.impossible(&ClassSums::new(&weight, &rest.parts)) {
                return Err(RetractError::Impossible { class: class(), sums });
            }
            left.push((label, rest));
        }
        for (label, rest) in left {
            if rest.weight.is_zero() {
                self.classes.remove(label);
            } else {
                self.classes.insert(label.clone(), rest);
            }
        }
        Ok(())
    }

    /// Multiplies all evidence by `factor`, as in forgetting old rows exponentially. Exact for powers of two,
    /// else rounded to about 159 bits. A factor of zero leaves no evidence.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// stats.scale(0.5)?; // old rows count half as much
    /// assert_eq!(stats.class_weights()[0].to_f64(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ScaleError`] unless the factor is 0 or from `2^-60` to `2^60`.
    pub fn scale(&mut self, factor: f64) -> Result<(), ScaleError> {
        if !is_weight(factor) {
            return Err(ScaleError { factor });
        }
        for evidence in self.classes.values_mut() {
            evidence.weight.scale(factor);
            evidence.parts.iter_mut().for_each(|sums| sums.scale(factor));
        }
        self.classes.retain(|_, evidence| !evidence.weight.is_zero());
        Ok(())
    }

    /// Forgets all evidence of a class; whether there was any.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert!(stats.forget_class(&"b"));
    /// assert_eq!(stats.classes().collect::<Vec<_>>(), [&"a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_class(&mut self, label: &L) -> bool {
        self.classes.remove(label).is_some()
    }
}
