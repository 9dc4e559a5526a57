//! What nb-linear promises, tested through its public interface.

mod boundary;
mod form;
mod logistic;
mod logistic_peers;
mod parameters;
mod shared_gaussian;
mod twins;
