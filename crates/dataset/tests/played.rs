//! Datasets of recorded sessions equal those that were written during play.

mod reading;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::Player;
use cardsharp_dataset::{Amount, DatasetError, DatasetSettings, Folder, SHARD_DEFAULT, SessionWriter};
use cardsharp_env::{ActionId, AnyGame, GAMES, GameRules, game, mask};
use reading::{Row, read};

/// Sessions between bots, by random rules.
fn sessions(game: &dyn AnyGame, forced: bool, to: &Path) -> (Vec<GameRules>, Vec<Row>) {
    // Small games have so few rules that the same ones are drawn again.
    let mut rules: Vec<GameRules> = Vec::new();
    (10..14).map(|seed| game.random_rules(seed)).for_each(|drawn| {
        if !rules.contains(&drawn) {
            rules.push(drawn);
        }
    });
    let bots = vec![Player::scripted(), Player::random()];
    let settings =
        DatasetSettings { amount: Amount::Sessions(8), forced, ..DatasetSettings::new(rules.clone(), bots) };
    settings.write(Folder::new(to).unwrap(), &mut |_| (), &AtomicBool::new(false)).unwrap();
    (rules, read(to).rows)
}

/// Replays the sessions of `rows`, and writes them as recorded sessions.
fn again(rules: &[GameRules], rows: &[Row], forced: bool, to: &Path) -> Result<(), DatasetError> {
    let mut sessions = SessionWriter::new(Folder::new(to)?, rules[0].game(), SHARD_DEFAULT, forced)?;
    for session in rows.chunk_by(|a, b| a.session == b.session) {
        let (rules, seed) = (&rules[usize::from(session[0].rules)], session[0].session_seed);
        let mut table = rules.table(seed);
        let name = |seat| {
            let own = session.iter().find(|row| usize::from(row.seat) == seat);
            own.map_or_else(|| "nobody".to_owned(), |row| row.bot.clone())
        };
        let names: Vec<String> = (0..table.seats()).map(name).collect();
        let mut played = sessions.begin(rules, seed, &names)?;
        let mut due = session.iter().peekable();
        let mut step = 0;
        loop {
            while let Some(view) = table.asked() {
                let written = due.next_if(|row| row.step == step).map(|row| ActionId(row.action));
                let action = written.or_else(|| mask::single(&view.legal_words())).expect("an action");
                played.decides(table.as_ref(), action);
                table.try_play(action).expect("a legal action");
                step += 1;
            }
            played.paid(&table.payoff().expect("a round that is over"));
            if !table.deal_next() {
                break;
            }
        }
        sessions.add(played)?;
    }
    sessions.finish().map(|_| ())
}

#[test]
fn sessions_that_are_played_again_give_the_same_rows() {
    for game in GAMES.iter() {
        for forced in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (first, second) = (folder.path().join("first"), folder.path().join("second"));
            let (rules, rows) = sessions(*game, forced, &first);
            again(&rules, &rows, forced, &second).unwrap();
            let other = read(&second);
            assert!(other.rows == rows, "{}", game.name());
            assert_eq!(other.about["seed"], serde_json::Value::Null);
            let given: Vec<_> = rules.iter().map(|rules| rules.json().clone()).collect();
            assert_eq!(other.about["rules"], serde_json::Value::Array(given));
        }
    }
}

#[test]
fn sessions_of_another_game_and_shards_without_rows_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |name: &str| game(name).unwrap().default_rules();
    let begin =
        |shard| SessionWriter::new(Folder::new(folder.path()).unwrap(), game("taki").unwrap(), shard, false);
    let mut sessions = begin(1).unwrap();
    let error = sessions.begin(&rules("dalmuti"), 1, &[]).err().expect("a refusal").to_string();
    assert!(error.starts_with("a session of dalmuti among those of taki"), "{error}");
    let taki = rules("taki");
    let error = sessions.begin(&taki, 1, &[]).err().expect("a refusal").to_string();
    assert_eq!(error, format!("0 names for {0} seats: expected one for each", taki.seats()));
    let error = sessions.finish().unwrap_err().to_string();
    assert!(error.contains("no decision of 0 sessions had more than one legal action"), "{error}");
    assert!(begin(0).err().expect("a refusal").to_string().contains("cannot have 0 decisions"));
}

#[test]
fn a_session_that_is_not_over_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rules = game("dalmuti").unwrap().default_rules();
    let table = rules.table(1);
    let mut sessions =
        SessionWriter::new(Folder::new(folder.path()).unwrap(), rules.game(), SHARD_DEFAULT, true).unwrap();
    let mut played = sessions.begin(&rules, 1, &vec!["somebody".to_owned(); rules.seats()]).unwrap();
    played.decides(table.as_ref(), table.legal()[0]);
    let error = sessions.add(played).unwrap_err();
    assert!(error.is_input() && error.to_string().starts_with("a session is not over"), "{error}");
}
