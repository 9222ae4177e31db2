//! Datasets of sessions between bots, compared with tables that replay the same moves.

mod reading;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::{Bot, Player};
use cardsharp_dataset::{Amount, COLUMNS, DatasetError, DatasetSettings, Folder, SHARD, Written};
use cardsharp_env::{ActionId, AnyGame, GAMES, GameRules, Payoff, SeatView, game, mask};
use reading::{Read, Row, read};

/// Writes a dataset, without stopping it or reporting progress.
fn write(settings: &DatasetSettings, to: &Path) -> Result<Written, DatasetError> {
    settings.write(Folder::new(to)?, &mut |_| (), &AtomicBool::new(false))
}

/// Some rules of a game, drawn at random.
fn random_rules(game: &dyn AnyGame, count: u64) -> Vec<GameRules> {
    (0..count).map(|seed| game.random_rules(seed)).collect()
}

fn bots() -> Vec<Player> {
    vec![Player::scripted(), Player::random(), Player::character(cardsharp_env::Character::Aggressive)]
}

/// Replays the rows of a session at a table, and compares every column.
fn replayed(rules: &GameRules, rows: &[Row]) {
    let mut table = rules.table(rows[0].session_seed);
    let (mut payoffs, mut step) = (Vec::new(), 0);
    let mut due = rows.iter().peekable();
    loop {
        while let Some(view) = table.asked() {
            let legal = view.legal_words();
            // Only forced decisions may have no row.
            let action = match due.next_if(|row| row.step == step) {
                None => mask::single(&legal).expect("a row of a decision with a choice"),
                Some(row) => {
                    let mut cells = vec![0xa5; view.cells()];
                    view.row(&mut cells);
                    assert_eq!(row.observation, cells);
                    let allowed: Vec<u8> = (0..row.legal.len() as u16)
                        .map(|id| u8::from(mask::contains(&legal, ActionId(id))))
                        .collect();
                    assert_eq!((&row.legal, row.seat, row.round), (&allowed, view.seat().0, table.round()));
                    ActionId(row.action)
                }
            };
            table.try_play(action).expect("a legal action");
            step += 1;
        }
        payoffs.push(table.payoff().expect("a round that is over"));
        if !table.deal_next() {
            break;
        }
    }
    assert_eq!(due.next(), None, "more rows than decisions");
    for (at, row) in rows.iter().enumerate() {
        let (seat, round) = (usize::from(row.seat), row.round as usize);
        let payoff = &payoffs[round - 1];
        assert_eq!((row.round_reward, row.place), (payoff.reward[seat], payoff.place[seat]));
        assert_eq!(row.points, payoff.points[seat]);
        let sum = |rounds: &[Payoff]| rounds.iter().map(|payoff| f64::from(payoff.reward[seat])).sum::<f64>();
        let is_close = |given: f32, sum: f64| (f64::from(given) - sum).abs() <= 1e-5 * sum.abs().max(1.0);
        let own = || rows[at + 1..].iter().filter(|later| later.seat == row.seat);
        // The rounds that end before the seat's next row, or the remaining rounds.
        let next = own().next().map_or(payoffs.len(), |next| next.round as usize - 1);
        assert!(is_close(row.reward, sum(&payoffs[round - 1..next])), "{row:?}");
        assert!(is_close(row.return_to_go, sum(&payoffs[round - 1..])), "{row:?}");
        assert_eq!(row.last_of_session, own().next().is_none());
        assert_eq!(row.last_of_round, !own().any(|later| later.round == row.round));
    }
}

/// Writes a dataset with several rules, and checks that every session can be replayed.
fn comes_out_again(game: &'static dyn AnyGame, forced: bool) {
    let folder = tempfile::tempdir().unwrap();
    let rules = random_rules(game, 5);
    let settings = DatasetSettings {
        amount: Amount::Sessions(20),
        forced,
        shard: 2_000,
        ..DatasetSettings::new(rules.clone(), bots())
    };
    let written = write(&settings, folder.path()).unwrap();
    let Read { rows, about, .. } = read(folder.path());
    assert_eq!((written.sessions, written.decisions), (20, rows.len() as u64), "{}", game.name());
    assert_eq!(about["game"], game.name());
    assert_eq!(about["rules"][3], *rules[3].json());
    assert_eq!(about["forced"], forced);
    let mut seen = 0;
    for session in rows.chunk_by(|a, b| a.session == b.session) {
        assert_eq!((session[0].session, usize::from(session[0].rules)), (seen, seen as usize % 5));
        assert!(session.iter().all(|row| row.rules == session[0].rules));
        assert!(session.is_sorted_by_key(|row| row.step));
        replayed(&rules[seen as usize % 5], session);
        seen += 1;
    }
    assert_eq!(seen, 20);
    let choices = |row: &Row| row.legal.iter().filter(|&&cell| cell == 1).count();
    assert_eq!(rows.iter().any(|row| choices(row) == 1), forced && !game.is_reference(), "{}", game.name());
}

#[test]
fn a_table_that_plays_the_moves_says_the_same_of_every_decision() {
    for game in GAMES.iter() {
        comes_out_again(*game, false);
        comes_out_again(*game, true);
    }
}

#[test]
fn the_same_bytes_come_of_any_number_of_threads() {
    let bytes = |threads, shard| {
        let folder = tempfile::tempdir().unwrap();
        let rules = random_rules(game("taki").unwrap(), 3);
        let settings = DatasetSettings {
            amount: Amount::Decisions(60_000),
            threads,
            shard,
            ..DatasetSettings::new(rules, bots())
        };
        let written = write(&settings, folder.path()).unwrap();
        let files: Vec<Vec<u8>> =
            reading::shards(folder.path()).iter().map(|path| std::fs::read(path).unwrap()).collect();
        let size: u64 = files.iter().map(|file| file.len() as u64).sum();
        assert_eq!((written.shards, written.bytes), (files.len() as u64, size));
        files
    };
    let one = bytes(1, 20_000);
    assert_eq!(one.len(), 2, "60,000 decisions and a shard for every two groups");
    assert!(bytes(3, 20_000) == one);
    assert_eq!(bytes(2, 1_000_000).len(), 1);
}

#[test]
fn more_decisions_are_the_same_ones_and_others_behind() {
    let rows = |amount, forced| {
        let folder = tempfile::tempdir().unwrap();
        let rules = random_rules(game("dalmuti").unwrap(), 2);
        write(&DatasetSettings { amount, forced, ..DatasetSettings::new(rules, bots()) }, folder.path())
            .unwrap();
        read(folder.path()).rows
    };
    let (few, many) = (rows(Amount::Decisions(500), false), rows(Amount::Decisions(3_000), false));
    assert!(few.len() >= 500 && many.len() >= 3_000 && few == many[..few.len()]);
    // Sessions are complete, and no session starts once there are enough decisions.
    let before = few.iter().filter(|row| row.session < few[few.len() - 1].session).count();
    assert!(before < 500);
    // Forced decisions only add rows: sessions and numbers stay the same.
    let sessions = Amount::Sessions(few[few.len() - 1].session + 1);
    let all = rows(sessions, true);
    let place = |row: &Row| (row.session, row.step, row.action, row.seat, row.return_to_go, row.bot.clone());
    let chosen = all.iter().filter(|row| row.legal.iter().filter(|&&cell| cell == 1).count() > 1);
    assert!(chosen.map(place).eq(few.iter().map(place)));
}

#[test]
fn every_bot_sits_in_every_seat() {
    let folder = tempfile::tempdir().unwrap();
    let rules = vec![game("tachtigen").unwrap().default_rules()];
    let settings = DatasetSettings { amount: Amount::Sessions(8), ..DatasetSettings::new(rules, bots()) };
    write(&settings, folder.path()).unwrap();
    let rows = read(folder.path()).rows;
    for row in &rows {
        let expected =
            ["scripted", "random", "aggressive"][(usize::from(row.seat) + row.session as usize) % 3];
        assert_eq!(row.bot, expected);
    }
    for name in ["scripted", "random", "aggressive"] {
        for seat in 0..4 {
            assert!(rows.iter().any(|row| row.bot == name && row.seat == seat), "{name} in seat {seat}");
        }
    }
}

#[test]
fn columns_are_those_that_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let rules = vec![game("kuhn").unwrap().default_rules()];
    write(
        &DatasetSettings { amount: Amount::Sessions(3), ..DatasetSettings::new(rules, bots()) },
        folder.path(),
    )
    .unwrap();
    let game = game("kuhn").unwrap();
    let columns: Vec<_> =
        COLUMNS.iter().map(|column| (column.name.to_owned(), column.kind.arrow(game))).collect();
    assert_eq!(read(folder.path()).columns, columns);
}

/// Plays the first action of the list, legal or not.
struct First;

impl Bot for First {
    fn name(&self) -> &str {
        "first"
    }
    fn pick(&mut self, _view: SeatView<'_>) -> ActionId {
        ActionId(0)
    }
}

#[test]
fn what_cannot_be_a_dataset_is_refused() {
    let rules = |name: &str| game(name).unwrap().default_rules();
    let whole = DatasetSettings::new(vec![rules("dalmuti")], bots());
    let refusal = |settings: DatasetSettings| {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&settings, folder.path()).expect_err("a refusal");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{error}");
        (error.is_input(), error.to_string())
    };
    let nothing = Amount::Decisions(0);
    for (settings, expected) in [
        (DatasetSettings { rules: Vec::new(), ..whole.clone() }, "there are no rules to play by"),
        (
            DatasetSettings { rules: vec![rules("dalmuti"), rules("taki")], ..whole.clone() },
            "a session of taki among those of dalmuti",
        ),
        (DatasetSettings { bots: Vec::new(), ..whole.clone() }, "there are no bots"),
        (DatasetSettings { amount: nothing, ..whole.clone() }, "expected at least 1 decision or session"),
        (DatasetSettings { shard: SHARD.end() + 1, ..whole.clone() }, "expected 1 to 10000000"),
    ] {
        let (is_input, message) = refusal(settings);
        assert!(is_input && message.contains(expected), "{message}");
    }
    let first = Player::new("first", |_| Box::new(First));
    let (is_input, message) =
        refusal(DatasetSettings { bots: vec![first], rules: vec![rules("taki")], ..whole });
    assert!(!is_input && message.starts_with("bot `first` broke the rules in session "), "{message}");
}

#[test]
fn a_folder_is_overwritten_only_by_who_asks_and_only_if_it_is_a_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("new").join("dataset");
    let rules = vec![game("kuhn").unwrap().default_rules()];
    let small = DatasetSettings { amount: Amount::Sessions(30), ..DatasetSettings::new(rules, bots()) };
    write(&small, &to).unwrap();
    let message = Folder::new(&to).unwrap_err().to_string();
    assert!(message.contains("is not empty: expected a new or empty folder"), "{message}");
    std::fs::write(to.join(".writing-shard-00001.parquet"), "half").unwrap();
    assert_eq!(Folder::emptied(&to).unwrap().path(), to);
    assert_eq!(std::fs::read_dir(&to).unwrap().count(), 0);
    for name in ["notes.txt", "shard-1.parquet.old", "shard-.parquet", "shard-x1.parquet"] {
        std::fs::write(to.join(name), "mine").unwrap();
        let message = Folder::emptied(&to).unwrap_err().to_string();
        assert!(message.contains(&format!("`{name}` in it is no shard")), "{message}");
        std::fs::remove_file(to.join(name)).unwrap();
    }
}

#[test]
fn a_stop_leaves_whole_shards_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let rules = vec![game("taki").unwrap().default_rules()];
    let settings = DatasetSettings {
        amount: Amount::Decisions(u64::MAX),
        shard: 1,
        ..DatasetSettings::new(rules, bots())
    };
    let stop = AtomicBool::new(false);
    let mut progress =
        |done: cardsharp_dataset::DatasetProgress| stop.store(done.written.shards >= 2, Ordering::Relaxed);
    let error = settings.write(Folder::new(folder.path()).unwrap(), &mut progress, &stop).unwrap_err();
    let DatasetError::Stopped { written, .. } = &error else { panic!("{error}") };
    let Read { rows, .. } = read(folder.path());
    assert_eq!((written.decisions, written.sessions), (rows.len() as u64, rows[rows.len() - 1].session + 1));
    assert!(rows[rows.len() - 1].last_of_session, "the last session is whole");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count() as u64, written.shards);
    assert!(
        error.to_string().starts_with(&format!("stopped: {} whole shards with", written.shards)),
        "{error}"
    );
}

// A dataset must not continue in another folder than the one in which it started.
#[cfg(unix)]
#[test]
fn a_folder_that_is_replaced_while_shards_are_written_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let [to, moved] = ["dataset", "moved"].map(|name| folder.path().join(name));
    let rules = vec![game("taki").unwrap().default_rules()];
    let settings = DatasetSettings {
        amount: Amount::Decisions(u64::MAX),
        shard: 1,
        ..DatasetSettings::new(rules, bots())
    };
    for replaced in [true, false] {
        let mut progress = |done: cardsharp_dataset::DatasetProgress| {
            if done.written.shards >= 2 && !moved.exists() {
                std::fs::rename(&to, &moved).unwrap();
                if replaced {
                    std::fs::create_dir(&to).unwrap();
                }
            }
        };
        let error =
            settings.write(Folder::new(&to).unwrap(), &mut progress, &AtomicBool::new(false)).unwrap_err();
        let DatasetError::Replaced { path } = &error else { panic!("{error}") };
        assert_eq!(path, &to);
        assert!(!error.is_input() && error.to_string().contains("was moved, deleted or replaced"), "{error}");
        assert!(std::fs::read_dir(&to).map_or(0, Iterator::count) == 0, "no shard is written elsewhere");
        std::fs::remove_dir_all(&moved).unwrap();
    }
}

#[test]
fn a_shard_that_is_removed_while_others_are_written_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let rules = vec![game("taki").unwrap().default_rules()];
    let settings =
        DatasetSettings { amount: Amount::Sessions(2000), shard: 1, ..DatasetSettings::new(rules, bots()) };
    let first = folder.path().join("shard-00000.parquet");
    let mut progress = |done: cardsharp_dataset::DatasetProgress| {
        if done.written.shards >= 1 && first.exists() {
            std::fs::remove_file(&first).unwrap();
        }
    };
    let error = settings.write(Folder::new(folder.path()).unwrap(), &mut progress, &AtomicBool::new(false));
    let error = error.unwrap_err();
    assert!(matches!(&error, DatasetError::Lost { path } if *path == first), "{error}");
}
