//! Roem: the values of combinations, sharing of cards, and when roem is announced.

use cardsharp_engine::game::{Actions, Play};
use cardsharp_engine::rng::Draw;
use serde_json::{Value, json};

use super::super::deck::{ACE, Cards, JACK, KING, QUEEN, Suit, TEN, Trump};
use super::super::roem::{MOST, total};
use super::super::rules::{RoemOverlap, Rules};
use super::situation::{Inspect as _, Situation, cards, setup};

const HEARTS: Trump = Trump::Hearts;

fn full(hand: &str, trump: Trump) -> u16 {
    total(cards(hand), trump, &Rules::default())
}

fn exclusive(hand: &str, trump: Trump) -> u16 {
    total(cards(hand), trump, &Rules { roem_overlap: RoemOverlap::Exclusive, ..Rules::default() })
}

#[test]
fn runs_count_by_their_length() {
    let runs = [("D7 D8", 0), ("D7 D8 D9", 20), ("D7 D8 D9 DT", 50), ("D7 D8 D9 DT DJ", 100)];
    let long = [("D7 D8 D9 DT DJ DQ", 120), ("D7 D8 D9 DT DJ DQ DK", 140), ("D7 D8 D9 DT DJ DQ DK DA", 160)];
    for (hand, worth) in runs.into_iter().chain(long) {
        assert_eq!(full(hand, HEARTS), worth, "{hand}");
        assert_eq!(exclusive(hand, HEARTS), worth, "{hand}");
    }
    assert_eq!(full("H6 H7 H8", HEARTS), 20, "the six counts");
    assert_eq!(full("S7 S8 S9 SJ SQ SK H7 H8", HEARTS), 40, "two runs of a suit");
    assert_eq!(full("SQ SK SA H6 H7", HEARTS), 20, "no run from suit to suit");
    assert_eq!(full("DA D7 D8", HEARTS), 0, "no run around the ace");
    assert_eq!(full("H9 HT HJ", HEARTS), 20, "natural order, in trump too");
}

#[test]
fn sets_count_by_their_rank() {
    assert_eq!(full("SJ HJ DJ CJ", HEARTS), 200);
    assert_eq!(full("SJ HJ DJ", HEARTS), 100);
    for rank in ["A", "K", "Q"] {
        let set = |suits: &str| suits.chars().map(|s| format!("{s}{rank} ")).collect::<String>();
        assert_eq!(full(&set("SHDC"), Trump::None), 100);
        assert_eq!(full(&set("SDC"), Trump::None), 50);
        assert_eq!(full(&set("SD"), Trump::None), 0);
    }
    assert_eq!(full("S9 H9 D9 C9 S7 H7 D7 C7", HEARTS), 0);
    assert_eq!(full("ST HT DT CT", HEARTS), 0);
    let tens = Rules { honour_tens: true, ..Rules::default() };
    assert_eq!(total(cards("ST HT DT CT"), HEARTS, &tens), 100);
    assert_eq!(total(cards("ST HT DT"), HEARTS, &tens), 50);
}

#[test]
fn stuk_is_king_and_queen_of_trump_in_one_hand() {
    assert_eq!(full("HK HQ", HEARTS), 20);
    assert_eq!(full("HK HQ", Trump::Spades), 0);
    assert_eq!(full("HK HQ", Trump::None), 0);
    assert_eq!(full("HK SQ", HEARTS), 0);
}

#[test]
fn overlap_as_in_the_rules_examples() {
    for (hand, trump, overlapping, apart) in [
        ("H9 HT HJ HQ HK SQ DQ CQ", HEARTS, 220, 170),
        ("SA SK SQ HA HK HQ DA DK", HEARTS, 160, 120),
        ("H6 H7 H8 H9 HT HJ HQ HK", HEARTS, 180, 180),
        ("HA HK HQ HJ HT H9 H8 H7", HEARTS, 180, 180),
        ("ST SJ SQ SK S9 HJ DJ CJ", Trump::Spades, 320, 220),
        ("SJ HJ DJ CJ SA HA DA CA", Trump::Spades, 300, 300),
        ("SK SQ HK HQ DK DQ CK CQ", Trump::Spades, 220, 220),
    ] {
        assert_eq!((full(hand, trump), exclusive(hand, trump)), (overlapping, apart), "{hand}");
    }
}

/// Returns the best value over all ways to form disjoint runs and sets, card by card.
fn naive(hand: Cards, honour_tens: bool) -> u16 {
    let Some(first) = hand.first() else { return 0 };
    // The first card is unused, or the start of a run, or in a set.
    let mut best = naive(hand.without(first), honour_tens);
    let mut run = Cards::NONE;
    for rank in first.rank()..=ACE {
        let Some(card) = super::super::deck::Card::of(first.suit(), rank).filter(|card| hand.has(*card))
        else {
            break;
        };
        run.insert(card);
        let worth = [0, 0, 0, 20, 50, 100, 120, 140, 160][run.len() as usize];
        if worth > 0 {
            best = best.max(worth + naive(hand.minus(run), honour_tens));
        }
    }
    let same: Vec<_> = hand.iter().filter(|card| card.rank() == first.rank() && *card != first).collect();
    let counts = matches!(first.rank(), JACK | QUEEN | KING | ACE) || first.rank() == TEN && honour_tens;
    if counts {
        let unit = if first.rank() == JACK { 100 } else { 50 };
        for left_out in 0..=same.len() {
            let others: Cards =
                same.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, c)| *c).collect();
            let size = others.len() + 1;
            if size >= 3 {
                best =
                    best.max(unit * (size as u16 - 2) + naive(hand.minus(others.with(first)), honour_tens));
            }
        }
    }
    best
}

#[test]
fn exclusive_roem_is_the_best_of_all_ways_and_no_more_than_full() {
    let mut draw = Draw::new(5, 0);
    let mut deck: Vec<_> = Cards::ALL.iter().collect();
    for n in 0..3_000 {
        draw.shuffle(&mut deck);
        // Half of the hands have only high cards, because these often compete for combinations.
        let hand: Cards = if n % 2 == 0 {
            deck[..8].iter().copied().collect()
        } else {
            deck.iter().copied().filter(|card| card.rank() >= TEN).take(8).collect()
        };
        for honour_tens in [false, true] {
            let apart = Rules { roem_overlap: RoemOverlap::Exclusive, honour_tens, ..Rules::default() };
            let overlapping = Rules { honour_tens, ..Rules::default() };
            assert_eq!(total(hand, Trump::None, &apart), naive(hand, honour_tens), "{hand}");
            assert!(total(hand, HEARTS, &apart) <= total(hand, HEARTS, &overlapping), "{hand}");
        }
    }
}

/// Searches for the most roem in a hand of eight cards. Tries all hands that can matter; hands without a run
/// or a set have at most stuk.
#[test]
fn no_hand_has_more_than_320() {
    let mut most = 0;
    let high: Vec<_> = Cards::ALL.iter().filter(|card| card.rank() >= 3).collect();
    let mut draw = Draw::new(6, 0);
    let mut shuffled = high.clone();
    for _ in 0..200_000 {
        draw.shuffle(&mut shuffled);
        let hand: Cards = shuffled[..8].iter().copied().collect();
        for suit in Suit::ALL {
            most = most.max(total(hand, suit.into(), &Rules::default()));
        }
    }
    // Four jacks with every choice of four other cards.
    let jacks = Cards::of_rank(JACK);
    let others: Vec<_> = Cards::ALL.minus(jacks).iter().collect();
    for a in 0..others.len() {
        for b in a + 1..others.len() {
            for c in b + 1..others.len() {
                for d in c + 1..others.len() {
                    let hand =
                        [others[a], others[b], others[c], others[d]].into_iter().fold(jacks, Cards::with);
                    for suit in Suit::ALL {
                        most = most.max(total(hand, suit.into(), &Rules::default()));
                    }
                }
            }
        }
    }
    assert_eq!(most, MOST);
}

const HANDS: [&str; 4] = [
    "S9 ST SJ C9 CT CJ S7 H7",
    "SA SQ DQ DK DA H8 H9 D7",
    "HA HK HJ HT D8 D9 DT DJ",
    "S8 HQ C7 C8 CQ CK CA SK",
];

fn dealt(options: Value) -> Situation {
    setup(options, HANDS, "H6").bid("80").after("discard H6, trump S, ask SA")
}

#[test]
fn roem_is_announced_with_the_first_card_and_with_the_asked_one() {
    let s = dealt(json!({}));
    assert_eq!(s.0.table().roem, [None, None]);
    let s = s.after("S7");
    assert_eq!(s.0.table().roem, [Some(40), None]);
    let s = s.after("SA");
    assert_eq!(s.0.table().roem, [Some(40), Some(20)], "queen, king and ace of diamonds");
    for seat in 0..4 {
        assert_eq!(s.view_json(seat)["table"]["roem"], json!({"bidder": 40, "partner": 20}));
    }
}

#[test]
fn a_player_may_be_asked_what_he_announces() {
    let s = dealt(json!({"roem_claims": "truthful_choice"})).after("S7");
    s.expect(0, "claim 0, claim 40");
    let silent = s.after("claim 0, SA");
    silent.expect(1, "claim 0, claim 20");
    assert_eq!(silent.after("claim 20").0.table().roem, [Some(0), Some(20)]);
    // The player is asked even without roem.
    let hands = ["S9 ST C9 CT S7 H7 D7 HT", "SA SQ DQ DA H8 H9 C7 C8", "", ""];
    let s = setup(json!({"roem_claims": "truthful_choice"}), hands, "H6").bid("80");
    s.after("discard H6, trump S, ask SA, S7").expect(0, "claim 0");
}

#[test]
fn any_total_can_be_claimed_under_free_claim() {
    for (overclaim, counted) in [("void", 0), ("correct", 40), ("undetected", 320)] {
        let s = dealt(json!({"roem_claims": "free_claim", "overclaim": overclaim})).after("S7");
        assert_eq!(s.legal().len(), 33);
        let worth = |claim: &str| {
            let end = s.after(&format!("claim {claim}, SA, claim 0")).finish();
            let outcome = super::super::score::outcome(&end.0).unwrap();
            let bonus = if end.0.table().play.won[0] + end.0.table().play.won[1] == 8 { 50 } else { 0 };
            outcome.total - (i32::from(outcome.raw) + 4) / 10 * 10 - bonus
        };
        assert_eq!(worth("320"), counted, "{overclaim}");
        assert_eq!(worth("20"), 20, "who claims less gets what he claims");
        assert_eq!(worth("40"), 40);
    }
}

#[test]
fn the_partners_roem_can_be_counted_in_what_he_still_holds() {
    // The king of diamonds is played before the asked card.
    let asked = |basis: &str| {
        let s = setup(json!({"partner_roem_basis": basis}), HANDS, "H6").bid("80");
        let s = s.after("discard H6, trump S, ask SA, H7, H8, HA, HQ, D8, S8, S9, DK");
        assert_eq!(s.turn(), Some(0));
        s.after("S7, SA").0.table().roem[1]
    };
    assert_eq!(asked("initial_hand"), Some(20));
    assert_eq!(asked("current_hand"), Some(0));
}

#[test]
fn opponents_and_fixed_contracts_announce_nothing() {
    let s = setup(json!({}), HANDS, "H6").bid("prive").after("discard H6, trump S, SJ");
    assert_eq!(s.0.table().roem, [None, None]);
    let end = dealt(json!({})).finish();
    assert!(end.0.table().roem[0].is_some());
}

#[test]
fn alone_only_the_bidder_announces() {
    let s = setup(json!({}), HANDS, "H6").bid("80").after("discard H6, trump S, solo").finish();
    assert_eq!(s.0.table().roem, [Some(40), None]);
}

#[test]
fn with_forehand_to_lead_the_bidder_announces_with_his_first_card() {
    let s = setup(json!({"first_leader": "forehand"}), HANDS, "H6").after("hold, bid 80, pass, pass, pass");
    let s = s.after("discard H6, trump D, ask DJ");
    assert_eq!(s.turn(), Some(0));
    let s = s.after("S7");
    assert_eq!(s.0.table().roem, [None, None]);
    let s = s.after("SQ");
    assert_eq!(s.0.table().roem, [Some(40), None], "a run of three and stuk");
}

#[test]
fn the_partners_roem_counts_even_with_the_last_card_of_all() {
    // The asked ace of clubs is the last card of the last trick.
    let hands = [
        "SA SK SQ SJ ST S9 S8 C7",
        "HA HK HQ HJ HT H9 H8 H7",
        "DA DK DQ DJ DT D9 D8 D7",
        "C8 C9 CT CJ CQ CK CA H6",
    ];
    let s = setup(json!({"trump_points": "none"}), hands, "S7").bid("80").after("discard S7, ask CA");
    let mut s = s.after("SA, H7, D7, H6");
    for (spade, heart, diamond, club) in [
        ("SK", "H8", "D8", "C8"),
        ("SQ", "H9", "D9", "C9"),
        ("SJ", "HT", "DT", "CT"),
        ("ST", "HJ", "DJ", "CJ"),
    ] {
        s.play(&format!("{spade}, {heart}, {diamond}, {club}"));
    }
    s.play("S9, HQ, DQ, CQ, S8, HK, DK, CK");
    assert_eq!(s.0.table().roem, [Some(140), None]);
    let s = s.after("C7, HA, DA, CA");
    assert_eq!(s.0.table().roem, [Some(140), Some(140)]);
    assert_eq!(s.turn(), None);
    // With claims, the player is still asked.
    let s = setup(json!({"trump_points": "none", "roem_claims": "truthful_choice"}), hands, "S7").bid("80");
    let mut s = s.after("discard S7, ask CA, SA, claim 140, H7, D7, H6");
    s.play("SK, H8, D8, C8, SQ, H9, D9, C9, SJ, HT, DT, CT, ST, HJ, DJ, CJ, S9, HQ, DQ, CQ, S8, HK, DK, CK");
    let s = s.after("C7, HA, DA, CA");
    s.expect(3, "claim 0, claim 140");
    let s = s.after("claim 140");
    assert_eq!((s.turn(), s.0.table().roem), (None, [Some(140), Some(140)]));
    let _ = s.points();
    assert_eq!(s.0.phase(), "none");
}
