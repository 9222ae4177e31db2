//! The scores of points contracts: the worked examples of the rules.

use cardsharp_engine::Seat;
use cardsharp_engine::hands::Positions;
use serde_json::{Value, json};

use super::super::bids::Bid;
use super::super::deck::{Cards, Trump};
use super::super::roem::true_roem;
use super::super::rules::RoundHalf;
use super::super::score::{DealOutcome, outcome, rounded};
use super::super::state::{AskedCard, Stage};
use super::situation::{card, cards, setup};

/// A finished points contract of seat 0, with or without seat 1 as partner.
#[derive(Clone)]
struct Example {
    options: Value,
    trump: Trump,
    bid: u16,
    bidder: &'static str,
    /// `None` if the bidder plays alone.
    partner: Option<&'static str>,
    discard: &'static str,
    /// Counting cards in the opponents' tricks.
    opponents: &'static str,
    all_tricks: bool,
}

impl Example {
    fn with(&self, options: Value) -> Self {
        Self { options, ..self.clone() }
    }

    fn bidding(&self, bid: u16) -> Self {
        Self { bid, ..self.clone() }
    }

    fn outcome(&self) -> DealOutcome {
        let hands = [self.bidder, self.partner.unwrap_or(""), "", ""];
        let mut round = setup(self.options.clone(), hands, self.discard).0;
        let side = [Some(Seat(0)), self.partner.map(|_| Seat(1))];
        let table = &mut round.table;
        table.auction.bids[0] = Bid::points(self.bid);
        table.auction.high = Some(Seat(0));
        table.auction.passed = Positions(0b1110);
        table.stage = Stage::Over;
        table.trump = Some(self.trump);
        table.kitty = Some(card(self.discard));
        table.partner = side[1];
        let asked = self.partner.and_then(|hand| cards(hand).first());
        table.asked = asked.map_or(AskedCard::Solo, AskedCard::Card);
        let in_play = Cards::ALL.without(card(self.discard)).value(self.trump);
        let lost = cards(self.opponents).value(self.trump);
        table.play.points = [in_play - lost, 0, lost, 0];
        table.play.won = if self.all_tricks { [8, 0, 0, 0] } else { [5, 1, 1, 1] };
        if self.all_tricks && side[1].is_some() {
            table.play.won = [5, 3, 0, 0];
        }
        round.own[0].discard = Some(card(self.discard));
        for (whose, seat) in side.into_iter().enumerate().filter_map(|(whose, seat)| Some((whose, seat?))) {
            let own = round.own[seat.index()];
            round.table.roem[whose] = Some(true_roem(&round.table, whose, &own, seat));
        }
        outcome(&round).unwrap()
    }

    #[track_caller]
    fn expect(&self, total: i32, points: [i32; 2]) {
        let found = self.outcome();
        assert_eq!((found.total, [found.points[0], found.points[1]]), (total, points));
        assert_eq!(found.points[2..], [0, 0]);
        assert_eq!(found.made, total >= i32::from(self.bid));
    }
}

fn example(
    trump: Trump,
    bid: u16,
    bidder: &'static str,
    partner: &'static str,
    discard: &'static str,
) -> Example {
    let partner = Some(partner).filter(|hand| !hand.is_empty());
    Example { options: json!({}), trump, bid, bidder, partner, discard, opponents: "", all_tricks: false }
}

fn first() -> Example {
    let base = example(Trump::Spades, 100, "SJ S9 SA SK HA H7 DA C8", "HK HQ HJ HT SQ D7 C9 C7", "D8");
    Example { opponents: "CA CT DK", ..base }
}

fn second() -> Example {
    let base = example(Trump::Hearts, 110, "HJ H9 HK HQ SA S7 DT C8", "SK SQ ST H8 DK DQ C7 C9", "S8");
    Example { opponents: "CA DA CK SJ HT", ..base }
}

fn sixth() -> Example {
    let base = example(Trump::Clubs, 150, "CJ C9 CA CK CT SA DA HA", "SK SQ ST D7 H7 H8 CQ C7", "H6");
    Example { all_tricks: true, ..base }
}

fn eighth() -> Example {
    let base = example(Trump::Hearts, 130, "HJ H9 HA H7 SA SK DA DT", "", "C7");
    Example { opponents: "HT HK SQ ST CA CK CT DK", ..base }
}

#[test]
fn example_1_three_aces_and_a_run() {
    first().expect(220, [120, 120]);
    assert_eq!(first().outcome().raw, 117);
}

#[test]
fn examples_2_and_3_half_is_rounded_down() {
    second().expect(140, [30, 30]);
    assert_eq!(second().outcome().raw, 105);
    second().with(json!({"round_half": "up"})).expect(150, [40, 40]);
    second().bidding(140).expect(140, [0, 0]);
    assert!(second().bidding(140).outcome().made);
    second().bidding(150).expect(140, [-10, -10]);
}

#[test]
fn example_4_a_bid_missed() {
    let base = example(Trump::Diamonds, 190, "DJ DA DT SA SK CT HA H6", "CA CK CQ C9 S9 SQ D8 H7", "S8");
    let example = Example { opponents: "D9 HK HT ST DK", ..base };
    example.expect(170, [-20, -20]);
    assert_eq!(example.outcome().raw, 101);
}

#[test]
fn example_5_the_card_put_aside_counts_for_nobody() {
    let bidder = "SJ S9 ST HA HT DA D7 C7";
    let base = example(Trump::Spades, 90, bidder, "HK HQ H9 S8 DT D9 CQ C8", "CT");
    let example_ct = Example { opponents: "SA SK", ..base.clone() };
    example_ct.expect(140, [50, 50]);
    assert_eq!(example_ct.outcome().raw, 117);
    let c9 = Example { discard: "C9", ..example_ct.clone() };
    c9.expect(150, [60, 60]);
    assert_eq!(c9.outcome().raw, 127);
    example_ct.with(json!({"discard_points": "side"})).expect(150, [60, 60]);
}

#[test]
fn example_6_all_tricks() {
    sixth().expect(310, [160, 160]);
    sixth().with(json!({"all_tricks_bonus": 0})).expect(260, [110, 110]);
    sixth().with(json!({"partner_share": "split"})).expect(310, [80, 80]);
}

#[test]
fn example_7_all_tricks_alone() {
    let base = example(Trump::Clubs, 150, "CA CK CQ CJ CT C9 SA DA", "", "H6");
    Example { all_tricks: true, ..base }.expect(380, [460, 0]);
}

#[test]
fn example_8_alone_counts_double_after_rounding() {
    eighth().expect(140, [20, 0]);
    assert_eq!(eighth().outcome().raw, 89);
    eighth().bidding(160).expect(140, [-40, 0]);
    eighth().with(json!({"partner_share": "split"})).expect(140, [20, 0]);
    eighth().with(json!({"point_score": "bid"})).expect(140, [260, 0]);
    eighth().bidding(160).with(json!({"point_score": "bid"})).expect(140, [-320, 0]);
}

#[test]
fn example_9_the_largest_roem_there_is() {
    let base = example(Trump::Spades, 400, "SJ HJ DJ CJ SA HA DA CA", "SK SQ HK HQ DK DQ CK CQ", "H6");
    let example = Example { opponents: "S9 ST", ..base };
    example.expect(640, [240, 240]);
    Example { opponents: "", all_tricks: true, ..example }.expect(710, [310, 310]);
}

#[test]
fn example_10_overlapping_roem() {
    let base = example(Trump::Hearts, 200, "HQ HJ HT H9 SQ DQ CQ HK", "SA DA CA S7 S8 D7 D8 C7", "H6");
    let example = Example { opponents: "HA DT", ..base };
    example.expect(390, [190, 190]);
    example.with(json!({"roem_overlap": "exclusive"})).expect(340, [140, 140]);
}

#[test]
fn the_bid_itself_can_be_booked() {
    let bid = json!({"point_score": "bid"});
    first().with(bid.clone()).expect(220, [100, 100]);
    second().bidding(150).with(bid.clone()).expect(140, [-150, -150]);
    second().bidding(140).with(bid.clone()).expect(140, [140, 140]);
    second()
        .bidding(150)
        .with(json!({"point_score": "bid", "partner_share": "split"}))
        .expect(140, [-75, -75]);
}

#[test]
fn fives_round_down_so_that_both_sides_make_140() {
    for (raw, down, up) in
        [(75, 70, 80), (66, 70, 70), (76, 80, 80), (65, 60, 70), (5, 0, 10), (0, 0, 0), (141, 140, 140)]
    {
        assert_eq!((rounded(raw, RoundHalf::Down), rounded(raw, RoundHalf::Up)), (down, up), "{raw}");
    }
    for raw in 0..=141 {
        assert_eq!(rounded(raw, RoundHalf::Down) + rounded(141 - raw, RoundHalf::Down), 140, "{raw}");
    }
}
