//! What exactness costs: a Gaussian fit as fast as it can be written with plain sums, which round.
//!
//! One pass; every row is added to the shifted sums and sums of squares of its class, with the widest vectors
//! that the processor has and a word to the memory of what comes next. Of tables that are not narrow the rows
//! of one class come together, eight columns at a time, whose sums stay in registers. It is no library and
//! checks nothing.

use nb_core::{Classifier, Missing, fitted::FittedGaussian};
use ndarray::{Array2, ArrayView2, s};

use crate::{
    arrays::{Data, Table},
    data::Cells,
    task::{Answer, Check, Task, none},
};

/// The columns that are summed together.
const LANES: usize = 8;

/// With fewer columns it is quicker to add rows as they come.
const NARROW: usize = 64;

/// Prepares an operation.
pub(crate) fn prepare<'a>(data: &'a Data, operation: &str) -> Result<Task<'a>, String> {
    match (&data.table, data.meta.cells, operation.split_once(':')) {
        (Table::F64(x), Cells::F64, Some((workload, "fit"))) if workload != "P1" => fit(x, data),
        _ => none("such operation; it is there to compare Gaussian fits with"),
    }
}

fn fit<'a>(x: &'a Array2<f64>, data: &'a Data) -> Result<Task<'a>, String> {
    let cells = x.as_slice().ok_or("the rows do not follow each other")?;
    let head = x.slice(s![..data.head(), ..]);
    Ok(Box::new(move || {
        let sums = Sums::of(cells, x.ncols(), data.meta.classes, &data.y);
        Box::new(move || sums.check(&head, data)) as Answer<'a>
    }))
}

/// Per class the number of rows, and per class and column sums of `x - shift` and of its square.
struct Sums {
    shift: Vec<f64>,
    counts: Vec<f64>,
    totals: Vec<f64>,
    squares: Vec<f64>,
}

impl Sums {
    fn of(cells: &[f64], columns: usize, classes: usize, y: &[i64]) -> Self {
        let zeros = vec![0.0; classes * columns];
        let shift = cells[..columns].to_vec();
        let mut sums = Self { shift, counts: vec![0.0; classes], totals: zeros.clone(), squares: zeros };
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the instructions were detected at run time.
                #[expect(unsafe_code, reason = "the processor was asked")]
                unsafe {
                    sums.add_512(cells, columns, y);
                }
                return sums;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the instructions were detected at run time.
                #[expect(unsafe_code, reason = "the processor was asked")]
                unsafe {
                    sums.add_256(cells, columns, y);
                }
                return sums;
            }
        }
        sums.add(cells, columns, y);
        sums
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,fma")]
    fn add_512(&mut self, cells: &[f64], columns: usize, y: &[i64]) {
        self.add(cells, columns, y);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn add_256(&mut self, cells: &[f64], columns: usize, y: &[i64]) {
        self.add(cells, columns, y);
    }

    #[inline(always)]
    fn add(&mut self, cells: &[f64], columns: usize, y: &[i64]) {
        if columns < NARROW {
            self.add_in_order(cells, columns, y);
        } else {
            self.add_by_class(cells, columns, y);
        }
    }

    #[inline(always)]
    fn add_in_order(&mut self, cells: &[f64], columns: usize, y: &[i64]) {
        for (row, &label) in cells.chunks_exact(columns).zip(y) {
            row.chunks(LANES).for_each(|line| prefetch::<NEAREST>(line, 1024));
            let class = label as usize;
            self.counts[class] += 1.0;
            let sums = &mut self.totals[class * columns..(class + 1) * columns];
            let squares = &mut self.squares[class * columns..(class + 1) * columns];
            for (((x, shift), sum), square) in row.iter().zip(&self.shift).zip(sums).zip(squares) {
                let difference = x - shift;
                *sum += difference;
                *square += difference * difference;
            }
        }
    }

    #[inline(always)]
    fn add_by_class(&mut self, cells: &[f64], columns: usize, y: &[i64]) {
        // About as many rows as stay in the second-level cache; of wide rows, as many as there are.
        let is_wide = columns > 1000;
        let block_rows = if is_wide { y.len() } else { (1 << 16) / columns };
        let mut rows = vec![Vec::new(); self.counts.len()];
        for (block, labels) in cells.chunks(block_rows * columns).zip(y.chunks(block_rows)) {
            rows.iter_mut().for_each(Vec::clear);
            for (row, &label) in labels.iter().enumerate() {
                rows[label as usize].push(row * columns);
            }
            let mut next = block.len();
            for (class, rows) in rows.iter().enumerate() {
                self.counts[class] += rows.len() as f64;
                for first in (0..columns).step_by(LANES) {
                    // The last columns are summed with some before them, which are left out.
                    let left = first.min(columns - LANES);
                    let mut shift = [0.0; LANES];
                    shift.copy_from_slice(&self.shift[left..left + LANES]);
                    let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
                    for row in rows {
                        prefetch::<SECOND>(block, if is_wide { row + left + 10 * LANES } else { next });
                        next += LANES;
                        let x = &block[row + left..row + left + LANES];
                        for lane in 0..LANES {
                            let difference = x[lane] - shift[lane];
                            sums[lane] += difference;
                            squares[lane] += difference * difference;
                        }
                    }
                    for lane in first - left..LANES {
                        self.totals[class * columns + left + lane] += sums[lane];
                        self.squares[class * columns + left + lane] += squares[lane];
                    }
                }
            }
        }
    }

    /// The accuracy over the first rows.
    fn check(&self, head: &ArrayView2<'_, f64>, data: &Data) -> Check {
        let shape = (data.meta.classes, data.meta.columns);
        let mean = |class: usize, column: usize| self.totals[class * shape.1 + column] / self.counts[class];
        let means = Array2::from_shape_fn(shape, |(class, column)| self.shift[column] + mean(class, column));
        let variances = Array2::from_shape_fn(shape, |(class, column)| {
            self.squares[class * shape.1 + column] / self.counts[class] - mean(class, column).powi(2)
        });
        let rows: f64 = self.counts.iter().sum();
        let log_prior = self.counts.iter().map(|count| (count / rows).ln()).collect();
        let labels: Vec<i64> = (0..shape.0 as i64).collect();
        FittedGaussian::new(&means.view(), &variances.view(), Missing::Error)
            .and_then(|fitted| Classifier::from_parts(labels, log_prior, fitted, shape.1))
            .ok()
            .and_then(|classifier| classifier.predict(head).ok())
            .map_or(Check::number(f64::NAN), |labels| {
                Check::labels(labels.into_iter(), &data.y[..data.head()])
            })
    }
}

/// The caches that memory is asked into, as the processor counts them.
const NEAREST: i32 = 3;
const SECOND: i32 = 2;

/// Asks for the line of the cache that lies this many cells further on, existing or not.
#[inline(always)]
fn prefetch<const CACHE: i32>(cells: &[f64], ahead: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::_mm_prefetch;
        #[expect(unsafe_code, reason = "a prefetch reads nothing")]
        // SAFETY: as the language sees it nothing is accessed; no address faults.
        unsafe {
            _mm_prefetch::<CACHE>(cells.as_ptr().wrapping_add(ahead).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (cells, ahead);
}
