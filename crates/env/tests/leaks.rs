//! Nobody learns what he must not: by views, rows, legal actions or the order of decisions.

use cardsharp_env::blocks::width;
use cardsharp_env::games::dalmuti::Round;
use cardsharp_env::games::dalmuti::actions::{REVOLUTION, nth};
use cardsharp_env::games::dalmuti::deck::JESTER;
use cardsharp_env::games::dalmuti::rules::{Rules, TaxVisibility};
use cardsharp_env::games::dalmuti::table::{Ask, Stage};
use cardsharp_env::{ActionId, DealRng, Draw, Game, Seat, Session, Turn, mask};
use serde_json::json;

/// Everything a seat can see, as bytes.
fn seen(round: &Round, seat: Seat) -> (String, Vec<u8>, String) {
    let view = round.view(seat);
    let mut row = vec![0xAA; width(Round::OBSERVATION)];
    Round::observe(view, &mut row);
    (json!(view.to_owned()).to_string(), row, Round::picture(view))
}

fn random_action(round: &Round, seat: Seat, draw: &mut Draw) -> ActionId {
    let legal = Round::legal(round.view(seat));
    mask::nth(&legal.0, draw.below(mask::count(&legal.0))).expect("there is a legal action")
}

/// Whether one player holds both Jesters.
fn jesters_together(round: &Round) -> bool {
    (0..round.table().players()).any(|seat| round.own(Seat(seat)).hand.0[JESTER] == 2)
}

/// Deals in which both Jesters were dealt to one player, who is asked about a revolution.
fn offers(tax_visibility: TaxVisibility, players: u8) -> impl Iterator<Item = (Round, Seat)> {
    let rules = Rules { players, tax_visibility, ..Rules::default() };
    (0..).filter_map(move |seed| {
        let round = *Session::<Round>::new(rules, seed).round();
        match round.turn() {
            Turn::Decide(seat) if round.own(seat).ask == Ask::Revolution => Some((round, seat)),
            _ => None,
        }
    })
}

#[test]
fn a_declined_revolution_leaves_no_trace() {
    let mut split_deals = 0;
    for (players, visibility) in
        [(4, TaxVisibility::Sealed), (5, TaxVisibility::Seen), (8, TaxVisibility::Sealed)]
    {
        for (offer, holder) in offers(visibility, players).take(20) {
            let mut declined = offer;
            declined.play(nth(REVOLUTION, 1));
            assert_eq!(declined.table().stage, Stage::Taxes);
            for viewer in (0..players).map(Seat).filter(|&seat| seat != holder) {
                // The same view, from a deal in which nobody was ever asked.
                let deals = (0..400).map(|seed| Round::redeal(declined.view(viewer), DealRng::new(seed, 0)));
                let mut never_asked = deals.filter(|round| !jesters_together(round));
                let Some(other) = never_asked.next() else { continue };
                assert_eq!(seen(&declined, viewer), seen(&other, viewer));
                // Nor does whose turn it is tell anything.
                assert_eq!(declined.turn(), other.turn());
                split_deals += 1;
                // Nor anything later: the viewer plays the same, and sees the same for as long as only
                // he acts; then the others have other cards.
                let (mut one, mut two) = (declined, other);
                let mut draw = Draw::new(3, u64::from(viewer.0));
                while one.turn() == Turn::Decide(viewer) && two.turn() == one.turn() {
                    let action = random_action(&one, viewer, &mut draw);
                    one.play(action);
                    two.play(action);
                    if one.table().stage != Stage::Taxes {
                        break;
                    }
                    assert_eq!(seen(&one, viewer), seen(&two, viewer));
                }
            }
        }
    }
    assert!(split_deals > 150, "{split_deals}");
}

#[test]
fn only_the_holder_sees_the_question() {
    for (offer, holder) in offers(TaxVisibility::Sealed, 5).take(40) {
        for seat in (0..5).map(Seat) {
            let asked = offer.own(seat).ask == Ask::Revolution;
            assert_eq!(asked, seat == holder);
            assert_eq!(mask::count(&Round::legal(offer.view(seat)).0), if asked { 2 } else { 0 });
        }
    }
}

#[test]
fn an_action_shows_only_what_it_puts_on_the_table() {
    // A player acts in two rounds that look the same to somebody: they still look the same to him.
    let mut compared = 0;
    let mut draw = Draw::new(17, 0);
    for seed in 0..150 {
        let rules = <Rules as cardsharp_env::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(actor) = session.round().turn() {
            let action = random_action(session.round(), actor, &mut draw);
            if session.round().table().stage == Stage::Play && draw.below(6) == 0 {
                let viewer = Seat(draw.below(u32::from(rules.players)) as u8);
                let mut other = Round::redeal(session.round().view(viewer), DealRng::new(draw.bits(), 0));
                let possible = Round::is_legal(other.view(actor), action);
                // Who goes out with a set in one deal has cards left in no other: counts are public.
                assert!(possible || viewer != actor);
                if possible {
                    let mut round = *session.round();
                    round.play(action);
                    other.play(action);
                    assert_eq!(seen(&round, viewer), seen(&other, viewer));
                    assert_eq!(round.turn(), other.turn());
                    compared += 1;
                }
            }
            session.round_mut().play(action);
        }
    }
    assert!(compared > 2_000, "{compared}");
}

#[test]
fn picks_and_offers_before_the_play_are_seen_by_nobody_else() {
    let mut draw = Draw::new(23, 0);
    let mut checked = 0;
    for seed in 0..400 {
        let rules = <Rules as cardsharp_env::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(actor) = session.round().turn() {
            let before = *session.round();
            let action = random_action(&before, actor, &mut draw);
            session.round_mut().play(action);
            let after = session.round();
            if after.table().stage != before.table().stage || after.table().stage == Stage::Play {
                break;
            }
            if Round::is_public(action) {
                continue;
            }
            // Only the actor, and whoever is asked next, sees anything new.
            for seat in (0..rules.players).map(Seat) {
                if seat != actor && after.turn() != Turn::Decide(seat) {
                    assert_eq!(seen(&before, seat), seen(after, seat));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
}
