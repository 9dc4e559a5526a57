//! The engine against the libraries, and the page in a browser.

mod browser;
mod chromium;
mod engine;
mod hostile;
mod support;
