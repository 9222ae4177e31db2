//! Invariants that all climbing games share, recomputed from scratch: seats, tricks, exchanges.

use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::{Positions, RankCounts};
use cardsharp_engine::{MAX_SEATS, Seat};

use crate::determinize::PerPosition;
use crate::sets::MAX_SIZE;
use crate::{EqualRank, Memory, Trick, TrickRules};

/// Checks that `order` and `position` describe the same `players` of the session's `seats`. `position` must return
/// `None` for all other seats.
///
/// # Errors
/// A message that names the contradiction.
pub fn seats(
    order: &[Seat; MAX_SEATS],
    position: impl Fn(usize) -> Option<u8>,
    (players, seats): (u8, u8),
) -> Result<(), String> {
    let (order, rest) = order.split_at(usize::from(players));
    ensure!(rest.iter().all(|&seat| seat == Seat(0)), "`order` names more seats than there are players");
    ensure!(
        (usize::from(seats)..MAX_SEATS).all(|seat| position(seat).is_none()),
        "`position` names more positions than there are players"
    );
    for (p, seat) in order.iter().enumerate() {
        ensure!(seat.0 < seats, "seat {} in `order` of {seats} players", seat.0);
        ensure!(
            position(seat.index()).map(usize::from) == Some(p),
            "`order` and `position` disagree about seat {}",
            seat.0
        );
    }
    for seat in (0..seats).filter(|&seat| order.iter().all(|other| other.0 != seat)) {
        if let Some(p) = position(usize::from(seat)) {
            return Err(format!("seat {seat} does not play, but has position {p}"));
        }
    }
    Ok(())
}

/// Checks that the viewer's decision `ask` is one of the `possible` ones. `possible` contains the value for no decision
/// where the viewer may have none.
///
/// # Errors
/// The decision, and the possible ones.
pub fn asked<A: PartialEq + std::fmt::Debug>(ask: &A, possible: &[A]) -> Result<(), String> {
    ensure!(possible.contains(ask), "{ask:?} is asked of the viewer, who expects one of {possible:?}");
    Ok(())
}

/// Checks who decides: before the play only the player at position `asking`, and during the play no player.
///
/// # Errors
/// How many players are asked, or that the player at `asking` is not.
pub fn asking(is_asked: [bool; MAX_SEATS], asking: u8, in_play: bool) -> Result<(), String> {
    let asked = is_asked.iter().filter(|&&is_asked| is_asked).count();
    ensure!(asked == usize::from(!in_play), "{asked} players are asked");
    if !in_play {
        let is_asked = is_asked.get(usize::from(asking)).ok_or("no player sits where a decision is due")?;
        ensure!(*is_asked, "position {asking} decides but is not asked");
    }
    Ok(())
}

// Addition and subtraction of cards that fail instead of wrapping.

/// Removes `part` from `all`.
///
/// # Errors
/// If `all` does not contain `part`: the message `what`, followed by both in card notation (`text`).
pub fn without<const N: usize>(
    all: &RankCounts<N>,
    part: &RankCounts<N>,
    what: &str,
    text: impl Fn(&RankCounts<N>) -> String,
) -> Result<RankCounts<N>, String> {
    ensure!(all.contains(part), "{what}: {} are not all among {}", text(part), text(all));
    let mut rest = *all;
    rest.remove(part);
    Ok(rest)
}

/// Adds the cards of both.
///
/// # Errors
/// A count exceeds 255 cards.
pub fn with<const N: usize>(some: &RankCounts<N>, more: &RankCounts<N>) -> Result<RankCounts<N>, String> {
    let mut all = *some;
    for (n, m) in all.0.iter_mut().zip(&more.0) {
        *n = n.checked_add(*m).ok_or_else(|| "no deck has that many cards".to_owned())?;
    }
    Ok(all)
}

// Exchanges: checks of the cards that players gave and received.

/// The cards that one player gave and received.
pub struct Gifts<const N: usize> {
    /// Cards that the player gave.
    pub given: RankCounts<N>,
    /// Cards that the player received.
    pub received: RankCounts<N>,
}

/// The cards originally dealt to a player who now has `held` (in hand or played) and whose cards `moved`. With
/// `straight_back`, the player saw the received cards before choosing, and may have given them back.
///
/// # Errors
/// The player lacks cards that they received, or the deck does not contain the cards dealt.
pub fn dealt<const N: usize>(
    deck: &RankCounts<N>,
    held: &RankCounts<N>,
    moved: &Gifts<N>,
    straight_back: bool,
    text: impl Fn(&RankCounts<N>) -> String,
) -> Result<RankCounts<N>, String> {
    let came = with(held, &moved.given)?;
    let kept = if straight_back { &came } else { held };
    without(kept, &moved.received, "cards received must be in hand or played", &text)?;
    let dealt = without(&came, &moved.received, "cards received must be in hand or played", &text)?;
    without(deck, &dealt, "the deck does not have the cards dealt to the viewer", &text)?;
    Ok(dealt)
}

/// Checks the exchange between two `positions`. The first receives the tribute `due`, and returns cards out of
/// `at_hand`. Both must agree on the cards that have moved so far; `done` says that the return has moved, too.
///
/// # Errors
/// A message that names the contradiction.
pub fn pair<const N: usize>(
    positions: [u8; 2],
    [high, low]: [&Gifts<N>; 2],
    due: &RankCounts<N>,
    at_hand: &RankCounts<N>,
    done: bool,
    text: impl Fn(&RankCounts<N>) -> String,
) -> Result<(), String> {
    let [first, second] = positions;
    ensure!(
        low.given == *due && high.received == *due,
        "position {first} did not get the best cards of {second}"
    );
    without(at_hand, &high.given, "cards returned must have been at hand", text)?;
    ensure!(!done || low.received == high.given, "position {second} did not get what {first} returned");
    Ok(())
}

// The play: checks of the trick and of the table's memory.

/// The rank of a set that consists of wild cards only.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum WildsAlone {
    /// The lowest rank of all, `N - 1`.
    Lowest,
    /// Any natural rank whose bit is set in the mask.
    Any(u32),
}

/// The public state of the play in one round, with everything needed to check it. A set of rank index `r` has strength
/// `N − 1 − r`.
pub struct PlayState<'a, const N: usize> {
    /// The rules of the trick that differ between games.
    pub trick_rules: TrickRules,
    /// The rank of a set of wild cards only.
    pub alone: WildsAlone,
    /// The deck in play.
    pub deck: &'a RankCounts<N>,
    /// Number of cards dealt to each position; 0 beyond the players.
    pub dealt: PerPosition<u8>,
    /// The trick to check.
    pub trick: &'a Trick,
    /// The cards played and the passes so far.
    pub memory: &'a Memory<N>,
    /// Writes cards in card notation, for error messages.
    pub text: fn(&RankCounts<N>) -> String,
}

impl<const N: usize> PlayState<'_, N> {
    /// Number of cards that the player at `position` holds.
    fn held(&self, position: u8) -> u8 {
        let p = usize::from(position);
        self.dealt[p] - self.memory.total[p]
    }

    /// Checks the cards played by `players` players. Call this before the other checks: they trust these counts.
    ///
    /// # Errors
    /// A message that names the wrong sum.
    pub fn check_memory(&self, players: u8) -> Result<(), String> {
        let memory = self.memory;
        let mut gone = RankCounts::NONE;
        for (p, played) in memory.played.iter().enumerate() {
            ensure!(
                played.total() == u32::from(memory.total[p]),
                "position {p} played {} cards, not {}",
                played.total(),
                memory.total[p]
            );
            gone = with(&gone, played)?;
            if p < usize::from(players) {
                let dealt = self.dealt[p];
                ensure!(memory.total[p] <= dealt, "position {p} played {} of {dealt} cards", memory.total[p]);
            } else {
                ensure!(*played == RankCounts::NONE, "position {p} has no player, but played cards");
            }
        }
        ensure!(gone == memory.gone, "`gone` does not match the cards that the players have played");
        without(self.deck, &gone, "the deck does not have the cards played", self.text)?;
        Ok(())
    }

    /// Checks which players have gone out, and whose turn it is.
    ///
    /// # Errors
    /// A message that names the contradiction.
    pub fn check_trick(&self, players: u8) -> Result<(), String> {
        let (trick, n) = (self.trick, players);
        ensure!(trick.players == n, "{} players in the trick, {n} at the table", trick.players);
        ensure!(trick.out_count < n, "{} of {n} players are out", trick.out_count);
        ensure!(trick.turn < n && trick.last < n, "`turn` or `last` names a position that no player has");
        let mut still_in = Positions::first(n);
        let (out, rest) = trick.out.split_at(usize::from(trick.out_count));
        for &p in out {
            ensure!(p < n && still_in.has(p), "position {p} cannot go out, or is listed twice");
            ensure!(self.held(p) == 0, "position {p} is out but holds cards");
            still_in = still_in.without(p);
        }
        ensure!(still_in == trick.still_in, "`still_in` and `out` disagree");
        ensure!(still_in.iter().all(|p| self.held(p) > 0), "a player without cards is still in");
        ensure!(still_in.has(trick.turn), "the player whose turn it is has gone out");
        let over = trick.out_count + 1 == n;
        let beyond = if over { &rest[1..] } else { rest };
        ensure!(beyond.iter().all(|&p| p == 0), "`out` names players who are still in");
        ensure!(!over || rest[0] == still_in.lowest(), "the last player is not the one left with cards");
        ensure!(!over || trick.size > 0, "the last set of the hand must stay on the table");

        let expected = if trick.size == 0 { self.lead()? } else { self.follow()? };
        ensure!(trick.turn == expected, "it is the turn of position {expected}, not {}", trick.turn);
        Ok(())
    }

    /// The position whose turn it is when the table is empty.
    fn lead(&self) -> Result<u8, String> {
        let trick = self.trick;
        let leads = if self.memory.gone == RankCounts::NONE {
            0
        } else if trick.still_in.has(trick.last) {
            trick.last
        } else {
            trick.heir(self.trick_rules)
        };
        ensure!(trick.skipped.is_empty(), "`skipped` names a player, but there is no set to beat");
        if !self.trick_rules.pass_on_lead {
            return Ok(leads);
        }
        let (passed, turn) = self.passed_from(leads);
        let all_passed = passed.has(turn);
        ensure!(
            passed == trick.passed && !all_passed,
            "`passed` does not name the players who had the lead since the last trick"
        );
        Ok(turn)
    }

    /// Follows the passes from position `first` on, clockwise among the players still in. Returns the positions that
    /// have passed without a gap, and the next position. If all have passed, the next position is `first` again.
    fn passed_from(&self, first: u8) -> (Positions, u8) {
        let trick = self.trick;
        let mut passed = Positions(0);
        let mut turn = first;
        while trick.passed.has(turn) && !passed.has(turn) {
            passed.insert(turn);
            turn = trick.still_in.next_after(turn);
        }
        (passed, turn)
    }

    /// The position whose turn it is to answer the set on the table.
    fn follow(&self) -> Result<u8, String> {
        let (trick, wild) = (self.trick, N - 1);
        ensure!(
            usize::from(trick.size) <= MAX_SIZE && usize::from(trick.strength) <= wild,
            "no such set: {trick:?}"
        );
        let rank = wild - usize::from(trick.strength);
        let played = &self.memory.played[usize::from(trick.last)].0;
        let naturals =
            trick.size.checked_sub(trick.wilds).ok_or("more wild cards than cards in the set to beat")?;
        ensure!(self.is_set(rank, naturals), "a set must have the rank of its natural cards");
        let shown = played[wild] >= trick.wilds && (naturals == 0 || played[rank] >= naturals);
        ensure!(shown, "position {} has not played the set to beat", trick.last);
        if trick.is_over() {
            ensure!(trick.passed.is_empty() && trick.skipped.is_empty(), "there are no passes after the end");
            ensure!(
                trick.out[usize::from(trick.out_count) - 1] == trick.last,
                "the last play did not end the hand"
            );
            return Ok(trick.still_in.lowest());
        }
        if self.trick_rules.pass_is_final {
            return self.follow_finally(rank);
        }
        // Since the last play, players have passed once each in clockwise order, and not all of them. The first player
        // after the last play may be skipped.
        let mut first = trick.still_in.next_after(trick.last);
        if let Some(skipped) = self.skipped(rank)? {
            ensure!(skipped == first, "`skipped` is not the player after the last play");
            first = trick.still_in.next_after(first);
        }
        let (passed, turn) = self.passed_from(first);
        let all_passed = passed.has(turn) || turn == trick.last || trick.skipped.has(turn);
        ensure!(
            passed == trick.passed && !all_passed,
            "`passed` does not name the players who had a turn since the last play"
        );
        Ok(turn)
    }

    /// The same as [`PlayState::follow`] where passes are final: all players in `passed` are out of the trick, whenever
    /// they passed.
    fn follow_finally(&self, rank: usize) -> Result<u8, String> {
        let trick = self.trick;
        let may_pass = trick.still_in.without(trick.last);
        ensure!(
            trick.passed.is_within(may_pass),
            "`passed` names a player who cannot have passed in this trick"
        );
        let open = Positions(may_pass.0 & !trick.passed.0);
        ensure!(!open.is_empty(), "all others have passed, but the trick is not over");
        // Players between the last play and the skipped player have passed before that play.
        if let Some(skipped) = self.skipped(rank)? {
            let first = open.next_after(trick.last);
            ensure!(skipped == first, "`skipped` is not the first player who could answer the last play");
        }
        let open = Positions(open.0 & !trick.skipped.0);
        ensure!(!open.is_empty(), "no player can answer the last play, but the trick is not over");
        Ok(open.next_after(trick.last))
    }

    /// The skipped position, if any. Fails unless another player has cards for a set that the set on the table, of this
    /// rank, equals.
    fn skipped(&self, rank: usize) -> Result<Option<u8>, String> {
        let (trick, wild) = (self.trick, N - 1);
        let Some(skipped) = trick.skipped.iter().next() else { return Ok(None) };
        ensure!(self.trick_rules.equal_rank == EqualRank::Skips, "no player is skipped by these rules");
        ensure!(trick.skipped.len() == 1, "more than one player is skipped");
        let mut others = (0..trick.players).filter(|&other| other != trick.last);
        let equalled = others.any(|other| {
            let played = &self.memory.played[usize::from(other)].0;
            let naturals = if rank == wild { 0 } else { played[rank].min(trick.size) };
            self.is_set(rank, naturals) && naturals + played[wild] >= trick.size
        });
        ensure!(equalled, "no other player played a set that the last play equals");
        Ok(Some(skipped))
    }

    /// Whether a set of this rank index can have this number of natural cards.
    fn is_set(&self, rank: usize, naturals: u8) -> bool {
        match self.alone {
            WildsAlone::Lowest => (naturals == 0) == (rank == N - 1),
            WildsAlone::Any(ranks) => rank < N - 1 && (naturals > 0 || ranks >> rank & 1 == 1),
        }
    }

    /// Checks the recorded passes.
    ///
    /// # Errors
    /// A recorded pass is impossible, or a pass is not recorded.
    pub fn check_passes(&self) -> Result<(), String> {
        let (trick, memory) = (self.trick, self.memory);
        if trick.size == 0 {
            let nobody = self.trick_rules.pass_on_lead || trick.passed.is_empty();
            let bare = trick.strength == 0 && trick.wilds == 0 && nobody;
            ensure!(bare, "there is no set to beat, but a strength, wild cards or passes");
            let dealt = memory.gone == RankCounts::NONE;
            ensure!(!dealt || trick.last == 0, "no trick has been taken yet");
            let took = memory.total[usize::from(trick.last)];
            ensure!(dealt || took > 0, "the player who took the last trick has played no cards");
        }
        for p in 0..MAX_SEATS {
            for (i, &noted) in memory.passed_on[p].iter().enumerate() {
                if noted == 0 {
                    continue;
                }
                let size = i as u8 + 1;
                ensure!(p < usize::from(trick.players), "position {p} has no player, but passed");
                ensure!(usize::from(noted) <= N, "position {p} passed on strength {noted} plus one");
                let rank = N - usize::from(noted);
                let gone = |rank: usize| memory.gone.0[rank] - memory.played[p].0[rank];
                let naturals = if rank == N - 1 { 0 } else { gone(rank) };
                let possible = self.is_set(rank, naturals) && naturals + gone(N - 1) >= size;
                ensure!(possible, "no player played the set of {size} that position {p} passed on");
            }
        }
        if trick.size == 0 {
            return Ok(());
        }
        for p in trick.passed.iter() {
            if let Some(&noted) = memory.passed_on[usize::from(p)].get(usize::from(trick.size) - 1) {
                ensure!((1..=trick.strength + 1).contains(&noted), "a pass of position {p} is not recorded");
            }
        }
        Ok(())
    }
}
