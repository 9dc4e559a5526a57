//! Tests for comparing classifiers.
