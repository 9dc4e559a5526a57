//! What may be concluded, in plain sentences.

use crate::{
    Analysis, Measure,
    analysis::{Overall, Pair, better},
};

impl Analysis<'_> {
    /// The name of a variant.
    pub fn name(&self, variant: usize) -> &str {
        self.comparison.design.variants.get(variant).map_or("", |variant| &variant.name)
    }

    /// What may be concluded from the measure that the design ranks by: over several data sets from ranks,
    /// else from the pairs with the baseline on each. None if there is nothing to compare.
    pub fn conclusion(&self) -> Option<String> {
        if let Some(overall) = self.ranking() {
            return self.of_ranks(overall);
        }
        let baseline = self.baseline();
        let mut sentences = Vec::new();
        for (data, pairs) in self.comparison.data.iter().zip(&self.pairs) {
            let with_baseline = pairs.iter().filter(|pair| pair.first == baseline || pair.second == baseline);
            let of_set = with_baseline.filter_map(|pair| self.of_pair(pair));
            // One data set need not be named.
            let name =
                if self.comparison.data.len() > 1 { format!("On {}: ", data.name) } else { String::new() };
            sentences.extend(of_set.map(|sentence| format!("{name}{sentence}")));
        }
        if sentences.is_empty() { None } else { Some(sentences.join(" ")) }
    }

    /// Over several data sets: Wilcoxon's test for two variants, Friedman's and Nemenyi's for more. None
    /// where the test of two has an infinite value.
    pub fn of_ranks(&self, overall: &Overall) -> Option<String> {
        let (measure, alpha) = (overall.measure, self.comparison.design.alpha);
        let names: Vec<&str> = overall.variants.iter().map(|&variant| self.name(variant)).collect();
        if let ([first, second], [Some(wilcoxon)]) = (names.as_slice(), overall.wilcoxon.as_slice()) {
            return wilcoxon.conclusion([first, second], measure.title(), better(measure), alpha).ok();
        }
        let p_values = &overall.nemenyi.p_values;
        overall.friedman.conclusion(&names, p_values, "Nemenyi's test", alpha).ok()
    }

    /// On one data set: the corrected t-test; where it cannot be, McNemar's of the labels of the first
    /// repeat, which is a test of accuracy and names it.
    pub fn of_pair(&self, pair: &Pair) -> Option<String> {
        let names = [self.name(pair.first), self.name(pair.second)];
        let measure = self.comparison.design.measure;
        if let Some(t) = &pair.t {
            return Some(t.conclusion(names, measure.title(), better(measure)));
        }
        let of_labels = pair.mcnemar.as_ref()?.conclusion(names);
        Some(if measure == Measure::Accuracy {
            of_labels
        } else {
            format!(
                "Differences in {} cannot be tested here, where folds have no values of it or infinite ones. By the labels alone: \
                 {of_labels}",
                measure.title()
            )
        })
    }
}
