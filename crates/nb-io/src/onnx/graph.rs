//! A graph under construction.

use std::collections::HashSet;

use ndarray::ArrayView2;

use super::proto::{self, Attribute, Element, Message};

/// Nodes and constants, with names that are made up on the way.
#[derive(Debug)]
pub(super) struct Graph {
    inputs: Vec<Message>,
    nodes: Vec<Message>,
    constants: Vec<Message>,
    /// Names of inputs and outputs, which no value inside may have.
    reserved: HashSet<Name>,
    operator_set: u64,
    has_ml: bool,
}

/// The name of a value in the graph.
pub(super) type Name = String;

/// What keeps columns from being expressed; they are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Impossible(usize),
    Unsupported(usize),
    NoColumns,
}

/// What an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cells {
    Numbers,
    Texts,
}

/// The length as an ONNX integer; it never exceeds the maximum of `i64`.
pub(super) fn count<T>(all: &[T]) -> i64 {
    i64::try_from(all.len()).unwrap_or(i64::MAX)
}

impl Graph {
    /// A graph without inputs.
    pub(super) fn new() -> Self {
        Self {
            inputs: Vec::new(),
            nodes: Vec::new(),
            constants: Vec::new(),
            reserved: HashSet::new(),
            operator_set: 17,
            has_ml: false,
        }
    }

    /// Adds an input with this number of columns. All inputs are added before anything else.
    pub(super) fn input(&mut self, name: &str, cells: Cells, n_columns: usize) {
        let element = match cells {
            Cells::Numbers => Element::Double,
            Cells::Texts => Element::Text,
        };
        self.inputs.push(proto::value(name, element, Some(n_columns)));
        self.reserved.insert(name.into());
    }

    /// The name of an output; `predicted_` goes before it where an input has it.
    pub(super) fn output_name(&mut self, name: &str) -> Name {
        let mut name = name.to_owned();
        while !self.reserved.insert(name.clone()) {
            name.insert_str(0, "predicted_");
        }
        name
    }

    fn fresh(&self, what: &str) -> Name {
        let mut name = format!("{what}_{}", self.nodes.len() + self.constants.len());
        while self.reserved.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Adds an operator; the name of its output.
    pub(super) fn operator(&mut self, operator: &str, inputs: &[&str], attributes: &[(&str, i64)]) -> Name {
        let attributes: Vec<_> =
            attributes.iter().map(|&(name, value)| (name, Attribute::Integer(value))).collect();
        self.operator_with(operator, inputs, &attributes)
    }

    /// The same with attributes of any kind.
    pub(super) fn operator_with(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, Attribute<'_>)],
    ) -> Name {
        let output = self.fresh(operator);
        self.nodes.push(proto::node("", operator, inputs, &[&output], attributes));
        output
    }

    /// Adds an operator whose output has a given name.
    pub(super) fn result(&mut self, operator: &str, inputs: &[&str], name: &str, attributes: &[(&str, i64)]) {
        let attributes: Vec<_> =
            attributes.iter().map(|&(name, value)| (name, Attribute::Integer(value))).collect();
        self.nodes.push(proto::node("", operator, inputs, &[name], &attributes));
    }

    /// Adds an operator that came with operator set 20.
    pub(super) fn operator_of_20(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, Attribute<'_>)],
    ) -> Name {
        self.operator_set = 20;
        self.operator_with(operator, inputs, attributes)
    }

    /// The parts of texts between delimiters, with a new last axis, which is as long as the most parts; and
    /// how many parts each text has.
    pub(super) fn split(&mut self, texts: &str, delimiter: &str, most: Option<i64>) -> (Name, Name) {
        self.operator_set = 20;
        let parts = self.fresh("StringSplit");
        let numbers = self.fresh("StringSplitNumbers");
        let mut attributes = vec![("delimiter", Attribute::Text(delimiter))];
        attributes.extend(most.map(|most| ("maxsplit", Attribute::Integer(most))));
        self.nodes.push(proto::node("", "StringSplit", &[texts], &[&parts, &numbers], &attributes));
        (parts, numbers)
    }

    /// Which texts match a regular expression as a whole.
    pub(super) fn matches(&mut self, texts: &str, pattern: &str) -> Name {
        self.operator_of_20("RegexFullMatch", &[texts], &[("pattern", Attribute::Text(pattern))])
    }

    /// A vector of texts with small letters for the large ones of ASCII.
    pub(super) fn lower_case(&mut self, texts: &str) -> Name {
        let attributes = [("case_change_action", Attribute::Text("LOWER")), ("locale", Attribute::Text("C"))];
        self.operator_with("StringNormalizer", &[texts], &attributes)
    }

    /// Zeros with something added at places, of which some may be the same.
    pub(super) fn added_at(&mut self, zeros: &str, places: &str, values: &str) -> Name {
        self.operator_set = 20;
        self.operator_with(
            "ScatterElements",
            &[zeros, places, values],
            &[("reduction", Attribute::Text("add"))],
        )
    }

    /// `0, 1, …` below a number, which is a vector of one.
    pub(super) fn numbers_below(&mut self, n: &str) -> Name {
        let zero = self.integers(&[0]);
        let n = self.operator("Squeeze", &[n, &zero], &[]);
        let (start, step) = (self.integer(0), self.integer(1));
        self.operator("Range", &[&start, &n, &step], &[])
    }

    /// `0, 1, …` up to a number, which is a vector of one.
    pub(super) fn numbers_up_to(&mut self, n: &str) -> Name {
        let one = self.integers(&[1]);
        let n = self.operator("Add", &[n, &one], &[]);
        self.numbers_below(&n)
    }

    /// The values of a list, each in the place before its own, and another one in the last.
    pub(super) fn shifted_up(&mut self, values: &str, last: &str) -> Name {
        let (start, end) = (self.integers(&[1]), self.integers(&[i64::MAX]));
        let rest = self.operator("Slice", &[values, &start, &end], &[]);
        self.operator("Concat", &[&rest, last], &[("axis", 0)])
    }

    /// The values of a list, each in the place behind its own, and another one in the first.
    pub(super) fn shifted_down(&mut self, values: &str, first: &str) -> Name {
        let (start, end) = (self.integers(&[0]), self.integers(&[-1]));
        let rest = self.operator("Slice", &[values, &start, &end], &[]);
        self.operator("Concat", &[first, &rest], &[("axis", 0)])
    }

    /// Adds a truth value.
    pub(super) fn flag(&mut self, value: bool) -> Name {
        let value = self.integers(&[i64::from(value)]);
        self.operator("Cast", &[&value], &[("to", Element::Flag as i64)])
    }

    /// The number of each text, and another one for all texts that have none.
    pub(super) fn lookup(&mut self, texts: &str, numbers: &[(&str, i64)], other: i64) -> Name {
        self.has_ml = true;
        let output = self.fresh("LabelEncoder");
        let (keys, values) = numbers.iter().copied().unzip();
        let attributes = [
            ("keys_strings", Attribute::Texts(keys)),
            ("values_int64s", Attribute::Integers(values)),
            ("default_int64", Attribute::Integer(other)),
        ];
        self.nodes.push(proto::node(proto::ML, "LabelEncoder", &[texts], &[&output], &attributes));
        output
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

    /// Adds a text.
    pub(super) fn text(&mut self, text: &str) -> Name {
        self.texts(&[text])
    }

    /// Adds an integer, which is no vector.
    fn integer(&mut self, value: i64) -> Name {
        let name = self.fresh("integer");
        self.constants.push(proto::integers(&name, &[], std::iter::once(value)));
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
        // Column numbers never exceed the maximum of `i64`.
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
    /// The number of cut points below each of some cells, as a double.
    pub(super) fn cuts_below(&mut self, cells: &str, cuts: &[f64]) -> Name {
        if cuts.is_empty() {
            let zero = self.vector(&[0.0]);
            return self.operator("Mul", &[cells, &zero], &[]);
        }
        let cuts = self.vector(cuts);
        let above = self.operator("Greater", &[cells, &cuts], &[]);
        let above = self.as_double(&above);
        let axis = self.integers(&[1]);
        self.operator("ReduceSum", &[&above, &axis], &[("keepdims", 1)])
    }

    /// Codes as they are, or the number of codes for all that are not below it: what is no code is refused
    /// elsewhere, but must not be looked up beyond a table. A missing cell is 0.
    pub(super) fn code_up_to(&mut self, cells: &str, n_codes: usize) -> Name {
        let cells = self.zero_where_missing(cells, cells);
        let least = self.vector(&[0.0]);
        let codes = self.operator("Max", &[&cells, &least], &[]);
        let beyond = self.vector(&[n_codes as f64]);
        self.operator("Min", &[&codes, &beyond], &[])
    }

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

    /// The whole model, with one output of labels and some of numbers, `n_rows × n_classes`.
    pub(super) fn finish(self, label: &str, numbers: &[Name], columns: &[&str], classes: &[&str]) -> Vec<u8> {
        let graph = self.nodes.iter().fold(Message::default(), |graph, node| graph.message(1, node));
        let graph = graph.text(2, "naive_bayes");
        let graph = self.constants.iter().fold(graph, |graph, constant| graph.message(5, constant));
        let graph = self.inputs.iter().fold(graph, |graph, input| graph.message(11, input));
        let graph = graph.message(12, &proto::value(label, Element::Text, None));
        let output = |name: &Name| proto::value(name, Element::Double, Some(classes.len()));
        let graph = numbers.iter().fold(graph, |graph, name| graph.message(12, &output(name)));
        let (columns, classes) = (columns.join("\n"), classes.join("\n"));
        let properties = [("columns", columns.as_str()), ("classes", classes.as_str())];
        proto::model(&graph, self.operator_set, self.has_ml, &properties).into_bytes()
    }
}
