//! What nb-variants promises, tested through its public interface.

mod kernel;
mod transform;
