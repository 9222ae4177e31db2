//! The course of play: whose turn, what lies on the table, who has passed, who is out.

use serde::{Deserialize, Serialize};

use crate::ground::MAX_SEATS;
use crate::ground::hands::Positions;

/// Who leads after a trick was taken by a player who has gone out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LeadAfterOut {
    /// The next player clockwise who is still in.
    NextClockwise,
    /// The player of the highest rank (lowest position) who is still in.
    HighestRank,
}

/// What differs between the climbing games in the course of play.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Customs {
    /// Who leads after a trick was taken by a player who has gone out.
    pub lead_after_out: LeadAfterOut,
    /// Whether a leader may pass the lead on. The last player it reaches must play.
    pub pass_on_lead: bool,
}

/// The course of play of one round, in positions (0 sits highest and leads first; clockwise is
/// ascending). In views of games whose ranks have names it has a form of its own; other games write it as it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trick {
    /// Number of players.
    pub players: u8,
    /// Whose turn it is.
    pub turn: u8,
    /// Cards in the set to beat; 0 when the table is empty.
    pub size: u8,
    /// Strength of the set to beat.
    pub strength: u8,
    /// Wild cards in the set to beat.
    pub wilds: u8,
    /// Who played the set to beat, or took the last trick.
    pub last: u8,
    /// Players who still hold cards.
    pub still_in: Positions,
    /// Players who have passed since the last play.
    pub passed: Positions,
    /// How many players have gone out.
    pub out_count: u8,
    /// The players who have gone out, first one first; the rest is 0.
    pub out: [u8; MAX_SEATS],
}

impl Trick {
    /// Position 0 is to lead.
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
            out_count: 0,
            out: [0; MAX_SEATS],
        }
    }

    /// Whether one player is left with cards.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.out_count + 1 >= self.players
    }

    /// Whether the player to act may pass.
    #[inline]
    pub fn may_pass(&self, customs: Customs) -> bool {
        self.size != 0 || customs.pass_on_lead && self.passed.len() + 1 < self.still_in.len()
    }

    /// The player to act plays a set; `emptied` says that it was the rest of the hand.
    #[inline]
    pub fn play(&mut self, strength: u8, size: u8, wilds: u8, emptied: bool) {
        (self.strength, self.size, self.wilds) = (strength, size, wilds);
        self.last = self.turn;
        self.passed = Positions(0);
        if emptied {
            self.still_in = self.still_in.without(self.turn);
            self.out[usize::from(self.out_count)] = self.turn;
            self.out_count += 1;
            if self.is_over() {
                let left = self.still_in.lowest();
                self.out[usize::from(self.out_count)] = left;
                self.turn = left;
                return;
            }
        }
        self.turn = self.still_in.next_after(self.turn);
    }

    /// The player to act passes; if that ends the trick, its taker (or the next in line) leads.
    #[inline]
    pub fn pass(&mut self, customs: Customs) {
        self.passed.insert(self.turn);
        if self.size == 0 {
            self.turn = self.still_in.next_after(self.turn);
        } else if self.still_in.without(self.last).is_within(self.passed) {
            (self.size, self.strength, self.wilds) = (0, 0, 0);
            self.passed = Positions(0);
            self.turn = if self.still_in.has(self.last) {
                self.last
            } else {
                match customs.lead_after_out {
                    LeadAfterOut::NextClockwise => self.still_in.next_after(self.last),
                    LeadAfterOut::HighestRank => self.still_in.lowest(),
                }
            };
        } else {
            self.turn = self.still_in.next_after(self.turn);
        }
    }

    /// Finishing place of a position, from 1; 0 while it is still open.
    #[inline]
    pub fn place(&self, position: u8) -> u8 {
        let known = if self.is_over() { self.players } else { self.out_count };
        let found = self.out[..usize::from(known)].iter().position(|&p| p == position);
        found.map_or(0, |i| i as u8 + 1)
    }
}
