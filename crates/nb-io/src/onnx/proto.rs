//! The few protocol-buffer messages of ONNX that a model needs, written by hand.
//!
//! Field numbers are those of `onnx.proto` (ONNX 1.15, IR version 9). A field is a key, `number << 3 | kind`,
//! and a value; kind 0 is a variable-length integer, kind 2 a length and that many bytes.

/// Element types of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Int64 = 7,
    Text = 8,
    Flag = 9,
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

/// The value of an attribute of an operator.
#[derive(Clone, Debug)]
pub(super) enum Attribute<'a> {
    Integer(i64),
    Text(&'a str),
    Integers(Vec<i64>),
    Texts(Vec<&'a str>),
}

impl Attribute<'_> {
    /// `AttributeProto`.
    fn message(&self, name: &str) -> Message {
        const KIND: u64 = 20;
        let message = Message::default().text(1, name);
        match self {
            // Negative numbers are their two's complement.
            Self::Integer(value) => message.integer(3, value.cast_unsigned()).integer(KIND, 2),
            Self::Text(value) => message.text(4, value).integer(KIND, 3),
            Self::Integers(values) => {
                let all = |message: Message, value: &i64| message.integer(8, value.cast_unsigned());
                values.iter().fold(message, all).integer(KIND, 7)
            }
            Self::Texts(values) => {
                values.iter().fold(message, |message, value| message.text(9, value)).integer(KIND, 8)
            }
        }
    }
}

/// `NodeProto`: an operator of a domain; the standard one has an empty name.
pub(super) fn node(
    domain: &str,
    operator: &str,
    inputs: &[&str],
    outputs: &[&str],
    attributes: &[(&str, Attribute<'_>)],
) -> Message {
    let message = inputs.iter().fold(Message::default(), |message, input| message.text(1, input));
    let message = outputs.iter().fold(message, |message, output| message.text(2, output));
    let message = message.text(4, operator);
    let message =
        attributes.iter().fold(message, |message, (name, value)| message.message(5, &value.message(name)));
    if domain.is_empty() { message } else { message.text(7, domain) }
}

/// The domain of operators for machine learning, which has the lookup of categories.
pub(super) const ML: &str = "ai.onnx.ml";

/// `ModelProto`: a graph over the standard operators, with texts that describe it.
pub(super) fn model(
    graph: &Message,
    operator_set: u64,
    has_ml: bool,
    properties: &[(&str, &str)],
) -> Message {
    const ML_OPERATOR_SET: u64 = 3;
    let ir_version = if operator_set > 18 { 9 } else { 8 };
    let set = |domain: &str, version| Message::default().text(1, domain).integer(2, version);
    let mut model = Message::default()
        .integer(1, ir_version)
        .text(2, "nb-io")
        .text(3, env!("CARGO_PKG_VERSION"))
        .message(7, graph)
        .message(8, &set("", operator_set));
    if has_ml {
        model = model.message(8, &set(ML, ML_OPERATOR_SET));
    }
    let property = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    properties.iter().fold(model, |model, (key, value)| model.message(14, &property(key, value)))
}
