//! Which seat learns what, and when.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Determinize, Narrate, Play, Scripted, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::{DealRng, Draw};
use serde_json::{Value, json};

use super::super::{Round, View};
use super::situation::{HANDS, Inspect as _, Situation, bid, card, setup};

/// Asserts that exactly these seats can distinguish the two situations, by view, row or picture.
#[track_caller]
fn differ_for(a: &Situation, b: &Situation, seats: &[u8]) {
    let seen: Vec<u8> = (0..4).filter(|&seat| a.view_json(seat) != b.view_json(seat)).collect();
    assert_eq!(seen, seats);
    for seat in (0..4).filter(|seat| !seats.contains(seat)) {
        assert_eq!(a.row(seat), b.row(seat), "the row of seat {seat}");
        assert_eq!(Round::picture(a.0.view(Seat(seat))), Round::picture(b.0.view(Seat(seat))));
    }
}

#[test]
fn the_card_put_aside_is_the_bidders_secret() {
    for contract in ["80", "misere", "prive"] {
        let s = bid(json!({}), contract);
        differ_for(&s.after("discard SQ"), &s.after("discard S8"), &[0]);
        differ_for(&s.after("discard C9, trump H"), &s.after("discard CT, trump H"), &[0]);
    }
    assert!(!Round::is_public(cardsharp_engine::game::parse_label::<Round>(None, "discard SQ").unwrap()));
}

#[test]
fn the_kitty_is_nobodys_business_until_it_is_taken() {
    let one = setup(json!({}), HANDS, "SQ");
    let other = setup(json!({}), [HANDS[0], HANDS[1], HANDS[2], "SQ H9 HA HK HQ S9 ST SJ"], "HJ");
    differ_for(&one, &other, &[3]);
    differ_for(&one.after("bid 80, bid 90"), &other.after("bid 80, bid 90"), &[3]);
    let hand = "bid prive uit de hand, pass, pass, pass, trump S, SK, SA, C7";
    differ_for(&one.after(hand), &other.after(hand), &[3]);
}

#[test]
fn the_partner_alone_knows_himself_until_the_asked_card_falls() {
    // The ace of spades is in different hands.
    let with = |a: &str, b: &str| {
        let (a, b) = (format!("{a} S7 D7 D8 H6 H7 D9 DT"), format!("{b} DJ DQ DK DA C7 C8 H8"));
        let s = setup(json!({}), [HANDS[0], &a, &b, HANDS[3]], "SQ").bid("80");
        s.after("discard SQ, trump H, ask SA, C9")
    };
    let (one, two) = (with("SA", "HT"), with("HT", "SA"));
    differ_for(&one, &two, &[1, 2]);
    assert_eq!((one.cells(1, "is_partner"), one.cells(2, "is_partner")), (vec![1], vec![0]));
    for seat in 0..4 {
        assert_eq!(one.ones(seat, "partner"), [0usize; 0]);
        assert_eq!(one.ones(seat, "asked"), [7]);
    }
    let s = one.after("H6, C7, HJ");
    assert_eq!(s.0.table().partner, None);
}

#[test]
fn a_play_proves_what_the_rules_say() {
    let lacks = |s: &Situation, seat: usize| s.0.table().play.lacks[seat].to_string();
    let spades = "S7 S8 S9 ST SJ SQ SK SA";
    let start = |options: Value, hands: [&str; 4]| {
        let mut options = options;
        options["early_stop"] = json!(false);
        setup(options, hands, "SQ").bid("misere").after("discard SQ, trump H")
    };
    // A plain discard on a plain lead proves a void and no trump.
    let hands = ["SK S8 C9 CT CJ CQ CK CA", "D7 D8 D9 DT DJ DQ DK DA", "HT C7 C8 H8 SA S7 S9 ST", ""];
    let s = start(json!({}), hands).after("SK, D7");
    assert_eq!(lacks(&s, 1), format!("{spades} H6 H7 H8 H9 HT HJ HQ HK HA"));
    // A trump on a plain lead proves nothing if players who can follow may trump …
    let hands = ["SK S8 C9 CT CJ CQ CK CA", "D7 D8 D9 DT DJ DQ DK DA", "HT C7 C8 H8 SA S7 S9 ST", ""];
    let s = start(json!({}), hands).after("C9, D7, HT");
    assert_eq!(lacks(&s, 2), "SQ", "only that he has not the kitty");
    // … and proves a void if they may not.
    let hands = ["SK S8 C9 CT CJ CQ CK CA", "D7 D8 D9 DT DJ DQ DK DA", "HT H7 H6 H8 SA S7 S9 ST", ""];
    let s = start(json!({"ruff_while_able": false}), hands).after("C9, D7, HT");
    assert_eq!(lacks(&s, 2), "SQ C7 C8 C9 CT CJ CQ CK CA");
    // Another suit on a trump lead proves no trump except perhaps the lone jack.
    let hands = ["HK S8 C9 CT CJ CQ CK CA", "HJ D8 D9 DT DJ DQ DK DA", "", ""];
    let s = start(json!({}), hands).after("HK, D8");
    assert_eq!(lacks(&s, 1), "SQ H6 H7 H8 H9 HT HQ HK HA");
    assert_eq!(s.0.table().play.refused, [0, 1, 0, 0]);
    let s = start(
        json!({"jack_exempt_count": 0}),
        ["HK S8 C9 CT CJ CQ CK CA", "D7 D8 D9 DT DJ DQ DK DA", "", ""],
    );
    assert!(lacks(&s.after("HK, D8"), 1).contains("HJ"));
}

#[test]
fn what_a_seat_lacks_it_never_holds_and_whatever_is_open_is_possible() {
    // In random deals: a card that a seat may hold is in its hand in some determinized deal.
    let mut draw = Draw::new(31, 0);
    let mut checked = 0;
    for seed in 0..60 {
        let rules = <super::super::rules::Rules as cardsharp_engine::rules::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let round = session.round();
            let legal = Round::legal(round.view(seat));
            let plays = round.table().play.cards.len();
            if plays > 8
                && draw.below(8) == 0
                && round.table().asked == super::super::state::AskedCard::Nothing
            {
                possible(round.view(seat), &mut draw);
                checked += 1;
            }
            let action = legal.random(&mut draw).unwrap();
            session.round_mut().play(action);
        }
    }
    assert!(checked > 10, "{checked}");
}

fn possible(view: View<'_>, draw: &mut Draw) {
    let mut found = [super::super::deck::Cards::NONE; 4];
    for _ in 0..100 {
        let round = Round::determinize(view, DealRng::new(draw.bits(), 0)).unwrap();
        for ((found, own), lacks) in found.iter_mut().zip(&round.own).zip(&view.table.play.lacks) {
            *found = found.or(own.hand);
            assert!(!own.hand.meets(*lacks));
        }
    }
    // The determinized deals put every unseen card into each possible hand, and never into an impossible one.
    let all = found.iter().fold(view.table.play.gone(), |all, cards| all.or(*cards));
    assert!(super::super::deck::Cards::ALL.minus(all).len() <= 1);
}

#[test]
fn an_action_shows_only_what_it_puts_on_the_table() {
    let mut draw = Draw::new(17, 0);
    let (mut compared, mut points) = (0, 0);
    for seed in 0..250 {
        let rules = <super::super::rules::Rules as cardsharp_engine::rules::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(actor) = session.round().turn() {
            let legal = Round::legal(session.round().view(actor));
            let action = if seed % 2 == 0 {
                Round::scripted(session.round().view(actor))
            } else {
                legal.random(&mut draw).unwrap()
            };
            let viewer = Seat(draw.below(4) as u8);
            if viewer != actor && draw.below(3) == 0 {
                let mut other =
                    Round::determinize(session.round().view(viewer), DealRng::new(draw.bits(), 0)).unwrap();
                if Round::is_legal(other.view(actor), action) {
                    let mut round = *session.round();
                    round.play(action);
                    other.play(action);
                    // Skip moves that reveal roem, an open hand or a kitty: these show determinized cards.
                    let shows = |r: &Round| (r.table().roem, r.table().shown, r.table().kitty);
                    let before = shows(session.round());
                    if shows(&round) == before
                        && shows(&other) == before
                        && round.table.redeals == session.round().table.redeals
                    {
                        assert_eq!(
                            json!(round.view(viewer).to_owned()),
                            json!(other.view(viewer).to_owned())
                        );
                        assert_eq!(round.turn(), other.turn());
                        compared += 1;
                        points += u32::from(round.table().asked_card().is_some());
                    }
                }
            }
            session.round_mut().play(action);
        }
    }
    assert!(compared > 1_000 && points > 100, "{compared}, {points}");
}

#[test]
fn others_never_see_the_hand() {
    let s = bid(json!({}), "80");
    for seat in 1..4 {
        let text = s.view_json(seat).to_string();
        assert!(!text.contains("SK"), "a card of seat 0 in the view of seat {seat}");
    }
    assert!(s.view_json(0).to_string().contains("SK"));
    assert!(s.0.own(Seat(0)).hand.has(card("SQ")));
}
