//! The few protocol-buffer messages of ONNX that a model needs, written by hand.
//!
//! Field numbers are those of `onnx.proto` (ONNX 1.12, IR version 8). A field is a key, `number << 3 | kind`, and a
//! value; kind 0 is a variable-length integer, kind 2 a length and that many bytes.

/// Element types of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Int64 = 7,
    Text = 8,
    Double = 11,
}

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An integer field.
    pub(super) fn integer(mut self, number: u64, value: u64) -> Self {
        self.varint(number << 3);
        self.varint(value);
        self
    }

    /// A field of bytes.
    pub(super) fn bytes(mut self, number: u64, bytes: &[u8]) -> Self {
        self.varint(number << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// A text field.
    pub(super) fn text(self, number: u64, text: &str) -> Self {
        self.bytes(number, text.as_bytes())
    }

    /// A field that is a message.
    pub(super) fn message(self, number: u64, message: &Message) -> Self {
        self.bytes(number, &message.0)
    }
}

/// `TensorProto`: name, shape and element type; the data are added by the caller.
fn tensor(name: &str, shape: &[usize], element: Element) -> Message {
    let message = Message::default();
    let message = shape.iter().fold(message, |message, &length| message.integer(1, length as u64));
    message.integer(2, element as u64).text(8, name)
}

/// A constant of doubles.
pub(super) fn doubles(name: &str, shape: &[usize], values: impl Iterator<Item = f64>) -> Message {
    let data: Vec<u8> = values.flat_map(f64::to_le_bytes).collect();
    tensor(name, shape, Element::Double).bytes(9, &data)
}

/// A constant of integers.
pub(super) fn integers(name: &str, shape: &[usize], values: impl Iterator<Item = i64>) -> Message {
    let data: Vec<u8> = values.flat_map(i64::to_le_bytes).collect();
    tensor(name, shape, Element::Int64).bytes(9, &data)
}

/// A constant vector of texts.
pub(super) fn texts<'a>(name: &str, values: impl ExactSizeIterator<Item = &'a str>) -> Message {
    let tensor = tensor(name, &[values.len()], Element::Text);
    values.fold(tensor, |message, value| message.text(6, value))
}

/// `ValueInfoProto`: an input or output with any number of rows; `columns` is `None` for a vector.
pub(super) fn value(name: &str, element: Element, columns: Option<usize>) -> Message {
    let rows = Message::default().text(2, "n_rows");
    let mut shape = Message::default().message(1, &rows);
    if let Some(columns) = columns {
        shape = shape.message(1, &Message::default().integer(1, columns as u64));
    }
    let tensor = Message::default().integer(1, element as u64).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}

/// `NodeProto`: one operator with one output and integer attributes.
pub(super) fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) -> Message {
    const INTEGER: u64 = 2;
    let message = inputs.iter().fold(Message::default(), |message, input| message.text(1, input));
    let message = message.text(2, output).text(4, operator);
    attributes.iter().fold(message, |message, &(name, value)| {
        // Negative numbers are their two's complement.
        let attribute =
            Message::default().text(1, name).integer(3, value.cast_unsigned()).integer(20, INTEGER);
        message.message(5, &attribute)
    })
}

/// `ModelProto`: a graph over the standard operators.
pub(super) fn model(graph: &Message, columns: &str) -> Message {
    const IR_VERSION: u64 = 8;
    const OPERATOR_SET: u64 = 17;
    let operators = Message::default().text(1, "").integer(2, OPERATOR_SET);
    let columns = Message::default().text(1, "columns").text(2, columns);
    Message::default()
        .integer(1, IR_VERSION)
        .text(2, "nb-io")
        .text(3, env!("CARGO_PKG_VERSION"))
        .message(7, graph)
        .message(8, &operators)
        .message(14, &columns)
}
