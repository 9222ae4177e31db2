use cardsharp_env::rng::Draw;
use cardsharp_env::{GAMES, Seat};
use serde_json::json;

use super::*;
use crate::journal::tests::opened;
use crate::journal::{JournalLine, Opened, Sitter};
use crate::live::replay::replay;
use crate::now::Spectators;

fn kept(opened: &Opened, checkpoints: Vec<Vec<u8>>, entries: &[JournalLine]) -> Kept {
    Kept { opened: opened.clone(), checkpoints, entries: entries.to_vec() }
}

/// The entries of three rounds of random moves, of which some are taken back.
fn session(game: &dyn AnyGame, opened: &Opened) -> Vec<JournalLine> {
    let mut table = game.rules(&opened.rules).unwrap().table(opened.seed);
    let (mut entries, mut draw) = (Vec::new(), Draw::new(5, 0));
    for round in 0..3 {
        while let Some(seat) = table.turn() {
            let action = draw.pick(&table.legal());
            entries.push(JournalLine::Move { seat, choice: table.label(action) });
            if draw.below(8) == 0 {
                entries.push(JournalLine::Undo(1));
            } else {
                table.try_play(action).unwrap();
            }
        }
        if round < 2 {
            assert!(table.deal_next());
            entries.push(JournalLine::Deal);
        }
    }
    entries.truncate(entries.len() - 1);
    entries
}

/// Returns the opening of a table with a person in each seat.
fn table_of(game: &dyn AnyGame, spectators: Spectators) -> Opened {
    let rules = game.rules(&json!({ game.rounds_option(): 3 })).unwrap();
    let seats = vec![opened().seats[0].clone(); rules.seats()];
    Opened { game: game.name().to_owned(), rules: rules.json().clone(), seats, spectators, ..opened() }
}

/// Returns the checkpoints after each deal, and the number of entries before the last one.
fn checkpoints(opened: &Opened, entries: &[JournalLine]) -> (Vec<Vec<u8>>, usize) {
    let (mut written, mut marked, mut last) = (Vec::new(), Marked::default(), 0);
    for (number, _) in entries.iter().enumerate().filter(|(_, entry)| **entry == JournalLine::Deal) {
        last = number + 1;
        let Replayed { table, players, logs, epoch, .. } =
            replay(&GAMES, &kept(opened, Vec::new(), &entries[..last])).unwrap();
        let checkpoint = SessionCheckpoint::new(table.as_ref(), &players, &logs, epoch, &marked);
        written.push(serde_json::to_vec(&checkpoint).unwrap());
        marked = Marked::of(table.steps(), &logs);
    }
    (written, last)
}

#[test]
fn a_session_is_the_same_from_its_last_checkpoint() {
    for game in GAMES.iter().copied() {
        for spectators in [Spectators::Public, Spectators::Delayed] {
            let opened = table_of(game, spectators);
            let entries = session(game, &opened);
            let whole = replay(&GAMES, &kept(&opened, Vec::new(), &entries)).unwrap();
            let (written, last) = checkpoints(&opened, &entries);
            assert_eq!(written.len(), 2);
            let resumed = resume(&GAMES, &kept(&opened, written, &entries[last..]))
                .unwrap_or_else(|| panic!("{}", game.name()));
            assert_eq!((&resumed.logs, &resumed.players), (&whole.logs, &whole.players), "{}", game.name());
            let state = |session: &Replayed| {
                let Replayed { table, course, epoch, waits, .. } = session;
                let view = table.asked().map(|view| view.json());
                let course = (course.steps, course.floor, course.decisions.clone(), course.wishes.clone());
                (view, table.round(), table.rules(), table.standing(), table.steps(), course, *epoch, *waits)
            };
            assert_eq!(state(&resumed), state(&whole), "{}", game.name());
        }
    }
}

#[test]
fn a_checkpoint_that_does_not_suffice_is_not_used() {
    let game = cardsharp_env::game("tahimi").unwrap();
    let opened = table_of(game, Spectators::Public);
    let bot = Sitter::Bot("scripted".to_owned());
    let with_bot = Opened { seats: [&[bot], &opened.seats[1..]].concat(), ..opened.clone() };
    let entries = session(game, &with_bot);
    let (written, last) = checkpoints(&with_bot, &entries);
    let after =
        |entries: &[JournalLine]| resume(&GAMES, &kept(&with_bot, written.clone(), entries)).is_some();
    assert!(after(&entries[last..]));
    // A person without an event log, and an entry that does not fit.
    let sits = JournalLine::Sits { seat: Seat(0), sitter: opened.seats[0].clone() };
    assert!(!after(&[sits]));
    assert!(!after(&[JournalLine::Deal]));
    // Without an earlier checkpoint, lines are missing. No such standing, and no such round.
    assert!(resume(&GAMES, &kept(&with_bot, written[1..].to_vec(), &[])).is_none());
    for (field, value) in [("standing", json!({})), ("round", json!(4)), ("rules", json!({ "players": 99 }))]
    {
        let mut wrong: Value = serde_json::from_slice(&written[0]).unwrap();
        wrong[field] = value;
        let wrong = vec![serde_json::to_vec(&wrong).unwrap()];
        assert!(resume(&GAMES, &kept(&with_bot, wrong, &[])).is_none(), "{field}");
    }
}
