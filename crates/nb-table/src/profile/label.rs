//! The labels of rows while a profile is made.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    table_profile::{Commonest, LabelProfile},
    texts::Texts,
    values::Class,
};

/// With more labels, columns are not counted by label.
const MOST_CLASSES: usize = 100;

/// What is known of the label column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelWatch {
    column: String,
    missing: BTreeSet<String>,
    n_missing: u64,
    labels: Texts,
    /// The number of each label, from 1; none once there are too many.
    classes: Option<BTreeMap<String, Class>>,
}

impl LabelWatch {
    pub(super) fn new(column: &str, missing: BTreeSet<String>) -> Self {
        let (column, classes) = (column.into(), Some(BTreeMap::new()));
        Self { column, missing, n_missing: 0, labels: Texts::default(), classes }
    }

    pub(super) fn is_missing(&self, label: &str) -> bool {
        label.is_empty() || self.missing.contains(label)
    }

    /// The number of the class of the next row; 0 if it has none, or there are too many.
    pub(super) fn look(&mut self, label: &str) -> Class {
        if self.is_missing(label) {
            self.n_missing += 1;
            return 0;
        }
        self.labels.add(label, 1);
        self.class(label)
    }

    fn class(&mut self, label: &str) -> Class {
        let Some(classes) = &mut self.classes else { return 0 };
        if let Some(&class) = classes.get(label) {
            return class;
        }
        if classes.len() >= MOST_CLASSES {
            self.classes = None;
            return 0;
        }
        let class = classes.len() as Class + 1;
        classes.insert(label.into(), class);
        class
    }

    pub(super) fn has_classes(&self) -> bool {
        self.classes.is_some()
    }

    /// How many classes have a number.
    pub(super) fn n_classes(&self) -> usize {
        self.classes.as_ref().map_or(0, BTreeMap::len)
    }

    /// The labels in the order of their names, with their numbers; none if there are too many.
    pub(super) fn classes(&self) -> Vec<(&str, Class)> {
        let classes = self.classes.iter().flatten();
        classes.map(|(name, &class)| (name.as_str(), class)).collect()
    }

    /// Adds the labels of other rows: the numbers that their classes have here, by the numbers that they had.
    pub(super) fn merge(&mut self, other: &Self) -> Vec<Class> {
        self.n_missing += other.n_missing;
        self.labels.merge(&other.labels);
        let mut classes = vec![0; other.n_classes() + 1];
        match &other.classes {
            None => self.classes = None,
            Some(others) => {
                for (name, &class) in others {
                    classes[class as usize] = self.class(name);
                }
            }
        }
        if self.classes.is_none() {
            classes.fill(0);
        }
        classes
    }

    pub(super) fn profile(&self) -> LabelProfile {
        const NAMED: usize = 10;
        let most = if self.has_classes() { MOST_CLASSES } else { NAMED };
        let (mut classes, _) = self.labels.commonest(most);
        if self.has_classes() {
            classes.sort();
        }
        LabelProfile {
            column: self.column.clone(),
            n_missing: self.n_missing,
            distinct: self.labels.distinct(),
            classes: classes.into_iter().map(|(value, n)| Commonest { value, n }).collect(),
        }
    }
}
