//! Networks as ONNX files: [`encode`] writes that of a bot, [`Graph`] that of any other network.
//!
//! The module writes protobuf's wire format directly, field by field. The graph has only seven operators, so a dependency
//! would be larger than this module. Field numbers are those of `onnx.proto` (IR version 8, operator set 17). The
//! Python checks run the result through ONNX's own checker and onnxruntime.
//!
//! | name | | type | shape |
//! |---|---|---|---|
//! | `row` | input | uint8 | `[batch, cells]` |
//! | `legal` | input | bool | `[batch, actions]` |
//! | `logits` | output | float32 | `[batch, actions]`, [`MASKED`] where not legal |
//! | `value` | output | float32 | `[batch]` |
//!
//! For a network of action values, `logits` holds the values, and the model's metadata says so (`outputs`).

use crate::file::{Header, Outputs};
use crate::net::{Activation, Dense, Weights};

/// The logit of an illegal action. It is far enough below every other that its probability is 0. It is finite, so that
/// a softmax over a row without legal actions does not give NaN.
pub const MASKED: f32 = -1e9;

/// The operator set the graph is written for.
pub const OPSET: u64 = 17;

const IR_VERSION: u64 = 8;

/// Element types of `TensorProto.DataType`.
const FLOAT: u64 = 1;
const UINT8: u64 = 2;
const INT64: u64 = 7;
const BOOL: u64 = 9;

/// Returns the bytes of `model.onnx` for `net`. The header's game, encoding, rules and layers become the model's
/// metadata. The same input gives the same bytes.
pub fn encode(header: &Header, net: &Weights) -> Vec<u8> {
    let mut graph = Graph::new(&net.scale);
    let mut last = SCALED.to_owned();
    for (number, layer) in net.trunk.iter().enumerate() {
        let (sum, name) = (format!("trunk.{number}.sum"), format!("trunk.{number}"));
        graph.dense(&name, layer, &last, &sum);
        let operator = match header.activation {
            Activation::Relu => "Relu",
            Activation::Tanh => "Tanh",
        };
        graph.node(operator, &[&sum], &name, &[]);
        last = name;
    }
    graph.dense("policy", &net.policy, &last, "policy");
    graph.logits("policy", net.policy.outputs);
    graph.dense("value", &net.value, &last, "value.column");
    graph.value("value.column");
    graph.finish(header)
}

/// The tensor of a [`Graph`] that its first layer reads: the row as floats, with each cell multiplied by its scale.
pub const SCALED: &str = "scaled";

/// Builds an ONNX graph node by node. It has the inputs and outputs of every `model.onnx`: `row` and `legal`, `logits`
/// and `value`. You can name tensors freely except for these four, [`SCALED`], `scale`, `masked`, `cells` and
/// `value.axes`.
pub struct Graph {
    nodes: Message,
    initializers: Message,
    cells: usize,
    actions: usize,
}

/// Returns the bytes of a model with this graph.
fn model(header: &Header, graph: &Message) -> Vec<u8> {
    let mut model = Message::default();
    model.number(1, IR_VERSION);
    model.text(2, "cardsharp");
    model
        .text(6, "row and legal actions in, masked logits and value out; see encoding.json and actions.json");
    model.message(7, graph);
    let mut opset = Message::default();
    opset.text(1, "");
    opset.number(2, OPSET);
    model.message(8, &opset);
    let mut facts = vec![
        ("game", header.game.clone()),
        ("encoding", header.encoding.to_string()),
        ("layers", serde_json::json!(header.layers).to_string()),
        ("rules", serde_json::json!(header.rules).to_string()),
    ];
    if header.outputs == Outputs::ActionValues {
        facts
            .push(("outputs", "action_values: `logits` holds the expected reward of each action".to_owned()));
    }
    for (key, value) in &facts {
        let mut entry = Message::default();
        entry.text(1, key);
        entry.text(2, value);
        model.message(14, &entry);
    }
    model.0
}

impl Graph {
    /// Creates a graph for rows whose cells are multiplied by `scale`.
    pub fn new(scale: &[f32]) -> Self {
        let (nodes, initializers) = (Message::default(), Message::default());
        let mut graph = Self { nodes, initializers, cells: scale.len(), actions: 0 };
        graph.constant("scale", &[scale.len()], scale);
        graph.constant("masked", &[], &[MASKED]);
        graph.node("Cast", &["row"], "cells", &[("to", FLOAT)]);
        graph.node("Mul", &["cells", "scale"], SCALED, &[]);
        graph
    }

    /// Adds a node: an operator, its inputs, its only output and its integer attributes.
    pub fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, u64)]) {
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.text(1, input));
        node.text(2, output);
        node.text(3, &format!("{operator}:{output}"));
        node.text(4, operator);
        for (name, value) in attributes {
            const INT: u64 = 2;
            let mut attribute = Message::default();
            attribute.text(1, name);
            attribute.number(3, *value);
            attribute.number(20, INT);
            node.message(5, &attribute);
        }
        self.nodes.message(1, &node);
    }

    /// Adds an affine layer, with the constants `NAME.weight` and `NAME.bias`.
    pub fn dense(&mut self, name: &str, layer: &Dense, input: &str, output: &str) {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        self.constant(&weight, &[layer.inputs, layer.outputs], &layer.weight);
        self.constant(&bias, &[layer.outputs], &layer.bias);
        self.node("Gemm", &[input, &weight, &bias], output, &[]);
    }

    /// Creates the output `logits` from a tensor `[batch, actions]`: [`MASKED`] where an action is illegal.
    pub fn logits(&mut self, outputs: &str, actions: usize) {
        self.actions = actions;
        self.node("Where", &["legal", outputs, "masked"], "logits", &[]);
    }

    /// Creates the output `value` from a tensor `[batch, 1]`.
    pub fn value(&mut self, column: &str) {
        self.integers("value.axes", &[1]);
        self.node("Squeeze", &[column, "value.axes"], "value", &[]);
    }

    /// Returns the bytes of the model. The header's game, encoding, rules and layers become its metadata.
    pub fn finish(self, header: &Header) -> Vec<u8> {
        // GraphProto: nodes 1, name 2, initializers 5, inputs 11, outputs 12.
        let mut all = self.nodes;
        all.text(2, &header.game);
        all.0.extend_from_slice(&self.initializers.0);
        all.message(11, &tensor_info("row", UINT8, Some(self.cells)));
        all.message(11, &tensor_info("legal", BOOL, Some(self.actions)));
        all.message(12, &tensor_info("logits", FLOAT, Some(self.actions)));
        all.message(12, &tensor_info("value", FLOAT, None));
        model(header, &all)
    }

    /// Adds constant floats, in row-major order.
    pub fn constant(&mut self, name: &str, dims: &[usize], values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.tensor(name, dims, FLOAT, &bytes);
    }

    /// Adds a list of constant integers.
    pub fn integers(&mut self, name: &str, values: &[i64]) {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.tensor(name, &[values.len()], INT64, &bytes);
    }

    /// Adds a constant tensor. `bytes` holds its elements in row-major order, little endian.
    fn tensor(&mut self, name: &str, dims: &[usize], element: u64, bytes: &[u8]) {
        let mut tensor = Message::default();
        dims.iter().for_each(|dim| tensor.number(1, *dim as u64));
        tensor.number(2, element);
        tensor.text(8, name);
        tensor.bytes(9, bytes);
        self.initializers.message(5, &tensor);
    }
}

/// Returns a `ValueInfoProto` of shape `[batch]` or `[batch, columns]`, where `batch` is a free dimension.
fn tensor_info(name: &str, element: u64, columns: Option<usize>) -> Message {
    let mut batch = Message::default();
    batch.text(2, "batch");
    let mut shape = Message::default();
    shape.message(1, &batch);
    if let Some(columns) = columns {
        let mut dim = Message::default();
        dim.number(1, columns as u64);
        shape.message(1, &dim);
    }
    let mut tensor = Message::default();
    tensor.number(1, element);
    tensor.message(2, &shape);
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut info = Message::default();
    info.text(1, name);
    info.message(2, &kind);
    info
}

/// A protobuf message being written. Varints have wire type 0, and fields with a length have 2.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    fn message(&mut self, field: u64, value: &Self) {
        self.bytes(field, &value.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_and_lengths_are_protobuf_s() {
        let mut message = Message::default();
        message.number(1, 150);
        message.text(2, "testing");
        // The two examples of protobuf's encoding guide.
        let expected = [&[0x08, 0x96, 0x01][..], &[0x12, 0x07], b"testing"].concat();
        assert_eq!(message.0, expected);
    }

    #[test]
    fn the_batch_is_free_and_the_columns_are_not() {
        let info = tensor_info("row", UINT8, Some(300));
        let shape = [&[0x0a, 0x07, 0x12, 0x05][..], b"batch", &[0x0a, 0x03, 0x08, 0xac, 0x02]].concat();
        let tensor = [&[0x08, 0x02, 0x12, shape.len() as u8][..], &shape].concat();
        let kind = [&[0x0a, tensor.len() as u8][..], &tensor].concat();
        assert_eq!(info.0, [&[0x0a, 0x03][..], b"row", &[0x12, kind.len() as u8], &kind].concat());
    }
}
