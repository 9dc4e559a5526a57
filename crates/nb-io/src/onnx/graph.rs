//! A graph under construction.

use ndarray::ArrayView2;

use super::proto::{self, Element, Message};

/// Nodes and constants, with names that are made up on the way.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
}

/// The name of a value in the graph.
pub(super) type Name = String;

impl Graph {
    fn fresh(&self, what: &str) -> Name {
        format!("{what}_{}", self.nodes.len() + self.constants.len())
    }

    /// Adds an operator; the name of its output.
    pub(super) fn operator(&mut self, operator: &str, inputs: &[&str], attributes: &[(&str, i64)]) -> Name {
        let output = self.fresh(operator);
        self.nodes.push(proto::node(operator, inputs, &output, attributes));
        output
    }

    /// Adds an operator whose output has a given name.
    pub(super) fn result(&mut self, operator: &str, inputs: &[&str], name: &str, attributes: &[(&str, i64)]) {
        self.nodes.push(proto::node(operator, inputs, name, attributes));
    }

    /// Adds a matrix.
    pub(super) fn matrix(&mut self, matrix: &ArrayView2<'_, f64>) -> Name {
        let name = self.fresh("matrix");
        self.constants.push(proto::doubles(&name, &[matrix.nrows(), matrix.ncols()], matrix.iter().copied()));
        name
    }

    /// Adds a matrix, given row after row.
    pub(super) fn table(&mut self, shape: [usize; 2], values: &[f64]) -> Name {
        let name = self.fresh("matrix");
        self.constants.push(proto::doubles(&name, &shape, values.iter().copied()));
        name
    }

    /// Adds a vector.
    pub(super) fn vector(&mut self, values: &[f64]) -> Name {
        let name = self.fresh("vector");
        self.constants.push(proto::doubles(&name, &[values.len()], values.iter().copied()));
        name
    }

    /// Adds a vector of integers.
    pub(super) fn integers(&mut self, values: &[i64]) -> Name {
        let name = self.fresh("integers");
        self.constants.push(proto::integers(&name, &[values.len()], values.iter().copied()));
        name
    }

    /// Adds a vector of texts.
    pub(super) fn texts(&mut self, values: &[impl AsRef<str>]) -> Name {
        let name = self.fresh("texts");
        self.constants.push(proto::texts(&name, values.iter().map(AsRef::as_ref)));
        name
    }

    /// Some columns of `x`.
    pub(super) fn columns(&mut self, x: &str, columns: &[usize]) -> Name {
        // No table has so many columns that their numbers would be clipped.
        let number = |&column: &usize| i64::try_from(column).unwrap_or(i64::MAX);
        let columns: Vec<i64> = columns.iter().map(number).collect();
        let columns = self.integers(&columns);
        self.operator("Gather", &[x, &columns], &[("axis", 1)])
    }

    /// `values`, but zero where `x` is missing.
    pub(super) fn zero_where_missing(&mut self, x: &str, values: &str) -> Name {
        let absent = self.operator("IsNaN", &[x], &[]);
        let zero = self.vector(&[0.0]);
        self.operator("Where", &[&absent, &zero, values], &[])
    }

    /// Truth values as 0 and 1.
    pub(super) fn as_double(&mut self, x: &str) -> Name {
        self.operator("Cast", &[x], &[("to", Element::Double as i64)])
    }

    /// Whole numbers as integers.
    pub(super) fn as_integer(&mut self, x: &str) -> Name {
        self.operator("Cast", &[x], &[("to", Element::Int64 as i64)])
    }

    /// `a + b`, or what there is of them.
    pub(super) fn sum(&mut self, a: Option<Name>, b: Name) -> Name {
        match a {
            Some(a) => self.operator("Add", &[&a, &b], &[]),
            None => b,
        }
    }

    /// The whole model: input `X` of so many columns, outputs `label` and `log_proba` of so many classes.
    pub(super) fn finish(self, columns: &[&str], n_classes: usize) -> Vec<u8> {
        let graph = self.nodes.iter().fold(Message::default(), |graph, node| graph.message(1, node));
        let graph = graph.text(2, "naive_bayes");
        let graph = self.constants.iter().fold(graph, |graph, constant| graph.message(5, constant));
        let graph = graph
            .message(11, &proto::value("X", Element::Double, Some(columns.len())))
            .message(12, &proto::value("label", Element::Text, None))
            .message(12, &proto::value("log_proba", Element::Double, Some(n_classes)));
        proto::model(&graph, &columns.join("\n")).into_bytes()
    }
}
