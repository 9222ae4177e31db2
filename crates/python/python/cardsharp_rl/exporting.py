"""From a policy that was trained elsewhere to a bundle that cardsharp plays.

A bundle holds one kind of network: rows are scaled, go through hidden layers with ReLU or tanh after each, and two
heads read the last of them, one with a number for every action, the other with the value. That is what most
policy gradient code trains, so its weights can be taken over as they are, and the bundle gives the same numbers.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardsharp_rl import _core
from cardsharp_rl._core import Game
from cardsharp_rl._core import game as _game

#: The version of the format of bot files.
FORMAT = 1

#: A layer: its weights, `[inputs, outputs]`, and its biases, `[outputs]`.
Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
#: The functions after hidden layers, by the names of their modules in torch.
ACTIVATIONS = {"ReLU": "relu", "Tanh": "tanh"}

#: A network as layers, or as a torch module of `Linear` and `ReLU`, or `Linear` and `Tanh`.
Network = Sequence[tuple[ArrayLike, ArrayLike]] | Any


def export_mlp(
    game: str | Game,
    policy: Network,
    to: str | os.PathLike[str],
    *,
    value: Network | None = None,
    scale: ArrayLike | None = None,
    rules: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
    outputs: str = "logits",
    activation: str | None = None,
    training: Mapping[str, Any] | None = None,
    seed: int | None = 1,
) -> Path:
    """Writes a network as a bundle, which `cardsharp_rl.bot`, the arena and all commands take by its path.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    policy : torch.nn.Module or sequence of (weights, biases)
        From a row to one output for each action. A module has `Linear` and `ReLU`, or `Linear` and `Tanh`, in turns.
        Arrays have the shapes (inputs, outputs) and (outputs,), for two layers or more.
    to : str or path
        The folder of the bundle. A bundle in it is replaced.
    value : torch.nn.Module or sequence of (weights, biases), optional
        The expected return of the seat, for search and advice: either one layer that reads the last hidden layer of
        `policy`, or a network from a row to one number. None means a value of 0 everywhere.
    scale : array_like of float, shape (cells,), optional
        The factors of the cells in training. None means one over the maximum of the cell's block.
    rules : mapping or sequence of mappings, default ()
        The rules of the training.
    outputs : {"logits", "action_values"}, default "logits"
        What the outputs of `policy` are.
    activation : {"relu", "tanh"}, optional
        The function after each hidden layer. None means that of the module, "relu" for arrays.
    training : mapping, optional
        How the network was trained, for the bundle's card; everything that JSON can hold.
    seed : int or None, default 1
        Chooses the sessions of the test vectors.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    TypeError
        If a module has another kind of layer.
    ValueError
        If layers do not fit each other or the game, activations differ, weights are not finite or rules are refused.
    OSError
        If the folder holds something else, or a file cannot be written.
    """
    content = mlp_file(
        game,
        policy,
        value=value,
        scale=scale,
        rules=rules,
        outputs=outputs,
        activation=activation,
        training=training,
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bot.safetensors"
        file.write_bytes(content)
        _core.export(file, to, seed, None, None)
    return Path(to)


def mlp_file(
    game: str | Game,
    policy: Network,
    *,
    value: Network | None = None,
    scale: ArrayLike | None = None,
    rules: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
    outputs: str = "logits",
    activation: str | None = None,
    training: Mapping[str, Any] | None = None,
) -> bytes:
    """Returns the content of a bundle's `bot.safetensors`, the network alone.

    Parameters
    ----------
    game, policy, value, scale, rules, outputs, activation, training
        As in `export_mlp`.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    TypeError, ValueError
        As `export_mlp`.
    """
    played = _game(game) if isinstance(game, str) else game
    bend = _activation(activation, policy, value)
    trunk, head = _trunk_and_head("policy", layers(policy), played.cells, played.actions)
    trunk, heads = _with_value(trunk, head, value, played.cells, bend)
    scales = _scales(played) if scale is None else np.asarray(scale, np.float32)
    if scales.shape != (played.cells,):
        raise ValueError(
            f"`scale` has shape {scales.shape}; {played.name} has {played.cells} cells: expected ({played.cells},)"
        )
    if outputs not in ("logits", "action_values"):
        raise ValueError(f"`outputs` is {outputs!r}; expected 'logits' or 'action_values'")
    named = [(f"trunk.{number}", layer) for number, layer in enumerate(trunk)] + list(zip(("policy", "value"), heads))
    tensors = {"scale": scales}
    for name, (weight, bias) in named:
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = weight, bias
    for name, values in tensors.items():
        if not np.isfinite(values).all():
            raise ValueError(f"`{name}` holds numbers that are not finite")
    tables = [rules] if isinstance(rules, Mapping) else list(rules)
    header = {
        "format": FORMAT,
        "game": played.name,
        "encoding": played.encoding,
        "rules": [played.rules(table) for table in tables or [{}]],
        "layers": [played.cells, *(bias.size for _, bias in trunk), played.actions],
        **({} if outputs == "logits" else {"outputs": outputs}),
        **({} if bend == "relu" else {"activation": bend}),
        "training": dict(training or {"by": "cardsharp_rl.export_mlp"}),
    }
    return _safetensors(header, tensors)


def layers(network: Network) -> list[Layer]:
    """Returns the layers of a network as arrays of float32.

    Returns
    -------
    list of (ndarray, ndarray)
        Weights of shape (inputs, outputs), the transpose of torch's, and biases of shape (outputs,).

    Raises
    ------
    TypeError
        If a module has another kind of layer than `Linear`, `ReLU` and `Tanh`, or no activation between two layers.
    ValueError
        If an array has a wrong shape.
    """
    pairs = _of_module(network) if hasattr(network, "named_modules") else list(network)
    made = []
    for number, (weight, bias) in enumerate(pairs):
        weight, bias = np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32)
        if weight.ndim != 2 or bias.shape != (weight.shape[1],):
            raise ValueError(
                f"layer {number} has weights of shape {weight.shape} and biases of shape {bias.shape}; "
                "expected [inputs, outputs] and [outputs]"
            )
        made.append((weight, bias))
    return made


def _activation(given: str | None, *networks: Network | None) -> str:
    """The one function after all hidden layers.

    Raises
    ------
    ValueError
        There is no such function, or there are several.
    """
    if given not in (None, *ACTIVATIONS.values()):
        raise ValueError(f"`activation` is {given!r}; expected 'relu' or 'tanh'")
    modules: list[Any] = [network for network in networks if hasattr(network, "named_modules")]
    kinds = {type(part).__name__ for module in modules for _, part in module.named_modules()}
    found = {name for kind, name in ACTIVATIONS.items() if kind in kinds} | ({given} if given else set())
    if len(found) > 1:
        raise ValueError("the layers have ReLU and tanh between them; a bundle has one of them")
    return found.pop() if found else "relu"


def _of_module(module: Any) -> Iterable[tuple[Any, Any]]:
    pairs, bent = [], True
    # A module without parts is a layer itself.
    for layer in [part for _, part in module.named_modules() if not list(part.children())]:
        kind = type(layer).__name__
        if kind in ACTIVATIONS:
            bent = True
        elif kind == "Linear":
            if not bent:
                raise TypeError(f"two layers without ReLU or tanh between them: {module}")
            bias = np.zeros(layer.out_features, np.float32) if layer.bias is None else layer.bias.detach().cpu().numpy()
            pairs.append((layer.weight.detach().cpu().numpy().T, bias))
            bent = False
        elif kind not in ("Flatten", "Identity"):
            raise TypeError(
                f"a bundle's network has no {kind}: expected Linear and ReLU or Tanh in turns, got {module}"
            )
    return pairs


def _trunk_and_head(name: str, network: list[Layer], inputs: int, outputs: int) -> tuple[list[Layer], Layer]:
    """The hidden layers and the last one, which fit each other."""
    if len(network) < 2:
        raise ValueError(f"`{name}` has {len(network)} layers; expected a hidden layer or more, and one of outputs")
    for number, (weight, _) in enumerate(network):
        if weight.shape[0] != inputs:
            raise ValueError(f"layer {number} of `{name}` has {weight.shape[0]} inputs; expected {inputs}")
        inputs = weight.shape[1]
    if inputs != outputs:
        raise ValueError(f"`{name}` has {inputs} outputs; expected {outputs}")
    return network[:-1], network[-1]


def _with_value(
    trunk: list[Layer], policy: Layer, value: Network | None, cells: int, activation: str
) -> tuple[list[Layer], tuple[Layer, Layer]]:
    """The hidden layers that both heads read, and the heads."""
    hidden = policy[0].shape[0]
    if value is None:
        return trunk, (policy, (np.zeros((hidden, 1), np.float32), np.zeros(1, np.float32)))
    network = layers(value)
    if len(network) == 1:
        if network[0][0].shape != (hidden, 1):
            raise ValueError(
                f"`value` has weights of shape {network[0][0].shape}; expected ({hidden}, 1), "
                "or a network from a row to one number"
            )
        return trunk, (policy, network[0])
    other, head = _trunk_and_head("value", network, cells, 1)
    if activation != "relu" and len(other) != len(trunk):
        hidden_layers = f"`policy` has {len(trunk)} hidden layers, `value` {len(other)}"
        raise ValueError(f"{hidden_layers}; with {activation} between them, expected the same number")
    trunk, other = _as_deep_as(trunk, len(other)), _as_deep_as(other, len(trunk))
    both = [(np.hstack([trunk[0][0], other[0][0]]), np.hstack([trunk[0][1], other[0][1]]))]
    both += [(_apart(left[0], right[0]), np.hstack([left[1], right[1]])) for left, right in zip(trunk[1:], other[1:])]
    own, theirs = policy[0].shape[0], head[0].shape[0]
    return both, (
        (np.vstack([policy[0], np.zeros((theirs, policy[0].shape[1]), np.float32)]), policy[1]),
        (np.vstack([np.zeros((own, 1), np.float32), head[0]]), head[1]),
    )


def _as_deep_as(trunk: list[Layer], depth: int) -> list[Layer]:
    """As many layers as the other network has. What comes out of a ReLU goes through another one as it is."""
    width = trunk[-1][1].size
    same = (np.eye(width, dtype=np.float32), np.zeros(width, np.float32))
    return trunk + [same] * (depth - len(trunk))


def _apart(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """Two layers side by side that read nothing of each other."""
    both = np.zeros((left.shape[0] + right.shape[0], left.shape[1] + right.shape[1]), np.float32)
    both[: left.shape[0], : left.shape[1]] = left
    both[left.shape[0] :, left.shape[1] :] = right
    return both


def _scales(game: Game) -> NDArray[np.float32]:
    """One over the maximum of each cell's block, `[cells]`."""
    return np.concatenate(
        [np.full(block.len, np.float32(1) / np.float32(block.max), np.float32) for block in game.observation]
    )


def _safetensors(header: Mapping[str, Any], tensors: Mapping[str, NDArray[np.float32]]) -> bytes:
    """Returns the file: the length of its header, the header with the key `cardsharp`, and the numbers of all tensors."""
    entries, data = {}, b""
    for name in sorted(tensors):
        content = np.ascontiguousarray(tensors[name], "<f4").tobytes()
        entries[name] = {
            "dtype": "F32",
            "shape": list(tensors[name].shape),
            "data_offsets": [len(data), len(data) + len(content)],
        }
        data += content
    said = json.dumps({"header": header, "blake3": _core.blake3(data)}, separators=(",", ":"))
    text = json.dumps({"__metadata__": {"cardsharp": said}, **entries}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data
