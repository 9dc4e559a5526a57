//! How weights are learnt.

/// How the weights of [`AttributeWeighted`](crate::AttributeWeighted) are learnt from rows.
///
/// ```
/// use nb_variants::WeightRule;
///
/// assert_eq!("mse".parse::<WeightRule>(), Ok(WeightRule::Mse));
/// assert_eq!(WeightRule::Correlation.to_string(), "cfw");
/// assert!("best".parse::<WeightRule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightRule {
    /// `cll`: a weight per class and column that maximises the conditional log-likelihood `Σ log P(y | x)`
    /// of the rows: class-specific attribute weighted naive Bayes, CAWNB^CLL (Jiang, Zhang, Yu and Wang
    /// 2019, *Class-specific attribute weighted naive Bayes*, Pattern Recognition 88).
    ///
    /// The search starts from weights of 1 and takes at most 200 steps of limited-memory BFGS; without a
    /// penalty, weights of classes that can be told apart without error grow until then. The objective is
    /// that of the paper's abstract; its text was not available, so that bounds of weights and a stopping
    /// rule, if it has any, are not those of the paper.
    #[default]
    Cll,
    /// `mse`: the same with the least squared error `½ Σ_y (P(y | x) - [y = y_i])²`: CAWNB^MSE of the same
    /// paper. The error is not convex, so that the minimum is a local one, near weights of 1.
    Mse,
    /// `rnb`: the posterior with a weight per class and column, mixed with one with a weight per column:
    /// after regularized naive Bayes, RNB (Wang, Ren and Bai 2020, *A regularized attribute weighting framework
    /// for naive Bayes*, IEEE Access 8).
    ///
    /// All weights and the share of each posterior are those with the least squared error, as in
    /// [`Mse`](Self::Mse). The share begins at a half, and is the logistic function of a number that is
    /// searched. The paper's abstract has a regularization term that balances discrimination and
    /// generalization; its text was not available. That this term is a second posterior is our reading, and
    /// results need not be those of the paper.
    Regularized,
    /// `cfw`: a weight per column by its correlation with the class and with the other columns, the filter
    /// CFW (Jiang, Zhang, Li and Wu 2019, *A correlation-based feature weighting filter for naive Bayes*,
    /// IEEE Transactions on Knowledge and Data Engineering 31).
    ///
    /// `w_j = 1 / (1 + exp(-D_j))`, where `D_j` is `I(x_j; y)` less the mean of `I(x_j; x_i)` over the other
    /// columns, and each of the two kinds of mutual information is divided by its own mean. Nothing is
    /// searched. The formula is the one that the authors' program for a later method computes.
    Correlation,
    /// `aiwnb`: the weights of [`Correlation`](Self::Correlation), and probabilities from rows with weights:
    /// attribute and instance weighted naive Bayes in its eager form, AIWNB^E (Zhang, Jiang and Yu 2021,
    /// *Attribute and instance weighted naive Bayes*, Pattern Recognition 111).
    ///
    /// A row weighs `Σ_j f_j K_j`, where `f_j` is the share of the rows with its value of column `j` and
    /// `K_j` the number of codes of the column, as in the filter of attribute value frequencies (Xu, Jiang
    /// and Yu 2019, *An attribute value frequency-based instance weighting filter for naive Bayes*), of which
    /// a later paper of the group repeats the formula. The weights of values are learnt once; rows that are
    /// added later have them, too. The prior of the classes has these weights, as well: the score adds what
    /// they change.
    CorrelationAndInstances,
}

impl WeightRule {
    /// Its name, as in options.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cll => "cll",
            Self::Mse => "mse",
            Self::Regularized => "rnb",
            Self::Correlation => "cfw",
            Self::CorrelationAndInstances => "aiwnb",
        }
    }

    /// All rules.
    pub(crate) const ALL: [Self; 5] =
        [Self::Cll, Self::Mse, Self::Regularized, Self::Correlation, Self::CorrelationAndInstances];

    /// Whether weights are read off mutual information, and not searched.
    pub(super) fn is_of_correlation(self) -> bool {
        matches!(self, Self::Correlation | Self::CorrelationAndInstances)
    }

    /// What reports call naive Bayes with weights by this rule.
    ///
    /// ```
    /// # use nb_variants::WeightRule;
    /// assert_eq!(WeightRule::Regularized.method(), "regularized naive Bayes");
    /// ```
    pub fn method(self) -> &'static str {
        match self {
            Self::Cll => "class-specific attribute weighted naive Bayes by conditional log-likelihood",
            Self::Mse => "class-specific attribute weighted naive Bayes by mean squared error",
            Self::Regularized => "regularized naive Bayes",
            Self::Correlation => "naive Bayes with correlation-based feature weights",
            Self::CorrelationAndInstances => "attribute and instance weighted naive Bayes",
        }
    }

    /// The work that it is from.
    ///
    /// ```
    /// # use nb_variants::WeightRule;
    /// assert!(WeightRule::Mse.source().starts_with("Jiang, Zhang, Yu and Wang (2019)"));
    /// ```
    pub fn source(self) -> &'static str {
        match self {
            Self::Cll | Self::Mse => {
                "Jiang, Zhang, Yu and Wang (2019). Class-specific attribute weighted naive Bayes. Pattern Recognition 88."
            }
            Self::Regularized => {
                "Wang, Ren and Bai (2020). A regularized attribute weighting framework for naive Bayes. IEEE Access 8, 225639-225649."
            }
            Self::Correlation => {
                "Jiang, Zhang, Li and Wu (2019). A correlation-based feature weighting filter for naive Bayes. IEEE Transactions on Knowledge and Data Engineering 31, 201-213."
            }
            Self::CorrelationAndInstances => {
                "Zhang, Jiang and Yu (2021). Attribute and instance weighted naive Bayes. Pattern Recognition 111, 107674."
            }
        }
    }
}
