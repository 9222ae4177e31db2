//! The decks for all tables, and trimming.

use serde_json::{Value, json};

use super::super::deck::{Ladder, composition, from_text, slot, to_text};
use super::super::state::title;
use super::situation::{hand, rules};

/// The number of cards by slot, and of jokers, in the deck of these rules.
fn deck(options: Value) -> (Vec<u8>, u8) {
    let rules = rules(options);
    let cards = composition(&rules, &rules.variant(), rules.players);
    ((0..18).map(|s| cards.0[(0..18).find(|&rank| slot(rank) == s).unwrap()]).collect(), cards.0[18])
}

/// The same without the slots that a standard deck lacks.
fn thirteen(options: Value) -> Vec<u8> {
    let (mut slots, jokers) = deck(options);
    assert!(slots.drain(9..14).all(|n| n == 0));
    slots.push(jokers);
    slots
}

/// Players, deck, number of cards without jokers and with them; after each number, the cards removed by trimming.
type Row = (u8, &'static str, u32, &'static str, u32, &'static str);

const DECKS: [Row; 12] = [
    (3, "standard", 51, "8", 54, ""),
    (4, "standard", 52, "", 52, "8 8"),
    (5, "standard", 50, "8 8", 50, "8 8 8 8"),
    (6, "standard", 48, "8 8 8 8", 54, ""),
    (7, "standard", 49, "8 8 8", 49, "8 8 8 8 7"),
    (8, "standard", 48, "8 8 8 8", 48, "8 8 8 8 7 9"),
    (3, "extra_suits", 51, "8", 54, ""),
    (4, "extra_suits", 52, "", 52, "8 8"),
    (5, "extra_suits", 65, "", 65, "8 8"),
    (6, "extra_suits", 78, "", 78, "8 8"),
    (7, "extra_suits", 91, "", 91, "8 8"),
    (8, "extra_suits", 104, "", 104, "8 8"),
];

#[test]
fn every_standard_deck_and_every_one_with_more_suits() {
    for (players, deck, without, missing, with, missing_with) in DECKS {
        for (jokers, total, missing) in [("none", without, missing), ("low", with, missing_with)] {
            let found = thirteen(json!({"players": players, "deck": deck, "jokers": jokers}));
            let copies = if deck == "standard" { 4 } else { players.max(4) };
            let mut expected = vec![copies; 13];
            for card in missing.split_whitespace() {
                expected[card.parse::<usize>().unwrap() - 2] -= 1;
            }
            expected.push(if jokers == "none" { 0 } else { 2 });
            assert_eq!(found, expected, "{players} players, {deck}, jokers {jokers}");
            assert_eq!(found.iter().map(|&n| u32::from(n)).sum::<u32>(), total);
            assert_eq!(total % u32::from(players), 0);
            let wild = thirteen(json!({"players": players, "deck": deck, "jokers": "wild"}));
            assert!(jokers == "none" || wild == found);
        }
    }
}

#[test]
fn cards_in_a_hand() {
    let each = |options: Value, expected: [u32; 6]| {
        for (players, cards) in (3u32..).zip(expected) {
            let mut options = options.clone();
            options["players"] = json!(players);
            let (slots, jokers) = deck(options.clone());
            let total = slots.iter().map(|&n| u32::from(n)).sum::<u32>() + u32::from(jokers);
            assert_eq!(total, players * cards, "{options}");
        }
    };
    each(json!({}), [17, 13, 10, 8, 7, 6]);
    each(json!({"jokers": "low"}), [18, 13, 10, 9, 7, 6]);
    each(json!({"deck": "extra_suits"}), [17, 13, 13, 13, 13, 13]);
    each(json!({"deck": "special"}), [17, 13, 13, 13, 13, 13]);
    each(json!({"deck": "extra_suits", "jokers": "wild"}), [18, 13, 13, 13, 13, 13]);
    each(json!({"deck": "special", "jokers": "wild"}), [18, 13, 13, 13, 13, 13]);
}

/// 2 to 10, 11 to 15, J, Q, K, A for 5 to 8 players.
const SPECIAL: [[u8; 18]; 4] = [
    [4, 4, 4, 5, 4, 5, 4, 5, 4, 5, 4, 0, 0, 0, 5, 4, 4, 4],
    [4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 5, 5, 5, 4],
    [5, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 0, 5, 6, 5, 4],
    [5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 4],
];

#[test]
fn every_special_deck() {
    for (players, expected) in (5u8..).zip(SPECIAL) {
        let (found, jokers) = deck(json!({"players": players, "deck": "special"}));
        assert_eq!((found, jokers), (expected.to_vec(), 0));
        assert_eq!(expected.iter().map(|&n| usize::from(n)).sum::<usize>(), 13 * usize::from(players));
        assert_eq!(expected.iter().filter(|&&n| n > 0).count(), [15, 16, 17, 18][usize::from(players) - 5]);
    }
    for players in [3, 4] {
        let special = deck(json!({"players": players, "deck": "special"}));
        assert_eq!(special, deck(json!({"players": players})), "small tables have no special deck");
    }
}

/// The suits beyond the four ordinary ones: Stars for 5 to 8 players, and Moons for 7 and 8.
#[test]
fn the_special_deck_is_four_suits_with_more_ranks_and_up_to_two_more_suits() {
    let rank = |name: &str| hand(name).cards().next().unwrap();
    // Players, ranks beyond thirteen, cards of the fifth suit, cards of the sixth suit.
    let suits = [(5, 2, 5, 0), (6, 3, 14, 0), (7, 4, 16, 7), (8, 5, 17, 15)];
    for (players, more, stars, moons) in suits {
        let (found, _) = deck(json!({"players": players, "deck": "special"}));
        let of = |name: &str| found[slot(rank(name))];
        // The four ordinary suits have all ranks.
        let total: u32 = found.iter().map(|&n| u32::from(n)).sum();
        assert_eq!(total - 4 * (13 + more), stars + moons, "{players} players");
        assert_eq!(of("A"), 4, "the new suits have no ace");
        if moons > 0 {
            assert!(of("2") == 5 && of("K") == 5, "the Moons have no 2 and no K");
        }
    }
}

#[test]
fn special_decks_with_jokers_lose_two_of_the_middle_rank() {
    for (players, middle) in [(5u8, "9"), (6, "9"), (7, "10"), (8, "10")] {
        let mut expected = SPECIAL[usize::from(players) - 5].to_vec();
        expected[slot(hand(middle).cards().next().unwrap())] -= 2;
        assert_eq!(deck(json!({"players": players, "deck": "special", "jokers": "wild"})), (expected, 2));
    }
}

#[test]
fn without_trimming_nothing_is_taken_out() {
    for players in 3..=8u8 {
        for (jokers, two) in [("none", 0), ("low", 2)] {
            let options = json!({"players": players, "trim": "none", "jokers": jokers});
            let mut four = vec![4; 13];
            four.push(two);
            assert_eq!(thirteen(options), four);
        }
    }
    let largest = deck(json!({"players": 8, "deck": "extra_suits", "trim": "none", "jokers": "wild"}));
    assert_eq!(largest.0.iter().sum::<u8>() + largest.1, 106);
}

#[test]
fn deuces_high_changes_names_and_the_middle_rank_is_then_called_nine() {
    for (players, kind) in [(3, "standard"), (5, "standard"), (7, "extra_suits"), (6, "special")] {
        let low = deck(json!({"players": players, "deck": kind, "jokers": "low"}));
        let high = deck(json!({"players": players, "deck": kind, "jokers": "low", "deuces_high": true}));
        assert_eq!(low, high, "{players} players, {kind}");
    }
    // Trimming removes nines from the standard deck, the middle between three and two.
    let rules = rules(json!({"players": 3, "deuces_high": true}));
    let ladder = Ladder::of(&rules.variant(), 3);
    let rank = (0..18).find(|&rank| composition(&rules, &rules.variant(), 3).0[rank] == 3);
    assert_eq!(ladder.name(rank.unwrap()), "9");
}

#[test]
fn literal_deuces_keep_the_cards_of_the_special_deck() {
    for (players, expected) in (5u8..).zip(SPECIAL) {
        let options = json!({"players": players, "deck": "special", "deuces_high": true});
        assert_eq!(deck(options.clone()).0, expected, "other names for the same counts");
        let mut literal = options;
        literal["deuces_special"] = json!("literal");
        let found: Vec<u8> = deck(literal).0.into_iter().filter(|&n| n > 0).collect();
        // From the lowest rank: 3, 4 and so on up to the ace, and then the twos.
        let mut sorted: Vec<u8> = expected.into_iter().filter(|&n| n > 0).collect();
        sorted.rotate_left(1);
        assert_eq!(found, sorted, "{players} players");
        assert_eq!(*found.last().unwrap(), if players >= 7 { 5 } else { 4 });
    }
    // The option changes nothing with aces high, or in other decks.
    for options in [json!({"players": 8, "deck": "special"}), json!({"players": 8, "deuces_high": true})] {
        let mut literal = options.clone();
        literal["deuces_special"] = json!("literal");
        assert_eq!(deck(literal), deck(options));
    }
}

#[test]
fn the_titles_follow_the_positions() {
    let titles = |players: u8, progressive| -> Vec<&str> {
        (0..players).map(|p| title(p, players, progressive)).collect()
    };
    let (t, v, m, ms, s) = ("Tahimi", "Vice Tahimi", "Merchant", "master serf", "serf");
    for progressive in [false, true] {
        assert_eq!(titles(3, progressive), [t, m, s]);
        assert_eq!(titles(4, progressive), [t, v, ms, s]);
        assert_eq!(titles(5, progressive), [t, v, m, ms, s]);
        assert_eq!(titles(6, progressive), [t, v, m, m, ms, s]);
        assert_eq!(titles(7, progressive), [t, v, m, m, m, ms, s]);
    }
    assert_eq!(titles(8, false), [t, v, m, m, m, m, ms, s]);
    let junior = "junior assistant to the master serf";
    assert_eq!(titles(8, true), [t, "Senior Vice Tahimi", "Junior Vice Tahimi", m, m, ms, junior, s]);
}

#[test]
fn cards_are_written_from_the_best_and_read_in_any_order() {
    let cards = hand("* 2 15 a 7 10 7 *");
    assert_eq!(to_text(&cards), "A 15 10 7 7 2 * *");
    assert_eq!(to_text(&hand("")), "");
    for wrong in ["1", "16", "x", "7x2", "no 11", "B"] {
        let error = from_text(wrong).unwrap_err();
        assert!(error.ends_with("is not a card: expected 2 to 15, J, Q, K, A or *"), "{error}");
    }
}
