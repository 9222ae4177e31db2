//! Leaks in The Great Dalmuti: above all, a revolution that was not called.

use cardsharp_engine::Actions;
use cardsharp_engine::Play;
use cardsharp_engine::game::Determinize;
use cardsharp_engine::testing::leaks::{Secrets, questions, seen};
use cardsharp_engine::testing::random_action;
use cardsharp_engine::{ActionId, DealRng, Draw, Seat, Turn, mask};

use crate::{Ask, JESTER, Move, Round, Rules, Stage, TaxVisibility};

impl Secrets for Round {
    /// Actions before the play may deal or move cards.
    fn shows_only_itself(&self, _: ActionId) -> bool {
        self.table().stage == Stage::Play
    }

    fn visibly_moved_on(&self, after: &Self) -> bool {
        self.table().stage != after.table().stage
    }
}

cardsharp_engine::leak_tests!(Round, secret_choices);

/// Whether one player holds both Jesters.
fn jesters_together(round: &Round) -> bool {
    (0..round.table().players()).any(|seat| round.own(Seat(seat)).hand.0[JESTER] == 2)
}

/// Returns deals in which one player has both Jesters, and that player, who is asked about a revolution.
fn offers(tax_visibility: TaxVisibility, players: u8) -> impl Iterator<Item = (Round, Seat)> {
    let rules = Rules { players, tax_visibility, ..Rules::default() };
    questions(rules, |round: &Round, seat| round.own(seat).ask == Ask::Revolution)
}

#[test]
fn a_declined_revolution_leaves_no_trace() {
    let mut split_deals = 0;
    for (players, visibility) in
        [(4, TaxVisibility::Sealed), (5, TaxVisibility::Seen), (8, TaxVisibility::Sealed)]
    {
        for (offer, holder) in offers(visibility, players).take(20) {
            let mut declined = offer;
            declined.play(Move::DeclineRevolution.id());
            assert_eq!(declined.table().stage, Stage::Taxes);
            for viewer in (0..players).map(Seat).filter(|&seat| seat != holder) {
                // The same view, from a deal in which no player was ever asked.
                let deals = (0..400)
                    .map(|seed| Round::determinize(declined.view(viewer), DealRng::new(seed, 0)).unwrap());
                let mut never_asked = deals.filter(|round| !jesters_together(round));
                let Some(other) = never_asked.next() else { continue };
                assert_eq!(seen(&declined, viewer), seen(&other, viewer));
                // Whose turn it is must not reveal anything either.
                assert_eq!(declined.turn(), other.turn());
                split_deals += 1;
                // Nor may anything later. The viewer plays the same and sees the same, as long as only the viewer
                // acts. After that, the others have other cards.
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
