//! Drawing rows from a fitted model.

use ndarray::Array2;
use rand::Rng;

use crate::{
    answers::Classifier,
    model::{Density, SampleError, random::draw_index},
};

impl<L: Clone + PartialEq, F: Density> Classifier<L, F> {
    /// Draws `n_rows` rows from the model, `n_rows × n_columns`, with their labels: first a class from the
    /// prior, then every column from its distribution in the class.
    ///
    /// The same generator state gives the same rows.
    ///
    /// ```
    /// use nb_core::{Gaussian, NaiveBayes};
    /// use ndarray::array;
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let classifier = NaiveBayes::new(Gaussian::default())
    ///     .fit(&array![[1.0], [2.0], [8.0], [9.0]], &[0, 0, 1, 1])?;
    /// let (x, y) = classifier.sample(5, &mut StdRng::seed_from_u64(1));
    /// assert_eq!((x.dim(), y.len()), ((5, 1), 5));
    /// assert_eq!(classifier.sample(5, &mut StdRng::seed_from_u64(1)).0, x);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, n_rows: usize, rng: &mut impl Rng) -> (Array2<f64>, Vec<L>) {
        let mut rows = Array2::zeros((n_rows, self.n_columns()));
        let mut labels = Vec::with_capacity(n_rows);
        for mut row in rows.rows_mut() {
            let class = draw_index(self.log_prior().iter().map(|&log| libm::exp(log)), rng);
            for (column, cell) in row.iter_mut().enumerate() {
                *cell = self.likelihood().sample(class, column, rng);
            }
            labels.push(self.classes()[class].clone());
        }
        (rows, labels)
    }

    /// Draws `n_rows` rows of one class, `n_rows × n_columns`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let rows = classifier.sample_class(&"high", 1000, &mut StdRng::seed_from_u64(1))?;
    /// assert!((rows.mean().unwrap() - 8.0).abs() < 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SampleError`] if the model has no such class.
    pub fn sample_class(
        &self,
        label: &L,
        n_rows: usize,
        rng: &mut impl Rng,
    ) -> Result<Array2<f64>, SampleError> {
        let class =
            self.classes().iter().position(|known| known == label).ok_or(SampleError::UnknownClass)?;
        let mut rows = Array2::zeros((n_rows, self.n_columns()));
        for ((_, column), cell) in rows.indexed_iter_mut() {
            *cell = self.likelihood().sample(class, column, rng);
        }
        Ok(rows)
    }
}
