//! Discriminative naive Bayes: weights of features and corrections of bins that maximise the conditional
//! likelihood, on top of exact sums.
//!
//! # Should I be using this crate?
//!
//! Yes, if probabilities matter and columns depend on each other, which is nearly always: naive Bayes counts
//! the same evidence twice then, and is far too sure. [`Learner`] finds out from held-out rows how much of
//! each column to believe and where the log-odds of a bin, or of two columns together, should be others than
//! those of naive Bayes; the result is a [`Refinement`], and [`Refined`] is the family that has it. Scores
//! remain sums over columns and pairs of them: they are explained, exported and computed as before.
//!
//! What it costs: sums stay exact, and can be updated, merged and taken apart; weights and corrections can
//! not. They are kept as they are, or learnt again from rows.
//!
//! | what | source |
//! | --- | --- |
//! | weights | Zaidi, Cerquides, Carman and Webb (2013): WANBIA, by conditional log-likelihood |
//! | leave-one-out contributions | counts less one, in closed form |
//! | terms of bins and categories | Zaidi et al. (2016): logistic regression that starts where naive Bayes is; Nori et al. (2019) for its use |
//! | neighbouring bins | Eilers and Marx (1996): penalties on differences |
//! | pairs of columns | Lou, Caruana, Gehrke and Hooker (2013), by the score test (Rao 1948) on counts of cells; Lengerich et al. (2020): what they say beyond their columns |
//! | both together | Wolpert (1992) and Breiman (1996): stacking |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod learn;
mod refined;

pub use error::LearnError;
pub use learn::{ColumnKind, HeldOutPosteriors, LabelledRows, Learner, Learnt, Penalty, Summary};
pub use refined::{
    AbsentText, Correction, FittedRefined, GridAxis, Line, PairCorrection, Refined, Refinement,
};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
