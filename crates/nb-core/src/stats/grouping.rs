//! Which rows of a chunk are of which class, by their labels.

use std::ops::Range;

use nb_simd::{InstructionSet, Isa, Kernel, LINE, prefetch::prefetch};

use crate::stats::class_index::{ClassIndex, FEW, NONE};

/// The rows of one chunk by class, and the classes of all chunks so far. The memory is used again for the
/// next chunk.
pub(crate) struct Grouping<'a, L> {
    /// The labels so far, in order, each with its number.
    labels: Vec<(&'a L, usize)>,
    /// The rows of the chunk, counted from its start; those of weight zero are left out.
    pub(crate) rows: ClassIndex,
    /// How many rows of each class an accumulator has.
    pub(crate) gathered: Vec<usize>,
}

impl<L> Default for Grouping<'_, L> {
    fn default() -> Self {
        Self { labels: Vec::new(), rows: ClassIndex::default(), gathered: Vec::new() }
    }
}

impl<'a, L: Ord> Grouping<'a, L> {
    /// Sorts the rows of a chunk by class.
    pub(crate) fn group(&mut self, chunk: Range<usize>, labels: &'a [L], weights: Option<&[f64]>) {
        self.rows.numbers.clear();
        match weights {
            None => {
                self.number_all(&labels[chunk.clone()]);
                ask_for(&labels[chunk.end..], chunk.len());
            }
            Some(weights) => {
                for row in chunk {
                    let number = if weights[row] == 0.0 { NONE } else { self.number(&labels[row]) };
                    self.rows.numbers.push(number);
                }
            }
        }
        self.rows.arrange(self.labels.len());
    }

    /// Numbers the labels of a chunk.
    fn number_all(&mut self, labels: &'a [L]) {
        let set = InstructionSet::current();
        self.rows.numbers.resize(labels.len(), NONE);
        if self.labels.len() <= FEW {
            for &(known, number) in &self.labels {
                set.run(Mark { labels, known, number: number as u32, numbers: &mut self.rows.numbers });
            }
        }
        if !self.rows.numbers.contains(&NONE) {
            return;
        }
        let mut numbered = 0;
        while let Some(new) = self.rows.numbers[numbered..].iter().position(|&number| number == NONE) {
            numbered += new;
            if self.labels.len() > FEW {
                self.rows.numbers[numbered] = self.number(&labels[numbered]);
                continue;
            }
            let (known, number) = (&labels[numbered], self.number(&labels[numbered]));
            set.run(Mark {
                labels: &labels[numbered..],
                known,
                number,
                numbers: &mut self.rows.numbers[numbered..],
            });
        }
    }

    /// The number of a label, a new one if it was not seen before.
    fn number(&mut self, label: &'a L) -> u32 {
        let place = self.labels.partition_point(|(known, _)| *known < label);
        match self.labels.get(place) {
            Some((known, number)) if *known == label => *number as u32,
            _ => {
                let number = self.labels.len();
                self.labels.insert(place, (label, number));
                number as u32
            }
        }
    }

    /// The labels so far, in order, each with its number.
    pub(crate) fn classes(&self) -> impl ExactSizeIterator<Item = (&'a L, usize)> {
        self.labels.iter().copied()
    }

    /// Notes that an accumulator has taken the rows of this chunk.
    pub(crate) fn count_gathered(&mut self) {
        self.rows.count(&mut self.gathered);
    }
}

/// Asks for the first of some labels. They are needed after a chunk of rows, so that the processor does not
/// see it coming.
fn ask_for<L>(labels: &[L], first: usize) {
    let n_labels = labels.len().min(first);
    for label in (0..n_labels).step_by((LINE / size_of::<L>().max(1)).max(1)) {
        prefetch(labels, label);
    }
}

/// Gives a number to the rows with a label.
struct Mark<'a, L> {
    labels: &'a [L],
    known: &'a L,
    number: u32,
    numbers: &'a mut [u32],
}

impl<L: PartialEq> Kernel for Mark<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        const SOME: usize = 32;
        let Self { labels, known, number, numbers } = self;
        let (some_labels, rest_labels) = labels.as_chunks::<SOME>();
        let (some_numbers, rest_numbers) = numbers.as_chunks_mut::<SOME>();
        for (numbers, labels) in some_numbers.iter_mut().zip(some_labels) {
            // Compared first, into memory that no label can lie in, and then chosen by bits: so that many are
            // worked on at a time.
            let mut masks = [0_u32; SOME];
            for (mask, label) in masks.iter_mut().zip(labels) {
                *mask = u32::from(label == known).wrapping_neg();
            }
            for (old, mask) in numbers.iter_mut().zip(masks) {
                *old = (*old & !mask) | (number & mask);
            }
        }
        for (old, label) in rest_numbers.iter_mut().zip(rest_labels) {
            *old = if label == known { number } else { *old };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_in_order_whatever_the_number_of_classes() {
        for n_classes in [1, 2, 3, 4, 5, 9, FEW, FEW + 1, 40] {
            let labels: Vec<String> = (0..500).map(|row| format!("{}", row * row % 97 % n_classes)).collect();
            let weights: Vec<f64> = (0..500).map(|row| f64::from(row % 3)).collect();
            for weights in [None, Some(weights.as_slice())] {
                let mut grouping = Grouping::default();
                // The second chunk has labels that the first has not.
                for chunk in [0..7, 7..500] {
                    grouping.group(chunk.clone(), &labels, weights);
                    let mut n_rows = 0;
                    for (label, class) in grouping.classes() {
                        let is_of_class = |&row: &usize| {
                            labels[row] == *label && weights.is_none_or(|weights| weights[row] != 0.0)
                        };
                        let expected: Vec<u32> =
                            chunk.clone().filter(is_of_class).map(|row| (row - chunk.start) as u32).collect();
                        assert_eq!(grouping.rows.of_class(class), expected, "{n_classes} classes, {label}");
                        n_rows += expected.len();
                    }
                    assert_eq!(grouping.rows.order.len(), n_rows);
                    assert!(grouping.classes().is_sorted_by_key(|(label, _)| label));
                }
            }
        }
    }

    #[test]
    fn every_set_marks_the_rows_of_a_label_and_no_others() {
        for length in [0, 1, 31, 32, 33, 100] {
            let labels: Vec<i64> = (0..length).map(|row| row * row % 5).collect();
            let before: Vec<u32> = (0..length as u32).collect();
            for set in InstructionSet::ALL {
                let mut numbers = before.clone();
                set.run(Mark { labels: &labels, known: &4, number: NONE - 1, numbers: &mut numbers });
                for (row, &number) in numbers.iter().enumerate() {
                    assert_eq!(number, if labels[row] == 4 { NONE - 1 } else { before[row] }, "{set:?}");
                }
            }
        }
    }
}
