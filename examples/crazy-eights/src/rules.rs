//! Options: those of OpenSpiel's game with its defaults, and four of this house.

use cardsharp_env::rules::{OptionDoc, option};
use cardsharp_env::{Draw, RulesError};
use serde::{Deserialize, Serialize};

use crate::cards::{Face, Rank};
use crate::table::SEATS;

/// What a card in hand costs at the end.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// As OpenSpiel counts: a card below the jack costs its place in the deck plus 2.
    #[default]
    ByCard,
    /// As OpenSpiel's rules in words say: a card below the jack costs what is printed on it.
    ByRank,
}

/// What a learner maximises.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// The points, in hundreds.
    #[default]
    Points,
    /// Places, from 1 for the first to −1 for the last.
    Places,
}

/// The rules of a session.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players, 2 to 12.
    pub players: u8,
    /// Cards that a player may draw in a turn, at least 1.
    pub max_draw_cards: u8,
    /// Cards laid after which a game ends, at least 1.
    pub max_turns: u16,
    /// Whether twos, queens and aces act.
    pub use_special_cards: bool,
    /// Whether the discards become the draw pile when that is used up.
    pub reshuffle: bool,
    /// What a card in hand costs.
    pub scoring: Scoring,
    /// What a learner maximises.
    pub reward: Reward,
    /// Games in a session, 1 to 1000.
    pub games: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            players: 5,
            max_draw_cards: 5,
            max_turns: 100,
            use_special_cards: false,
            reshuffle: false,
            scoring: Scoring::ByCard,
            reward: Reward::Points,
            games: 1,
        }
    }
}

impl Rules {
    /// Decks played with.
    pub const fn decks(&self) -> u8 {
        if self.players > 5 { 2 } else { 1 }
    }

    /// Cards dealt to each player.
    pub const fn dealt(&self) -> u8 {
        if self.players == 2 { 7 } else { 5 }
    }

    /// What a card in hand costs at the end.
    pub const fn cost(&self, face: Face) -> i32 {
        match face.rank() {
            Rank::EIGHT => 50,
            rank if rank.0 >= Rank::JACK.0 => 10,
            rank => match self.scoring {
                Scoring::ByCard => face.0 as i32 + 2,
                Scoring::ByRank => rank.0 as i32 + 2,
            },
        }
    }
}

impl cardsharp_env::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[
        option(
            "players",
            "a whole number, 2 to 12 (default 5)",
            "Number of players; more than 5 use two decks.",
        ),
        option(
            "max_draw_cards",
            "a whole number, 1 to 104 (default 5)",
            "Cards that a player may draw in a turn before passing.",
        ),
        option(
            "max_turns",
            "a whole number, 1 to 1000 (default 100)",
            "Cards laid after which a game ends although everybody holds some.",
        ),
        option(
            "use_special_cards",
            "true or false (default false)",
            "Whether a two makes the next player draw, a queen skips a player and an ace changes the direction.",
        ),
        option(
            "reshuffle",
            "true or false (default false)",
            "Whether the discards under the top card become the draw pile when that is used up.",
        ),
        option(
            "scoring",
            "\"by_card\" or \"by_rank\" (default \"by_card\")",
            "What a card from two to ten costs: its place in the deck plus 2 (the two of clubs 2, the two of diamonds 3, \
             the ten of spades 37), as OpenSpiel counts; or its number, as OpenSpiel's rules in words say.",
        ),
        option(
            "reward",
            "\"points\" or \"places\" (default \"points\")",
            "What a learner maximises per game: its points, in hundreds, or places from 1 to -1.",
        ),
        option("games", "a whole number, 1 to 1000 (default 1)", "Games in a session."),
    ];
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=SEATS as u8;

    fn check(&self) -> Result<(), RulesError> {
        match *self {
            Self { players, .. } if !Self::PLAYERS.contains(&players) => {
                Err(Self::refused("players", players))
            }
            Self { max_draw_cards: n, .. } if !(1..=104).contains(&n) => {
                Err(Self::refused("max_draw_cards", n))
            }
            Self { max_turns: n, .. } if !(1..=1000).contains(&n) => Err(Self::refused("max_turns", n)),
            Self { games, .. } if !(1..=1000).contains(&games) => Err(Self::refused("games", games)),
            _ => Ok(()),
        }
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn with_players(self, players: u8) -> Self {
        Self { players, ..self }
    }

    fn rounds(&self) -> u32 {
        u32::from(self.games)
    }

    fn with_rounds(self, rounds: u32) -> Self {
        Self { games: rounds.min(u32::from(u16::MAX)) as u16, ..self }
    }

    fn random(draw: &mut Draw) -> Self {
        Self {
            players: 2 + draw.below(SEATS as u32 - 1) as u8,
            max_draw_cards: draw.pick(&[1, 2, 5, 5, 104]),
            max_turns: draw.pick(&[100, 100, 400, 30, 3]),
            use_special_cards: draw.below(2) == 0,
            reshuffle: draw.below(2) == 0,
            scoring: draw.pick(&[Scoring::ByCard, Scoring::ByRank]),
            reward: draw.pick(&[Reward::Points, Reward::Places]),
            games: 1 + draw.below(3) as u16,
        }
    }
}
