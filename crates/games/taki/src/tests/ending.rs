//! Winning, places, and rewards.

use cardsharp_engine::Seat;
use serde_json::json;

use super::super::state::{GameEnd, Stage};
use super::situation::{Inspect as _, setup};

#[test]
fn the_last_card_wins() {
    let s = setup(json!({}), &["R1", "R4 B8", "G1 G3 G4"], "R5").after("R1");
    assert_eq!(s.0.table.stage, Stage::Over(GameEnd::Won(Seat(0))));
    assert_eq!((s.places(), s.rewards()), (vec![1, 2, 2], vec![1.0, -0.5, -0.5]));
    let (payoff, standing) = s.settle();
    assert_eq!(payoff.points[..3], [1, 0, 0]);
    assert_eq!((standing.games, &standing.wins[..3]), (1, &[1, 0, 0][..]));
}

#[test]
fn a_king_may_be_the_last_card_a_plus_may_not() {
    assert_eq!(setup(json!({}), &["king", "R4 B8"], "R5").after("king").places(), [1, 2]);
    let s = setup(json!({}), &["Rplus", "R4 B8"], "R5").after("Rplus");
    assert_eq!((s.sizes(), s.turn()), (vec![1, 2], Some(1)));
    let s = setup(json!({"plus_last": "wins"}), &["Rplus", "R4 B8"], "R5").after("Rplus");
    assert_eq!(s.places(), [1, 2]);
    // The same at the end of a TAKI.
    let s = setup(json!({}), &["Rtaki Rplus", "R4 B8"], "R5").after("Rtaki, Rplus");
    assert_eq!((s.sizes(), s.turn()), (vec![1, 2], Some(1)));
}

#[test]
fn action_cards_may_be_the_last_card() {
    for card in ["Rstop", "Rdir", "R+2", "color G", "super R", "R9"] {
        let held = card.split(' ').next().unwrap();
        let s = setup(json!({}), &[held, "R4 B8"], "R5").after(card);
        assert_eq!(s.places(), [1, 2], "{card}");
        assert_eq!(s.sizes(), [0, 2]);
    }
}

#[test]
fn by_hand_size_the_others_are_ranked_by_cards_left() {
    let s =
        setup(json!({"ranking": "hand_size"}), &["R1", "R4 B8 B9", "G1 G3", "Y1 Y3", "Y4 Y6 Y7 Y8"], "R5")
            .after("R1");
    assert_eq!(s.places(), [1, 4, 2, 2, 5]);
    assert_eq!(s.rewards(), [1.0, -0.5, 0.25, 0.25, -1.0]);
}

#[test]
fn too_many_decisions_cut_the_game_off() {
    let options = json!({"max_decisions": 2});
    let hands = ["R1 B1 B3", "R4 B8 B9", "G1 G3 G4"];
    let s = setup(options.clone(), &hands, "R5").after("R1");
    assert_eq!(s.turn(), Some(1));
    let s = s.after("R4");
    assert_eq!(s.0.table.stage, Stage::Over(GameEnd::CutOff));
    assert_eq!((s.places(), s.rewards()), (vec![1, 1, 3], vec![0.25, 0.25, -0.5]));
    let mut by_size = options;
    by_size["ranking"] = json!("hand_size");
    let s = setup(by_size, &hands, "R5").after("R1, R4");
    assert_eq!((s.places(), s.rewards()), (vec![1, 1, 3], vec![0.5, 0.5, -1.0]));
}

#[test]
fn the_last_decision_has_all_its_consequences() {
    // The +3 is the last decision: everybody draws, and no answer is cut off.
    let s = setup(json!({"max_decisions": 1}), &["+3 B1 B3", "R4 B8", "breaker G3"], "R5").after("+3");
    s.expect(2, "breaker, decline");
    assert_eq!(s.after("decline").sizes(), [2, 5, 5]);
    assert_eq!(s.after("decline").turn(), None);
    assert_eq!(s.after("breaker").sizes(), [5, 2, 1]);
    assert_eq!(s.after("breaker").turn(), None);
    // A win counts although the limit is reached.
    let s = setup(json!({"max_decisions": 1}), &["R1", "R4 B8"], "R5").after("R1");
    assert_eq!(s.0.table.stage, Stage::Over(GameEnd::Won(Seat(0))));
}

#[test]
fn standings_add_up() {
    let mut s = setup(json!({"games": 3}), &["R1", "R4 B8"], "R5");
    s.0.table.game = 3;
    s.0.table.wins[1] = 2;
    let (_, standing) = s.after("R1").settle();
    assert_eq!((standing.games, &standing.wins[..2]), (3, &[1, 2][..]));
}
