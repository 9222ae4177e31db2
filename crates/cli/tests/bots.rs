//! The bots that ship with the project, by name, from a folder that has nothing of it.

use std::fs;

use crate::folder::{cardsharp, success};
use serde_json::Value;

fn bundle(game: &str) -> String {
    format!("{}/../../checkpoints/{game}/bot", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_shipped_bot_plays_by_name_from_any_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for game in ["tahimi", "dalmuti", "taki", "tachtigen"] {
        let contest = |bot: &str| {
            let bots = format!("{bot},scripted");
            let words = ["arena", game, "--bots", &bots, "--deals", "2", "--json"];
            success(at, &words, None)["bots"][0]["place_score"].clone()
        };
        for way in ["", "@3"] {
            let [named, read] = [game.to_owned(), bundle(game)].map(|bot| contest(&format!("{bot}{way}")));
            assert_eq!(named, read, "{game}{way}");
        }
        // At a level, as the only opponent that was asked for.
        let line = ["play", game, "--level", "3", "--seed", "1", "--json"];
        let played = cardsharp(at, &line, None);
        assert_eq!(played.status.code(), Some(3), "{}", String::from_utf8_lossy(&played.stderr));
        let turn = String::from_utf8(played.stdout).expect("UTF-8");
        let turn = turn.lines().find(|line| line.contains("\"line\":\"turn\"")).expect("a turn").to_owned();
        let view = at.join("turn.json");
        fs::write(&view, turn).expect("a file");
        let advice = success(at, &["advise", game, "--json"], Some(&view));
        assert_eq!((&advice["game"], &advice["bot"]), (&Value::from(game), &Value::from(game)));
        assert!(advice["value"].is_number(), "{advice}");
        let words = ["trace", game, "--bots", &format!("search:3+{game},{game}@10")];
        assert!(cardsharp(at, &words, None).status.success(), "{words:?}");
    }
}

#[test]
fn a_path_stays_a_path_and_a_wrong_name_gets_the_nearest() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let refused = |bot: &str| {
        let output = cardsharp(at, &["arena", "taki", "--bots", &format!("{bot},scripted")], None);
        assert_eq!(output.status.code(), Some(2), "{bot}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("tak").ends_with("; did you mean `taki`?\n"));
    assert!(refused("./taki").starts_with("error: there is no bot `./taki`: expected "));
    assert!(refused("dalmuti").contains("dalmuti: the bot plays `dalmuti`, not `taki`"));
    assert!(refused("taki@12").contains("there is no level `12`: expected 1 to 10"));
    // A folder of that name hides no bot, and is found by its path.
    fs::create_dir(at.join("taki")).expect("a folder");
    let words = ["arena", "taki", "--bots", "taki,scripted", "--deals", "2", "--json"];
    success(at, &words, None);
    assert!(refused("./taki").contains("neither a bundle nor a checkpoint"));
}
