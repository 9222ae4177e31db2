//! Shipped bots by name, from a folder outside the project.

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
        // At a level, without other opponents.
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
    // A folder with the name of a bot does not hide the bot, and needs a path.
    fs::create_dir(at.join("taki")).expect("a folder");
    let words = ["arena", "taki", "--bots", "taki,scripted", "--deals", "2", "--json"];
    success(at, &words, None);
    assert!(refused("./taki").contains("neither a bundle nor a checkpoint"));
    // The bot of a run is in a folder within it.
    fs::create_dir_all(at.join("run/bundle")).expect("a folder");
    fs::write(at.join("run/bundle/bot.safetensors"), "").expect("a file");
    assert!(refused("run").ends_with("it has no `bot.safetensors`; did you mean run/bundle?\n"));
}

#[test]
fn trained_is_the_shipped_bot_of_the_game_at_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for line in [
        "arena GAME --bots BOT,search:2+BOT,BOT@3 --round-robin --deals 4 --json",
        "trace GAME --bots BOT,random --seed 3",
        "dataset GAME --bots BOT --sessions 1 --to data --overwrite --json",
    ] {
        let said = |bot: &str| {
            let line = line.replace("GAME", "taki").replace("BOT", bot);
            let words: Vec<&str> = line.split(' ').collect();
            let output = cardsharp(at, &words, None);
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            // Times differ from run to run.
            text.lines()
                .filter(|line| !line.contains("p50") && !line.contains("p99"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(said("trained"), said("taki"), "{line}");
    }
    let trace = cardsharp(at, &["trace", "taki", "--seed", "7"], None);
    fs::write(at.join("game.jsonl"), trace.stdout).expect("a file");
    let words =
        ["review", "game.jsonl", "--by", "search:2+trained", "--deals", "2", "--playouts", "2", "--json"];
    assert_eq!(success(at, &words, None)["judge"], "search:2+taki");
    let played =
        cardsharp(at, &["play", "taki", "--against", "trained@2", "--hints", "trained", "--json"], None);
    let turn = String::from_utf8(played.stdout).expect("UTF-8");
    let turn = turn.lines().find(|line| line.contains("\"line\":\"turn\"")).expect("a turn").to_owned();
    fs::write(at.join("turn.json"), turn).expect("a file");
    let advice = success(at, &["advise", "trained", "--json"], Some(&at.join("turn.json")));
    assert!(advice["game"] == "taki" && advice["value"].is_number(), "{advice}");
}

#[test]
fn the_name_of_a_game_is_its_bot_in_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let valid = success(at, &["verify", "dalmuti", "--json"], None);
    assert_eq!((&valid["game"], &valid["beliefs"]), (&Value::from("dalmuti"), &Value::from(true)));
    success(at, &["export", "dalmuti", "--to", "bundle", "--json"], None);
    for file in ["bot.safetensors", "levels.json", "beliefs.safetensors"] {
        let shipped =
            fs::read(format!("{}/../../checkpoints/dalmuti/bot/{file}", env!("CARGO_MANIFEST_DIR")));
        assert_eq!(
            fs::read(at.join("bundle").join(file)).expect("a file"),
            shipped.expect("a file"),
            "{file}"
        );
    }
    assert!(success(at, &["verify", "bundle", "--json"], None)["vectors"].as_u64() > Some(0));
    // So few deals do not separate the levels, but the bot was read and played.
    let words = ["levels", "taki", "--to", "levels.json", "--deals", "6", "--playouts", "0"];
    let few = cardsharp(at, &words, None);
    let message = String::from_utf8_lossy(&few.stderr);
    assert!(few.status.code() == Some(1) && message.contains("the levels were not written"), "{message}");
}
