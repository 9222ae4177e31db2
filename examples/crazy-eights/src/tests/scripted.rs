use cardsharp_env::game::Scripted as _;
use cardsharp_env::testing::{against_random, assert_scripted_answers, place_score};
use cardsharp_env::{Character, Play as _};

use super::situation::{Situation, players, setup, special};
use crate::Round;

/// The moves of the scripted player and of each character.
fn chosen(table: &Situation) -> [String; 3] {
    let view = table.0.view(table.0.table.turn);
    let moves = [
        Round::scripted(view),
        Round::character(view, Character::Cautious),
        Round::character(view, Character::Aggressive),
    ];
    moves.map(|action| table.label(action))
}

#[test]
fn it_lays_dear_cards_and_keeps_eights() {
    let table = setup(players(3), &["2h Th 8c Kd", "2s 3s 4s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "Th");
    let table = setup(players(3), &["8c Kd", "2s 3s 4s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "8c", "rather than drawing");
}

#[test]
fn it_lays_an_eight_when_somebody_is_about_to_go_out() {
    let table = setup(players(3), &["2h 8c Kd", "2s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "8c");
}

#[test]
fn it_names_the_suit_of_which_it_holds_most() {
    let table = setup(players(3), &["8c Kd 3d 4d 9s", "2s 3s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table.after("8c"))[0], "diamonds");
}

#[test]
fn it_lays_a_two_rather_than_taking_the_cards_owed() {
    let table = setup(special(2), &["2h 9c", "2s Kd"], "5h", "6c ...").after("2h");
    assert_eq!(chosen(&table)[0], "2s");
}

#[test]
fn the_cautious_player_gives_up_eights_sooner_and_the_aggressive_one_later() {
    let table = setup(players(2), &["2h 8c Kd", "2s 3s 4s"], "5h", "9d ...");
    assert_eq!(chosen(&table), ["2h", "8c", "2h"]);
    let table = setup(players(2), &["2h 8c Kd", "2s 3s"], "5h", "9d ...");
    assert_eq!(chosen(&table), ["8c", "8c", "2h"]);
}

#[test]
fn every_question_has_a_legal_answer() {
    assert_scripted_answers::<Round>(|_| {});
}

#[test]
fn it_beats_random_players() {
    let score = |rules| against_random::<Round>(rules, 60, place_score);
    let score = [players(2), players(5), special(5), players(8)].map(score);
    assert!(score.iter().all(|&score| score > 0.5), "{score:?}");
}
