//! Options: those of OpenSpiel's game with its defaults, and three of this house.

use cardsharp_env::rules::OptionDoc;
use cardsharp_env::{Draw, MAX_SEATS, RulesError, choices, options};

use crate::cards::{Face, Rank};

choices! {
    /// What a card in hand costs at the end.
    Scoring {
        /// As OpenSpiel counts: a card below the jack costs its place in the deck plus 2.
        ByCard,
        /// As OpenSpiel's rules in words say: a card below the jack costs what is printed on it.
        ByRank
    }
}

choices! {
    /// What a learner maximises.
    Reward {
        /// The points, in hundreds.
        Points,
        /// Places, from 1 for the first to −1 for the last.
        Places
    }
}

options! {
    /// The rules of a session.
    Rules {
        /// Number of players; more than 5 use two decks.
        players: u8 = 5, whole(2..=MAX_SEATS as u8);
        /// Cards that a player may draw in a turn before passing.
        max_draw_cards: u8 = 5, whole(1..=104), drawn(|draw| draw.pick(&[1, 2, 5, 5, 104]));
        /// Cards laid after which a game ends although everybody holds some.
        max_turns: u16 = 100, whole(1..=1000), drawn(|draw| draw.pick(&[100, 100, 400, 30, 3]));
        /// Whether a two makes the next player draw, a queen skips a player and an ace changes the direction.
        use_special_cards: bool = false, switch, shown(true);
        /// Whether the discards under the top card become the draw pile when that is used up.
        reshuffle: bool = false, switch, shown(true);
        /// What a card from two to ten costs: its place in the deck plus 2 (the two of clubs 2, the two of diamonds 3,
        /// the ten of spades 37), as OpenSpiel counts; or its number, as OpenSpiel's rules in words say.
        scoring: Scoring = Scoring::ByCard, choice, shown(ByRank);
        /// Games in a session.
        games: u16 = 1, whole(1..=1000), drawn(|draw| 1 + draw.below(3) as u16);
    }
    /// What shapes rewards, and nothing that is played.
    Shaping {
        /// What a learner maximises per game: its points, in hundreds, or places from 1 to -1.
        reward: Reward = Reward::Points, choice, shown(Places);
    }
}

impl Rules {
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
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ROUNDS_OPTION: &'static str = "games";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.games)
    }

    fn random(draw: &mut Draw) -> Self {
        Self::drawn(draw)
    }
}
