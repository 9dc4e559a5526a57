//! What is added to the scores of the classes for a value of a column.

use nb_core::error::LayoutError;

use super::Line;

/// What is added to the scores of the classes for a value of a column: a number per class for each bin or
/// category, and for a missing cell, or the value times a number per class.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The cut points of bins; `None` if values are categories.
    cuts: Option<Vec<f64>>,
    /// `n_levels × n_classes`.
    levels: Vec<f64>,
    /// One per class.
    missing: Vec<f64>,
    /// What is multiplied with the value, one per class; nothing else is there then.
    slope: Vec<f64>,
    /// What is added beside the bins.
    line: Option<Line>,
    /// The class for which larger numbers never add less, and never more for the other.
    rising: Option<usize>,
}

impl Correction {
    /// For bins, `n_cuts + 1` times `n_classes`, and for missing cells, `n_classes`. A value equal to a cut
    /// lies below it.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// // Two classes, and bins up to 2 and above.
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    /// assert_eq!(steps.at(2.0), [0.5, -0.5]);
    /// assert_eq!(steps.at(2.1), [-1.0, 1.0]);
    /// assert_eq!(steps.at(f64::NAN), [0.0, 0.25]);
    /// ```
    pub fn steps(cuts: Vec<f64>, levels: Vec<f64>, missing: Vec<f64>) -> Self {
        Self { cuts: Some(cuts), levels, missing, slope: Vec::new(), line: None, rising: None }
    }

    /// For the categories 0, 1, and so on, `n_categories × n_classes`, and for missing cells, `n_classes`.
    /// Nothing is added for other categories.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let categories = Correction::categories(vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.0]);
    /// assert_eq!(categories.at(1.0), [-1.0, 1.0]);
    /// assert!(categories.at(2.0).is_empty()); // not seen in training
    /// ```
    pub fn categories(levels: Vec<f64>, missing: Vec<f64>) -> Self {
        Self { cuts: None, levels, missing, slope: Vec::new(), line: None, rising: None }
    }

    /// The value times a number per class, as for the count of a word.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let slope = Correction::slope(vec![0.0, 1.5]);
    /// assert_eq!(slope.per_unit(), [0.0, 1.5]);
    /// ```
    pub fn slope(slope: Vec<f64>) -> Self {
        Self { slope, ..Self::none() }
    }

    /// Nothing to add, whatever the value.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert!(Correction::none().is_none());
    /// ```
    pub fn none() -> Self {
        Self {
            cuts: None,
            levels: Vec::new(),
            missing: Vec::new(),
            slope: Vec::new(),
            line: None,
            rising: None,
        }
    }

    /// The same with a line beside the bins, if there is one.
    ///
    /// ```
    /// # use nb_discriminative::{Correction, Line};
    /// let line = Line { low: 0.0, high: 10.0, center: 4.0, per_unit: vec![0.0, 1.5] };
    /// let steps = Correction::steps(vec![], vec![0.5, -0.5], vec![0.0, 0.0]);
    /// assert_eq!(steps.with_line(Some(line.clone())).line(), Some(&line));
    /// ```
    #[must_use]
    pub fn with_line(self, line: Option<Line>) -> Self {
        Self { line, ..self }
    }

    /// The same as a promise that of the two classes larger numbers never add less to this one, and never
    /// more to the other.
    ///
    /// [`Refinement::check`](crate::Refinement::check) refuses bins that break it.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.0]);
    /// assert_eq!(steps.with_rising(Some(1)).rising(), Some(1)); // -0.5, and 1 above the cut
    /// ```
    #[must_use]
    pub fn with_rising(self, rising: Option<usize>) -> Self {
        Self { rising, ..self }
    }

    /// The class to which larger numbers never add less, if one of the two is such.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert_eq!(Correction::none().rising(), None);
    /// ```
    pub fn rising(&self) -> Option<usize> {
        self.rising
    }

    /// The line beside the bins, if there is one.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert_eq!(Correction::none().line(), None);
    /// ```
    pub fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// The cut points of bins; `None` if values are categories.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    /// assert_eq!(steps.cuts(), Some(&[2.0][..]));
    /// assert_eq!(Correction::categories(vec![0.5, -0.5], vec![0.0, 0.0]).cuts(), None);
    /// ```
    pub fn cuts(&self) -> Option<&[f64]> {
        self.cuts.as_deref()
    }

    /// What is added for each bin or category and class, class after class for each level.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    /// assert_eq!(steps.levels(), [0.5, -0.5, -1.0, 1.0]); // two bins of two classes
    /// ```
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// What is added for a missing cell to each class.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    /// assert_eq!(steps.missing(), [0.0, 0.25]);
    /// ```
    pub fn missing(&self) -> &[f64] {
        &self.missing
    }

    /// What is multiplied with the value, one per class; empty if there are bins or categories.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert_eq!(Correction::slope(vec![0.0, 1.5]).per_unit(), [0.0, 1.5]);
    /// ```
    pub fn per_unit(&self) -> &[f64] {
        &self.slope
    }

    /// Whether nothing is added.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert!(Correction::none().is_none());
    /// assert!(!Correction::slope(vec![0.0, 0.0]).is_none()); // it adds nothing, but is there
    /// ```
    pub fn is_none(&self) -> bool {
        self.missing.is_empty() && self.slope.is_empty()
    }

    /// Whether the same is added whatever the value: no more than what makes a missing cell add nothing.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// assert!(Correction::steps(vec![2.0], vec![0.5, -0.5, 0.5, -0.5], vec![0.0, 0.0]).is_constant());
    /// assert!(!Correction::steps(vec![2.0], vec![0.5, -0.5, 0.0, 0.0], vec![0.0, 0.0]).is_constant());
    /// ```
    pub fn is_constant(&self) -> bool {
        let mut levels = self.levels.chunks_exact(self.missing.len().max(1));
        let first = levels.next().unwrap_or_default();
        levels.all(|level| level == first)
            && self.line.is_none()
            && self.slope.iter().all(|&slope| slope == 0.0)
    }

    /// What is added to each class for a bin, a category or a missing cell, without the [line](Self::line);
    /// empty if nothing is, or if the value is multiplied.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    /// assert_eq!(steps.at(7.0), [-1.0, 1.0]);
    /// assert!(Correction::slope(vec![0.0, 1.5]).at(7.0).is_empty());
    /// ```
    pub fn at(&self, value: f64) -> &[f64] {
        if value.is_nan() {
            return &self.missing;
        }
        let n_classes = self.missing.len();
        let level = match &self.cuts {
            Some(cuts) => cuts.partition_point(|&cut| cut < value),
            None if value >= 0.0 && value.fract() == 0.0 => value as usize,
            None => return &[],
        };
        let start = level.saturating_mul(n_classes);
        self.levels.get(start..start.saturating_add(n_classes)).unwrap_or(&[])
    }

    /// The same with other numbers for the classes, made of those of each level.
    pub(super) fn mapped(&self, map: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        let levels = self.levels.chunks_exact(self.missing.len().max(1)).flat_map(&map);
        Self {
            cuts: self.cuts.clone(),
            levels: levels.collect(),
            missing: map(&self.missing),
            slope: map(&self.slope),
            line: self.line.as_ref().map(|line| line.mapped(&map)),
            rising: self.rising,
        }
    }

    /// The same for categories with other codes: `codes` has the new one of each old one, and there are
    /// `n_codes` of them. Nothing is added for new categories, and bins stay as they are.
    ///
    /// ```
    /// # use nb_discriminative::Correction;
    /// let categories = Correction::categories(vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.0]);
    /// let recoded = categories.with_codes(&[2, 0], 3); // 0 becomes 2, and 1 becomes 0
    /// assert_eq!((recoded.at(2.0), recoded.at(0.0)), (categories.at(0.0), categories.at(1.0)));
    /// assert_eq!(recoded.at(1.0), [0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn with_codes(&self, codes: &[usize], n_codes: usize) -> Self {
        let n_classes = self.missing.len();
        if self.cuts.is_some() || n_classes == 0 {
            return self.clone();
        }
        let mut levels = vec![0.0; n_codes * n_classes];
        for (old, &new) in self.levels.chunks_exact(n_classes).zip(codes) {
            if let Some(level) = levels.get_mut(new * n_classes..(new + 1) * n_classes) {
                level.copy_from_slice(old);
            }
        }
        Self::categories(levels, self.missing.clone())
    }

    /// Refuses numbers that do not fit together.
    pub(super) fn check(&self, n_classes: usize) -> Result<(), LayoutError> {
        if self.levels.is_empty() && self.is_none() {
            return Ok(());
        }
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        if !self.slope.is_empty() {
            if self.slope.len() != n_classes || !self.missing.is_empty() || self.cuts.is_some() {
                let found = self.slope.len() as f64;
                return parameter("the number of corrections per unit", found, "that of the classes");
            }
            if self.line.is_some() {
                return parameter("the number of lines beside corrections per unit", 1.0, "0");
            }
            return match self.slope.iter().find(|value| !value.is_finite()) {
                Some(&value) => parameter("a correction", value, "finite"),
                None => Ok(()),
            };
        }
        if self.missing.len() != n_classes {
            let found = self.missing.len() as f64;
            return parameter("the number of corrections of missing cells", found, "that of the classes");
        }
        let wanted = self.cuts.as_ref().map_or(self.levels.len() / n_classes.max(1), |cuts| cuts.len() + 1);
        if self.levels.len() != wanted * n_classes {
            let found = self.levels.len() as f64;
            return parameter("the number of corrections", found, "that of levels times that of classes");
        }
        if let Some(&value) = self.levels.iter().chain(&self.missing).find(|value| !value.is_finite()) {
            return parameter("a correction", value, "finite");
        }
        if let Some(line) = &self.line {
            line.check(n_classes)?;
        }
        self.check_rising()?;
        let cuts = self.cuts.as_deref().unwrap_or_default();
        if let Some(&cut) = cuts.iter().find(|cut| !cut.is_finite()) {
            return parameter("a cut", cut, "finite");
        }
        if let Some(pair) = cuts.windows(2).find(|pair| pair[0] >= pair[1]) {
            return parameter("a cut", pair[1], "above the one before it");
        }
        Ok(())
    }

    /// Refuses bins that are not as is promised.
    fn check_rising(&self) -> Result<(), LayoutError> {
        let Some(class) = self.rising else { return Ok(()) };
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        if self.missing.len() != 2 || class > 1 {
            return parameter("the class of a monotone column", class as f64, "one of two");
        }
        if self.cuts.is_none() || self.line.is_some() {
            return parameter("the number of lines of a monotone column", 1.0, "0, beside bins");
        }
        let falls = self
            .levels
            .windows(4)
            .step_by(2)
            .find(|two| two[2 + class] < two[class] || two[3 - class] > two[1 - class]);
        match falls {
            Some(two) => parameter(
                "a correction of a monotone column",
                two[2 + class],
                "no less than that of the bin below",
            ),
            None => Ok(()),
        }
    }
}
