"""The games as OpenSpiel games, and their sessions as states."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import numpy as np
import pyspiel
from numpy.typing import NDArray

import cardsharp_rl
from cardsharp_rl import Table, View, _core
from cardsharp_rl.openspiel import bounds, parameters
from cardsharp_rl.openspiel.chance import chance
from cardsharp_rl.openspiel.observer import SeatObserver


def short_name(game: cardsharp_rl.Game) -> str:
    """The name by which OpenSpiel knows a game."""
    return f"cardsharp_{game.name}"


def game_type(game: cardsharp_rl.Game, rounds: int, recall: int) -> pyspiel.GameType:
    """Returns OpenSpiel's description of a game.

    `recall` is the number of own moves in information-state tensors; 0 means that there are no such tensors.
    """
    model = pyspiel.GameType.RewardModel
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=f"{game.title} (cardsharp)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if game.reference else utility.GENERAL_SUM,
        reward_model=model.TERMINAL if rounds == 1 else model.REWARDS,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=recall > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters.specification(game),
    )


class SessionGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types.
    """A game of OpenSpiel: sessions of one game with fixed rules.

    Attributes
    ----------
    game : cardsharp_rl.Game
        The game.
    rules : dict
        All options.
    chance : ListedDeals or DrawnSeed
        The chance nodes.
    recall : int
        Own moves in information-state tensors; 0 means that there are no such tensors.
    observer, recaller : SeatObserver
        Observers of observations and of information states.
    """

    def __init__(self, game: cardsharp_rl.Game, params: Mapping[str, Any] | None = None) -> None:
        """A game with `params`, each an option of the rules or `recall`; `pyspiel.load_game` calls it.

        Raises
        ------
        ValueError
            A parameter that there is not, or rules that are refused, with what would be right.
        """
        given = dict(params or {})
        defaults = parameters.specification(game)
        rules = game.rules(parameters.options(game, {**defaults, **given}))
        recall = given.get("recall", defaults["recall"])
        if not 0 <= recall <= 1000:
            raise ValueError(f"`recall` is {recall}; expected a whole number, 0 to 1000")
        drawn = chance(game, rules)
        # Players may join later on, so the rules alone do not say how many seats there are.
        seats = cardsharp_rl.Table(game, rules).seats
        low, high = bounds.utility(game, rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=len(drawn.outcomes),
            num_players=seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if game.reference else None,
            max_game_length=bounds.length(game, rules, seats),
        )
        super().__init__(game_type(game, rules[game.rounds_option], recall), info, parameters.written(game, given))
        self.game = game
        self.rules = rules
        self.chance = drawn
        self.recall = recall
        self.observer, self.recaller = (
            self.make_py_observer(pyspiel.IIGObservationType(perfect_recall=perfect)) for perfect in (False, True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its name, which says all about it."""
        return _named, (str(self),)

    def new_initial_state(self) -> SessionState:
        """A session in which nothing is dealt yet."""
        return SessionState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance decides before anybody else, and never again."""
        return self.chance.nodes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> SeatObserver:
        """Reads states for a seat.

        Raises
        ------
        ValueError
            Parameters, of which there are none, or a kind of observation that there is not.
        """
        if params:
            raise ValueError(f"observers of cardsharp games take no parameters; got {', '.join(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SeatObserver(self.game, kind, seats=self.num_players(), recall=self.recall)


#: Bytes of the sum that stands for what a seat saw before and did then.
SUM = 16


Number = TypeVar("Number", int, float)


class Numbers(list[Number]):
    """A list, as OpenSpiel has them, that numpy turns into an array without reading each number. Do not change it."""

    __slots__ = ("array",)
    array: NDArray[Any]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The numbers as an array, which shares no memory with other arrays of them unless `copy` is False."""
        return self.array.astype(dtype or self.array.dtype, copy=copy is not False)


class SessionState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types.
    """A session in which chance decides first (`cardsharp_rl.openspiel.chance`) and then the seats, round after round.

    The next round is dealt with the last move of the one before, so `rewards()` are what that round paid. Its
    attributes are values, which `clone` copies and pickling writes down.
    """

    def __init__(self, game: SessionGame) -> None:
        """For `SessionGame.new_initial_state` alone."""
        super().__init__(game)
        seats = game.num_players()
        self._drawn: tuple[int, ...] = ()
        self._table: Table | None = None
        self._player: int = pyspiel.PlayerId.CHANCE
        self._rewards: tuple[float, ...] = (0.0,) * seats
        self._returns: tuple[float, ...] = (0.0,) * seats
        # By seat: a sum over every decision it had, what it saw and what it did. With what it sees now that is
        # perfect recall. The sums lack the last decisions, those in `_since`: most users never ask for them.
        self._past: tuple[bytes, ...] = (b"",) * seats
        self._since: tuple[tuple[int, int], ...] = ()
        # By seat: what the last decisions were, as rows and ids; as many as the game's `recall`.
        self._recent: tuple[tuple[tuple[bytes, int], ...], ...] = ((),) * seats
        # Who made the moves of a history that is not played but only told.
        self._told: tuple[int, ...] = ()

    @property
    def _game(self) -> SessionGame:
        return cast(SessionGame, self.get_game())

    @property
    def _session(self) -> Table:
        if self._table is None:
            raise ValueError("nothing is dealt yet: chance decides first")
        return self._table

    # What OpenSpiel asks of a state.

    def current_player(self) -> int:
        """Who decides: a seat, chance, or nobody any more."""
        return self._told[0] if self._told else self._player

    def is_terminal(self) -> bool:
        """Whether the session is over."""
        return bool(self._player == pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do here, and how probable it is."""
        return self._game.chance.outcomes

    def returns(self) -> list[float]:
        """The sum of each seat's rewards so far."""
        return list(self._returns)

    def rewards(self) -> list[float]:
        """What the round that ended with the last move paid each seat; else zeros."""
        return list(self._rewards)

    def __str__(self) -> str:
        """What lies open and what each seat knows besides."""
        if self._table is None:
            return f"nothing dealt; bytes drawn: {list(self._drawn)}"
        views = (self.observed(seat) for seat in range(self.num_players()))
        return "\n".join(f"seat {seat}: {view}" for seat, view in enumerate(views))

    def _legal_actions(self, player: int) -> list[int]:
        return cast("list[int]", self._session.legal_actions().tolist()) if player == self._player else []

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._game.chance.label(action)
        return self._session.label(action)

    def _apply_action(self, action: int) -> None:
        if self._told:
            self._told = self._told[1:]
        elif self._table is None:
            self._draw(action)
        else:
            self._play(action)

    def _draw(self, outcome: int) -> None:
        chance = self._game.chance
        self._drawn += (outcome,)
        if len(self._drawn) == chance.nodes:
            self._table = chance.table(self._drawn)
            self._player = _decides(self._table)

    def _play(self, action: int) -> None:
        seat, table = self._player, self._session
        recall = self._game.recall
        decision = (table.observation(seat).tobytes() if recall else b"", action)
        # Refuses illegal actions, before anything is changed.
        table.play(action)
        self._since = (*self._since, (seat, action))
        if recall:
            self._recent = _with(self._recent, seat, (*self._recent[seat], decision)[-recall:])
        payoff = table.payoff
        if payoff is None:
            self._rewards = (0.0,) * len(self._rewards)
            self._player = _decides(table)
            return
        self._rewards = payoff.reward
        self._returns = tuple(sum(pair) for pair in zip(self._returns, payoff.reward))
        self._player = _decides(table) if table.deal_next() else pyspiel.PlayerId.TERMINAL

    def _pasts(self) -> tuple[bytes, ...]:
        """The sums of all seats, with the last decisions."""
        if self._since:
            table, seen = self._session.copy(), []
            for _ in self._since:
                table.undo()
                # Until here the steps were those from the end of a round to the next deal.
                while table.turn is None:
                    table.undo()
                seen.append(table.view().text())
            for seat, action in self._since:
                decision = hashlib.blake2b(self._past[seat], digest_size=SUM)
                decision.update(seen.pop().encode())
                decision.update(str(action).encode())
                self._past = _with(self._past, seat, decision.digest())
            self._since = ()
        return self._past

    # What a seat may know.

    def view(self, player: int | None = None) -> View:
        """What a seat may know, by default the one that decides.

        Raises
        ------
        ValueError
            Nothing is dealt yet.
        """
        return self._session.view(self._player if player is None else player)

    def table(self) -> Table:
        """A copy of the session, hidden cards included.

        Raises
        ------
        ValueError
            Nothing is dealt yet.
        """
        return self._session.copy()

    @property
    def seed(self) -> int | None:
        """The seed of the session, or of its last `resample_from_infostate`.

        None before it is drawn, and in games whose deals are listed.
        """
        chance = self._game.chance
        return chance.seed(self._drawn) if len(self._drawn) == chance.nodes else None

    def _plays(self, player: int) -> bool:
        """Whether a seat sees anything: something is dealt, and it does not sit the round out."""
        return self._table is not None and player in self._table.present

    def observed(self, player: int) -> str:
        """Returns the view of a seat as text, equal exactly for equal views.

        It is empty before the deal and while the seat does not play.
        """
        return self._session.view(player).text() if self._plays(player) else ""

    def recalled(self, player: int) -> str:
        """Returns the view of a seat with a hash of what it saw and did at its earlier decisions.

        Two states that the seat can tell apart have different texts.
        """
        past = self._pasts()[player]
        return f"{self.observed(player)} after {past.hex()}" if past else self.observed(player)

    def part(self, player: int, public: bool, private: bool) -> str:
        """Returns the public or the private part of a seat's view as text.

        It is empty if neither is asked for, before the deal, and while the seat does not play.
        """
        if not (self._plays(player) and (public or private)):
            return ""
        view = self._session.view(player).json()
        return json.dumps({name: view[name] for name, shown in (("table", public), ("own", private)) if shown})

    def observation(self, player: int) -> NDArray[np.uint8]:
        """What a seat sees, `[cells]`; zeros before anything is dealt, and while it sits out."""
        if not self._plays(player):
            return np.zeros(self._game.game.cells, np.uint8)
        return self._session.observation(player)

    def recent(self, player: int) -> tuple[tuple[bytes, int], ...]:
        """Returns the last decisions of a seat, oldest first: its rows as bytes, and its moves.

        There are at most `recall` of the game.
        """
        return self._recent[player]

    # What these return is OpenSpiel's own, to the bit. Its way there is by C++ and back for each call, and for tensors makes
    # a new state to ask for the shape.

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a seat sees, by default the one that decides.

        Raises
        ------
        RuntimeError
            There is no such player.
        """
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.num_players():
            return cast("list[float]", super().observation_tensor(seat))
        if not self._plays(seat):
            return self._game.observer.read(self, seat)
        tensor = Numbers((0.0,))
        tensor.array = _core.spiel_tensor(self._session, seat, len(self._returns), tensor)
        return tensor

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each legal action of a seat, by default of the one that decides; else 0."""
        seat = self.current_player() if player is None else player
        if seat != self._player or seat < 0 or self._told:
            return cast("list[int]", super().legal_actions_mask(seat))
        mask = Numbers((0,))
        mask.array = _core.spiel_mask(self._session, mask)
        return mask

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a seat, by default of the one that decides, ascending."""
        seat = self.current_player() if player is None else player
        if seat != self._player or seat < 0 or self._told:
            return cast("list[int]", super().legal_actions(seat))
        return self._legal_actions(seat)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """What a seat sees and remembers, by default the one that decides.

        Raises
        ------
        RuntimeError
            There is no such player.
        ValueError
            The game was loaded with `recall=0`.
        """
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.num_players():
            return cast("list[float]", super().information_state_tensor(seat))
        return self._game.recaller.read(self, seat)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SessionState:
        """A state in which `player` knows the same and hidden cards lie otherwise, as chance may have dealt them.

        Nothing in it leads back to the cards as they lie: its history has other outcomes of chance. Where deals
        are listed, those are the deal that lies there now; elsewhere they are a seed by which the cards were
        dealt again, and replaying them gives another session.

        Parameters
        ----------
        player : int
            The seat. If it is not the one that decides, another seat may decide in the state that comes out, where a
            game keeps secret who is asked.
        sampler : callable
            Gives numbers of [0, 1).

        Raises
        ------
        ValueError
            Nothing is dealt yet, or the session is over.
        """
        if self._table is None or self.is_terminal():
            raise ValueError("only a session under way can be dealt again")
        chance = self._game.chance
        drawn = [min(int(sampler() * len(chance.outcomes)), len(chance.outcomes) - 1) for _ in range(chance.nodes)]
        seed = chance.seed(drawn)
        return self._listed(player, sampler) if seed is None else self._dealt_again(player, drawn, seed)

    def _dealt_again(self, player: int, drawn: list[int], seed: int) -> SessionState:
        state = self._game.new_initial_state()
        history = self.full_history()
        state._told = tuple(item.player for item in history)
        for number, item in enumerate(history):
            state.apply_action(drawn[number] if number < len(drawn) else item.action)
        state._drawn = tuple(drawn)
        state._table = self._session.determinize(player, seed)
        state._player = _decides(state._table)
        state._rewards, state._returns = self._rewards, self._returns
        state._past, state._since, state._recent = self._pasts(), (), self._recent
        return state

    def _listed(self, player: int, sampler: Callable[[], float]) -> SessionState:
        """One of the deals by which the same moves give the seat the same information, as probable as it was dealt."""
        known = self.recalled(player)
        moves = self.history()[1:]
        states, weights = [], []
        for outcome, probability in self._game.chance.outcomes:
            state = self._game.new_initial_state()
            state.apply_action(outcome)
            for move in moves:
                if state.is_terminal() or move not in state.legal_actions():
                    break
                state.apply_action(move)
            else:
                if state.recalled(player) == known:
                    states.append(state)
                    weights.append(probability)
        place = np.searchsorted(np.cumsum(weights), sampler() * sum(weights), side="right")
        return states[min(int(place), len(states) - 1)]


def _decides(table: Table) -> int:
    """Who must decide in a round that goes on."""
    assert table.turn is not None
    return table.turn


def _with(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _named(name: str) -> SessionGame:
    """A game by its name. Whoever unpickles one comes here, and by that to a process in which our games are registered."""
    return cast(SessionGame, pyspiel.load_game(name))


def load(
    game: str | cardsharp_rl.Game, rules: Mapping[str, Any] | None = None, *, recall: int | None = None
) -> SessionGame:
    """Loads a game into OpenSpiel, with rules as everywhere in cardsharp.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    rules : mapping, optional
        Options of the rules. A session has one round, unless the option for rounds is set.
    recall : int, optional
        Own moves in information-state tensors. None means 1 for Kuhn poker, 3 for Leduc poker, else 0.

    Returns
    -------
    SessionGame
        The game.

    Raises
    ------
    ValueError
        If there is no such game, or the rules are refused.
    """
    played = cardsharp_rl.game(game) if isinstance(game, str) else game
    given = parameters.written(played, {} if rules is None else rules)
    if recall is not None:
        given["recall"] = recall
    return cast(SessionGame, pyspiel.load_game(short_name(played), given))


def register(game: cardsharp_rl.Game) -> None:
    """Makes `game` known to `pyspiel.load_game`."""

    # OpenSpiel lets go of what it registered when Python has already ended. A class survives that; a function
    # would be freed by nobody's leave.
    class Registered(SessionGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(game_type(game, 1, parameters.RECALL.get(game.name, 0)), Registered)
