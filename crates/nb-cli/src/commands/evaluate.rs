//! `nb evaluate`: how good a model is.
