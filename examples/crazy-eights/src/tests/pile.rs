use super::situation::{players, setup, special};
use crate::Rules;
use crate::cards::from_text;

fn reshuffled(rules: Rules) -> Rules {
    Rules { reshuffle: true, ..rules }
}

#[test]
fn the_discards_under_the_top_card_become_the_draw_pile_when_it_is_used_up() {
    let mut table = setup(reshuffled(players(2)), &["9c 6h", "2h 3h"], "7h", "5c");
    let under = table.0.table.discards.len() - 1;
    table.play("draw");
    let now = &table.0.table;
    assert_eq!((now.pile, now.discards), (under, from_text("7h").unwrap()));
    assert_eq!(now.stock.len(), under);
    assert_eq!(now.old[..2], [3, 2], "all that is held then is old");
    table.expect(0, "6h, draw");
    table.play("draw");
    assert_eq!(table.0.table.old[..2], [3, 2], "and what is drawn later is not");
}

#[test]
fn without_the_option_the_pile_stays_used_up() {
    let mut table = setup(players(2), &["9c 6h", "2h 3h"], "7h", "5c");
    table.play("draw");
    assert_eq!(table.0.table.pile, 0);
    table.expect(0, "6h, pass");
}

#[test]
fn cards_owed_are_drawn_from_the_new_pile_too() {
    let mut table = setup(reshuffled(special(2)), &["2h 9c", "3h 4h"], "5h", "6c");
    table.play("2h, draw");
    assert_eq!((table.0.table.debt, table.0.table.sizes[1]), (0, 4));
    assert_eq!((table.0.table.discards.len(), table.0.table.pile), (1, 52 - 1 - 1 - 4));
}

#[test]
fn where_only_the_top_card_lies_nothing_is_shuffled_until_it_is_covered() {
    let (mut hands, all) = ([String::new(), String::new()], crate::cards::Cards::decks(1));
    let named = from_text("7h 5c").unwrap();
    for (place, card) in all.without(named).iter().enumerate() {
        hands[place % 2] += &format!("{card} ");
    }
    let rules = reshuffled(Rules { max_draw_cards: 1, ..players(2) });
    let mut table = setup(rules, &[&hands[0], &hands[1]], "7h", "5c");
    table.play("draw");
    assert_eq!((table.0.table.pile, table.0.table.old[0]), (0, 0));
    table.play("pass, 7s");
    assert_eq!((table.0.table.pile, table.0.table.stock), (1, from_text("7h").unwrap()));
    assert_eq!(table.0.table.old[..2], [26, 24]);
}
