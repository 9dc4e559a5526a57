//! How families learn from rows what they must know before these are summed.

mod error;
mod rules;

use nb_core::description::Parameter;

pub use error::PreparationError;
pub use rules::{BinRule, PowerRule, RuleError};

use crate::{Parents, WeightRule};

/// The rules by which families learn from rows what they must know before these are summed; see
/// [`Variant::learn`](crate::Variant::learn).
///
/// ```
/// use nb_variants::{BinRule, Parents, Preparation};
///
/// let mut rules = Preparation::default();
/// rules.set("bins", "width:5")?;
/// rules.set("parents", "tree")?;
/// assert_eq!((rules.bins, rules.parents), (BinRule::EqualWidth(5), Parents::Tree));
/// assert_eq!(rules.rule("transform").as_deref(), Some("yeo-johnson"));
/// # Ok::<(), nb_variants::RuleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preparation {
    /// How numbers become bins.
    pub bins: BinRule,
    /// What numbers go through before they are normal.
    pub power: PowerRule,
    /// On which columns others depend.
    pub parents: Parents,
    /// How columns get weights.
    pub column_weights: WeightRule,
    /// Whether a column of a family with dependent columns in which the classes give no cut point has a bin
    /// for each of its values, if these are at most ten, and whole numbers.
    pub few_values: bool,
}

impl Default for Preparation {
    fn default() -> Self {
        Self {
            bins: BinRule::default(),
            power: PowerRule::default(),
            parents: Parents::default(),
            column_weights: WeightRule::default(),
            few_values: true,
        }
    }
}

/// What users know of each rule. `{families}` stands for the names of the families that it is for.
static RULES: [Parameter; 4] = [
    Parameter::new(
        "bins",
        "How the numbers of {families} columns get their cut points: mdl (Fayyad and Irani 1993), modl (Boullé 2006), \
         modl-greedy (its search, which may miss the best), width:K or frequency:K for K bins of equal width or frequency, or proportional (as many bins as each has rows; Yang and Webb 2009). A column \
         of these but binned in which mdl or modl finds no cut point has a bin for each of its values, if these are at most 10 whole numbers",
    )
    .called("", "RULE"),
    Parameter::new(
        "transform",
        "What {families} columns go through: yeo-johnson, box-cox (both with a power learnt for each column), or log",
    )
    .called("", "RULE"),
    Parameter::new(
        "parents",
        "On how many others a {families} column depends at most (Sahami 1996; 0 is naive Bayes), tree: each on one, as in tan, or selective:K: on \
         up to K, and which columns are used, both by leave-one-out (Martínez et al. 2016)",
    )
    .called("k", "K"),
    Parameter::new(
        "column_weights",
        "How the weights of {families} columns are learnt: cll or mse, one for each class by the conditional log-likelihood or the squared \
         error (CAWNB; Jiang et al. 2019); rnb, these mixed with one for all classes (Wang et al. 2020); cfw, one by mutual information \
         (Jiang et al. 2019), or aiwnb, the same with weights of rows (Zhang et al. 2021)",
    )
    .called("", "RULE"),
];

impl Preparation {
    /// What users know of each rule, in the order of help; `{families}` in what it is stands for the families
    /// with it in [`Description::learnt_by`](nb_core::description::Description::learnt_by).
    ///
    /// ```
    /// # use nb_variants::Preparation;
    /// let names: Vec<&str> = Preparation::rules().iter().map(|rule| rule.name).collect();
    /// assert_eq!(names, ["bins", "transform", "parents", "column_weights"]);
    /// ```
    pub fn rules() -> &'static [Parameter] {
        &RULES
    }

    /// A rule as a text, by its name.
    ///
    /// ```
    /// # use nb_variants::Preparation;
    /// assert_eq!(Preparation::default().rule("bins").as_deref(), Some("mdl"));
    /// assert_eq!(Preparation::default().rule("colour"), None);
    /// ```
    pub fn rule(&self, name: &str) -> Option<String> {
        Some(match name {
            "bins" => self.bins.to_string(),
            "transform" => self.power.to_string(),
            "parents" => self.parents.to_string(),
            "column_weights" => self.column_weights.to_string(),
            _ => return None,
        })
    }

    /// Sets a rule by its name to what a text says.
    ///
    /// ```
    /// # use nb_variants::{PowerRule, Preparation};
    /// let mut rules = Preparation::default();
    /// rules.set("transform", "log")?;
    /// assert_eq!(rules.power, PowerRule::Log);
    /// assert!(rules.set("transform", "root").is_err());
    /// # Ok::<(), nb_variants::RuleError>(())
    /// ```
    ///
    /// # Errors
    /// [`RuleError`] if the text is not such a rule, or none has this name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), RuleError> {
        match name {
            "bins" => self.bins = text.parse()?,
            "transform" => self.power = text.parse()?,
            "parents" => self.parents = text.parse()?,
            "column_weights" => self.column_weights = text.parse()?,
            _ => return Err(RuleError::unknown(name)),
        }
        Ok(())
    }

    /// The same with other bins.
    ///
    /// ```
    /// # use nb_variants::{BinRule, Preparation};
    /// assert_eq!(Preparation::default().with_bins(BinRule::Modl).bins, BinRule::Modl);
    /// ```
    #[must_use]
    pub fn with_bins(self, bins: BinRule) -> Self {
        Self { bins, ..self }
    }

    /// The same with another transform.
    ///
    /// ```
    /// # use nb_variants::{PowerRule, Preparation};
    /// assert_eq!(Preparation::default().with_power(PowerRule::Log).power, PowerRule::Log);
    /// ```
    #[must_use]
    pub fn with_power(self, power: PowerRule) -> Self {
        Self { power, ..self }
    }

    /// The same with other parents.
    ///
    /// ```
    /// # use nb_variants::{Parents, Preparation};
    /// assert_eq!(Preparation::default().with_parents(Parents::Most(2)).parents, Parents::Most(2));
    /// ```
    #[must_use]
    pub fn with_parents(self, parents: Parents) -> Self {
        Self { parents, ..self }
    }

    /// The same with other weights of columns.
    ///
    /// ```
    /// # use nb_variants::{Preparation, WeightRule};
    /// let rules = Preparation::default().with_column_weights(WeightRule::Mse);
    /// assert_eq!(rules.rule("column_weights").as_deref(), Some("mse"));
    /// ```
    #[must_use]
    pub fn with_column_weights(self, column_weights: WeightRule) -> Self {
        Self { column_weights, ..self }
    }

    /// The same with [bins of few values](Self::few_values), or without.
    ///
    /// ```
    /// # use nb_variants::Preparation;
    /// assert!(!Preparation::default().with_few_values(false).few_values);
    /// ```
    #[must_use]
    pub fn with_few_values(self, few_values: bool) -> Self {
        Self { few_values, ..self }
    }
}
