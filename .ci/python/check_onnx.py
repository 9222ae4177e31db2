"""Compares the ONNX model of a bundle with the bundle's test vectors.

    check_onnx.py BUNDLE

A folder that `export_model` wrote works, too: it has `weights.safetensors` instead of `bot.safetensors`.
ONNX's full checker must accept the model, its weights must be those of the safetensors file bit for bit,
and onnxruntime must give every vector's logits and value within 1e-4, whatever the batch.
"""

import gzip
import json
import struct
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime

TOLERANCE = 1e-4
MASKED = numpy.float32(-1e9)


def require(true, message):
    if not true:
        sys.exit(f"check_onnx: {message}")


def read_safetensors(path):
    """The tensors of a safetensors file: a length, a JSON header, raw little-endian data."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        require(entry["dtype"] == "F32", f"{path}: {name} is {entry['dtype']}, not F32")
        start, end = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(body[start:end], "<f4").reshape(entry["shape"])
    return tensors


def describe(info):
    """Name, element type and dimensions of an input or output."""
    kind = info.type.tensor_type
    dims = [d.dim_param or d.dim_value for d in kind.shape.dim]
    return info.name, onnx.TensorProto.DataType.Name(kind.elem_type), dims


def check_model(bundle, cells, actions):
    model = onnx.load(bundle / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    require([o.version for o in model.opset_import] == [17], "the operator set is not 17")
    found = [describe(i) for i in [*model.graph.input, *model.graph.output]]
    expected = [
        ("row", "UINT8", ["batch", cells]),
        ("legal", "BOOL", ["batch", actions]),
        ("logits", "FLOAT", ["batch", actions]),
        ("value", "FLOAT", ["batch"]),
    ]
    require(found == expected, f"inputs and outputs are {found}, expected {expected}")
    held = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    weights = bundle / "bot.safetensors"
    if not weights.exists():
        weights = bundle / "weights.safetensors"
    tensors = read_safetensors(weights)
    require(len(tensors) >= 4, f"{weights.name} holds only {sorted(tensors)}")
    for name, tensor in tensors.items():
        require(name in held, f"model.onnx lacks {name}")
        same = held[name].shape == tensor.shape and held[name].tobytes() == tensor.tobytes()
        require(same, f"{name} differs between model.onnx and {weights.name}")
    return sum(tensor.size for tensor in tensors.values())


def read_vectors(bundle, cells, actions, maxima):
    with gzip.open(bundle / "vectors.jsonl.gz", "rt", encoding="utf-8") as packed:
        lines = packed.read().splitlines()
    vectors = [json.loads(line) for line in lines]
    rows = numpy.zeros((len(vectors), cells), numpy.uint8)
    legal = numpy.zeros((len(vectors), actions), bool)
    for n, vector in enumerate(vectors):
        for cell, content in vector["row"]:
            require(content <= maxima[cell], f"vectors.jsonl.gz:{n + 1}: cell {cell} is above its maximum")
            rows[n, cell] = content
        legal[n, vector["legal"]] = True
    return vectors, rows, legal


def main():
    bundle = Path(sys.argv[1])
    encoding = json.loads((bundle / "encoding.json").read_text())
    acting = json.loads((bundle / "actions.json").read_text())
    cells, actions, labels = encoding["cells"], acting["actions"], acting["labels"]
    require(len(labels) == actions == len(set(labels)), "actions.json: labels are not one to one")
    maxima = [block["max"] for block in encoding["blocks"] for _ in range(block["len"])]
    require(len(maxima) == cells, "encoding.json: the blocks do not cover the row")
    weights = check_model(bundle, cells, actions)

    vectors, rows, legal = read_vectors(bundle, cells, actions, maxima)
    require(len(vectors) == 1000, f"{len(vectors)} vectors, expected 1000")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(bundle / "model.onnx", options, ["CPUExecutionProvider"])
    worst = 0.0
    for size in (1, 7, len(vectors)):
        for start in range(0, len(vectors) if size > 1 else 50, size):
            part = slice(start, start + size)
            inputs = {"row": rows[part], "legal": legal[part]}
            logits, values = session.run(["logits", "value"], inputs)
            count = len(rows[part])
            require(logits.shape == (count, actions) and values.shape == (count,), "outputs have other shapes")
            require((logits[~legal[part]] == MASKED).all(), "an illegal action has a logit of its own")
            for n, vector in enumerate(vectors[part]):
                place = f"vectors.jsonl.gz:{start + n + 1}"
                expected = numpy.array([*vector["logits"], vector["value"]])
                found = numpy.array([*logits[n][vector["legal"]], values[n]], float)
                off = (abs(found - expected) / numpy.maximum(1, abs(expected))).max()
                require(off <= TOLERANCE, f"{place}: onnxruntime differs by {off:.2e}")
                worst = max(worst, off)
                best = int(logits[n].argmax())
                ranked = sorted(vector["logits"])
                tied = ranked[-1] - ranked[-2] <= TOLERANCE * max(1, abs(ranked[-1]))
                right = vector["legal"][vector["logits"].index(ranked[-1])]
                require(best == right or tied, f"{place}: the move is {labels[best]}, not {labels[right]}")
    nothing = {"row": rows[:1], "legal": numpy.zeros((1, actions), bool)}
    require(numpy.isfinite(session.run(["logits"], nothing)[0]).all(), "no legal action gives no number")
    print(f"check_onnx: {weights} weights and {len(vectors)} vectors agree within {worst:.1e}")


main()
