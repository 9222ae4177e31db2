use cardsharp_env::game::{Label, Scripted as _};
use cardsharp_env::{Actions as _, Character, Draw, Play as _, Rules as _, Seat, Session, Turn, mask::Mask};

use super::situation::{Situation, players, special};
use crate::{Round, Rules};

/// What the yardstick and each character do.
fn chosen(table: &Situation) -> [String; 3] {
    let view = table.0.view(table.0.table.turn);
    let moves = [
        Round::scripted(view),
        Round::character(view, Character::Cautious),
        Round::character(view, Character::Aggressive),
    ];
    moves.map(|action| Label::<Round>::of(action).to_string())
}

#[test]
fn it_lays_dear_cards_and_keeps_eights() {
    let table = Situation::new(players(3), &["2h Th 8c Kd", "2s 3s 4s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "Th");
    let table = Situation::new(players(3), &["8c Kd", "2s 3s 4s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "8c", "rather than drawing");
}

#[test]
fn it_lays_an_eight_when_somebody_is_about_to_go_out() {
    let table = Situation::new(players(3), &["2h 8c Kd", "2s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table)[0], "8c");
}

#[test]
fn it_names_the_suit_of_which_it_holds_most() {
    let table = Situation::new(players(3), &["8c Kd 3d 4d 9s", "2s 3s", "4c 5c 6c"], "5h", "9d ...");
    assert_eq!(chosen(&table.after("8c"))[0], "diamonds");
}

#[test]
fn it_lays_a_two_rather_than_taking_the_cards_owed() {
    let table = Situation::new(special(2), &["2h 9c", "2s Kd"], "5h", "6c ...").after("2h");
    assert_eq!(chosen(&table)[0], "2s");
}

#[test]
fn the_cautious_player_gives_up_eights_sooner_and_the_aggressive_one_later() {
    let table = Situation::new(players(2), &["2h 8c Kd", "2s 3s 4s"], "5h", "9d ...");
    assert_eq!(chosen(&table), ["2h", "8c", "2h"]);
    let table = Situation::new(players(2), &["2h 8c Kd", "2s 3s"], "5h", "9d ...");
    assert_eq!(chosen(&table), ["8c", "8c", "2h"]);
}

#[test]
fn every_question_has_a_legal_answer() {
    let mut draw = Draw::new(3, 0);
    for seed in 0..200 {
        let mut session = Session::<Round>::new(Rules::random(&mut draw), seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            for character in Character::ALL {
                assert!(Round::is_legal(view, Round::character(view, character)));
            }
            let action = Round::scripted(view);
            assert!(Round::is_legal(view, action));
            session.round_mut().play(action);
        }
    }
}

/// Mean place score of the yardstick among random players, in every seat of every deal.
fn against_random(rules: Rules, deals: u64) -> f64 {
    let mut sum = 0.0;
    for (deal, me) in (0..deals).flat_map(|deal| (0..rules.players).map(move |me| (deal, Seat(me)))) {
        let mut session = Session::<Round>::new(rules, deal);
        let mut draw = Draw::new(deal, 100 + u64::from(me.0));
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            let any = Round::legal(view).random(&mut draw).unwrap();
            let action = if seat == me { Round::scripted(view) } else { any };
            session.round_mut().play(action);
        }
        let (margin, rivals) = session.settle().margin(me.index()).unwrap();
        sum += f64::from(margin) / f64::from(rivals);
    }
    sum / (deals * u64::from(rules.players)) as f64
}

#[test]
fn it_beats_random_players() {
    let score = [players(2), players(5), special(5), players(8)].map(|rules| against_random(rules, 60));
    assert!(score.iter().all(|&score| score > 0.5), "{score:?}");
}
