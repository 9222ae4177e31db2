//! Betting rounds: who acts next, what is in the pot, and when the hand ends.

use cardsharp_engine::ActionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a player does. The number of an action is its place in this list.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Gives up the hand; only against a bet.
    Fold,
    /// Puts in as much as the other player has put in; a check if there is no bet.
    #[default]
    Call,
    /// Puts in more than the other player: a bet or a raise.
    Raise,
}

impl Act {
    /// All acts, in the order of their action ids.
    pub const ALL: [Self; 3] = [Self::Fold, Self::Call, Self::Raise];

    /// Returns the act with this action id.
    pub(super) fn of(action: ActionId) -> Self {
        Self::ALL[usize::from(action.0).min(Self::ALL.len() - 1)]
    }

    /// Returns the action id of the act.
    pub const fn id(self) -> ActionId {
        ActionId(self as u16)
    }
}

/// The sizes and number of bets.
#[derive(Copy, Clone, Debug)]
pub struct Stakes {
    /// Chips of a bet or raise, for each betting round.
    pub bets: &'static [u8],
    /// The most bets and raises in a betting round.
    pub raises: u8,
}

impl Stakes {
    /// The most acts in a betting round: a check, every bet and raise, and a call.
    pub const fn longest(&self) -> usize {
        self.raises as usize + 2
    }
}

/// How a hand ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HandEnd {
    /// The player at this place (0 acts first) folded.
    Folded(usize),
    /// The cards decide who wins.
    Showdown,
}

/// The state of the betting. Place 0 acts first in every betting round, place 1 second.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Betting {
    /// The betting round, from 0.
    pub street: usize,
    /// Chips put in by each place.
    pub put: [u8; 2],
    /// The place that acts next; meaningless after the end.
    pub next: usize,
    /// How the hand ended, if it has.
    pub end: Option<HandEnd>,
    /// Bets and raises so far in this betting round.
    raises: u8,
    /// Acts so far in this betting round.
    acts: u8,
}

impl Betting {
    /// The start of a hand: each player has put in one chip.
    pub const BEGIN: Self = Self { street: 0, put: [1; 2], next: 0, end: None, raises: 0, acts: 0 };

    /// Returns the state after these acts, or `None` if one of them is not allowed.
    pub fn after(stakes: &Stakes, acts: &[Act]) -> Option<Self> {
        acts.iter().try_fold(Self::BEGIN, |mut betting, &act| {
            betting.allows(stakes, act).then(|| {
                betting.act(stakes, act);
                betting
            })
        })
    }

    /// Returns whether the next player faces a bet.
    pub fn faces_bet(&self) -> bool {
        self.put[self.next] < self.put[1 - self.next]
    }

    /// Returns whether a card was turned up and no player has acted since.
    pub fn follows_a_card(&self) -> bool {
        self.street > 0 && self.acts == 0
    }

    /// Returns whether the next player may do this.
    pub fn allows(&self, stakes: &Stakes, act: Act) -> bool {
        self.end.is_none()
            && match act {
                Act::Fold => self.faces_bet(),
                Act::Call => true,
                Act::Raise => self.raises < stakes.raises,
            }
    }

    /// Applies an act of the next player.
    fn act(&mut self, stakes: &Stakes, act: Act) {
        let place = self.next;
        self.next = 1 - place;
        match act {
            Act::Fold => self.end = Some(HandEnd::Folded(place)),
            Act::Call => {
                self.put[place] = self.put[1 - place];
                if self.acts > 0 {
                    self.close(stakes);
                    return;
                }
            }
            Act::Raise => {
                self.put[place] = self.put[1 - place] + stakes.bets[self.street];
                self.raises += 1;
            }
        }
        self.acts += 1;
    }

    /// Ends a betting round with equal bets: starts the next one, or the showdown.
    fn close(&mut self, stakes: &Stakes) {
        if self.street + 1 == stakes.bets.len() {
            self.end = Some(HandEnd::Showdown);
        } else {
            *self = Self { street: self.street + 1, put: self.put, ..Self::BEGIN };
        }
    }
}
