//! Golden files of Tachtigen.

use cardsharp_engine::Play;
use cardsharp_engine::testing::golden::{Golden, GoldenVariant, all_are_as_they_were};

use crate::{
    AllHold, AskScope, AskedCard, BidKind, FirstLeader, OpeningOrder, PartnerShare, PointScore, RoemClaims,
    RoemOverlap, Round, Rules, Stage, TrumpRule, View,
};

/// Whether the deal is played for points with a partner.
fn has_asked(round: &Round) -> bool {
    matches!(round.table().asked, AskedCard::Card(_))
}

/// Whether the contract is of this kind, by its number.
fn plays(round: &Round, kind: BidKind) -> bool {
    round.table().contract().is_some_and(|contract| contract.number() == kind.number())
}

fn variant(name: &'static str, rules: Rules, wanted: fn(&Round) -> bool) -> GoldenVariant<Round> {
    GoldenVariant { name, rules, wanted }
}

impl Golden for Round {
    const ROUND: &'static str = "Deal";

    fn variants() -> Vec<GoldenVariant<Self>> {
        let rules = Rules::default();
        vec![
            variant("points", Rules { deals: 2, ..rules }, |round| {
                round.table().partner.is_some() && round.table().play.called != 0 && has_asked(round)
            }),
            variant("solo", rules, |round| round.table().asked == AskedCard::Solo),
            variant("rotterdam", Rules { early_stop: false, ..Rules::rotterdam() }, has_asked),
            variant("pandoer", Rules { early_stop: false, ..Rules::pandoer() }, has_asked),
            variant("zwabber", Rules { max_point_bid: 220, early_stop: false, ..rules }, |round| {
                plays(round, BidKind::Zwabber) && round.table().play.trick() > 1
            }),
            variant("ouverte", Rules { max_point_bid: 220, early_stop: false, ..rules }, |round| {
                plays(round, BidKind::Ouverte) && !round.table().open.is_empty()
            }),
            variant("praatje", rules, |round| {
                plays(round, BidKind::Praatje) && round.table().play.trick() > 1
            }),
            variant(
                "prive-uit-de-hand-without-trump",
                Rules { trump_prive: TrumpRule::None, early_stop: false, ..rules },
                |round| plays(round, BidKind::PriveHand),
            ),
            variant(
                "claims-exclusive",
                Rules { roem_claims: RoemClaims::FreeClaim, roem_overlap: RoemOverlap::Exclusive, ..rules },
                |round| round.table().roem.iter().all(Option::is_some),
            ),
            variant(
                "house",
                Rules {
                    opening_order: OpeningOrder::Random,
                    all_hold: AllHold::Redeal,
                    ask_scope: AskScope::AcesFirst,
                    ask_discard: true,
                    first_leader: FirstLeader::Forehand,
                    roem_claims: RoemClaims::TruthfulChoice,
                    point_score: PointScore::Bid,
                    partner_share: PartnerShare::Split,
                    ..rules
                },
                has_asked,
            ),
        ]
    }

    /// Whether it is the first decision of a phase, or a lead.
    fn is_shown(view: View<'_>) -> bool {
        let table = view.table;
        match table.stage {
            Stage::Auction => table.auction.passed.is_empty(),
            Stage::Play => table.play.in_trick() == 0,
            _ => true,
        }
    }

    fn counted() -> Vec<(&'static str, Rules)> {
        vec![
            ("default", Rules::default()),
            ("bids of points to 220", Rules { max_point_bid: 220, ..Rules::default() }),
            ("drawn order, dealt again", {
                Rules { opening_order: OpeningOrder::Random, all_hold: AllHold::Redeal, ..Rules::default() }
            }),
        ]
    }
}

#[test]
fn golden_files_are_as_they_were() {
    all_are_as_they_were::<Round>(concat!(env!("CARGO_MANIFEST_DIR"), "/golden"));
}
