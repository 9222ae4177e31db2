use super::situation::{Situation, hand, players, setup};
use crate::Rules;

fn three(first: &str, top: &str) -> Situation {
    setup(players(3), &[first, "2h 3h 4h", "2s 3s 4s"], top, "5c 6c ...")
}

#[test]
fn a_card_of_the_suit_or_the_rank_fits_and_an_eight_always() {
    three("5d 7h 9c 8s Kd", "5h").expect(0, "5d, 7h, 8s, draw");
    three("6d 9c Kd", "5h").expect(0, "draw");
}

#[test]
fn who_could_lay_a_card_may_draw_and_lay_then() {
    let mut table = three("5d 9c Kd", "5h");
    table.play("draw");
    assert_eq!(hand(&table, 0), "5c 5d 9c Kd");
    table.expect(0, "5c, 5d, draw");
    table.play("5c");
    table.expect(1, "draw");
}

#[test]
fn after_five_cards_drawn_a_player_may_pass() {
    let mut table = setup(players(3), &["9c Kd", "2h 3h 4h", "2s 3s 4s"], "7h", "5c 6c 9d Td Jd ...");
    for _ in 0..5 {
        assert_eq!(table.0.table.turn.0, 0);
        table.play("draw");
    }
    assert_eq!(table.0.own[0].hand.len(), 7);
    table.expect(0, "pass");
    table.play("pass");
    table.expect(1, "2h, 3h, 4h, draw");
}

#[test]
fn the_limit_of_cards_drawn_is_an_option() {
    let rules = Rules { max_draw_cards: 1, ..players(2) };
    let mut table = setup(rules, &["9c 6h", "2h 3h"], "7h", "5c ...");
    table.play("draw");
    table.expect(0, "6h, pass");
    table.play("pass, draw");
    table.expect(1, "2h, 3h, pass");
}

#[test]
fn an_eight_names_the_suit_to_follow() {
    let mut table = three("8s 9c", "5h");
    table.play("8s");
    table.expect(0, "clubs, diamonds, hearts, spades");
    assert!(table.legal_of(table.seat(1)).is_empty());
    table.play("hearts");
    table.expect(1, "2h, 3h, 4h, draw");
}

#[test]
fn an_eight_may_go_on_an_eight() {
    let mut table = setup(players(2), &["8s 9c", "8h 3d"], "5h", "5c ...");
    table.play("8s, clubs");
    table.expect(1, "8h, draw");
}

#[test]
fn of_two_like_cards_one_is_laid() {
    let mut table =
        setup(players(6), &["5d 5d' 9c", "2h 3h", "2s 3s", "4h 4s", "6h 6s", "7c 7s"], "5h", "5c ...");
    table.expect(0, "5d, draw");
    table.play("5d");
    assert_eq!(hand(&table, 0), "9c 5d'");
}

#[test]
fn without_a_draw_pile_who_cannot_lay_passes() {
    let mut table = setup(players(2), &["9c 6h", "2h 3h"], "7h", "");
    table.expect(0, "6h, pass");
    table.play("pass");
    table.expect(1, "2h, 3h, pass");
}
