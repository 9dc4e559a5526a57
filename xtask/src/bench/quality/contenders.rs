//! Who is compared.

use nb_train::Effort;

use super::{
    data::{Data, Group},
    ours::Ours,
};

/// A classifier that is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contender {
    /// Its name in files, and in `quality_models.py` if it is there.
    pub(super) key: &'static str,
    /// Its name in tables.
    pub(super) name: &'static str,
    /// What it is. `{PACKAGE}` becomes the name of a Python package with its version.
    pub(super) about: &'static str,
    /// How it is trained, if it is one of this library.
    pub(super) ours: Option<Ours>,
    /// Whether it takes so long that it is run once.
    pub(super) is_slow: bool,
    /// The data sets that it is run on.
    on: On,
}

/// Kinds of data sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    Tables,
    TablesAndCurves,
    Texts,
    All,
}

impl Contender {
    const fn ours(key: &'static str, ours: Ours, on: On, about: &'static str) -> Self {
        Self { key, name: key, about, ours: Some(ours), is_slow: false, on }
    }

    const fn other(key: &'static str, name: &'static str, on: On, about: &'static str) -> Self {
        Self { key, name, about, ours: None, is_slow: false, on }
    }

    const fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    /// How often it is run on a data set that it is for; in learning curves, once for each size.
    pub(super) fn n_repeats(&self, set: &Data) -> usize {
        if self.is_slow && set.group != Group::Curve { 1 } else { set.repeats.len() }
    }

    /// Whether it is run on data sets of a group.
    pub(super) fn is_for(&self, group: Group) -> bool {
        match group {
            Group::Unseen | Group::Seen => self.on != On::Texts,
            Group::Texts => matches!(self.on, On::Texts | On::All),
            Group::Curve => matches!(self.on, On::TablesAndCurves | On::All),
        }
    }
}

/// All contenders, in the order of the tables.
pub(super) const CONTENDERS: &[Contender] = &[
    Contender::ours(
        PRIOR,
        Ours::Prior,
        On::All,
        "the shares of the classes among the training rows, whatever the row",
    ),
    Contender::ours(
        "gaussian",
        Ours::Variant("gaussian"),
        On::Tables,
        "naive Bayes: normal distributions, and categories",
    ),
    Contender::ours(
        "mdl",
        Ours::Variant("mdl"),
        On::Tables,
        "naive Bayes: bins by description length, and categories",
    ),
    Contender::ours(
        "aode",
        Ours::Variant("aode"),
        On::Tables,
        "averaged one-dependence estimators on the same bins",
    ),
    Contender::ours(
        "logistic",
        Ours::Variant("logistic"),
        On::Tables,
        "logistic regression, standardised numbers and indicators of categories",
    ),
    Contender::ours(
        "plain",
        Ours::Train(Effort::Plain),
        On::Texts,
        "`nbayes train --plain`: naive Bayes on the counts of words",
    ),
    Contender::ours(
        "weighted",
        Ours::Train(Effort::Fast),
        On::All,
        "`nbayes train --fast`: bins, categories and words with a weight per column",
    ),
    Contender::ours(
        BASELINE,
        Ours::Train(Effort::Usual),
        On::All,
        "`nbayes train`: the same with corrections of bins, categories and words",
    ),
    Contender::ours(
        "best",
        Ours::Train(Effort::Best),
        On::All,
        "`nbayes train --best`: the same with more bins, penalties and n-grams tried",
    )
    .slow(),
    Contender::other(
        "naive-bayes",
        "sk naive Bayes",
        On::Tables,
        "{scikit-learn}: `GaussianNB` and `CategoricalNB` with one prior; \
         a missing number is the mean of its column",
    ),
    Contender::other(
        "logistic",
        "sk logistic",
        On::TablesAndCurves,
        "{scikit-learn}: `LogisticRegression`, standardised numbers and indicators of categories",
    ),
    Contender::other(
        "logistic-tuned",
        "sk logistic CV",
        On::Tables,
        "the same with C from 0.001 to 1,000, the one with the least log-loss in five folds \
         of the training rows",
    ),
    Contender::other(
        "ebm",
        "EBM",
        On::Tables,
        "{interpret-core}: `ExplainableBoostingClassifier` without interactions",
    )
    .slow(),
    Contender::other(
        "ebm-pairs",
        "EBM pairs",
        On::Tables,
        "the same with interactions, which is its default",
    )
    .slow(),
    Contender::other(
        "khiops",
        "Khiops",
        On::Tables,
        "{khiops}: `KhiopsClassifier` without trees and pairs, a selective naive Bayes",
    ),
    Contender::other(
        "boosting",
        "sk boosting",
        On::TablesAndCurves,
        "{scikit-learn}: `HistGradientBoostingClassifier`",
    ),
    Contender::other("lightgbm", "LightGBM", On::TablesAndCurves, "{lightgbm}: `LGBMClassifier`"),
    Contender::other("xgboost", "XGBoost", On::TablesAndCurves, "{xgboost-cpu}: `XGBClassifier`"),
    Contender::other(
        "forest",
        "random forest",
        On::TablesAndCurves,
        "{scikit-learn}: `RandomForestClassifier`, numbers and indicators of categories",
    ),
    Contender::other(
        "text-naive-bayes",
        "sk multinomial",
        On::Texts,
        "{scikit-learn}: `MultinomialNB` on `CountVectorizer`",
    ),
    Contender::other(
        "text-logistic",
        "sk tf-idf logistic",
        On::Texts,
        "{scikit-learn}: `LogisticRegression` on `TfidfVectorizer`",
    ),
    Contender::other(
        "text-logistic-tuned",
        "sk tf-idf logistic CV",
        On::Texts,
        "the same on logarithms of counts of words and pairs of words, with C from 0.001 to 1,000 \
         by five folds",
    ),
];

/// The contender that looks at no column.
pub(super) const PRIOR: &str = "prior";

/// The contender that all others are set against.
pub(super) const BASELINE: &str = "refined";
