//! What was learnt as the weights and corrections of a family.

use super::{
    ColumnKind, HeldOutPosteriors, Learnt, Summary,
    absent::{Absences, AddedByPair},
    counts,
    fold::Fold,
    multiplied::Multiplied,
    pairs::Pair,
    purify::Pure,
    row_weights::RowWeights,
    stack::normalise,
    text::{self, Said, Text},
};
use crate::{AbsentText, Correction, GridAxis, Line, PairCorrection, Refinement};

impl Fold<'_> {
    /// The result for all `n_columns`, terms of texts and others. The weights of rows were divided by
    /// `scale`.
    ///
    /// What a column adds is such that a missing cell adds nothing where no row has one: what it should add
    /// is taken off everything else that the column adds, and from there goes to the classes before a row
    /// is seen. Pairs add what their columns do not say by themselves.
    pub(super) fn learnt(
        self,
        n_columns: usize,
        scale: f64,
        summary: Summary,
        held_out: HeldOutPosteriors,
    ) -> Learnt {
        let n_classes = self.contributions.n_classes;
        let Summary { generative, discriminative, .. } = summary;
        let terms: Vec<f64> = self.terms.iter().map(|term| discriminative * term).collect();
        let (tables, offsets) = terms.split_at(terms.len() - n_classes);
        let (by_level, others) = tables.split_at(self.coding.n_all * n_classes);
        let (by_pairs, by_products) = others.split_at(self.pairs.n_levels * n_classes);
        let (by_words, slopes) = by_products.split_at(by_products.len() - self.scales.len() * n_classes);
        let mut by_level = by_level.to_vec();
        let pairs = self.pure_pairs(by_pairs, &mut by_level);
        let (of_columns, of_texts) = self.weights.of_features.split_at(self.columns.features.len());
        let prior = self.contributions.log_prior.iter().zip(&self.weights.offsets).zip(offsets);
        let intercept: Vec<f64> = prior.map(|((prior, a), b)| prior + generative * a + b).collect();
        let mut added = by_level.clone();
        for (range, weight) in self.coding.ranges(n_classes).zip(of_columns) {
            for (added, said) in added[range.clone()].iter_mut().zip(&self.contributions.all[range]) {
                *added += generative * weight * said;
            }
        }
        let of_pairs = self.pairs.chosen.iter().zip(&pairs);
        let of_pairs = of_pairs.map(|(Pair { columns, start, levels, .. }, pair)| AddedByPair {
            columns: *columns,
            start: *start,
            levels,
            cells: &pair.cells,
        });
        let absences = Absences {
            coding: &self.coding,
            levels: &self.levels,
            labels: &self.labels,
            row_weights: RowWeights::of_all(self.row_weights.as_ref()),
            added: &added,
            rows: &self.rows,
            scales: &self.scales,
            columns: self.columns,
            slopes,
            pairs: &of_pairs.collect::<Vec<_>>(),
            by_texts: &self.added_by_texts(generative, by_words),
            intercept: &intercept,
            log_prior: &self.contributions.log_prior,
        };
        let of_absent = absences.fit();
        let ridge = summary.penalty.filter(|_| discriminative > 0.0).map_or(1.0, |penalty| penalty.ridge);
        let mut all = Learnt {
            cuts: vec![Vec::new(); n_columns],
            pseudo_counts: vec![scale * text::PSEUDO_COUNT; n_columns],
            refinement: Refinement {
                n_classes,
                weights: vec![0.0; n_columns],
                corrections: vec![Correction::none(); n_columns],
                pairs: pairs.iter().map(|pair| self.in_table(pair)).collect(),
                absent_texts: Vec::new(),
            },
            log_prior: intercept.clone(),
            summary,
            held_out,
        };
        let Refinement { weights, corrections, absent_texts, .. } = &mut all.refinement;
        let of_texts_absent = of_absent[self.columns.features.len() * n_classes..].chunks_exact(n_classes);
        for (text, absent) in self.columns.texts.iter().zip(of_texts_absent) {
            let share = absences.share_of_text(text, &self.rows);
            let added = absent.iter().map(|added| share * added).collect();
            absent_texts.extend(text.terms().map(|terms| AbsentText { terms, added }));
        }
        for (column, &place) in self.columns.places.iter().enumerate() {
            let absent = &of_absent[column * n_classes..(column + 1) * n_classes];
            let by_level = &by_level;
            let less = |level: usize, share: f64| {
                let terms = by_level[level * n_classes..(level + 1) * n_classes].iter().zip(absent);
                terms.map(move |(term, absent)| term - share * absent)
            };
            let levels =
                self.coding.of_values(column).into_iter().flat_map(|level| less(level, 1.0)).collect();
            let learnt = 1.0 - absences.share(column, ridge);
            let missing = less(self.coding.missing(column), learnt).collect();
            corrections[place] = match self.columns.features[column] {
                ColumnKind::Numbers => Correction::steps(self.coding.cuts[column].clone(), levels, missing)
                    .with_line(self.line(column, slopes))
                    .with_rising(self.columns.rising[column]),
                _ => Correction::categories(levels, missing),
            };
            let is_rising = self.columns.rising[column].is_some();
            weights[place] = if is_rising { 0.0 } else { generative * of_columns[column] };
            all.pseudo_counts[place] = scale * counts::pseudo_count(self.coding.n_levels[column]);
            all.cuts[place].clone_from(&self.coding.cuts[column]);
            all.log_prior.iter_mut().zip(absent).for_each(|(prior, absent)| *prior += absent);
        }
        let mut words = by_words.chunks_exact(n_classes);
        for (text, weight) in self.columns.texts.iter().zip(of_texts) {
            for (&place, slope) in text.places.iter().zip(&mut words) {
                weights[place] = generative * weight;
                corrections[place] = Correction::slope(slope.to_vec());
            }
        }
        normalise(&mut all.log_prior);
        all
    }

    /// The pairs, of which what their columns say alone goes to the terms of these.
    fn pure_pairs(&self, by_pairs: &[f64], by_level: &mut [f64]) -> Vec<PairCorrection> {
        let n_classes = self.contributions.n_classes;
        let row_weights = RowWeights::of_all(self.row_weights.as_ref());
        let pure = |pair: &Pair| {
            let n_cells = pair.n_places[0] * pair.n_places[1];
            let start = (pair.start - self.coding.n_all) * n_classes;
            let mut weights = vec![0.0; n_cells + 1];
            for (row, &level) in pair.levels.iter().enumerate() {
                weights[level as usize - pair.start] += row_weights.of(row);
            }
            weights.truncate(n_cells);
            let terms = by_pairs[start..start + n_cells * n_classes].to_vec();
            let pure = Pure::new(terms, &weights, pair.n_places);
            for (&column, moved) in pair.columns.iter().zip(&pure.of_axes) {
                let levels = self.coding.of_column(column).zip(self.pairs.axes[column].places());
                for (level, &place) in levels {
                    let moved = &moved[place * n_classes..(place + 1) * n_classes];
                    let terms = &mut by_level[level * n_classes..(level + 1) * n_classes];
                    terms.iter_mut().zip(moved).for_each(|(term, moved)| *term += moved);
                }
            }
            let axes = pair.columns.map(|column| self.axis(column));
            PairCorrection { columns: pair.columns, axes, cells: pure.cells }
        };
        self.pairs.chosen.iter().map(pure).collect()
    }

    /// The same with the places of the columns in the table.
    fn in_table(&self, pair: &PairCorrection) -> PairCorrection {
        PairCorrection { columns: pair.columns.map(|column| self.columns.places[column]), ..pair.clone() }
    }

    /// Where the values of a column go in grids.
    fn axis(&self, column: usize) -> GridAxis {
        let axis = &self.pairs.axes[column];
        let places = axis.places();
        if self.columns.features[column] == ColumnKind::Numbers {
            let borders = places.windows(2).zip(&self.coding.cuts[column]);
            return GridAxis::Bins(
                borders.filter(|(pair, _)| pair[0] != pair[1]).map(|(_, &cut)| cut).collect(),
            );
        }
        let start = self.coding.starts[column];
        let of_values = self.coding.of_values(column).into_iter();
        GridAxis::Categories {
            places: of_values.map(|level| places[level - start]).collect(),
            n_places: axis.n_places,
        }
    }

    /// The line of a column of numbers, if it has a slope.
    fn line(&self, column: usize, slopes: &[f64]) -> Option<Line> {
        let n_classes = self.contributions.n_classes;
        let place = self.scales.binary_search_by_key(&column, |scale| scale.column).ok()?;
        let slopes = &slopes[place * n_classes..(place + 1) * n_classes];
        let scale = &self.scales[place];
        let per_unit = slopes.iter().map(|slope| slope / scale.deviation).collect();
        let line = Line { low: scale.low, high: scale.high, center: scale.mean, per_unit };
        slopes.iter().any(|slope| *slope != 0.0).then_some(line)
    }

    /// What each text adds to the rows, `n_rows × n_classes`, with the share of naive Bayes and the terms of
    /// words.
    fn added_by_texts(&self, generative: f64, by_words: &[f64]) -> Vec<Vec<f64>> {
        let n_classes = self.contributions.n_classes;
        let weights = &self.weights.of_features[self.columns.features.len()..];
        let mut next = 0;
        let of_text = |((text, said), weight): ((&Text, &Said), &f64)| {
            let terms = by_words[next..next + said.all.len()].iter().zip(&said.all);
            let values: Vec<f64> = terms.map(|(term, said)| term + generative * weight * said).collect();
            next += values.len();
            let mut scores = vec![0.0; self.rows.len() * n_classes];
            text.of_rows(&self.rows).add_terms(0..self.rows.len(), &values, n_classes, &mut scores);
            scores
        };
        self.columns.texts.iter().zip(&self.said).zip(weights).map(of_text).collect()
    }
}
