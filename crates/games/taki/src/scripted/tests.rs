//! Moves that the scripted player must find.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Play, Scripted, Turn};
use cardsharp_engine::rng::Draw;
use serde_json::json;

use crate::Round;
use crate::tests::situation::{Situation, label, random_move, rules, setup};

fn chosen(s: &Situation) -> String {
    let Turn::Decide(seat) = s.0.turn() else { panic!("the game is over") };
    label(Round::scripted(s.0.view(seat)))
}

#[test]
fn it_finds_the_obvious_moves() {
    let many = "G1 G3 G4 G6 G8";
    let obvious = [
        (vec!["Rtaki R1 R3 R9", many], "Rtaki", "a TAKI that empties the hand"),
        (vec!["R1 B7 B8 king", many], "R1", "the King waits"),
        (vec!["king Y9", many], "king", "a King and the last card"),
        (vec!["R1 R3 breaker", many], "R1", "the Breaker waits"),
        (vec!["R1 color B3", many], "R1", "so does Change Color"),
        (vec!["R1 Rstop B3 B8", "G1", many], "Rstop", "a player with one card is skipped"),
        (vec!["R1 R+2 B3 B8", "G1", many], "R+2", "or draws"),
        (vec!["R1 Rstop", many], "Rstop", "between two, a Stop and then the last card"),
        (vec!["B8 breaker B9", many], "breaker", "until there is nothing else to play"),
        (vec!["color B1 B3 B4 G9", many], "color B", "the color of which it holds most"),
    ];
    for (hands, expected, why) in obvious {
        assert_eq!(chosen(&setup(json!({}), &hands, "R5")), expected, "{why}");
    }
}

#[test]
fn it_answers_stacks_and_plus_threes() {
    let s = setup(json!({}), &["R+2 R1", "G+2 B1 B3 B4", "B6 B8"], "R5").after("R+2");
    assert_eq!(chosen(&s), "G+2");
    let s = setup(json!({}), &["R+2 R1", "king B1 B3 B4", "B6 B8"], "R5").after("R+2");
    assert_eq!(chosen(&s), "king");
    let s = setup(json!({}), &["+3 R1 R3", "king breaker R4", "R6"], "R5").after("+3");
    assert_eq!(chosen(&s), "breaker");
    let s = setup(json!({}), &["+3 R1 R3", "king R4 R7", "R6"], "R5").after("+3");
    assert_eq!(chosen(&s), "king");
    let back = json!({"plus3_vs_plus3": "next_player"});
    let s = setup(back.clone(), &["+3 R1 R3", "+3 breaker R4", "R6"], "R5").after("+3");
    assert_eq!(chosen(&s), "+3");
    let s = setup(back, &["+3", "+3 breaker R4", "R6"], "R5").after("+3");
    assert_eq!(chosen(&s), "breaker", "nothing else holds up who has laid the last card");
}

#[test]
fn it_ends_a_taki_with_the_card_that_does_most() {
    let s = setup(json!({}), &["Rtaki R1 Rstop B1 B3", "G1", "G3 G4 G6"], "R5").after("Rtaki");
    assert_eq!(chosen(&s), "R1");
    assert_eq!(chosen(&s.after("R1, Rstop")), "close taki");
    // A Plus as the last card would make the player draw a card.
    let s = setup(json!({}), &["Rtaki R1 Rplus", "G1", "G3 G4 G6"], "R5").after("Rtaki");
    assert_eq!(chosen(&s), "Rplus");
}

#[test]
fn it_announces_and_catches() {
    let s = setup(json!({"last_card": "challenge"}), &["R1 R3", "G1 G3", "G4 G6"], "R5").after("R1");
    assert_eq!(chosen(&s), "last card");
    assert_eq!(chosen(&s.after("silent")), "catch");
}

/// Returns the games won by the scripted player in seat `seed % players` against random players, in percent.
fn wins(players: u8, games: u64) -> u64 {
    let rules = rules(json!({"players": players}));
    let mut won = 0;
    for seed in 0..games {
        let mut session = Session::<Round>::new(rules, seed);
        let mut draw = Draw::new(seed, 7);
        let me = Seat((seed % u64::from(players)) as u8);
        while let Turn::Decide(seat) = session.round().turn() {
            let round = session.round_mut();
            if seat == me {
                round.play(Round::scripted(round.view(seat)));
            } else {
                random_move(round, &mut draw);
            }
        }
        won += u64::from(session.settle().place[me.index()] == 1);
    }
    100 * won / games
}

#[test]
fn it_beats_random_play() {
    for (players, least) in [(2, 58), (4, 33), (8, 18)] {
        let won = wins(players, 400);
        assert!(won >= least, "{players} players: {won} % of games won");
    }
}
