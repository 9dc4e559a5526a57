//! Self-contained reports.
