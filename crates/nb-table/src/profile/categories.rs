//! The categories of a column, by class.

use std::collections::HashMap;

use super::values::Class;

/// How many pairs of category and class are counted.
const MOST_PAIRS: usize = 1 << 16;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Categories {
    names: Vec<String>,
    /// How many cells each has.
    pub(super) counts: Vec<u64>,
    /// How many cells each has in the rows of a class; none if there are too many pairs.
    pairs: Option<HashMap<(usize, Class), u64>>,
}

impl Categories {
    pub(super) fn new(names: &[String]) -> Self {
        Self { names: names.to_vec(), counts: vec![0; names.len()], pairs: Some(HashMap::new()) }
    }

    /// Adds the category with this code `n` times.
    pub(super) fn add(&mut self, code: usize, class: Class, n: u64) {
        let Some(count) = self.counts.get_mut(code) else { return };
        *count += n;
        if let Some(pairs) = self.pairs.as_mut().filter(|_| class > 0) {
            *pairs.entry((code, class)).or_insert(0) += n;
            if pairs.len() > MOST_PAIRS {
                self.pairs = None;
            }
        }
    }

    /// Adds the cells of another column, whose categories and classes may have other codes.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) {
        let known: HashMap<&str, usize> = self.names.iter().map(String::as_str).zip(0..).collect();
        let mut codes: Vec<Option<usize>> =
            other.names.iter().map(|name| known.get(name.as_str()).copied()).collect();
        for (code, name) in codes.iter_mut().zip(&other.names).filter(|(code, _)| code.is_none()) {
            *code = Some(self.names.len());
            self.names.push(name.clone());
        }
        self.counts.resize(self.names.len(), 0);
        for (&n, code) in other.counts.iter().zip(&codes) {
            self.add(code.unwrap_or_default(), 0, n);
        }
        let (Some(pairs), Some(others)) = (&mut self.pairs, &other.pairs) else {
            self.pairs = None;
            return;
        };
        for (&(code, of), &n) in others {
            if class(of) > 0 {
                *pairs.entry((codes[code].unwrap_or_default(), class(of))).or_insert(0) += n;
            }
        }
        if pairs.len() > MOST_PAIRS {
            self.pairs = None;
        }
    }

    pub(super) fn forget_classes(&mut self) {
        self.pairs = None;
    }

    pub(super) fn name(&self, code: usize) -> &str {
        self.names.get(code).map_or("", String::as_str)
    }

    /// Categories that occur, the commonest first.
    pub(super) fn by_count(&self) -> Vec<(&str, u64)> {
        let names = self.names.iter().map(String::as_str);
        let mut counts: Vec<_> = names.zip(self.counts.iter().copied()).filter(|(_, n)| *n > 0).collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        counts
    }

    /// The number of rows for each category and class.
    pub(super) fn rows(&self, n_classes: usize) -> Option<Vec<Vec<u64>>> {
        let pairs = self.pairs.as_ref()?;
        let mut rows = std::collections::BTreeMap::<usize, Vec<u64>>::new();
        for (&(code, class), &n) in pairs {
            let row = rows.entry(code).or_insert_with(|| vec![0; n_classes]);
            if let Some(cell) = row.get_mut(class as usize - 1) {
                *cell += n;
            }
        }
        Some(rows.into_values().collect())
    }
}
