//! What nb-variants promises, tested through its public interface.

mod a2de;
mod aode;
mod aodesr;
mod asaode;
mod bandwidth;
mod binned;
mod count_ratio;
mod counting;
mod cuts;
mod dirichlet_multinomial;
mod ekdb;
mod grouped;
mod hierarchical;
mod hnb;
mod kdb;
mod kernel;
mod mdl;
mod modl;
mod selective;
mod tan;
mod transform;
mod waode;
mod weighted;
