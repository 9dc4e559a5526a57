//! What nb-variants promises, tested through its public interface.

mod aode;
mod bandwidth;
mod binned;
mod count_ratio;
mod cuts;
mod dirichlet_multinomial;
mod grouped;
mod kernel;
mod mdl;
mod modl;
mod tan;
mod transform;
