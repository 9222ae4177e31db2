"""Networks of other libraries as players: wherever a bot is taken, so are these.

A policy here is an object with `act(observations, action_mask)`: it turns the logits of a network into legal actions.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from cardsharp_rl._core import Game
from cardsharp_rl._core import game as _game
from cardsharp_rl._training import StrPath


class _Policy:
    """Legal actions from logits: the likeliest at temperature 0, else drawn after dividing logits by it."""

    def __init__(self, name: str, temperature: float, seed: int) -> None:
        if not 0 <= temperature <= 100:
            raise ValueError(f"temperature: {temperature} is out of range: expected 0 to 100")
        self.name = name
        self.temperature = temperature
        self.random = numpy.random.default_rng(seed)

    def logits(
        self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_]
    ) -> NDArray[numpy.floating[Any]]:
        """Evaluates the network.

        Parameters
        ----------
        observations : ndarray of uint8, shape (n, cells)
            Observation rows.
        action_mask : ndarray of bool, shape (n, actions)
            Their legal actions.

        Returns
        -------
        ndarray of float, shape (n, actions)
            The logits. Those of illegal actions do not matter.
        """
        raise NotImplementedError

    def act(self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_]) -> NDArray[numpy.intp]:
        """Chooses a legal action for each row.

        Parameters
        ----------
        observations : ndarray of uint8, shape (n, cells)
            Observation rows.
        action_mask : ndarray of bool, shape (n, actions)
            Their legal actions.

        Returns
        -------
        ndarray of int, shape (n,)
            The actions.

        Raises
        ------
        ValueError
            If the network has another number of outputs than the game has actions.
        """
        logits = self.logits(observations, action_mask)
        if logits.shape != action_mask.shape:
            raise ValueError(
                f"{self.name}: its outputs have shape {logits.shape}: expected {action_mask.shape}, one for each action"
            )
        masked = numpy.where(action_mask, logits, -numpy.inf)
        if self.temperature > 0:
            # The largest of the logits with Gumbel noise is drawn by their softmax.
            masked = masked / self.temperature + self.random.gumbel(size=masked.shape)
        picks: NDArray[numpy.intp] = masked.argmax(1)
        return picks


class OnnxPolicy(_Policy):
    """A model for onnxruntime as a player. It is pickled as its path.

    Parameters
    ----------
    model : str or path
        The `model.onnx` of a bundle, or another model with inputs "row" (uint8 of shape (n, cells)) and "legal" (bool
        of shape (n, actions)) and the output "logits" (float of shape (n, actions)).
    name : str, optional
        The name of the player. None means the path.
    temperature : float, default 0
        0 plays the most probable action, 1 draws by the probabilities.
    seed : int, default 0
        Seed of the draws.
    threads : int, default 1
        Threads of one call.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If inputs or outputs have other names, or the temperature is out of range.
    """

    def __init__(
        self, model: StrPath, *, name: str | None = None, temperature: float = 0.0, seed: int = 0, threads: int = 1
    ) -> None:
        import onnxruntime

        path = Path(model)
        if not path.is_file():
            raise FileNotFoundError(f"model: there is no file {path}")
        super().__init__(name or os.fspath(model), temperature, seed)
        self._made = {"model": path, "name": name, "temperature": temperature, "seed": seed, "threads": threads}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = sorted(each.name for each in self._session.get_inputs())
        outputs = [each.name for each in self._session.get_outputs()]
        if inputs != ["legal", "row"] or "logits" not in outputs:
            raise ValueError(
                f"{path}: inputs {inputs}, outputs {outputs}: expected 'row' and 'legal', and 'logits' among the outputs"
            )

    def logits(
        self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_]
    ) -> NDArray[numpy.floating[Any]]:
        """Evaluates the model.

        Parameters
        ----------
        observations, action_mask
            As in `act`.

        Returns
        -------
        ndarray of float, shape (n, actions)
            The logits.
        """
        return numpy.asarray(self._session.run(["logits"], {"row": observations, "legal": action_mask})[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _onnx, (self._made,)


def _onnx(made: dict[str, Any]) -> OnnxPolicy:
    return OnnxPolicy(made.pop("model"), **made)


class TorchPolicy(_Policy):
    """A torch module as a player.

    Parameters
    ----------
    module : torch.nn.Module
        From rows (float of shape (n, cells)) to logits (float of shape (n, actions)). It is called without gradients.
    game : str or Game
        The game or its name.
    scale : array_like of float, shape (cells,), optional
        Factors of the cells. None means one over the maximum of the cell's block, as in `cardsharp_rl.export_mlp`.
    device : torch.device or str, optional
        Where the module is moved. None leaves it where it is.
    name : str, optional
        The name of the player. None means the name of the module's class.
    temperature : float, default 0
        0 plays the most probable action, 1 draws by the probabilities.
    seed : int, default 0
        Seed of the draws.

    Raises
    ------
    TypeError
        If `module` is no torch module.
    ValueError
        If `scale` has a wrong shape, or the temperature is out of range.
    """

    def __init__(
        self,
        module: Any,
        game: str | Game,
        *,
        scale: ArrayLike | None = None,
        device: Any = None,
        name: str | None = None,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> None:
        import torch  # pyright: ignore[reportMissingImports]

        known = _game(game) if isinstance(game, str) else game
        super().__init__(name or type(module).__name__, temperature, seed)
        if not isinstance(module, torch.nn.Module):
            raise TypeError(f"module: expected a torch.nn.Module, not {type(module).__name__}")
        if scale is None:
            scale = numpy.concatenate(
                [numpy.full(block.len, 1 / block.max, numpy.float32) for block in known.observation]
            )
        self.scale = numpy.asarray(scale, numpy.float32)
        if self.scale.shape != (known.cells,):
            raise ValueError(f"scale: the shape is {self.scale.shape}: expected ({known.cells},), one for each cell")
        self.module = module if device is None else module.to(device)

    def logits(
        self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_]
    ) -> NDArray[numpy.floating[Any]]:
        """Evaluates the module.

        Parameters
        ----------
        observations, action_mask
            As in `act`.

        Returns
        -------
        ndarray of float, shape (n, actions)
            The logits.
        """
        import torch  # pyright: ignore[reportMissingImports]

        weights = next(self.module.parameters(), None)
        device = "cpu" if weights is None else weights.device
        with torch.no_grad():
            logits = self.module(torch.from_numpy(observations * self.scale).to(device))
        found: NDArray[numpy.floating[Any]] = logits.float().cpu().numpy()
        return found
