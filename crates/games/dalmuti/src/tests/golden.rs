//! Golden files of The Great Dalmuti.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::Play;
use cardsharp_engine::testing::golden::{Golden, GoldenVariant, all_are_as_they_were};

use crate::{
    ExposedFate, HandCountView, MerchantExchange, Revolution, Reward, Round, Rules, Scoring, Seating,
    Shaping, Stage, Strip, TaxVisibility, View,
};

impl Golden for Round {
    const ROUND: &'static str = "Hand";

    fn variants() -> Vec<GoldenVariant<Self>> {
        let any = |_: &Round| true;
        let rules = Rules { hands: 1, ..Rules::default() };
        vec![
            GoldenVariant { name: "standard-5", rules: Rules { hands: 2, ..rules }, wanted: any },
            GoldenVariant {
                name: "stripped-4",
                rules: Rules { players: 4, strip: Strip::Recommended, seating: Seating::Fixed, ..rules },
                wanted: any,
            },
            GoldenVariant {
                name: "seen-taxes-blind-choice-6",
                rules: Rules {
                    players: 6,
                    tax_visibility: TaxVisibility::Seen,
                    merchant_exchange: MerchantExchange::BlindChoice,
                    scoring: Scoring::Philanthropic,
                    shaping: Shaping { reward: Reward::Score, ..Shaping::default() },
                    ..rules
                },
                wanted: |round| round.table().exchange.is_some(),
            },
            GoldenVariant {
                name: "misdeal-blind-random-7",
                rules: Rules {
                    players: 7,
                    merchant_exchange: MerchantExchange::BlindRandom,
                    misdeal_prob: 1.0,
                    shaping: Shaping { hand_count_view: HandCountView::Hidden, ..Shaping::default() },
                    ..rules
                },
                wanted: |round| {
                    let to_peon = |fate| fate == ExposedFate::ToPeon;
                    let table = round.table();
                    table.exchange.is_some() && table.exposed.is_some_and(|exposed| to_peon(exposed.fate))
                },
            },
            GoldenVariant {
                name: "revolution-5",
                rules: Rules { strip: Strip::Recommended, ..rules },
                wanted: |round| round.table().revolution == Revolution::Revolution,
            },
            GoldenVariant {
                name: "first-deal-greater-revolution-6",
                rules: Rules { players: 6, first_deal_revolution: true, ..rules },
                wanted: |round| round.table().revolution == Revolution::Greater,
            },
            GoldenVariant {
                name: "few-ranks-8",
                rules: Rules {
                    players: 8,
                    strip: Strip::Ranks(1 << 1 | 1 << 4 | 1 << 12),
                    scoring: Scoring::None,
                    ..rules
                },
                wanted: any,
            },
            GoldenVariant {
                name: "final-passes-skips-6",
                rules: Rules { players: 6, pass_is_final: true, equal_rank: EqualRank::Skips, ..rules },
                wanted: |round| !round.table().trick.skipped.is_empty(),
            },
            GoldenVariant {
                name: "burns-7",
                rules: Rules { players: 7, equal_rank: EqualRank::Burns, ..rules },
                wanted: any,
            },
            GoldenVariant { name: "standard-12", rules: Rules { players: 12, ..rules }, wanted: any },
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
                ("recommended strip", Rules { strip: Strip::Recommended, ..rules }),
                ("only ranks 6 to 12", Rules { strip: Strip::Ranks(0b11_1110), ..rules }),
                ("first deal without taxes", Rules { first_deal_revolution: true, ..rules }),
                (
                    "seen, blind choice",
                    Rules {
                        tax_visibility: TaxVisibility::Seen,
                        merchant_exchange: MerchantExchange::BlindChoice,
                        ..rules
                    },
                ),
                (
                    "misdeal, blind random",
                    Rules { misdeal_prob: 1.0, merchant_exchange: MerchantExchange::BlindRandom, ..rules },
                ),
            ]
        };
        [4, 5, 6, 8, 12].into_iter().flat_map(options).collect()
    }
}

#[test]
fn golden_files_are_as_they_were() {
    all_are_as_they_were::<Round>(concat!(env!("CARGO_MANIFEST_DIR"), "/golden"));
}
