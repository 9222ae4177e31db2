//! The observation, block by block: the viewer's own state and the table.

use cardsharp_engine::blocks::width;
use cardsharp_engine::game::Observe;
use serde_json::{Value, json};

use super::super::Round;
use super::situation::{Inspect as _, Situation, hand, named, setup};

/// Six players with low jokers in the middle of a trick. Position 0 led two 9s, 1 topped them with a 10 and a joker, 2
/// passed, and 3 is to act.
pub(super) fn six() -> Situation {
    let hands = ["9 9 2", "10 * 2 2", "A K", "J J * 3 3", "", "Q 4 4 4 4 5 5 5 5"];
    let options = json!({"players": 6, "jokers": "low"});
    setup(options, &hands).order(&[2, 4, 0, 1, 5, 3]).playing().after("9x2, 10+*, pass")
}

/// The names of the slots from 0, and of the joker.
const SLOTS: [&str; 19] =
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "J", "Q", "K", "A", "*"];

/// The number of these cards in each slot.
fn by_slot(cards: &str) -> Vec<u8> {
    SLOTS.iter().map(|name| cards.split_whitespace().filter(|card| card == name).count() as u8).collect()
}

/// The same from the highest slot down, then jokers.
pub(super) fn from_the_top(cards: &str) -> Vec<u8> {
    let mut cells = by_slot(cards);
    cells[..18].reverse();
    cells
}

/// The expected thermometers of these cards: eight cells for each slot, two for the jokers.
fn thermometers(cards: &str) -> Vec<u8> {
    let counts = by_slot(cards);
    let cells = |(slot, n): (usize, u8)| (0..if slot == 18 { 2 } else { 8 }).map(move |i| u8::from(i < n));
    counts.into_iter().enumerate().flat_map(cells).collect()
}

#[test]
fn the_blocks_of_a_row() {
    let blocks: Vec<(&str, usize, u8)> =
        Round::OBSERVATION.iter().map(|block| (block.name, block.len, block.max)).collect();
    let expected = [
        ("hand", 146, 1),
        ("unseen", 146, 1),
        ("table_rank", 19, 1),
        ("table_size", 10, 1),
        ("table_jokers", 1, 2),
        ("last", 8, 1),
        ("passed", 8, 1),
        ("players", 6, 1),
        ("position", 8, 1),
        ("title", 8, 1),
        ("phase", 4, 1),
        ("picks", 1, 3),
        ("given", 19, 3),
        ("received", 19, 3),
        ("partner", 8, 1),
        ("deck", 19, 8),
        ("options", 15, 1),
        ("rounds_left", 1, 40),
        ("menu", 96, 4),
        ("out", 7, 1),
        ("place", 7, 8),
        ("one_card", 7, 1),
        ("count", 7, 18),
        ("few_cards", 56, 1),
        ("played", 133, 8),
        ("passed_on", 42, 19),
        ("house_rules", 3, 1),
        ("skipped", 8, 1),
    ];
    assert_eq!(blocks, expected);
}

#[test]
fn the_hand_and_the_unseen_cards_are_thermometers() {
    let s = six();
    assert_eq!(s.cells(3, "hand"), thermometers("J J * 3 3"));
    // Slot 1 has the cells 8 to 15, slot 14 the cells 112 to 119, the jokers 144 and 145.
    assert_eq!(s.ones(3, "hand"), [8, 9, 112, 113, 144]);
    // The hands are complete here, so the others hold all unseen cards.
    assert_eq!(s.cells(3, "unseen"), thermometers("2 2 2 A K Q 4 4 4 4 5 5 5 5"));
    let special = setup(json!({"players": 5, "deck": "special"}), &["A 12 12"]).dealt();
    assert_eq!(special.cells(0, "unseen").iter().map(|&n| u32::from(n)).sum::<u32>(), 65 - 13);
    let undecided = setup(json!({"decree": [{}]}), &[]).undecided();
    assert_eq!((undecided.ones(0, "hand"), undecided.ones(0, "unseen")), (vec![], vec![]));
}

#[test]
fn the_set_to_beat() {
    let s = six();
    for p in 0..6 {
        assert_eq!(s.ones(p, "table_rank"), [8], "the 10 is slot 8");
        assert_eq!(s.ones(p, "table_size"), [1], "two cards are cell 1");
        assert_eq!(s.cells(p, "table_jokers"), [1]);
        // Clockwise from the viewer to position 1, who played it, and to position 2, who passed.
        assert_eq!(s.ones(p, "last"), [usize::from((1 + 6 - p) % 6)]);
        assert_eq!(s.ones(p, "passed"), [usize::from((2 + 6 - p) % 6)]);
    }
    let s = s.after("Jx2");
    assert_eq!((s.ones(0, "passed"), s.ones(0, "last")), (vec![], vec![3]), "a play clears the passes");
    let s = s.after("pass, pass, pass, pass");
    for block in ["table_rank", "table_size", "last", "passed"] {
        assert_eq!(s.ones(0, block), Vec::<usize>::new(), "{block} of an empty table");
    }
    assert_eq!(s.cells(0, "table_jokers"), [0]);
}

#[test]
fn jokers_alone_have_a_place_of_their_own_or_the_rank_they_are_called() {
    let with = |jokers: &str| setup(json!({"jokers": jokers}), &["* * 9", "2 2 3", "4", "5"]).playing();
    let pair = with("low").after("**");
    assert_eq!((pair.ones(1, "table_rank"), pair.ones(1, "table_size")), (vec![18], vec![1]));
    assert_eq!(pair.cells(1, "table_jokers"), [2]);
    let one = with("wild").after("* as K");
    assert_eq!((one.ones(1, "table_rank"), one.ones(1, "table_size")), (vec![16], vec![0]));
    assert_eq!(one.cells(1, "table_jokers"), [1]);
    // Slots do not depend on the names of the cards.
    let high = setup(json!({"deuces_high": true}), &["A 9", "2", "4", "5"]).playing().after("2");
    assert_eq!(high.ones(1, "table_rank"), [17]);
}

#[test]
fn players_position_and_title() {
    let titles = |options: Value| -> Vec<usize> {
        let s = setup(options, &[]).dealt();
        (0..s.players())
            .map(|p| {
                assert_eq!(s.ones(p, "players"), [usize::from(s.players()) - 3]);
                assert_eq!(s.ones(p, "position"), [usize::from(p)]);
                s.ones(p, "title")[0]
            })
            .collect()
    };
    // Titles: Tahimi, Vice, Senior, Junior, Merchant, master serf, junior assistant, serf.
    assert_eq!(titles(json!({"players": 3})), [0, 4, 7]);
    assert_eq!(titles(json!({"players": 4})), [0, 1, 5, 7]);
    assert_eq!(titles(json!({"players": 5})), [0, 1, 4, 5, 7]);
    assert_eq!(titles(json!({"players": 7, "deck": "special"})), [0, 1, 4, 4, 4, 5, 7]);
    assert_eq!(titles(json!({"players": 8})), [0, 1, 4, 4, 4, 4, 5, 7]);
    assert_eq!(titles(json!({"players": 8, "deck": "extra_suits"})), [0, 2, 3, 4, 4, 5, 6, 7]);
}

#[test]
fn the_phase_shows_the_viewers_own_decision_only() {
    let options = json!({"jokers": "low", "joker_tax": "holder", "decree": [{}], "first_round_tax": true});
    let phases = |s: &Situation| -> Vec<Vec<usize>> { (0..4).map(|p| s.ones(p, "phase")).collect() };
    let only = |position: usize, phase| {
        let mut all = vec![vec![]; 4];
        all[position] = vec![phase];
        all
    };
    assert_eq!(phases(&setup(options.clone(), &[]).undecided()), only(0, 0));
    let mut s = setup(options, &["3 3 9", "3", "", "A *"]).decreed(0).dealt();
    for (position, phase, action) in [
        (3, 1, "pay 1 joker"),
        (0, 2, "give 3"),
        (0, 2, "give 3"),
        (1, 2, "give 3"),
        (0, 3, "9"),
        (1, 3, "pass"),
    ] {
        assert_eq!(phases(&s), only(position, phase), "before {action}");
        s.play(action);
    }
    let over = setup(json!({"players": 3}), &["", "7", "2"]).playing().after("7");
    assert!((0..3).all(|p| over.ones(p, "phase").is_empty()));
}

#[test]
fn taxes_show_in_the_rows_of_the_two() {
    let hands = ["2 2 3", "2 2", "", "A Q", "K K K"];
    let options = json!({"players": 5, "first_round_tax": true});
    let s = setup(options, &hands).dealt();
    assert_eq!((s.cells(0, "received"), s.cells(4, "given")), (from_the_top("K K"), from_the_top("K K")));
    assert_eq!((s.cells(0, "picks"), s.cells(0, "given")), (vec![0], from_the_top("")));
    let one = s.after("give 2");
    assert_eq!((one.cells(0, "picks"), one.cells(0, "given")), (vec![1], from_the_top("2")));
    assert_eq!((one.cells(4, "picks"), one.cells(4, "received")), (vec![0], from_the_top("")));
    let s = one.after("give 3");
    assert_eq!((s.cells(0, "picks"), s.cells(0, "given")), (vec![0], from_the_top("2 3")));
    assert_eq!((s.cells(1, "picks"), s.cells(1, "received")), (vec![0], from_the_top("A")));
    let s = s.after("give 2");
    assert_eq!((s.cells(4, "received"), s.cells(3, "received")), (from_the_top("2 3"), from_the_top("2")));
    assert_eq!((s.cells(1, "given"), s.cells(3, "given")), (from_the_top("2"), from_the_top("A")));
    assert_eq!((s.cells(2, "given"), s.cells(2, "received")), (from_the_top(""), from_the_top("")));
    // Partners clockwise: four steps from 0, two from 1 to 3.
    let partners: Vec<Vec<usize>> = (0..5).map(|p| s.ones(p, "partner")).collect();
    assert_eq!(partners, [vec![4], vec![2], vec![], vec![3], vec![1]]);
}

#[test]
fn the_deck_in_play() {
    let deck = |options: Value| setup(options, &[]).dealt().cells(0, "deck");
    let four = |missing: u8, jokers| [4, 4, 4, 4, 0, 0, 0, 0, 0, 4, 4, 4 - missing, 4, 4, 4, 4, 4, 4, jokers];
    assert_eq!(deck(json!({})), four(0, 0));
    assert_eq!(deck(json!({"jokers": "wild"})), four(2, 2));
    let six = [4, 5, 5, 5, 0, 0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4, 0];
    assert_eq!(deck(json!({"players": 6, "deck": "special"})), six);
    assert_eq!(setup(json!({"decree": [{}]}), &[]).undecided().cells(0, "deck"), [0; 19]);
}

#[test]
fn the_options_are_part_of_the_row() {
    let bits = |options: Value| setup(options, &[]).dealt().ones(0, "options");
    // Cell 5 is rank privilege, 12 a first round.
    assert_eq!(bits(json!({})), [5, 12]);
    assert_eq!(bits(json!({"jokers": "low"})), [0, 2, 5, 12]);
    assert_eq!(bits(json!({"jokers": "wild"})), [1, 3, 5, 12]);
    assert_eq!(bits(json!({"jokers": "wild", "joker_tax": "low"})), [1, 2, 5, 12]);
    assert_eq!(bits(json!({"jokers": "low", "joker_tax": "high"})), [0, 3, 5, 12]);
    assert_eq!(bits(json!({"jokers": "low", "joker_tax": "holder"})), [0, 4, 5, 12]);
    assert_eq!(bits(json!({"joker_tax": "holder"})), [5, 12], "without jokers there is nothing to tell");
    assert_eq!(bits(json!({"rank_privilege": false})), [12]);
    assert_eq!(bits(json!({"tax_schedule": "progressive"})), [5, 6, 12]);
    assert_eq!(bits(json!({"players": 6, "deck": "extra_suits"})), [5, 6, 12]);
    assert_eq!(bits(json!({"pass_on_lead": true})), [5, 7, 12]);
    assert_eq!(bits(json!({"hand_count_view": "one_card"})), [5, 8, 12]);
    assert_eq!(bits(json!({"reward": "points"})), [5, 9, 12]);
    assert_eq!(bits(json!({"reward": "tahimi_only"})), [5, 10, 12]);
    assert_eq!(bits(json!({"rounds": 1})), [5, 12, 13]);
    assert_eq!(bits(json!({"first_round_tax": true})), [5, 12, 14]);
    let menu = json!({"decree": [{"rank_privilege": false, "jokers": "wild"}], "rounds": 2});
    assert_eq!(setup(menu.clone(), &[]).decreed(0).dealt().ones(0, "options"), [1, 3, 11, 12]);
    assert_eq!(
        setup(menu, &[]).round_number(2, &[]).decreed(0).dealt().ones(0, "options"),
        [1, 3, 11, 13, 14]
    );
}

#[test]
fn rounds_that_are_left() {
    for (rounds, number, left) in
        [(1, 1, 0), (20, 1, 19), (20, 20, 0), (1000, 1, 40), (50, 10, 40), (50, 11, 39)]
    {
        let s = setup(json!({"rounds": rounds}), &[]).round_number(number, &[]).dealt();
        assert_eq!(s.cells(0, "rounds_left"), [left]);
    }
    // The session ends after round 4, when one of three leaves.
    let options = json!({"players": 3, "roster_script": [{"round": 5, "leave": 0}]});
    let s = setup(options.clone(), &[]).round_number(2, &[]).dealt();
    assert_eq!(s.cells(0, "rounds_left"), [2]);
    let last = setup(options, &[]).round_number(4, &[]).dealt();
    assert_eq!((last.cells(0, "rounds_left"), last.ones(0, "options")), (vec![0], vec![5, 13, 14]));
}

#[test]
fn the_menu_shows_while_the_decree_is_due() {
    let menu = json!([
        {},
        {"deck": "standard", "jokers": "none", "joker_tax": "coupled", "rank_privilege": false, "tax_schedule": "auto"},
        {"deck": "special", "jokers": "wild", "joker_tax": "holder", "rank_privilege": true, "tax_schedule": "progressive"},
        {"deck": "extra_suits", "jokers": "low", "joker_tax": "high", "tax_schedule": "basic", "deuces_high": true},
        {"joker_tax": "low"},
    ]);
    let s = setup(json!({"decree": menu}), &[]).undecided();
    let expected =
        [[0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1], [3, 3, 4, 2, 3, 1], [2, 2, 2, 0, 2, 1], [0, 0, 3, 0, 0, 1]];
    let mut cells = expected.concat();
    cells.resize(96, 0);
    assert_eq!(s.cells(0, "menu"), cells);
    assert_eq!(s.cells(1, "menu"), [0; 96], "only to the one who decides");
    assert_eq!(s.after("decree 0").cells(0, "menu"), [0; 96]);
}

#[test]
fn the_critics_cells_are_the_others_hands_clockwise() {
    let s = six();
    let mut row = vec![0xa5; width(Round::HIDDEN)];
    s.0.reveal(s.seat(3), &mut row);
    let hands = named(Round::HIDDEN, "other_hands").of(&row);
    let expected = ["", "Q 4 4 4 4 5 5 5 5", "2", "2 2", "A K", "", ""];
    for (other, cards) in expected.iter().enumerate() {
        assert_eq!(hands[19 * other..19 * other + 19], hand(cards).0, "from the ace down, then jokers");
    }
    assert_eq!(hands.len(), 133);
}
