//! Data for the benchmarks: the same numbers on every machine and forever.

use ndarray::Array2;

/// A generator of ten lines (`SplitMix64`, Steele, Lea and Flood 2014), because the streams of
/// general-purpose ones change between releases.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform on `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About standard normal: the sum of twelve uniforms, less six.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// `n_rows × n_columns` numbers around a mean that depends on class and column, with labels.
pub fn gaussian(n_rows: usize, n_columns: usize, n_classes: usize) -> (Array2<f64>, Vec<usize>) {
    let mut random = SplitMix::new(1);
    let labels: Vec<usize> = (0..n_rows).map(|_| (random.bits() % n_classes as u64) as usize).collect();
    let x = Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
        ((labels[row] * 7 + column) % 5) as f64 * 0.3 + random.normal()
    });
    (x, labels)
}

/// Rows of categories, one column for each number of levels, with labels of two classes: a level is the
/// smaller of two drawn at random for the first class, and the first drawn for the second.
pub fn categories(n_rows: usize, n_levels: &[usize]) -> (Array2<f64>, Vec<usize>) {
    let mut random = SplitMix::new(3);
    let labels: Vec<usize> = (0..n_rows).map(|_| (random.bits() % 2) as usize).collect();
    let x = Array2::from_shape_fn((n_rows, n_levels.len()), |(row, column)| {
        let mut level = || (random.bits() % n_levels[column] as u64) as f64;
        let (first, second) = (level(), level());
        if labels[row] == 0 { first.min(second) } else { first }
    });
    (x, labels)
}

/// Rows of counts in compressed sparse row form, with about `stored` cells a row, and labels.
#[derive(Clone, Debug)]
pub struct SparseCounts {
    /// Where each row starts; one more entry than rows.
    pub indptr: Vec<usize>,
    /// Column numbers.
    pub indices: Vec<usize>,
    /// Counts.
    pub values: Vec<f64>,
    /// One label per row.
    pub labels: Vec<usize>,
}

/// Documents: `n_rows` rows over `n_columns` terms, rarer terms having larger numbers.
pub fn documents(n_rows: usize, n_columns: usize, stored: usize, n_classes: usize) -> SparseCounts {
    let mut random = SplitMix::new(2);
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for _ in 0..n_rows {
        let term = |random: &mut SplitMix| (random.uniform().powi(3) * n_columns as f64) as usize;
        let mut terms: Vec<usize> = (0..stored).map(|_| term(&mut random)).collect();
        terms.sort_unstable();
        terms.dedup();
        values.extend(terms.iter().map(|_| 1.0 + (random.bits() % 3) as f64));
        indices.extend(terms);
        indptr.push(indices.len());
    }
    let labels = (0..n_rows).map(|_| (random.bits() % n_classes as u64) as usize).collect();
    SparseCounts { indptr, indices, values, labels }
}
