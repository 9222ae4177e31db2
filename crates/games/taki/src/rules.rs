//! The rules options of TAKI.

use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{OptionDoc, RulesError};
use cardsharp_engine::{choices, options};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

choices! {
    /// The course of a game.
    Mode {
        /// A single game: the first player without cards wins.
        Single,
        /// A tournament: players go through stages with fewer and fewer cards.
        Tournament
    }
}

choices! {
    /// The first player of each game.
    FirstPlayer {
        /// A random player, drawn for each game.
        Random,
        /// Seat 0 in every game.
        Seat0
    }
}

choices! {
    /// Which cards may start the discard pile.
    StartCard {
        /// Any colored card, without its action.
        InertAction,
        /// Only a number card.
        NumberOnly
    }
}

choices! {
    /// Who may draw a card instead of playing one.
    DrawPolicy {
        /// Only players with no card to play; a +3 Breaker does not count.
        StuckOnly,
        /// Every player, at every turn.
        Anytime
    }
}

choices! {
    /// Whether the player of a TAKI must lay all their cards of its color.
    TakiFollow {
        /// The player must lay all of them.
        All,
        /// The player may keep some of them in hand.
        Optional
    }
}

choices! {
    /// Whether a player may leave open a TAKI that they could close.
    TakiClose {
        /// The player decides whether to close it.
        Choice,
        /// The TAKI is always closed.
        Auto
    }
}

choices! {
    /// Whether Change Color, King and +3 may be the last card of a TAKI.
    RunWilds {
        /// They may be the last card.
        Faq,
        /// They may not be the last card.
        None
    }
}

choices! {
    /// The color of a Super TAKI laid after the same player's King.
    SuperOnKing {
        /// The color that leads already.
        ActiveColor,
        /// Any color that the player names.
        Choose
    }
}

choices! {
    /// Whether a King may answer a +3.
    KingVsPlus3 {
        /// The next player may answer with it.
        NextPlayer,
        /// A King never answers it.
        Off
    }
}

choices! {
    /// Whether a +3 may answer a +3.
    Plus3VsPlus3 {
        /// A +3 never answers it.
        Off,
        /// The next player may answer with it.
        NextPlayer
    }
}

choices! {
    /// The effect of a +3 as the last card.
    Plus3Last {
        /// The others may break it before its player goes out.
        WindowFirst,
        /// Its player goes out at once.
        WinsAtOnce
    }
}

choices! {
    /// The effect of a Plus as the last card.
    PlusLast {
        /// Its player must draw a card.
        MustDraw,
        /// Its player goes out.
        Wins
    }
}

choices! {
    /// Whose turn follows a Change Direction with two players.
    TwoPlayerDirection {
        /// The other player's turn.
        Passes,
        /// The same player's turn again.
        ActsAsStop
    }
}

choices! {
    /// How "last card" is announced.
    LastCard {
        /// It is announced automatically.
        Auto,
        /// The player announces it, or is silent and draws cards.
        Declare,
        /// The player announces it. A silent player draws cards if another player catches them.
        Challenge
    }
}

choices! {
    /// The reward of a learner.
    Ranking {
        /// 1 for the winner; for `N` players, −1/(`N` − 1) for each of the others.
        WinnerOnly,
        /// 1 for the first place down to −1 for the last; players with fewer cards left come first.
        HandSize
    }
}

/// The number of decisions after which a game is cut off.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum MaxDecisions {
    /// 4,000 in a single game, 20,000 in a tournament.
    #[default]
    Auto,
    /// This many, 1 to 1,000,000.
    At(u32),
}

impl MaxDecisions {
    fn schema() -> Value {
        let number = json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000 });
        json!({ "oneOf": [{ "const": "auto" }, number], "default": "auto" })
    }
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

options! {
    /// The rules of a session of TAKI.
    Rules {
        /// Number of players, 2 to 10.
        players: u8 = 4, whole(2..=10);
        /// A single game, or a tournament through stages with fewer and fewer cards, which counts as one
        /// game.
        mode: Mode = Mode::Single, choice, shown(Tournament);
        /// The first stage of a tournament, which is also the number of cards dealt.
        stages: u8 = 8, whole(1..=8);
        /// Games (or tournaments) in a session.
        games: u16 = 1, whole(1..=1000), drawn(|draw| 1 + draw.below(2) as u16);
        /// The first player of each game.
        first_player: FirstPlayer = FirstPlayer::Random, choice;
        /// Cards that may start the discard pile: any colored card, without its action (inert_action), or numbers
        /// only (number_only).
        start_card: StartCard = StartCard::InertAction, choice;
        /// Who may draw a card: only players with no card to play, a +3 Breaker not counted (stuck_only), or
        /// every player (anytime).
        draw_policy: DrawPolicy = DrawPolicy::StuckOnly, choice, shown(Anytime);
        /// Whether the player of a TAKI must lay all their cards of its color.
        taki_follow: TakiFollow = TakiFollow::All, choice, shown(Optional);
        /// Whether a player may leave their TAKI open for the next player. A TAKI without a card on it always
        /// stays open.
        taki_close: TakiClose = TakiClose::Choice, choice, shown(Auto);
        /// Whether Change Color, King and +3 may be the last card of a TAKI.
        run_wilds: RunWilds = RunWilds::Faq, choice, shown(None);
        /// The color of a Super TAKI laid after the same player's King.
        super_on_king: SuperOnKing = SuperOnKing::ActiveColor, choice, shown(Choose);
        /// Whether the next player may cancel a +3 with a King.
        king_vs_plus3: KingVsPlus3 = KingVsPlus3::NextPlayer, choice, shown(Off);
        /// Whether the next player may answer a +3 with another +3, which replaces it. Then all but its player
        /// draw three cards, including the player of the first +3.
        #[serde(default)]
        plus3_vs_plus3: Plus3VsPlus3 = Plus3VsPlus3::Off, choice;
        /// Whether a +3 as the last card may still be broken.
        plus3_last: Plus3Last = Plus3Last::WindowFirst, choice, shown(WinsAtOnce);
        /// Whether the player of a last-card Plus must draw a card (must_draw), or wins (wins).
        plus_last: PlusLast = PlusLast::MustDraw, choice, shown(Wins);
        /// Whether Change Color and Super TAKI may be laid on a settled +3.
        cover_resolved_plus3: bool = true, switch, shown(false);
        /// Whose turn follows a Change Direction with two players: the other player's (passes), or the same
        /// player's again (acts_as_stop).
        two_player_direction: TwoPlayerDirection = TwoPlayerDirection::Passes, choice, shown(ActsAsStop);
        /// How "last card" is announced: automatically (auto), or by the player, who draws if they are silent
        /// (declare) or only if another player catches them (challenge).
        last_card: LastCard = LastCard::Auto, choice, shown(Auto, Declare, Challenge);
        /// Cards drawn by a player who did not announce their last card.
        last_card_penalty: u8 = 4, whole(0..=115), drawn(|draw| draw.pick(&[0, 1, 4, 4, 40]));
        /// Decisions after which a game is cut off and ranked by cards; auto is 4000, 20000 in a tournament.
        /// Declined answers to a +3 are secret and do not count.
        max_decisions: MaxDecisions = MaxDecisions::Auto, words("a whole number, 1 to 1000000, or \"auto\" (default \"auto\")", MaxDecisions::schema), drawn(|draw| draw.pick(&[MaxDecisions::At(2500), MaxDecisions::At(2500), MaxDecisions::At(60)]));
        /// The reward of a learner: 1 for the winner and -1/(players-1) for the others (winner_only), or 1 to -1
        /// by places, ranked by cards left (hand_size).
        ranking: Ranking = Ranking::WinnerOnly, choice, shown(HandSize);
    }
}

impl Rules {
    /// Returns the number of decisions after which a game is cut off.
    #[inline]
    pub const fn limit(&self) -> u32 {
        match (self.max_decisions, self.mode) {
            (MaxDecisions::At(n), _) => n,
            (MaxDecisions::Auto, Mode::Single) => 4000,
            (MaxDecisions::Auto, Mode::Tournament) => 20_000,
        }
    }

    /// Returns the number of cards dealt to each player.
    pub const fn dealt(&self) -> u8 {
        match self.mode {
            Mode::Single => 8,
            Mode::Tournament => self.stages,
        }
    }
}

impl cardsharp_engine::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ADDED: &'static [&'static str] = &["plus3_vs_plus3"];
    const ROUNDS_OPTION: &'static str = "games";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()?;
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

    /// Limits games to 2,500 decisions, so that tests on random games end.
    fn random(draw: &mut Draw) -> Self {
        Self::drawn(draw)
    }
}
