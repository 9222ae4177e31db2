//! Legal cards in a trick.

use serde_json::{Value, json};

use super::super::rules::Rules;
use super::situation::{Inspect as _, Situation, setup};

fn rotterdam() -> Value {
    json!(Rules::rotterdam())
}

fn pandoer() -> Value {
    json!(Rules::pandoer())
}

/// Seat 0 plays a misère with this trump, so that no card is asked for. `cards` are the plays from the first
/// lead on.
fn trick(options: &Value, trump: &str, hands: [&str; 4], cards: &str) -> Situation {
    let mut options = options.clone();
    options["early_stop"] = json!(false);
    after_discard(&setup(options, hands, "").bid("misere")).after(&format!("trump {trump}, {cards}"))
}

/// Puts the kitty aside again.
fn after_discard(situation: &Situation) -> Situation {
    situation.after(&format!("discard {}", situation.0.kitty))
}

#[test]
fn a_plain_lead_is_followed_or_trumped() {
    let hands = ["SQ C8 C9 CT CJ CQ CK CA", "SA S7 H8 D9 D7 D8 DT DJ", "", ""];
    trick(&json!({}), "H", hands, "SQ").expect(1, "S7, SA, H8");
    trick(&rotterdam(), "H", hands, "SQ").expect(1, "S7, SA");
    trick(&pandoer(), "H", hands, "SQ").expect(1, "S7, SA, H8");
}

#[test]
fn only_a_higher_trump_may_be_added_by_who_can_follow() {
    let hands = ["SQ C8 C9 CT CJ CQ CK CA", "HT D7 D8 DT DJ DQ DK DA", "S7 H8 HA D9 S8 S9 ST SJ", ""];
    trick(&json!({}), "H", hands, "SQ, HT").expect(2, "S7, S8, S9, ST, SJ, HA");
    trick(&json!({"undertrump": "free"}), "H", hands, "SQ, HT").expect(2, "S7, S8, S9, ST, SJ, H8, HA");
}

#[test]
fn who_cannot_follow_must_trump_higher() {
    let void = |hand| ["SQ C8 C9 CT CJ CQ CK CA", "HT S7 S8 S9 ST SJ SK SA", hand, ""];
    let higher = void("H8 HA D9 D7 D8 DT DJ DQ");
    trick(&json!({}), "H", higher, "SQ, HT").expect(2, "HA");
    trick(&rotterdam(), "H", higher, "SQ, S7").expect(2, "H8, HA");
    trick(&pandoer(), "H", higher, "SQ, HT").expect(2, "HA, D7, D8, D9, DT, DJ, DQ");
    let free = json!({"must_ruff_when_void": false, "undertrump": "free"});
    trick(&free, "H", higher, "SQ, HT").expect(2, "H8, HA, D7, D8, D9, DT, DJ, DQ");
    trick(&json!({"undertrump": "free"}), "H", higher, "SQ, HT").expect(2, "HA");
    // A hand with only lower trumps.
    let lower = void("H8 D9 C7 D7 D8 DT DJ DQ");
    trick(&json!({}), "H", lower, "SQ, HT").expect(2, "D7, D8, D9, DT, DJ, DQ, C7");
    trick(&json!({"undertrump": "compulsory_if_only_lower"}), "H", lower, "SQ, HT").expect(2, "H8");
    trick(&json!({"undertrump": "free"}), "H", lower, "SQ, HT").expect(2, "H8, D7, D8, D9, DT, DJ, DQ, C7");
    let compulsory = json!({"undertrump": "compulsory_if_only_lower", "must_ruff_when_void": false});
    trick(&compulsory, "H", lower, "SQ, HT").expect(2, "D7, D8, D9, DT, DJ, DQ, C7");
    // A hand with neither the suit nor trump.
    let neither = void("D9 C7 D7 D8 DT DJ DQ DK");
    trick(&json!({}), "H", neither, "SQ, HT").expect(2, "D7, D8, D9, DT, DJ, DQ, DK, C7");
}

#[test]
fn who_has_only_lower_trumps_plays_one() {
    let hands = ["SQ C8 C9 CT CJ CQ CK CA", "HJ S7 S8 S9 ST SJ SK SA", "H6 H7 H8 H9 HT HQ HK HA", ""];
    let compulsory = json!({"undertrump": "compulsory_if_only_lower"});
    for options in [json!({}), compulsory, pandoer(), json!({"undertrump": "free"})] {
        trick(&options, "H", hands, "SQ, HJ").expect(2, "H6, H7, H8, H9, HT, HQ, HK, HA");
    }
}

#[test]
fn a_partner_who_is_winning_excuses_nobody() {
    let hands = ["SA C8 C9 CT CJ CQ CK CA", "S7 D7 D8 DT DJ DQ DK DA", "H8 D9 C7 H6 H7 HT HJ HQ", ""];
    let s = after_discard(&setup(json!({}), hands, "").bid("80")).after("trump H, ask C7, SA, S7");
    s.expect(2, "H6, H7, H8, HT, HJ, HQ");
}

#[test]
fn trump_leads_need_not_be_overtaken() {
    let hands = ["HK C8 C9 CT CJ CQ CK CA", "H9 H7 SA D7 D8 D9 DT DJ", "", ""];
    trick(&json!({}), "H", hands, "HK").expect(1, "H7, H9");
    trick(&rotterdam(), "H", hands, "HK").expect(1, "H9");
    let hands = ["HK C8 C9 CT CJ CQ CK CA", "HQ H7 SA D7 D8 D9 DT DJ", "", ""];
    trick(&rotterdam(), "H", hands, "HK").expect(1, "H7, HQ");
}

#[test]
fn a_lone_trump_jack_may_be_kept_twice() {
    let hands = ["HK HQ HT C9 CT CJ CQ CK", "HJ SA D7 D8 D9 DT DJ DQ", "S7 S8 S9 ST SJ SQ SK DK", ""];
    let s = trick(&json!({}), "H", hands, "HK");
    s.expect(1, "SA, HJ, D7, D8, D9, DT, DJ, DQ");
    let next = |s: &Situation, card: &str, lead: &str| {
        let s = s.after(&format!("{card}, {}", if lead == "HQ" { "S7, H6" } else { "S8, H7" }));
        let turn = s.turn();
        assert_eq!(turn, Some(0), "the king still wins");
        s.after(lead)
    };
    let s = next(&s, "D7", "HQ");
    s.expect(1, "SA, HJ, D8, D9, DT, DJ, DQ");
    let s = next(&s, "D8", "HT");
    s.expect(1, "HJ");
    // Never exempt, always exempt, and with another trump in hand.
    trick(&json!({"jack_exempt_count": 0}), "H", hands, "HK").expect(1, "HJ");
    let s = trick(&pandoer(), "H", hands, "HK");
    next(&next(&s, "D7", "HQ"), "D8", "HT").expect(1, "SA, HJ, D9, DT, DJ, DQ");
    let hands = ["HK HQ HT C9 CT CJ CQ CK", "HJ H7 D7 D8 D9 DT DJ DQ", "S7 S8 S9 ST SJ SQ SK DK", ""];
    let s = trick(&json!({}), "H", hands, "HK");
    s.expect(1, "H7, HJ");
    assert_eq!(s.after("H7").0.table.play.refused, [0; 4]);
}

#[test]
fn a_lone_jack_must_trump_a_plain_suit_unless_exempt() {
    let hands = ["SQ C8 C9 CT CJ CQ CK CA", "HJ D7 D8 D9 DT DJ DQ DK", "", ""];
    trick(&json!({}), "H", hands, "SQ").expect(1, "HJ");
    let exempt = trick(&json!({"jack_exempt_ruff": true}), "H", hands, "SQ");
    exempt.expect(1, "HJ, D7, D8, D9, DT, DJ, DQ, DK");
    // This does not count as a refusal, and has no limit.
    assert_eq!(exempt.after("D7").0.table.play.refused, [0; 4]);
}

#[test]
fn without_trump_one_follows_or_plays_anything() {
    let options = json!({"trump_misere": "none"});
    let hands = ["SQ C8 C9 CT CJ CQ CK CA", "SA S7 H8 D9 D7 D8 DT DJ", "HJ H9 HA C7 H6 H7 DK DQ", ""];
    let s = after_discard(&setup(options, hands, "").bid("misere")).after("SQ");
    s.expect(1, "S7, SA");
    let s = s.after("S7");
    assert_eq!(s.legal().len(), 8);
}
