//! Relatives of naive Bayes.
