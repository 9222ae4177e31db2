use cardsharp_env::game::{Check as _, Observe as _, Redeal as _, Scripted as _};
use cardsharp_env::{Actions as _, DealRng, Draw, Play as _, Seat, Session, Turn, mask::Mask};

use super::situation::{Situation, players};
use crate::cards::{Cards, from_text};
use crate::table::SEATS;
use crate::{Round, Rules};

#[test]
fn the_others_and_the_pile_get_any_unseen_card() {
    let table = Situation::new(players(3), &["5d 8s", "2h 3h 4h", "2s 3s"], "5h", "5c 6c ...");
    let view = table.0.view(Seat(0));
    let unseen = view.table.unseen_new(view.own);
    let mut held = [Cards::NONE; SEATS];
    for seed in 0..400 {
        let other = Round::redeal(view, DealRng::new(seed, 0)).unwrap();
        assert_eq!(other.view(Seat(0)).to_owned(), view.to_owned());
        other.audit().unwrap();
        (0..3).for_each(|seat| held[seat] = held[seat].with(other.own[seat].hand));
    }
    assert_eq!(held[..3], [from_text("5d 8s").unwrap(), unseen, unseen]);
}

#[test]
fn cards_that_were_held_at_a_reshuffle_are_not_in_the_pile() {
    let rules = Rules { reshuffle: true, ..players(3) };
    let table = Situation::new(rules, &["9c 6h", "2h 3h", "Kd"], "7h", "5c").after("draw draw draw");
    let view = table.0.view(Seat(1));
    for seed in 0..100 {
        let other = Round::redeal(view, DealRng::new(seed, 0)).unwrap();
        let old = |seat: usize| other.own[seat].hand.without(view.table.stock);
        assert_eq!((old(0).len(), old(2).len()), (3, 1));
        assert_eq!(old(0).with(old(2)), from_text("5c 9c 6h Kd").unwrap());
    }
}

#[test]
fn what_a_seat_cannot_see_changes_nothing_for_it() {
    let (mut draw, mut changes) = (Draw::new(4, 0), 0);
    for seed in 0..60 {
        let mut session = Session::<Round>::new(cardsharp_env::Rules::random(&mut draw), seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let round = session.round();
            let other = Round::redeal(round.view(seat), DealRng::new(seed, 9)).unwrap();
            changes += u32::from(other.own != round.own);
            let (mut one, mut two) = ([1; 512], [2; 512]);
            let width = cardsharp_env::blocks::width(crate::observation::OBSERVATION);
            Round::observe(round.view(seat), &mut one[..width]);
            Round::observe(other.view(seat), &mut two[..width]);
            assert_eq!(one[..width], two[..width]);
            assert_eq!(Round::scripted(round.view(seat)), Round::scripted(other.view(seat)));
            let action = Round::legal(round.view(seat)).random(&mut draw).unwrap();
            session.round_mut().play(action);
        }
    }
    assert!(changes > 1000, "{changes}");
}

#[test]
fn impossible_views_are_refused() {
    let table = Situation::new(players(3), &["5d 8s", "2h 3h 4h", "2s 3s"], "5h", "5c 6c ...");
    let whole = serde_json::json!(table.0.view(Seat(0)).to_owned());
    for (place, value, reason) in [
        ("/own/hand", serde_json::json!("5d 8s 9c"), "another number of cards"),
        ("/own/hand", serde_json::json!("5d 5h"), "among the discards"),
        ("/own/hand", serde_json::json!("5d 8s'"), "a deck that is not played with"),
        ("/seat", serde_json::json!(3), "seat 3 of 3"),
        ("/table/turn", serde_json::json!(3), "seat 3 of 3"),
        ("/table/top", serde_json::json!("6h"), "not among the discards"),
        ("/table/suit", serde_json::json!("clubs"), "a suit is named"),
        ("/table/stage", serde_json::json!("suit"), "no eight"),
        ("/table/stage", serde_json::json!("over"), "without reason"),
        ("/table/direction", serde_json::json!("down"), "direction"),
        ("/table/debt", serde_json::json!(2), "owed"),
        ("/table/pile", serde_json::json!(43), "cards in hands"),
        ("/table/plays", serde_json::json!(1), "were laid"),
        ("/table/passes", serde_json::json!(1), "passes are counted"),
        ("/table/game", serde_json::json!(2), "game 2"),
        ("/table/points/0", serde_json::json!(-3), "points"),
        ("/table/rules/players", serde_json::json!(14), "rules"),
    ] {
        let mut changed = whole.clone();
        *changed.pointer_mut(place).unwrap() = value;
        let error = crate::CRAZY_EIGHTS.view(&changed.to_string()).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(reason), "{place}: {error}");
    }
    crate::CRAZY_EIGHTS.view(&whole.to_string()).map(|_| ()).unwrap();
}
