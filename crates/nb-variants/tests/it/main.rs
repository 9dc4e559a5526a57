//! What nb-variants promises, tested through its public interface.

mod aode;
mod kernel;
mod transform;
