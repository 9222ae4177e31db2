//! Golden files of Tahimi.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::Play;
use cardsharp_engine::testing::golden::{Golden, GoldenVariant, all_are_as_they_were};
use serde_json::{Value, json};

use crate::{
    Ask, Deck, DeucesSpecial, HandCountView, JoinPolicy, JokerTax, Jokers, Reward, Round, Rules, Seating,
    Shaping, Stage, TaxSchedule, Trim, View,
};

/// Returns these rules with other options, written as in files.
fn with(rules: Rules, more: Value) -> Rules {
    let (Value::Object(mut all), Value::Object(more)) = (json!(rules), more) else { panic!("no options") };
    all.extend(more);
    cardsharp_engine::rules::read(&json!(all)).expect("good rules")
}

/// Whether any seat is asked this question.
fn is_asked(round: &Round, ask: Ask) -> bool {
    round.present().iter().any(|seat| round.own(cardsharp_engine::Seat(seat)).ask == ask)
}

impl Golden for Round {
    const ROUND: &'static str = "Round";

    fn variants() -> Vec<GoldenVariant<Self>> {
        let any = |_: &Round| true;
        let rules = Rules { rounds: 1, ..Rules::default() };
        vec![
            GoldenVariant { name: "standard-4", rules: Rules { rounds: 2, ..rules }, wanted: any },
            GoldenVariant {
                name: "three-taxed-at-once",
                rules: Rules { players: 3, first_round_tax: true, seating: Seating::Fixed, ..rules },
                wanted: any,
            },
            GoldenVariant {
                name: "extra-suits-low-jokers-6",
                rules: Rules {
                    players: 6,
                    deck: Deck::ExtraSuits,
                    jokers: Jokers::Low,
                    first_round_tax: true,
                    shaping: Shaping { reward: Reward::Points, ..Shaping::default() },
                    ..rules
                },
                wanted: |round| round.table().trick.strength == 0 && round.table().trick.size > 0,
            },
            GoldenVariant {
                name: "special-wild-jokers-deuces-high-8",
                rules: Rules {
                    players: 8,
                    deck: Deck::Special,
                    jokers: Jokers::Wild,
                    deuces_high: true,
                    deuces_special: DeucesSpecial::Literal,
                    first_round_tax: true,
                    ..rules
                },
                wanted: |round| {
                    round.table().trick.wilds > 0 && round.table().trick.wilds == round.table().trick.size
                },
            },
            GoldenVariant {
                name: "final-passes-burns-low-jokers-5",
                rules: Rules {
                    players: 5,
                    jokers: Jokers::Low,
                    pass_on_lead: true,
                    pass_is_final: true,
                    equal_rank: EqualRank::Burns,
                    ..rules
                },
                wanted: any,
            },
            GoldenVariant {
                name: "skips-3",
                rules: Rules { players: 3, equal_rank: EqualRank::Skips, ..rules },
                wanted: |round| !round.table().trick.skipped.is_empty(),
            },
            GoldenVariant {
                name: "holder-jokers-7",
                rules: Rules {
                    players: 7,
                    jokers: Jokers::Low,
                    joker_tax: JokerTax::Holder,
                    tax_schedule: TaxSchedule::Progressive,
                    first_round_tax: true,
                    rank_privilege: false,
                    ..rules
                },
                wanted: |round| is_asked(round, Ask::TaxJokers),
            },
            GoldenVariant {
                name: "decrees-5",
                rules: with(
                    Rules { players: 5, rounds: 2, ..rules },
                    json!({"decree": [
                        {},
                        {"deck": "special", "jokers": "wild", "deuces_high": true},
                        {"jokers": "low", "joker_tax": "holder", "tax_schedule": "progressive"},
                    ]}),
                ),
                wanted: |round| round.table().decree == Some(1),
            },
            GoldenVariant {
                name: "players-come-and-go",
                rules: with(
                    Rules { rounds: 4, ..rules },
                    json!({"roster_script": [
                        {"round": 2, "join": 4},
                        {"round": 3, "leave": 0},
                        {"round": 3, "leave": 2},
                        {"round": 4, "join": 2},
                        {"round": 4, "join": 5},
                    ]}),
                ),
                wanted: any,
            },
            GoldenVariant {
                name: "redraw-and-end",
                rules: with(
                    Rules { players: 3, rounds: 9, join_policy: JoinPolicy::Redraw, ..rules },
                    json!({"roster_script": [
                        {"round": 2, "join": 3}, {"round": 3, "leave": 1}, {"round": 4, "leave": 3},
                    ]}),
                ),
                wanted: any,
            },
            GoldenVariant {
                name: "passed-leads-one-card-4",
                rules: Rules {
                    pass_on_lead: true,
                    shaping: Shaping { hand_count_view: HandCountView::OneCard, reward: Reward::TahimiOnly },
                    trim: Trim::None,
                    jokers: Jokers::Wild,
                    ..rules
                },
                wanted: |round| round.table().trick.size == 0 && round.table().trick.passed.len() == 3,
            },
        ]
    }

    /// Whether it is before the play, or a lead.
    fn is_shown(view: View<'_>) -> bool {
        view.table.stage != Stage::Play || view.table.trick.size == 0
    }

    fn counted() -> Vec<(&'static str, Rules)> {
        let options = |players: u8| {
            let rules = Rules { players, ..Rules::default() };
            [
                ("standard", rules),
                ("taxes", Rules { first_round_tax: true, ..rules }),
                (
                    "extra suits, low jokers, taxes",
                    Rules { deck: Deck::ExtraSuits, jokers: Jokers::Low, first_round_tax: true, ..rules },
                ),
                ("special, wild jokers", Rules { deck: Deck::Special, jokers: Jokers::Wild, ..rules }),
                (
                    "holder's jokers",
                    Rules {
                        jokers: Jokers::Wild,
                        joker_tax: JokerTax::Holder,
                        first_round_tax: true,
                        ..rules
                    },
                ),
                ("passed leads", Rules { pass_on_lead: true, rank_privilege: false, ..rules }),
                ("decrees", with(rules, json!({"decree": [{}, {"deck": "special"}, {"jokers": "low"}]}))),
            ]
        };
        [3, 4, 5, 6, 8].into_iter().flat_map(options).collect()
    }
}

#[test]
fn golden_files_are_as_they_were() {
    all_are_as_they_were::<Round>(concat!(env!("CARGO_MANIFEST_DIR"), "/golden"));
}
