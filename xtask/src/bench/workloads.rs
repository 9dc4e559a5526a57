//! The workloads: which data set, which operations, and what the machine must at least do for them.

use serde::Deserialize;

/// A data set as its maker describes it; see `benches/peers/src/data.rs`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Meta {
    /// The number of rows.
    pub(crate) rows: f64,
    /// The number of columns.
    pub(crate) columns: f64,
    /// The number of classes.
    pub(crate) classes: f64,
    /// The number of stored cells.
    pub(crate) stored: f64,
    /// The bytes of the features.
    pub(crate) bytes: f64,
}

/// A workload.
#[derive(Debug)]
pub(crate) struct Workload {
    /// Its name on the command line and in the tables.
    pub(crate) name: &'static str,
    /// The data set that it runs on.
    pub(crate) data: &'static str,
    /// What it is, for readers.
    pub(crate) what: &'static str,
    /// What is done.
    pub(crate) operations: &'static [Operation],
}

/// Something that is timed.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Its name.
    pub(crate) name: &'static str,
    /// What a time is divided by.
    pub(crate) per: Per,
    /// What bounds it.
    pub(crate) bound: Bound,
    /// Whether the work is the kernel's, so that its time counts as well.
    pub(crate) kernel: bool,
}

/// What a time is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    /// Nothing: it is that of the whole operation.
    Whole,
    /// The rows of the data set.
    Row,
    /// The rows that are streamed one at a time.
    SingleRow,
}

/// How many rows are streamed one at a time; the contenders know the same number.
const SINGLE_ROWS: f64 = 5000.0;

impl Per {
    /// The divisor.
    pub(crate) fn divisor(self, meta: &Meta) -> f64 {
        match self {
            Self::Whole => 1.0,
            Self::Row => meta.rows,
            Self::SingleRow => meta.rows.min(SINGLE_ROWS),
        }
    }
}

/// What must at least be done, and so how long it takes at least on one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// Nothing that could be measured: the data stay in the nearest cache.
    None,
    /// The features are read once.
    Read,
    /// They are read, and there are this many multiply-adds per cell and class.
    Arithmetic(f64),
    /// The same in single precision.
    SingleArithmetic(f64),
    /// They are read, and each cell adds a term to a compensated sum of each class, of which there are
    /// exponentials.
    Compensated,
    /// They are read, and for each stored cell one entry per class of a table of this many bytes per class
    /// and column.
    Table(f64),
    /// They are read, and each cell is counted in a small table.
    Count,
    /// They are read, and each cell adds one entry of this many bytes per class of a small table.
    SmallTable(f64),
}

/// A part of a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Need {
    /// This many bytes from an array of this many.
    Bytes(f64, f64),
    /// Multiply-adds in double precision.
    MultiplyAdds(f64),
    /// Multiply-adds in single precision.
    SingleMultiplyAdds(f64),
    /// Terms `(x - μ)² / 2v` and their compensated sums.
    CompensatedTerms(f64),
    /// Increments of a table in the nearest cache.
    Increments(f64),
}

/// No more than the multiplications of an exponential or of a logarithm that is right to the last digit, of
/// which a row has one for each class. A processor does at most as many as it does multiply-adds.
const MULTIPLICATIONS: f64 = 14.0;

/// The size of an array that stays in the nearest cache.
pub(crate) const NEAREST: f64 = 32_768.0;

impl Bound {
    /// What must be done at the same time, each a list of what must be done one after the other; what takes
    /// longest is the bound.
    pub(crate) fn needs(self, meta: &Meta) -> Vec<Vec<Need>> {
        let entries = meta.stored * meta.classes;
        let work = match self {
            Self::None => return Vec::new(),
            Self::Read => Vec::new(),
            Self::Arithmetic(each) => vec![Need::MultiplyAdds(each * entries)],
            Self::SingleArithmetic(each) => vec![Need::SingleMultiplyAdds(each * entries)],
            Self::Compensated => {
                let multiplications = MULTIPLICATIONS * meta.rows * meta.classes;
                vec![Need::CompensatedTerms(entries), Need::MultiplyAdds(multiplications)]
            }
            Self::Table(each) => vec![Need::Bytes(each * entries, each * meta.classes * meta.columns)],
            Self::Count => vec![Need::Increments(meta.stored)],
            Self::SmallTable(each) => vec![Need::Bytes(each * entries, NEAREST)],
        };
        vec![vec![Need::Bytes(meta.bytes, meta.bytes)], work]
    }
}

const fn operation(name: &'static str, bound: Bound) -> Operation {
    Operation { name, per: Per::Whole, bound, kernel: false }
}

const GAUSSIAN: &[Operation] = &[
    operation("fit", Bound::Read),
    // Labels are found in single precision.
    operation("labels", Bound::SingleArithmetic(2.0)),
    operation("posteriors", Bound::Compensated),
];

const SPARSE: &[Operation] = &[
    operation("fit", Bound::Read),
    // Labels are found from entries of sixteen bits.
    operation("labels", Bound::Table(2.0)),
    operation("posteriors", Bound::Table(8.0)),
];

const CATEGORICAL: &[Operation] = &[
    operation("fit", Bound::Count),
    // Labels are found in single precision.
    operation("labels", Bound::SmallTable(4.0)),
    operation("posteriors", Bound::SmallTable(8.0)),
];

/// All workloads that run in contenders that are kept alive.
pub(crate) const WORKLOADS: &[Workload] = &[
    Workload { name: "G1", data: "G1", what: "Gaussian, 1,000,000 × 30, 2 classes", operations: GAUSSIAN },
    Workload { name: "G2", data: "G2", what: "Gaussian, 200,000 × 100, 10 classes", operations: GAUSSIAN },
    Workload { name: "G2f", data: "G2f", what: "the same in single precision", operations: GAUSSIAN },
    Workload {
        name: "G3",
        data: "G3",
        what: "Gaussian, 150 × 4, 3 classes",
        operations: &[
            operation("fit", Bound::None),
            operation("labels", Bound::None),
            Operation { name: "row", per: Per::Row, bound: Bound::None, kernel: false },
        ],
    },
    Workload { name: "G4", data: "G4", what: "Gaussian, 2,000 × 20,000, 5 classes", operations: GAUSSIAN },
    Workload {
        name: "M1",
        data: "M1",
        what: "multinomial, dense counts, 100,000 × 1,000, 20 classes",
        operations: &[
            operation("fit", Bound::Read),
            operation("labels", Bound::SingleArithmetic(1.0)),
            operation("posteriors", Bound::Arithmetic(1.0)),
        ],
    },
    Workload {
        name: "M2",
        data: "M2",
        what: "multinomial, sparse rows, 100,000 × 100,000, about 97 stored cells a row, 20 classes",
        operations: SPARSE,
    },
    Workload { name: "M2c", data: "M2", what: "complement on the rows of M2", operations: SPARSE },
    Workload {
        name: "M2b",
        data: "M2b",
        what: "Bernoulli, sparse rows as in M2, all values 1",
        operations: SPARSE,
    },
    Workload {
        name: "C1",
        data: "C1",
        what: "categorical, 1,000,000 × 20, 16 categories, 5 classes, codes in double precision",
        operations: CATEGORICAL,
    },
    Workload { name: "C1u", data: "C1u", what: "the same, codes as bytes", operations: CATEGORICAL },
    Workload {
        name: "P1",
        data: "G1",
        what: "G1 streamed: in batches of 1,000 rows, or its first 5,000 rows one at a time; times per row",
        operations: &[
            Operation { name: "batches", per: Per::Row, bound: Bound::Read, kernel: false },
            Operation { name: "rows", per: Per::SingleRow, bound: Bound::None, kernel: false },
            Operation { name: "rows-finished-once", per: Per::SingleRow, bound: Bound::None, kernel: false },
        ],
    },
    Workload {
        name: "S1",
        data: "M2",
        what: "the model of M2 as a file: saved; opened and checked; opened until it can answer; opened with 100,000 names",
        operations: &[
            Operation { name: "save", per: Per::Whole, bound: Bound::None, kernel: true },
            Operation { name: "open", per: Per::Whole, bound: Bound::None, kernel: true },
            Operation { name: "ready", per: Per::Whole, bound: Bound::None, kernel: true },
            Operation { name: "open-named", per: Per::Whole, bound: Bound::None, kernel: true },
        ],
    },
    Workload {
        name: "O1",
        data: "G1",
        what: "G1 as a CSV file: read, fit, predict, accuracy, as a whole process",
        operations: &[Operation { name: "process", per: Per::Whole, bound: Bound::None, kernel: true }],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_the_size() {
        let meta = Meta { rows: 10.0, columns: 4.0, classes: 3.0, stored: 40.0, bytes: 320.0 };
        let expect = |bound: Bound, work: &[Need]| {
            assert_eq!(bound.needs(&meta), [&[Need::Bytes(320.0, 320.0)], work]);
        };
        expect(Bound::Read, &[]);
        expect(Bound::Arithmetic(2.0), &[Need::MultiplyAdds(240.0)]);
        expect(Bound::Compensated, &[Need::CompensatedTerms(120.0), Need::MultiplyAdds(420.0)]);
        expect(Bound::Table(8.0), &[Need::Bytes(960.0, 96.0)]);
        expect(Bound::Table(2.0), &[Need::Bytes(240.0, 24.0)]);
        expect(Bound::SmallTable(4.0), &[Need::Bytes(480.0, NEAREST)]);
        expect(Bound::Count, &[Need::Increments(40.0)]);
        assert!(Bound::None.needs(&meta).is_empty());
    }
}
