use cardsharp_env::Play as _;

use super::situation::{Situation, hand, players, setup, special};
use crate::Rules;
use crate::state::Direction;

fn three(first: &str, second: &str, top: &str) -> Situation {
    setup(special(3), &[first, second, "3s 4s 9s"], top, "5c 6c 7c 9d Td Jd ...")
}

#[test]
fn a_two_makes_the_next_player_draw_two_cards_and_lose_his_turn() {
    let mut table = three("2h 9c", "3h 4h", "5h");
    table.play("2h");
    table.expect(1, "draw");
    table.play("draw");
    assert_eq!(hand(&table, 1), "3h 4h 5c 6c");
    table.expect(2, "draw");
}

#[test]
fn who_owes_cards_may_lay_a_two_so_that_the_next_one_owes_four() {
    let mut table = three("2h 9c", "2s 2d 3h 8h", "5h");
    table.play("2h");
    table.expect(1, "2d, 2s, draw");
    table.play("2s");
    assert_eq!(table.0.table.debt, 4);
    table.expect(2, "draw");
    table.play("draw");
    assert_eq!(hand(&table, 2), "3s 4s 5c 6c 7c 9d 9s");
    table.expect(0, "draw");
}

#[test]
fn a_two_drawn_for_a_two_is_not_laid() {
    let mut table = setup(special(2), &["2h 9c", "3h 4h"], "5h", "2c 6c ...");
    table.play("2h, draw");
    table.expect(0, "draw");
    assert_eq!(hand(&table, 1), "2c 3h 4h 6c");
}

#[test]
fn what_the_pile_has_not_is_not_owed() {
    let mut table = setup(special(2), &["2h 9c", "3h 4h"], "5h", "6c");
    table.play("2h, draw");
    assert_eq!(hand(&table, 1), "3h 4h 6c");
    assert_eq!((table.0.table.debt, table.0.table.passes), (0, 0));
    let mut table = setup(special(2), &["2h 9c", "3h 4h"], "5h", "6c 7c");
    table.play("2h, draw");
    assert_eq!(table.0.table.passes, 1, "the last card owed uses up the pile, which is a pass");
    let mut table = setup(special(2), &["2h 9c", "3h 4h"], "5h", "");
    table.play("2h");
    table.expect(1, "3h, 4h, pass");
}

#[test]
fn a_queen_skips_a_player() {
    let mut table = three("Qh 9c", "3h 4h", "5h");
    table.play("Qh");
    table.expect(2, "draw");
    let mut two = setup(special(2), &["Qh 9c", "3h 4h"], "5h", "5c ...");
    two.play("Qh");
    two.expect(0, "draw");
}

#[test]
fn an_ace_changes_the_direction() {
    let mut table = three("Ah 9c", "3h 4h", "5h");
    table.play("Ah");
    assert_eq!(table.0.table.direction, Direction::Down);
    table.expect(2, "draw");
    let mut two = setup(special(2), &["Ah 9c", "3h 4h"], "5h", "5c ...");
    two.play("Ah");
    two.expect(1, "3h, 4h, draw");
}

#[test]
fn the_card_turned_up_acts_as_if_the_dealer_had_laid_it() {
    let mut seen = [0; 4];
    for seed in 0..400 {
        let rng = cardsharp_env::DealRng::new(seed, 1);
        let table = crate::Round::deal(&special(4), &crate::SessionState::FRESH, rng).table;
        let (kind, places, debt, direction) = match table.top.face().rank().letter() {
            'Q' => (0, 2, 0, Direction::Up),
            'A' => (1, 3, 0, Direction::Down),
            '2' => (2, 1, 2, Direction::Up),
            _ => (3, 1, 0, Direction::Up),
        };
        seen[kind] += 1;
        assert_eq!(table.turn.0, (table.dealer.0 + places) % 4, "{}", table.top);
        assert_eq!((table.debt, table.direction), (debt, direction), "{}", table.top);
    }
    assert!(seen.iter().all(|&times| times > 15), "{seen:?}");
}

#[test]
fn without_the_option_twos_queens_and_aces_are_cards_like_others() {
    let plain = Rules { use_special_cards: false, ..players(3) };
    for card in ["2h", "Qh", "Ah"] {
        let mut table = setup(plain, &[&format!("{card} 9c"), "3h 4h", "3s 4s 9s"], "5h", "5c 6c ...");
        table.play(card);
        table.expect(1, "3h, 4h, draw");
    }
}
