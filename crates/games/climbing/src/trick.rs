//! The public state of the play.
//!
//! The trick shows whose turn it is, the set on the table, who has passed, and who has gone out. The memory is what a
//! player with perfect memory remembers of the round: all cards played, and all passes.

use cardsharp_engine::hands::{Positions, RankCounts};
use cardsharp_engine::{MAX_SEATS, choices};
use serde::{Deserialize, Serialize};

use super::Set;

choices! {
    /// Whether a set of the same rank may answer a set, and its effect.
    EqualRank {
        /// A set of the same rank may not answer.
        Forbidden,
        /// A set of the same rank may answer. The next player who could answer it loses the turn.
        Skips,
        /// A set of the same rank may answer. It ends the trick, and its player leads.
        Burns,
    }
}

/// Who leads after a trick was taken by a player who has gone out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LeadAfterOut {
    /// The next player clockwise who is still in.
    NextClockwise,
    /// The player of the highest rank (lowest position) who is still in.
    HighestRank,
}

/// The rules of a trick that differ between climbing games.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TrickRules {
    /// Who leads after a trick was taken by a player who has gone out.
    pub lead_after_out: LeadAfterOut,
    /// Whether a leader may pass the lead on. The last player it reaches must play.
    pub pass_on_lead: bool,
    /// Whether a player who passes on a set is out of the trick. Passing the lead on is never final.
    pub pass_is_final: bool,
    /// Whether a set of the same rank may answer a set, and its effect.
    pub equal_rank: EqualRank,
}

impl TrickRules {
    /// No house rules: leaders must play, and the next player clockwise leads if the taker of a trick went out.
    pub const PLAIN: Self = Self {
        lead_after_out: LeadAfterOut::NextClockwise,
        pass_on_lead: false,
        pass_is_final: false,
        equal_rank: EqualRank::Forbidden,
    };

    /// The number of ranks, 0 or 1, by which the ranks that answer a set extend to its own rank.
    #[inline]
    pub const fn equals(self) -> usize {
        !matches!(self.equal_rank, EqualRank::Forbidden) as usize
    }
}

/// The public state of the play in one round, in positions: 0 is the highest and leads first, clockwise is ascending.
///
/// Views of games with named ranks write it as `TrickForm`; other games serialize it directly.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trick {
    /// Number of players in the round.
    pub players: u8,
    /// The position whose turn it is.
    pub turn: u8,
    /// Number of cards in the set to beat; 0 if the table is empty.
    pub size: u8,
    /// Strength of the set to beat.
    pub strength: u8,
    /// Number of wild cards in the set to beat.
    pub wilds: u8,
    /// The position that played the set to beat, or took the last trick.
    pub last: u8,
    /// Positions that still hold cards.
    pub still_in: Positions,
    /// Positions that have passed since the last play, or in this trick if passing is final.
    pub passed: Positions,
    /// The position that lost its turn because the set on the table equals the one before; at most one.
    #[serde(default)]
    pub skipped: Positions,
    /// Number of players who have gone out.
    pub out_count: u8,
    /// The positions that have gone out, the first one first. After the end the last player follows; other entries are
    /// 0.
    pub out: [u8; MAX_SEATS],
}

impl Trick {
    /// The state before the first play: position 0 leads.
    pub fn new(players: u8) -> Self {
        Self {
            players,
            turn: 0,
            size: 0,
            strength: 0,
            wilds: 0,
            last: 0,
            still_in: Positions::first(players),
            passed: Positions(0),
            skipped: Positions(0),
            out_count: 0,
            out: [0; MAX_SEATS],
        }
    }

    /// Whether only one player still has cards.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.out_count + 1 >= self.players
    }

    /// Whether the player to act may pass.
    #[inline]
    pub fn may_pass(&self, trick_rules: TrickRules) -> bool {
        self.size != 0 || trick_rules.pass_on_lead && self.passed.len() + 1 < self.still_in.len()
    }

    /// Whether a set fits: any set leads, and an answer has as many cards of a better rank, or of an equal rank by
    /// that house rule.
    pub fn accepts<const N: usize>(&self, set: Set, trick_rules: TrickRules) -> bool {
        let strength = set.strength::<N>();
        let equals = trick_rules.equal_rank != EqualRank::Forbidden && strength == self.strength;
        self.size == 0 || set.size() == self.size && (strength > self.strength || equals)
    }

    /// The positions that can still answer the set on the table.
    #[inline]
    fn open(&self) -> Positions {
        Positions(self.still_in.without(self.last).0 & !(self.passed.0 | self.skipped.0))
    }

    /// The player to act plays a set. `emptied` says that it was their last cards.
    #[inline]
    pub fn play(&mut self, strength: u8, size: u8, wilds: u8, emptied: bool, trick_rules: TrickRules) {
        let equals = self.size != 0 && self.strength == strength;
        let stay_out = self.size != 0 && trick_rules.pass_is_final;
        (self.strength, self.size, self.wilds) = (strength, size, wilds);
        self.last = self.turn;
        self.skipped = Positions(0);
        if !stay_out {
            self.passed = Positions(0);
        }
        if emptied {
            self.still_in = self.still_in.without(self.turn);
            self.out[usize::from(self.out_count)] = self.turn;
            self.out_count += 1;
            if self.is_over() {
                let left = self.still_in.lowest();
                self.out[usize::from(self.out_count)] = left;
                self.turn = left;
                self.passed = Positions(0);
                return;
            }
        }
        if equals || stay_out {
            self.after_play(equals, trick_rules);
        } else {
            self.turn = self.still_in.next_after(self.turn);
        }
    }

    /// Determines the next turn after a play in a trick with house rules, which may end the trick at once.
    #[cold]
    fn after_play(&mut self, equals: bool, trick_rules: TrickRules) {
        if equals && trick_rules.equal_rank == EqualRank::Burns {
            return self.end(trick_rules);
        }
        if equals && !self.open().is_empty() {
            self.skipped.insert(self.open().next_after(self.last));
        }
        match self.open() {
            Positions(0) => self.end(trick_rules),
            open => self.turn = open.next_after(self.last),
        }
    }

    /// The player to act passes. If that ends the trick, its taker leads, or the next in line.
    #[inline]
    pub fn pass(&mut self, trick_rules: TrickRules) {
        self.passed.insert(self.turn);
        if self.size == 0 {
            self.turn = self.still_in.next_after(self.turn);
            return;
        }
        match self.open() {
            Positions(0) => self.end(trick_rules),
            open => self.turn = open.next_after(self.turn),
        }
    }

    /// Ends the trick. The last player to play leads, or the next in line if that player has gone out.
    #[inline]
    fn end(&mut self, trick_rules: TrickRules) {
        (self.size, self.strength, self.wilds) = (0, 0, 0);
        (self.passed, self.skipped) = (Positions(0), Positions(0));
        self.turn = if self.still_in.has(self.last) { self.last } else { self.heir(trick_rules) };
    }

    /// The position that leads if the player of the set on the table has gone out and takes the trick.
    #[inline]
    pub fn heir(&self, trick_rules: TrickRules) -> u8 {
        match trick_rules.lead_after_out {
            LeadAfterOut::NextClockwise => self.still_in.next_after(self.last),
            LeadAfterOut::HighestRank => self.still_in.lowest(),
        }
    }

    /// The finishing place of a position, from 1; 0 if it is still open.
    #[inline]
    pub fn place(&self, position: u8) -> u8 {
        let known = if self.is_over() { self.players } else { self.out_count };
        let found = self.out[..usize::from(known)].iter().position(|&p| p == position);
        found.map_or(0, |i| i as u8 + 1)
    }
}

/// Passes are remembered for sets of 1 to this many cards.
pub const REMEMBERED_SIZES: usize = 6;

/// Public memory of one round by position, for decks of `N` ranks. Views of games with named ranks write it as
/// `MemoryForm`; other games serialize it directly.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Memory<const N: usize> {
    /// Cards each position has played.
    pub played: [RankCounts<N>; MAX_SEATS],
    /// How many cards each position has played.
    pub total: [u8; MAX_SEATS],
    /// All cards played in this round.
    pub gone: RankCounts<N>,
    /// For set sizes of 1 to 6 cards: the lowest strength on which the position passed in this round, plus one. 0 if it
    /// has not passed on that size.
    pub passed_on: [[u8; REMEMBERED_SIZES]; MAX_SEATS],
}

impl<const N: usize> Memory<N> {
    /// The memory at the start of a round.
    pub const EMPTY: Self = Self {
        played: [RankCounts::NONE; MAX_SEATS],
        total: [0; MAX_SEATS],
        gone: RankCounts::NONE,
        passed_on: [[0; REMEMBERED_SIZES]; MAX_SEATS],
    };

    /// Records that `position` played `count` cards of rank index `rank`.
    #[inline]
    pub fn record_play(&mut self, position: u8, rank: usize, count: u8) {
        self.played[usize::from(position)].0[rank] += count;
        self.total[usize::from(position)] += count;
        self.gone.0[rank] += count;
    }

    /// Records that `position` passed on a set of `size` cards of this strength.
    #[inline]
    pub fn record_pass(&mut self, position: u8, size: u8, strength: u8) {
        if let Some(cell) = self.passed_on[usize::from(position)].get_mut(usize::from(size).wrapping_sub(1))
            && (*cell == 0 || *cell > strength + 1)
        {
            *cell = strength + 1;
        }
    }
}
