//! Options of TAKI.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ground::rng::Draw;
use crate::ground::rules::{OptionDoc, RulesError, choices, option};

choices! {
    /// What a game is.
    Mode {
        /// Who gets rid of his cards first wins.
        Single,
        /// Everybody works his way through stages with fewer and fewer cards.
        Tournament
    }
}

choices! {
    /// Who begins.
    FirstPlayer {
        /// Anybody.
        Random,
        /// Seat 0.
        Seat0
    }
}

choices! {
    /// Which cards may begin the discard pile.
    StartCard {
        /// Any colored card, without its action.
        InertAction,
        /// Only a number.
        NumberOnly
    }
}

choices! {
    /// When a card may be drawn.
    DrawPolicy {
        /// Only by who has no card to play.
        StuckOnly,
        /// At any time.
        Anytime
    }
}

choices! {
    /// Whether a TAKI takes all cards of its color.
    TakiFollow {
        /// All of them must be played.
        All,
        /// Cards may be kept back.
        Optional
    }
}

choices! {
    /// Whether a TAKI may be left open although it could be closed.
    TakiClose {
        /// As the player likes.
        Choice,
        /// It is closed.
        Auto
    }
}

choices! {
    /// Whether Change Color, King and +3 may end a TAKI.
    RunWilds {
        /// Yes.
        Faq,
        /// No.
        None
    }
}

choices! {
    /// Which color a Super TAKI takes on a King.
    SuperOnKing {
        /// The color under the King.
        ActiveColor,
        /// Any.
        Choose
    }
}

choices! {
    /// Whether a King answers a +3.
    KingVsPlus3 {
        /// That of the next player does.
        NextPlayer,
        /// No.
        Off
    }
}

choices! {
    /// A +3 as the last card.
    Plus3Last {
        /// The others may break it first.
        WindowFirst,
        /// Wins at once.
        WinsAtOnce
    }
}

choices! {
    /// A Plus as the last card.
    PlusLast {
        /// A card must be drawn.
        MustDraw,
        /// Wins.
        Wins
    }
}

choices! {
    /// Change Direction between two players.
    TwoPlayerDirection {
        /// The other player's turn.
        Passes,
        /// The same player's turn again.
        ActsAsStop
    }
}

choices! {
    /// Who says "last card".
    LastCard {
        /// It says itself.
        Auto,
        /// The player, or he draws.
        Declare,
        /// The player, or he draws if somebody catches him.
        Challenge
    }
}

choices! {
    /// What a learner maximises.
    Ranking {
        /// Winning.
        WinnerOnly,
        /// Having few cards left.
        HandSize
    }
}

/// Decisions after which a game is cut off.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum MaxDecisions {
    /// 4000 in a single game, 20000 in a tournament.
    #[default]
    Auto,
    /// This many, 1 to 1 000 000.
    At(u32),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum MaxText {
    Word(String),
    Number(u32),
}

impl Serialize for MaxDecisions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => MaxText::Word("auto".into()),
            Self::At(n) => MaxText::Number(*n),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MaxDecisions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match MaxText::deserialize(deserializer)? {
            MaxText::Number(n) => Ok(Self::At(n)),
            MaxText::Word(word) if word == "auto" => Ok(Self::Auto),
            MaxText::Word(_) => Err(serde::de::Error::custom("expected a whole number or \"auto\"")),
        }
    }
}

/// The rules of a session of TAKI.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players, 2 to 10.
    pub players: u8,
    /// What a game is.
    pub mode: Mode,
    /// Stages of a tournament, 1 to 8.
    pub stages: u8,
    /// Games in a session, 1 to 1000.
    pub games: u16,
    /// Who begins.
    pub first_player: FirstPlayer,
    /// Which cards may begin the discard pile.
    pub start_card: StartCard,
    /// When a card may be drawn.
    pub draw_policy: DrawPolicy,
    /// Whether a TAKI takes all cards of its color.
    pub taki_follow: TakiFollow,
    /// Whether a TAKI may be left open although it could be closed.
    pub taki_close: TakiClose,
    /// Whether Change Color, King and +3 may end a TAKI.
    pub run_wilds: RunWilds,
    /// Which color a Super TAKI takes on a King.
    pub super_on_king: SuperOnKing,
    /// Whether a King answers a +3.
    pub king_vs_plus3: KingVsPlus3,
    /// A +3 as the last card.
    pub plus3_last: Plus3Last,
    /// A Plus as the last card.
    pub plus_last: PlusLast,
    /// Whether Change Color and Super TAKI may lie on a +3 that is settled.
    pub cover_resolved_plus3: bool,
    /// Change Direction between two players.
    pub two_player_direction: TwoPlayerDirection,
    /// Who says "last card".
    pub last_card: LastCard,
    /// Cards drawn by who does not, 0 to 115.
    pub last_card_penalty: u8,
    /// Decisions after which a game is cut off.
    pub max_decisions: MaxDecisions,
    /// What a learner maximises.
    pub ranking: Ranking,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            players: 4,
            mode: Mode::Single,
            stages: 8,
            games: 1,
            first_player: FirstPlayer::Random,
            start_card: StartCard::InertAction,
            draw_policy: DrawPolicy::StuckOnly,
            taki_follow: TakiFollow::All,
            taki_close: TakiClose::Choice,
            run_wilds: RunWilds::Faq,
            super_on_king: SuperOnKing::ActiveColor,
            king_vs_plus3: KingVsPlus3::NextPlayer,
            plus3_last: Plus3Last::WindowFirst,
            plus_last: PlusLast::MustDraw,
            cover_resolved_plus3: true,
            two_player_direction: TwoPlayerDirection::Passes,
            last_card: LastCard::Auto,
            last_card_penalty: 4,
            max_decisions: MaxDecisions::Auto,
            ranking: Ranking::WinnerOnly,
        }
    }
}

impl Rules {
    /// Decisions after which a game is cut off.
    #[inline]
    pub const fn limit(&self) -> u32 {
        match (self.max_decisions, self.mode) {
            (MaxDecisions::At(n), _) => n,
            (MaxDecisions::Auto, Mode::Single) => 4000,
            (MaxDecisions::Auto, Mode::Tournament) => 20_000,
        }
    }

    /// Cards dealt to each player.
    pub const fn dealt(&self) -> u8 {
        match self.mode {
            Mode::Single => 8,
            Mode::Tournament => self.stages,
        }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[
        option("players", "a whole number, 2 to 10 (default 4)", "Number of players."),
        option(
            "mode",
            "\"single\" or \"tournament\" (default \"single\")",
            "A single game, or a tournament through stages with fewer and fewer cards, which counts as one game.",
        ),
        option(
            "stages",
            "a whole number, 1 to 8 (default 8)",
            "Tournament: the first stage, and so the number of cards dealt.",
        ),
        option("games", "a whole number, 1 to 1000 (default 1)", "Games (or tournaments) in a session."),
        option("first_player", "\"random\" or \"seat0\" (default \"random\")", "Who begins each game."),
        option(
            "start_card",
            "\"inert_action\" or \"number_only\" (default \"inert_action\")",
            "The card that begins the discard pile: any colored card, without its action, or a number.",
        ),
        option(
            "draw_policy",
            "\"stuck_only\" or \"anytime\" (default \"stuck_only\")",
            "Whether a card may be drawn only by who has nothing to play (a +3 Breaker never counts), or at any time.",
        ),
        option(
            "taki_follow",
            "\"all\" or \"optional\" (default \"all\")",
            "Whether a TAKI must take all cards of its color that its player holds.",
        ),
        option(
            "taki_close",
            "\"choice\" or \"auto\" (default \"choice\")",
            "Whether a player may leave his TAKI open for the next one. One without a card on it is always open.",
        ),
        option(
            "run_wilds",
            "\"faq\" or \"none\" (default \"faq\")",
            "Whether Change Color, King and +3 may be the last card of a TAKI.",
        ),
        option(
            "super_on_king",
            "\"active_color\" or \"choose\" (default \"active_color\")",
            "The color of a Super TAKI played after one's own King.",
        ),
        option(
            "king_vs_plus3",
            "\"next_player\" or \"off\" (default \"next_player\")",
            "Whether the next player may cancel a +3 with a King.",
        ),
        option(
            "plus3_last",
            "\"window_first\" or \"wins_at_once\" (default \"window_first\")",
            "Whether a +3 as the last card may still be broken.",
        ),
        option(
            "plus_last",
            "\"must_draw\" or \"wins\" (default \"must_draw\")",
            "Whether a Plus as the last card costs a card drawn, or wins.",
        ),
        option(
            "cover_resolved_plus3",
            "true or false (default true)",
            "Whether Change Color and Super TAKI may lie on a +3 that is settled.",
        ),
        option(
            "two_player_direction",
            "\"passes\" or \"acts_as_stop\" (default \"passes\")",
            "Whose turn follows a Change Direction between two players: the other's, or again the same player's.",
        ),
        option(
            "last_card",
            "\"auto\", \"declare\" or \"challenge\" (default \"auto\")",
            "Last card is announced by itself, or by the player, who draws if he is silent, or only if he is caught.",
        ),
        option(
            "last_card_penalty",
            "a whole number, 0 to 115 (default 4)",
            "Cards drawn by a player who did not announce his last card.",
        ),
        option(
            "max_decisions",
            "a whole number, 1 to 1000000, or \"auto\" (default \"auto\")",
            "Decisions after which a game is cut off and ranked by cards; auto is 4000, 20000 in a tournament. Declined \
             answers to a +3, which nobody may notice, do not count.",
        ),
        option(
            "ranking",
            "\"winner_only\" or \"hand_size\" (default \"winner_only\")",
            "What a learner maximises: 1 for the winner and -1/(players-1) for the others, or places by cards left from \
             1 to -1.",
        ),
    ];
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=10;
    const ROUNDS_OPTION: &'static str = "games";

    fn check(&self) -> Result<(), RulesError> {
        if !Self::PLAYERS.contains(&self.players) {
            return Err(Self::refused("players", self.players));
        }
        if !(1..=8).contains(&self.stages) {
            return Err(Self::refused("stages", self.stages));
        }
        if !(1..=1000).contains(&self.games) {
            return Err(Self::refused("games", self.games));
        }
        if self.last_card_penalty > 115 {
            return Err(Self::refused("last_card_penalty", self.last_card_penalty));
        }
        match self.max_decisions {
            MaxDecisions::At(n) if !(1..=1_000_000).contains(&n) => Err(Self::refused("max_decisions", n)),
            _ => Ok(()),
        }
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.games)
    }

    /// Games are cut off after at most 2500 decisions here, so that checks end.
    fn random(draw: &mut Draw) -> Self {
        Self {
            players: 2 + draw.below(9) as u8,
            mode: draw.pick(Mode::ALL),
            stages: 1 + draw.below(8) as u8,
            games: 1 + draw.below(2) as u16,
            first_player: draw.pick(FirstPlayer::ALL),
            start_card: draw.pick(StartCard::ALL),
            draw_policy: draw.pick(DrawPolicy::ALL),
            taki_follow: draw.pick(TakiFollow::ALL),
            taki_close: draw.pick(TakiClose::ALL),
            run_wilds: draw.pick(RunWilds::ALL),
            super_on_king: draw.pick(SuperOnKing::ALL),
            king_vs_plus3: draw.pick(KingVsPlus3::ALL),
            plus3_last: draw.pick(Plus3Last::ALL),
            plus_last: draw.pick(PlusLast::ALL),
            cover_resolved_plus3: draw.below(2) == 0,
            two_player_direction: draw.pick(TwoPlayerDirection::ALL),
            last_card: draw.pick(LastCard::ALL),
            last_card_penalty: draw.pick(&[0, 1, 4, 4, 40]),
            max_decisions: draw.pick(&[MaxDecisions::At(2500), MaxDecisions::At(2500), MaxDecisions::At(60)]),
            ranking: draw.pick(Ranking::ALL),
        }
    }
}
