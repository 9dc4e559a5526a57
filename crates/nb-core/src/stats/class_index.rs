//! Which rows of a chunk are of which class, by the numbers of their classes.

use nb_simd::{COMPRESS_LANES, InstructionSet, Isa, Kernel};

/// Up to this many classes are few: the rows of each are picked in a walk through all rows, many rows at a
/// time, and labels are compared with each that is known. Beyond, rows are sorted and labels looked up by
/// bisection.
pub(crate) const FEW: usize = 12;

/// The number of a row that is left out.
pub(crate) const NONE: u32 = u32::MAX;

/// The rows of a chunk by class. The memory is used again for the next chunk.
#[derive(Debug, Default)]
pub(crate) struct ClassIndex {
    /// The class of each row, or [`NONE`].
    pub(crate) numbers: Vec<u32>,
    /// The rows, counted from the start of the chunk, those of class 0 first.
    pub(crate) order: Vec<u32>,
    /// Where the rows of each class end in `order`.
    pub(crate) ends: Vec<usize>,
}

impl ClassIndex {
    /// Puts the numbered rows in order, for this many classes.
    pub(crate) fn arrange(&mut self, n_classes: usize) {
        self.ends.clear();
        if n_classes <= FEW { self.pick(n_classes) } else { self.sort(n_classes) }
    }

    /// Class by class: no row waits for where the one before it went.
    fn pick(&mut self, n_classes: usize) {
        let Self { numbers, order, ends } = self;
        order.resize(numbers.len() + COMPRESS_LANES, 0);
        let mut end = 0;
        for class in 0..n_classes as u32 {
            end += InstructionSet::current().run(Pick { numbers, class, rows: &mut order[end..] });
            ends.push(end);
        }
        order.truncate(end);
    }

    /// By a counting sort: counts, then starts, which become ends as the rows are put in place.
    fn sort(&mut self, n_classes: usize) {
        self.ends.resize(n_classes + 1, 0);
        for &number in &self.numbers {
            if number != NONE {
                self.ends[number as usize + 1] += 1;
            }
        }
        for class in 0..n_classes {
            self.ends[class + 1] += self.ends[class];
        }
        self.order.resize(self.ends[n_classes], 0);
        for (row, &number) in self.numbers.iter().enumerate() {
            if number != NONE {
                let place = &mut self.ends[number as usize];
                self.order[*place] = row as u32;
                *place += 1;
            }
        }
        self.ends.truncate(n_classes);
    }

    /// The rows of a class.
    pub(crate) fn of_class(&self, class: usize) -> &[u32] {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        &self.order[start..self.ends[class]]
    }

    /// Adds how many rows of each class there are to counts, which become as many as classes.
    pub(crate) fn count(&self, counts: &mut Vec<usize>) {
        counts.resize(self.ends.len(), 0);
        for (class, count) in counts.iter_mut().enumerate() {
            *count += self.of_class(class).len();
        }
    }
}

/// Writes which rows have the number of a class, and after them something for [`COMPRESS_LANES`] more; how
/// many they are.
struct Pick<'a> {
    numbers: &'a [u32],
    class: u32,
    rows: &'a mut [u32],
}

impl Kernel for Pick<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Isa>(self) -> usize {
        let Self { numbers, class, rows } = self;
        let (chunks, last) = numbers.as_chunks();
        let mut padded = [NONE; COMPRESS_LANES];
        padded[..last.len()].copy_from_slice(last);
        let mut found = 0;
        for (chunk, first) in chunks.iter().chain([&padded]).zip((0..).step_by(COMPRESS_LANES)) {
            let room = rows[found..].first_chunk_mut();
            let places = room.unwrap_or_else(|| unreachable!("there is room for {COMPRESS_LANES} more"));
            found += C::compress(chunk, class, first, places);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_picks_the_rows_of_a_class_in_order() {
        for length in [0, 1, 15, 16, 17, 100] {
            let numbers: Vec<u32> = (0..length).map(|row| row * row % 5).chain([NONE]).collect();
            let expected: Vec<u32> = (0..length).filter(|row| row * row % 5 == 4).collect();
            for set in InstructionSet::ALL {
                let mut rows = vec![0; numbers.len() + COMPRESS_LANES];
                let found = set.run(Pick { numbers: &numbers, class: 4, rows: &mut rows });
                assert_eq!(rows[..found], expected, "{set:?}");
            }
        }
    }
}
