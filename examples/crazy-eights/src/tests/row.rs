use super::situation::{Situation, players, setup, special};
use crate::Rules;

fn table() -> Situation {
    let rules = Rules { reshuffle: true, ..special(3) };
    setup(rules, &["5d 8s", "2h 3h 4h", "2s 3s 4s 9s"], "5h", "5c 6c ...")
}

#[test]
fn cards_stand_in_the_order_of_actions() {
    let table = table();
    assert_eq!(table.ones(0, "hand"), [13, 27]);
    assert_eq!(table.ones(0, "unseen").len(), 52 - 2 - 1);
    assert_eq!(table.ones(0, "held"), [0usize; 0]);
    let two = setup(players(6), &["5d 5d'", "2h", "2s", "3h", "3s", "4h"], "5h", "5c ...");
    assert_eq!(two.ones(0, "hand"), [13, 52 + 13]);
}

#[test]
fn after_a_reshuffle_old_cards_are_known_to_be_held() {
    let rules = Rules { reshuffle: true, ..players(2) };
    let table = setup(rules, &["9c 6h", "2h 3h"], "7h", "5c").after("draw");
    assert_eq!(table.ones(0, "held"), [2, 6], "the two and the three of hearts");
    assert_eq!(table.cells(0, "old")[..2], [2, 0]);
    assert_eq!(table.ones(1, "held"), [12, 18, 28], "five and nine of clubs, six of hearts");
}

#[test]
fn what_lies_on_top_and_what_may_be_drawn() {
    let mut table = table();
    assert_eq!((table.ones(0, "rank"), table.ones(0, "suit")), (vec![3], vec![2]));
    assert_eq!((table.cells(0, "draws"), table.cells(0, "pile")), (vec![5], vec![42]));
    table.play("draw");
    assert_eq!((table.cells(0, "draws"), table.cells(0, "size")), (vec![4], vec![3]));
    table.play("8s");
    assert_eq!((table.cells(0, "naming"), table.ones(0, "suit")), (vec![1], vec![3]));
    table.play("clubs");
    assert_eq!((table.cells(1, "naming"), table.ones(1, "suit")), (vec![0], vec![0]));
    assert_eq!(table.cells(1, "turns"), [99]);
}

#[test]
fn others_stand_in_turn_order_from_the_viewer() {
    let mut table = table();
    assert_eq!(table.cells(0, "sizes")[..3], [3, 4, 0]);
    assert_eq!(table.ones(0, "few_cards"), [0, 1, 2, 8, 9, 10, 11]);
    assert_eq!(
        (table.ones(0, "turn"), table.ones(1, "turn"), table.ones(2, "turn")),
        (vec![0], vec![2], vec![1])
    );
    assert_eq!(table.cells(1, "sizes")[..2], [4, 2]);
    table = setup(special(3), &["Ah 8s", "2h 3h 4h", "2s 3s 4s 9s"], "5h", "5c ...").after("Ah");
    assert_eq!((table.cells(0, "down"), &table.cells(0, "sizes")[..2]), (vec![1], &[4, 3][..]));
}

#[test]
fn debt_and_rules_are_shown() {
    let table = setup(special(2), &["2h 9c", "3h 4h"], "5h", "6c 7c ...").after("2h");
    assert_eq!(table.cells(1, "debt"), [2]);
    assert_eq!(table.ones(1, "options"), [0]);
    assert_eq!(table.ones(1, "players"), [0]);
}
