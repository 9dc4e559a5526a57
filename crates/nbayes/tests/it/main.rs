//! Runs the program as a user does.

mod algebra;
mod basics;
mod columns;
mod compare;
mod engines;
mod families;
mod folder;
mod habits;
mod nasty;
mod plot;
mod sql;
mod transcripts;
