//! The fixed contracts: misère and its variants, zwabber, privé.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use cardsharp_engine::hands::Positions;
use serde_json::{Value, json};

use super::situation::{Inspect as _, Situation, setup};

/// Every seat has one complete suit, seat 0 the spades; the kitty is H6. With spades as trump, seat 0 wins
/// every trick. With another trump suit, it wins only tricks that no player trumps.
const SUITS: [&str; 4] = [
    "S7 S8 S9 ST SJ SQ SK SA",
    "H7 H8 H9 HT HJ HQ HK HA",
    "D7 D8 D9 DT DJ DQ DK DA",
    "C7 C8 C9 CT CJ CQ CK CA",
];

fn begun(options: Value, hands: [&str; 4], bid: &str, trump: &str) -> Situation {
    let s = setup(options, hands, "H6").bid(bid);
    let s = if bid.ends_with("hand") { s } else { s.after("discard H6") };
    s.after(&format!("trump {trump}"))
}

#[test]
fn who_takes_no_trick_makes_his_misere() {
    for (bid, worth) in [("misere", 50), ("ouverte", 80), ("praatje", 100), ("praatje uit de hand", 150)] {
        // Hearts are trump: seat 1 trumps every spade.
        let end = begun(json!({}), SUITS, bid, "H").finish();
        assert_eq!(end.points(), [worth, 0, 0, 0], "{bid}");
        assert_eq!(end.0.table().play.trick(), 8);
        let lost = begun(json!({}), SUITS, bid, "S").finish();
        assert_eq!(lost.points(), [-worth, 0, 0, 0], "{bid}");
        assert_eq!(lost.0.table().play.trick(), 1, "play stops");
        let long = begun(json!({"early_stop": false}), SUITS, bid, "S").finish();
        assert_eq!(long.points(), [-worth, 0, 0, 0]);
        assert_eq!(long.0.table().play.trick(), 8);
    }
}

#[test]
fn a_misere_can_be_lost_late() {
    // Seat 2 draws the bidder's diamonds, and forces out the bare ace of spades in trick six.
    let hands = ["D7 D8 D9 DT H6 H7 H8 SA", "H9 HT HJ HQ HK HA CT CJ", "DJ DQ DK DA C7 CA C9 S9", ""];
    let s = setup(json!({"trump_misere": "none"}), hands, "CK").bid("misere").after("discard CK");
    let s = s.after("D7, H9, DA, S7, DK, S8, D8, HT, DQ, ST, D9, HJ, DJ, SJ, DT, HQ, CA, C8, H6, CT");
    assert_eq!(s.turn(), Some(2));
    let end = s.after("S9, SQ, SA, CJ");
    assert_eq!(end.turn(), None);
    assert_eq!(end.points(), [-50, 0, 0, 0]);
    assert_eq!(end.0.table().play.trick(), 6);
}

#[test]
fn prive_is_all_tricks() {
    for (bid, worth) in [("prive", 120), ("prive uit de hand", 180)] {
        let made = begun(json!({}), SUITS, bid, "S").finish();
        assert_eq!(made.points(), [worth, 0, 0, 0], "no bonus");
        let lost = begun(json!({}), SUITS, bid, "H").finish();
        assert_eq!(lost.points(), [-worth, 0, 0, 0]);
        assert_eq!(lost.0.table().play.trick(), 1, "play stops with the first trick lost");
        let bonus = begun(json!({"bonus_scope": "any_won"}), SUITS, bid, "S").finish();
        assert_eq!(bonus.points(), [worth + 50, 0, 0, 0]);
        let none = begun(json!({"bonus_scope": "any_won"}), SUITS, bid, "H").finish();
        assert_eq!(none.points(), [-worth, 0, 0, 0]);
    }
    // The contract is lost in the last trick.
    let hands = ["S8 S9 ST SJ SQ SK SA D7", "H7 H8 H9 HT HJ HQ HK HA", "S7 D8 D9 DT DJ DQ DK DA", ""];
    let lost = begun(json!({}), hands, "prive uit de hand", "S");
    let mut s = lost;
    for spade in ["SJ", "S9", "SA", "SK", "SQ", "ST", "S8"] {
        s.play(spade);
        while s.0.table().play.in_trick() != 0 {
            let legal = s.legal();
            s.play(&legal[0].clone());
        }
    }
    let end = s.after("D7").finish();
    assert_eq!(end.points(), [-180, 0, 0, 0]);
    assert_eq!(end.0.table().play.trick(), 8);
}

/// Plays a zwabber of seat 0 with spades as trump. In [`FIVE`], seat 0 holds the five highest spades and
/// losing diamonds.
fn zwabber(options: Value, hands: [&str; 4], plays: &str) -> Situation {
    begun(options, hands, "zwabber", "S").after(plays)
}

const FIVE: [&str; 4] = ["SJ S9 SA SK SQ D7 D8 D9", "ST H7 H8 H9 HT CQ CK CA", "S8 HJ HQ DA DK DQ DJ HA", ""];

#[test]
fn who_takes_the_first_trick_after_five_becomes_partner() {
    let rest = "SJ, ST, S8, S7, S9, H7, HJ, C7, SA, H8, HQ, C8, SK, H9, HA, C9, SQ, HT, DJ, CT";
    let s = zwabber(json!({}), FIVE, rest);
    assert_eq!((s.turn(), s.0.table().partner), (Some(0), None));
    let s = s.after("D7, CQ, DQ, DT");
    assert_eq!((s.turn(), s.0.table().partner), (Some(2), Some(Seat(2))));
    let end = s.after("DA, HK, D8, CK, DK, CJ, D9, CA");
    assert_eq!(end.points(), [60, 0, 60, 0]);
    let split = zwabber(json!({"partner_share": "split"}), FIVE, rest)
        .after("D7, CQ, DQ, DT, DA, HK, D8, CK, DK, CJ, D9, CA");
    assert_eq!(split.points(), [30, 0, 30, 0]);
    let bonus = json!({"bonus_scope": "any_won"});
    let bonus = zwabber(bonus, FIVE, rest).after("D7, CQ, DQ, DT, DA, HK, D8, CK, DK, CJ, D9, CA");
    assert_eq!(bonus.points(), [110, 0, 110, 0]);
}

#[test]
fn a_later_trick_that_goes_elsewhere_spoils_it_for_both() {
    let five = "SJ, ST, S8, S7, S9, H7, HJ, C7, SA, H8, HQ, C8, SK, H9, HA, C9, SQ, HT, DJ, CT";
    // The partner's eight of diamonds leaves the trick to the bidder.
    let hands = ["SJ S9 SA SK SQ D7 DA D9", "ST H7 H8 H9 HT CQ CK CA", "S8 HJ HQ D8 DK DQ DJ HA", ""];
    let spoilt = |options: Value| zwabber(options, hands, five).after("D7, CQ, DQ, DT, D8, HK, DA, CK");
    let end = spoilt(json!({}));
    assert_eq!((end.turn(), end.0.table().partner), (None, Some(Seat(2))));
    assert_eq!(end.points(), [-60, 0, -60, 0]);
    assert_eq!(spoilt(json!({"partner_share": "split"})).points(), [-30, 0, -30, 0]);
    // A third player beats the partner's eight of clubs.
    let hands = ["SJ S9 SA SK SQ D7 D8 D9", "ST H7 H8 H9 HT CQ C9 HK", "S8 HJ HQ DQ CA CK C8 HA", ""];
    let plays =
        "SJ, ST, S8, S7, S9, H7, HJ, C7, SA, H8, HQ, DK, SK, H9, HA, DA, SQ, HT, CA, DJ, D7, HK, DQ, DT";
    let s = zwabber(json!({}), hands, plays);
    assert_eq!(s.0.table().partner, Some(Seat(2)));
    let end = s.after("C8, CJ, D8, C9");
    assert_eq!((end.turn(), end.points()), (None, [-60, 0, -60, 0]));
}

#[test]
fn a_zwabber_bammed_early_has_no_partner() {
    let hands = ["SJ S9 SA SK SQ D7 D8 D9", "ST H7 H8 H9 HT CQ CK CA", "S8 HJ HQ DA DK DQ DJ HA", ""];
    let play = "SJ, ST, S8, S7, S9, H7, HJ, C7, D7, H8, DA, DT";
    let end = zwabber(json!({}), hands, play);
    assert_eq!(end.turn(), None);
    assert_eq!((end.points(), end.0.table().partner), ([-60, 0, 0, 0], None));
    let double = zwabber(json!({"solo_double_scope": "zwabber_too"}), hands, play);
    assert_eq!(double.points(), [-120, 0, 0, 0]);
    let long = zwabber(json!({"early_stop": false}), hands, play).finish();
    assert_eq!((long.points(), long.0.table().partner), ([-60, 0, 0, 0], None));
    assert_eq!(long.0.table().play.trick(), 8);
}

#[test]
fn all_eight_tricks_make_a_zwabber_alone() {
    assert_eq!(begun(json!({}), SUITS, "zwabber", "S").finish().points(), [60, 0, 0, 0]);
    let double = json!({"solo_double_scope": "zwabber_too", "bonus_scope": "any_won"});
    assert_eq!(begun(double, SUITS, "zwabber", "S").finish().points(), [220, 0, 0, 0]);
}

#[test]
fn an_ouverte_is_open_from_the_fifth_card_on() {
    let s = begun(json!({}), SUITS, "ouverte", "H").after("S7, H7, D7, C7");
    assert_eq!(s.0.table().open, Positions(0));
    assert_eq!(s.ones(1, "shown"), [0usize; 0]);
    let s = s.after("H8");
    assert_eq!(s.0.table().open, Positions(1));
    assert_eq!(s.view_json(2)["table"]["shown"][0], "S8 S9 ST SJ SQ SK SA");
    assert_eq!(s.ones(1, "shown").len(), 7);
    let s = s.after("D8, C8, S8");
    assert_eq!(s.view_json(2)["table"]["shown"][0], "S9 ST SJ SQ SK SA");
}

#[test]
fn a_praatje_is_open_after_the_first_card() {
    for bid in ["praatje", "praatje uit de hand"] {
        let s = begun(json!({}), SUITS, bid, "H");
        assert_eq!(s.0.table().open, Positions(0));
        let s = s.after("S7");
        assert_eq!(s.0.table().open, Positions(15));
        for seat in 0..4 {
            assert_eq!(s.view_json(seat)["table"]["shown"][2], SUITS[2]);
            assert_eq!(s.view_json(seat)["table"]["shown"][0], "S8 S9 ST SJ SQ SK SA");
        }
    }
}

#[test]
fn other_hands_stay_closed() {
    for bid in ["80", "misere", "zwabber", "prive"] {
        let s = begun(json!({}), SUITS, bid, "S");
        let s = if bid == "80" { s.after("solo") } else { s };
        assert_eq!(s.finish().0.table().open, Positions(0), "{bid}");
    }
}

#[test]
fn points_contracts_are_played_to_the_end() {
    let s = begun(json!({}), SUITS, "80", "H").after("solo").finish();
    assert_eq!(s.0.table().play.trick(), 8);
}
