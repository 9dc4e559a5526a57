//! What nb-significance promises, tested through its public interface.

mod conclusions;
mod corners;
mod demsar;
mod laws;
mod practical;
mod reference;
