//! Runs the program as a user does.

mod algebra;
mod basics;
mod folder;
mod plot;
