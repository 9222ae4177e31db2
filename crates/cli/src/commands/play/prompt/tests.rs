//! Moves and commands have no words in common.

use std::collections::BTreeSet;

use cardsharp_env::blocks::width;
use cardsharp_env::games::game;
use cardsharp_env::{ActionId, AnyTable, GAMES};
use serde_json::json;

use super::{Between, Command, Typist, WORDS, Wish};

/// Returns the names of all moves of a game, in lower case: with the standard deck, and with the decks of 200 random
/// rule sets.
fn names(game: &dyn cardsharp_env::AnyGame) -> BTreeSet<String> {
    let actions = || (0..width(game.actions()) as u16).map(ActionId);
    let mut names: BTreeSet<String> = actions().map(|action| game.label(action)).collect();
    for seed in 0..200 {
        let table = game.random_rules(seed).table(seed);
        names.extend(actions().map(|action| table.label(action)));
    }
    names.into_iter().map(|name| name.to_lowercase()).collect()
}

#[test]
fn no_move_has_the_name_of_a_command() {
    for game in GAMES.iter() {
        let names = names(*game);
        for (word, _) in WORDS {
            assert!(!names.contains(word), "`{word}` is a move of {}", game.name());
        }
        assert!(!names.iter().any(|name| name.starts_with(['/', '#'])), "{}", game.name());
    }
    // The names include every way to write a Queen.
    let tahimi = names(game("tahimi").expect("a game"));
    assert!(["q", "2", "3", "11", "15", "q+*", "** as q"].iter().all(|&name| tahimi.contains(name)));
}

/// Returns a table of Tahimi where a Queen may be played, and that move.
fn with_a_queen() -> (Box<dyn AnyTable>, ActionId) {
    let rules = game("tahimi").expect("a game").default_rules();
    for seed in 0.. {
        let mut table = rules.table(seed);
        while table.turn().is_some() {
            let legal = table.legal();
            if let Some(&queen) = legal.iter().find(|&&action| table.label(action) == "Q") {
                return (table, queen);
            }
            table.try_play(legal[0]).expect("legal");
        }
    }
    unreachable!("some seed deals a Queen")
}

#[test]
fn a_queen_is_a_move_and_quits_no_session() {
    let (table, queen) = with_a_queen();
    let legal = table.legal();
    for typist in [Typist::Person, Typist::Program] {
        for text in ["Q", "q", " q \r"] {
            assert_eq!(
                typist.understand(text, table.as_ref(), &legal, &|_| None),
                Wish::Choice(queen),
                "{typist:?}"
            );
        }
    }
    let others: Vec<_> = legal.iter().copied().filter(|&action| action != queen).collect();
    let unclear = Wish::Unclear("`q` is not legal now".to_owned());
    assert_eq!(Typist::Person.understand("q", table.as_ref(), &others, &|_| None), unclear);
}

#[test]
fn a_program_marks_commands_and_a_person_need_not() {
    let (table, queen) = with_a_queen();
    let (legal, between) = ([queen], [Between::Deal]);
    for (word, command) in WORDS {
        for typist in [Typist::Person, Typist::Program] {
            let text = format!("/{word}");
            assert_eq!(typist.understand(&text, table.as_ref(), &legal, &|_| None), Wish::Command(command));
            assert_eq!(typist.understand_between(&text, &between), Wish::Command(command));
        }
        assert_eq!(
            Typist::Person.understand(word, table.as_ref(), &legal, &|_| None),
            Wish::Command(command)
        );
        assert_eq!(Typist::Person.understand_between(word, &between), Wish::Command(command));
        let found = Typist::Program.understand(word, table.as_ref(), &legal, &|_| None);
        let marked = format!("`{word}` is neither a move nor a command; the command is `/{word}`");
        assert_eq!(found, Wish::Unclear(marked));
    }
    let found = Typist::Person.understand("/q", table.as_ref(), &legal, &|_| None);
    let unknown = "there is no command `/q`; `/help` lists the commands";
    assert_eq!(found, Wish::Unclear(unknown.to_owned()));
}

#[test]
fn a_program_means_a_card_by_a_bare_number_and_a_person_perhaps_the_list() {
    let table = game("taki").expect("a game").rules(&json!({ "players": 2 })).expect("rules").table(1);
    let legal = table.legal();
    assert_eq!(Typist::Person.understand("1", table.as_ref(), &legal, &|_| None), Wish::Choice(legal[0]));
    assert!(matches!(Typist::Program.understand("1", table.as_ref(), &legal, &|_| None), Wish::Unclear(_)));
    assert_eq!(Typist::Program.understand("#1", table.as_ref(), &legal, &|_| None), Wish::Choice(legal[0]));
    assert_eq!(
        Typist::Program.understand("", table.as_ref(), &legal, &|_| None),
        Wish::Command(Command::Show)
    );
}
