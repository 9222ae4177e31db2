use cardsharp_env::game::{Check as _, Determinize as _, Scripted as _};
use cardsharp_env::testing::{refusals_say_what_is_wrong, unseen_changes};
use cardsharp_env::{DealRng, Play as _, Seat};
use serde_json::json;

use super::situation::{players, setup};
use crate::cards::{Cards, from_text};
use crate::state::SEATS;
use crate::{Round, Rules};

#[test]
fn the_others_and_the_pile_get_any_unseen_card() {
    let table = setup(players(3), &["5d 8s", "2h 3h 4h", "2s 3s"], "5h", "5c 6c ...");
    let view = table.0.view(Seat(0));
    let unseen = view.table.unseen_new(view.own);
    let mut held = [Cards::NONE; SEATS];
    for seed in 0..400 {
        let other = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
        assert_eq!(other.view(Seat(0)).to_owned(), view.to_owned());
        other.audit().unwrap();
        (0..3).for_each(|seat| held[seat] = held[seat].with(other.own[seat].hand));
    }
    assert_eq!(held[..3], [from_text("5d 8s").unwrap(), unseen, unseen]);
}

#[test]
fn cards_that_were_held_at_a_reshuffle_are_not_in_the_pile() {
    let rules = Rules { reshuffle: true, ..players(3) };
    let table = setup(rules, &["9c 6h", "2h 3h", "Kd"], "7h", "5c").after("draw, draw, draw");
    let view = table.0.view(Seat(1));
    for seed in 0..100 {
        let other = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
        let old = |seat: usize| other.own[seat].hand.without(view.table.stock);
        assert_eq!((old(0).len(), old(2).len()), (3, 1));
        assert_eq!(old(0).with(old(2)), from_text("5c 9c 6h Kd").unwrap());
    }
}

#[test]
fn what_a_seat_cannot_see_changes_nothing_for_it() {
    let changes = unseen_changes::<Round>(60, 4, |round, seat| {
        let other =
            Round::determinize(round.view(seat), DealRng::new(u64::from(round.table.pile), 9)).unwrap();
        assert_eq!(Round::scripted(round.view(seat)), Round::scripted(other.view(seat)));
        let is_another = other.own != round.own;
        *round = other;
        is_another
    });
    assert!(changes > 1000, "{changes}");
}

#[test]
fn impossible_views_are_refused() {
    let table = setup(players(3), &["5d 8s", "2h 3h 4h", "2s 3s"], "5h", "5c 6c ...");
    let refusals = [
        ("/own/hand", json!("5d 8s 9c"), "another number of cards"),
        ("/own/hand", json!("5d 5h"), "among the discards"),
        ("/own/hand", json!("5d 8s'"), "a deck that is not played with"),
        ("/seat", json!(3), "seat 3 of 3"),
        ("/table/turn", json!(3), "seat 3 of 3"),
        ("/table/top", json!("6h"), "not among the discards"),
        ("/table/suit", json!("clubs"), "a suit is named"),
        ("/table/stage", json!("suit"), "no eight"),
        ("/table/stage", json!("over"), "without reason"),
        ("/table/direction", json!("down"), "direction"),
        ("/table/debt", json!(2), "owed"),
        ("/table/pile", json!(43), "cards in hands"),
        ("/table/plays", json!(1), "were laid"),
        ("/table/passes", json!(1), "passes are counted"),
        ("/table/game", json!(2), "game 2"),
        ("/table/points/0", json!(-3), "points"),
        ("/table/rules/players", json!(14), "rules"),
    ];
    refusals_say_what_is_wrong::<Round>(&table.view_json(0), &refusals);
}
