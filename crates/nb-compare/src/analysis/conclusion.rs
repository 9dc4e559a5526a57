//! What may be concluded, in plain sentences.

use crate::{
    Analysis,
    analysis::{Overall, Pair, better},
};

impl Analysis<'_> {
    /// The name of a variant.
    pub fn name(&self, variant: usize) -> &str {
        self.comparison.design.variants.get(variant).map_or("", |variant| &variant.name)
    }

    /// What may be concluded from the measure that the design ranks by: over several data sets from ranks, on a single
    /// one from the pairs with the baseline. None if there is nothing to compare.
    pub fn conclusion(&self) -> Option<String> {
        if let Some(overall) = self.ranking() {
            return self.of_ranks(overall);
        }
        let baseline = self.baseline();
        let pairs = self.pairs.iter().flatten();
        let with_baseline = pairs.filter(|pair| pair.first == baseline || pair.second == baseline);
        let sentences: Vec<String> = with_baseline.filter_map(|pair| self.of_pair(pair)).collect();
        if sentences.is_empty() { None } else { Some(sentences.join(" ")) }
    }

    /// Over several data sets: Wilcoxon's test for two variants, Friedman's and Nemenyi's for more.
    fn of_ranks(&self, overall: &Overall) -> Option<String> {
        let (measure, alpha) = (overall.measure, self.comparison.design.alpha);
        let names: Vec<&str> = overall.variants.iter().map(|&variant| self.name(variant)).collect();
        if let ([first, second], [Some(wilcoxon)]) = (names.as_slice(), overall.wilcoxon.as_slice()) {
            return wilcoxon.conclusion([first, second], measure.title(), better(measure), alpha).ok();
        }
        let p_values = &overall.nemenyi.p_values;
        overall.friedman.conclusion(&names, p_values, "Nemenyi's test", alpha).ok()
    }

    /// On one data set: the corrected t-test, or McNemar's where there is only one split.
    pub fn of_pair(&self, pair: &Pair) -> Option<String> {
        let names = [self.name(pair.first), self.name(pair.second)];
        let measure = self.comparison.design.measure;
        match (&pair.t, &pair.mcnemar) {
            (Some(t), _) => Some(t.conclusion(names, measure.title(), better(measure))),
            (None, Some(mcnemar)) => Some(mcnemar.conclusion(names)),
            (None, None) => None,
        }
    }
}
