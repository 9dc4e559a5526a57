//! What stories draw: families, rows, labels and weights.

use nb_core::{
    Blocks,
    description::{Columns, Value},
};
use nb_io::{Family, Registry};

/// A row with its label and weight.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) cells: Vec<f64>,
    pub(super) label: String,
    pub(super) weight: f64,
}

/// Which cells a column can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cells {
    Real,
    Count,
    Code,
}

/// Where random numbers come from.
pub(super) trait Numbers {
    fn next_u64(&mut self) -> u64;

    /// Of any distribution around 0.
    fn real(&mut self) -> f64;
}

pub(super) struct Draw(pub(super) Box<dyn Numbers>);

impl Draw {
    /// A whole number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    /// Whether something happens that does so once in `n` times.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// A family over some columns, with the cells that each column can have.
    pub(super) fn family(&mut self, n_columns: usize) -> (Family, Vec<Cells>) {
        if n_columns > 1 && self.once_in(3) {
            let cut = 1 + self.below(n_columns - 1);
            let ((left, mut cells), (right, others)) = (self.plain(), self.plain());
            let mut all = vec![cells; cut];
            cells = others;
            all.resize(n_columns, cells);
            let blocks = Blocks::default().with_same(0..cut, left).with_same(cut..n_columns, right);
            return (Family::Blocks(blocks), all);
        }
        let (family, cells) = self.plain();
        (family, vec![cells; n_columns])
    }

    fn plain(&mut self) -> (Family, Cells) {
        let families: Vec<Family> = Registry::default().families().cloned().collect();
        let mut family = self.one_of(&families);
        let cells = match family.description().columns {
            Columns::Counts => Cells::Count,
            Columns::Categories => Cells::Code,
            Columns::Real | Columns::Mixed => Cells::Real,
        };
        for (parameter, value) in family.settings() {
            let drawn = match value {
                Value::Number(_) | Value::Amount(..) if self.once_in(2) => {
                    let extreme = [0.0, 5e-324, 1e-300, 1e-9, 0.5, 1.0, 1e9];
                    Value::Number(self.one_of(&[parameter.grid, &extreme].concat()))
                }
                Value::Flag(flag) => Value::Flag(flag ^ self.once_in(2)),
                Value::Name(_) if parameter.name == "missing_cells" => Value::Name("skip".into()),
                _ => continue,
            };
            // What the hyper-parameter cannot be is refused, and it stays as it was.
            let _ = family.set(parameter.name, &drawn);
        }
        (family, cells)
    }

    pub(super) fn rows(&mut self, cells: &[Cells], with_weights: bool) -> Vec<Row> {
        (0..=self.below(6)).map(|_| self.row(cells, with_weights)).collect()
    }

    fn row(&mut self, cells: &[Cells], with_weights: bool) -> Row {
        const WEIGHTS: [f64; 6] = [1.0, 0.5, 3.0, 0.1, 0.0, 1_048_576.0];
        Row {
            cells: cells.iter().map(|&cells| self.cell(cells)).collect(),
            label: self.one_of(&["ash", "oak", "yew"]).into(),
            weight: if with_weights { self.one_of(&WEIGHTS) } else { 1.0 },
        }
    }

    fn cell(&mut self, cells: Cells) -> f64 {
        const EXTREME: [f64; 8] = [1e100, -1e100, 1e-90, 1e15 + 0.3, -0.0, 1e-300, 1e160, f64::INFINITY];
        if self.once_in(12) {
            return f64::NAN;
        }
        match cells {
            Cells::Real if self.once_in(40) => self.one_of(&EXTREME),
            Cells::Real if self.once_in(2) => self.below(4) as f64,
            Cells::Real => (self.0.real() * 8.0).round() / 8.0,
            Cells::Count if self.once_in(40) => self.one_of(&[0.5, -1.0, 9_007_199_254_740_992.0, 1e6]),
            Cells::Count => self.below(5) as f64,
            Cells::Code => self.below(4) as f64,
        }
    }
}
