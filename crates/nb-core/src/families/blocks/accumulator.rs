//! Gathering rows of several families at once: each block has its own way.

use crate::families::blocks::{Blocks, in_order, n_parts};
use exact_sums::ExactSums;

use crate::{
    data::BlockBuffer,
    model::{Accumulator, ClassRows, FeatureModel, ValueError, Weights},
};

/// The accumulators of the blocks.
pub(crate) struct BlocksAccumulator<'a, M> {
    blocks: &'a Blocks<M>,
    n_columns: usize,
    parts: Vec<Gathered<'a>>,
    /// Memory for the columns of a block, and for rows of a class of them.
    columns: BlockBuffer,
    rows: BlockBuffer,
}

/// What was gathered for a block.
struct Gathered<'a> {
    accumulator: Option<Box<dyn Accumulator + 'a>>,
    /// By class, whether the accumulator has rows of it.
    taken: Vec<bool>,
    /// By class, the sums of what the accumulator left out.
    sums: Vec<Vec<ExactSums>>,
}

impl<'a, M: FeatureModel> BlocksAccumulator<'a, M> {
    /// `None` if no block has its own way.
    pub(crate) fn new(blocks: &'a Blocks<M>, n_columns: usize) -> Option<Self> {
        let gathered = |(columns, model): (&'a [usize], &'a M)| Gathered {
            accumulator: model.accumulator(columns.len()),
            taken: Vec::new(),
            sums: Vec::new(),
        };
        let parts: Vec<_> = blocks.iter().map(gathered).collect();
        let any = parts.iter().any(|part| part.accumulator.is_some());
        let (columns, rows) = (BlockBuffer::default(), BlockBuffer::default());
        any.then_some(Self { blocks, n_columns, parts, columns, rows })
    }

    /// Adds rows block by block.
    fn add_parts(&mut self, rows: &ClassRows<'_>) -> Result<(), ValueError> {
        for ((columns, model), part) in self.blocks.iter().zip(&mut self.parts) {
            let all = in_order(columns, self.n_columns);
            if !all {
                rows.block.select_columns(columns, &mut self.columns);
            }
            let block = if all { rows.block } else { self.columns.block() };
            let rows = ClassRows { block, continues: all && rows.continues, ..*rows };
            part.add(model, columns.len(), &rows, &mut self.rows)?;
        }
        Ok(())
    }
}

impl Gathered<'_> {
    fn add<M: FeatureModel>(
        &mut self,
        model: &M,
        n_columns: usize,
        rows: &ClassRows<'_>,
        buffer: &mut BlockBuffer,
    ) -> Result<(), ValueError> {
        self.taken.resize(rows.n_classes(), false);
        let taken = match &mut self.accumulator {
            Some(accumulator) => accumulator.add(rows)?,
            None => false,
        };
        if taken {
            let classes = self.taken.iter_mut().enumerate();
            classes.for_each(|(class, taken)| *taken |= !rows.of_class(class).is_empty());
            return Ok(());
        }
        model.check(&rows.block)?;
        // The layout was checked when the statistics were made.
        let zeros = || model.layout(n_columns).map_or_else(|_| Vec::new(), |layout| layout.zeros());
        self.sums.resize_with(rows.n_classes(), Vec::new);
        for (class, sums) in self.sums.iter_mut().enumerate() {
            let numbers = rows.of_class(class);
            if numbers.is_empty() {
                continue;
            }
            if sums.is_empty() {
                *sums = zeros();
            }
            rows.block.select_rows(numbers, buffer);
            model.update(&buffer.block(), Weights::Unit, sums);
        }
        Ok(())
    }
}

impl<M: FeatureModel> Accumulator for BlocksAccumulator<'_, M> {
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError> {
        if rows.block.doubles().is_none() {
            return Ok(false);
        }
        if let Err(error) = self.add_parts(rows) {
            // Of several refused cells, in blocks that were not reached, the first is reported.
            self.blocks.check(&rows.block)?;
            return Err(error);
        }
        Ok(true)
    }

    fn finish(&mut self, class: usize, sums: &mut [ExactSums]) {
        let mut sums = sums;
        for ((columns, model), part) in self.blocks.iter().zip(&mut self.parts) {
            let (own, rest) = std::mem::take(&mut sums).split_at_mut(n_parts(model, columns));
            if let Some(accumulator) = &mut part.accumulator
                && part.taken.get(class) == Some(&true)
            {
                accumulator.finish(class, own);
            }
            for (sums, more) in own.iter_mut().zip(part.sums.get(class).into_iter().flatten()) {
                sums.merge(more);
            }
            sums = rest;
        }
    }
}
