//! Naive Bayes where the data are: fitting and predicting inside DataFusion and Ballista queries.
