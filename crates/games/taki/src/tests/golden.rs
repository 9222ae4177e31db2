//! Golden files of TAKI.

use cardsharp_engine::Play;
use cardsharp_engine::Seat;
use cardsharp_engine::testing::golden::{Golden, GoldenVariant, all_are_as_they_were};

use crate::{
    Answer, Direction, DrawPolicy, FirstPlayer, KingVsPlus3, LastCard, MaxDecisions, Mode, PLUS3, Plus3Last,
    Plus3VsPlus3, PlusLast, Ranking, Round, Rules, RunWilds, Stage, StartCard, SuperOnKing, TakiClose,
    TakiFollow, TwoPlayerDirection, View,
};

impl Golden for Round {
    const ROUND: &'static str = "Game";

    fn variants() -> Vec<GoldenVariant<Self>> {
        let rules = Rules::default();
        vec![
            GoldenVariant { name: "standard-4", rules, wanted: |round| round.table().open },
            GoldenVariant {
                name: "window-6",
                rules: Rules { players: 6, ..rules },
                wanted: |round| (0..6).any(|seat| round.own(Seat(seat)).answer == Answer::Declined),
            },
            GoldenVariant {
                name: "two-acts-as-stop",
                rules: Rules {
                    players: 2,
                    games: 2,
                    two_player_direction: TwoPlayerDirection::ActsAsStop,
                    first_player: FirstPlayer::Seat0,
                    ..rules
                },
                wanted: |round| round.table().direction == Direction::Right,
            },
            GoldenVariant {
                name: "challenge-5",
                rules: Rules {
                    players: 5,
                    last_card: LastCard::Challenge,
                    ranking: Ranking::HandSize,
                    ..rules
                },
                wanted: |round| matches!(round.table().stage, Stage::Catch { .. }),
            },
            GoldenVariant {
                name: "tournament-3",
                rules: Rules {
                    players: 3,
                    mode: Mode::Tournament,
                    stages: 3,
                    last_card: LastCard::Declare,
                    plus3_last: Plus3Last::WinsAtOnce,
                    ..rules
                },
                wanted: |round| round.table().recycles > 0,
            },
            GoldenVariant {
                name: "plus3-on-plus3-4",
                rules: Rules {
                    last_card: LastCard::Declare,
                    plus3_vs_plus3: Plus3VsPlus3::NextPlayer,
                    ..rules
                },
                wanted: |round| round.table().laid.iter().map(|cards| cards.count(PLUS3)).sum::<u8>() == 2,
            },
            GoldenVariant {
                name: "strict-7",
                rules: Rules {
                    players: 7,
                    start_card: StartCard::NumberOnly,
                    taki_close: TakiClose::Auto,
                    run_wilds: RunWilds::None,
                    king_vs_plus3: KingVsPlus3::Off,
                    cover_resolved_plus3: false,
                    ..rules
                },
                wanted: |round| !round.table().buried.is_empty(),
            },
            GoldenVariant {
                name: "free-10",
                rules: Rules {
                    players: 10,
                    draw_policy: DrawPolicy::Anytime,
                    taki_follow: TakiFollow::Optional,
                    super_on_king: SuperOnKing::Choose,
                    plus_last: PlusLast::Wins,
                    max_decisions: MaxDecisions::At(150),
                    ..rules
                },
                wanted: |round| round.table().debt > 2,
            },
        ]
    }

    /// Whether it is every second unusual decision, or one ordinary turn in six.
    fn is_shown(view: View<'_>) -> bool {
        let table = view.table;
        let ordinary = matches!(table.stage, Stage::Turn | Stage::Run) && table.debt == 0 && !table.open;
        !ordinary && table.decisions.is_multiple_of(2) || table.decisions.is_multiple_of(6)
    }

    fn counted() -> Vec<(&'static str, Rules)> {
        let options = |players: u8| {
            let rules = Rules { players, ..Rules::default() };
            [
                ("standard", rules),
                ("anytime", Rules { draw_policy: DrawPolicy::Anytime, ..rules }),
                ("optional", Rules { taki_follow: TakiFollow::Optional, ..rules }),
                ("tournament", Rules { mode: Mode::Tournament, stages: 2, ..rules }),
                (
                    "challenge",
                    Rules { mode: Mode::Tournament, stages: 2, last_card: LastCard::Challenge, ..rules },
                ),
            ]
        };
        [2, 4, 7, 10].into_iter().flat_map(options).collect()
    }
}

#[test]
fn golden_files_are_as_they_were() {
    all_are_as_they_were::<Round>(concat!(env!("CARGO_MANIFEST_DIR"), "/golden"));
}
