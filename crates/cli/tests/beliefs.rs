//! Belief models: learned, written, and used.

use std::fs;
use std::path::Path;

use crate::folder::{cardsharp, success};
use cardsharp_bot::beliefs::Model;

fn refusal(folder: &Path, words: &[&str]) -> String {
    let output = cardsharp(folder, words, None);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_model_is_learned_and_searched_with_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/tahimi/bot");
    let shipped = shipped.to_str().expect("UTF-8");
    success(at, &["export", shipped, "--to", "bot", "--json"], None);
    let learn = ["beliefs", "bot", "--decisions", "20000", "--measured", "20", "--json"];
    let told = success(at, &learn, None);
    let measured = |what: &str, of: &str| told["measured"][what][of].as_f64().expect("a number");
    // Passes reveal much. Even a little training beats the assumption that all deals are equally likely.
    assert!(told["measured"]["gained"].as_f64().expect("a number") > 0.1, "{told}");
    assert!(measured("log_loss", "weighed") < measured("log_loss", "alike"), "{told}");
    let player = told["model"]["player"].as_str().expect("a name");
    assert!(player.starts_with("blake3:") && player.len() == 23, "{player}");
    let bytes = fs::read(at.join("bot/beliefs.safetensors")).expect("the model");
    let model = Model::from_bytes(cardsharp_env::game("tahimi").expect("a game"), &bytes).expect("a model");
    assert_eq!(told["model"]["decisions"], model.about().decisions);
    success(at, &["verify", "bot", "--json"], None);

    let kept = refusal(at, &learn);
    assert!(
        kept.contains("beliefs.safetensors already exists and holds a belief model: pass --overwrite"),
        "{kept}"
    );
    // The bytes do not depend on the folder of the bot, or on how it is named.
    success(at, &["export", shipped, "--to", "elsewhere/copy", "--json"], None);
    let again =
        [&["beliefs", "./elsewhere/copy"], &learn[2..], &["--to", "again.safetensors", "--threads", "1"]];
    success(at, &again.concat(), None);
    assert!(fs::read(at.join("again.safetensors")).expect("the model") == bytes, "on any number of threads");

    // The model belongs to the bot, and is exported with the bundle.
    success(at, &["export", "bot", "--to", "copy", "--json"], None);
    assert!(fs::read(at.join("copy/beliefs.safetensors")).expect("the model") == bytes);
    let bots = "search:16:beliefs+bot,search:16+bot";
    let contest = success(at, &["arena", "tahimi", "--bots", bots, "--deals", "4", "--json"], None);
    assert_eq!(contest["bots"][0]["name"], "search:16:beliefs+bot");
    let table = cardsharp_env::game("tahimi").expect("a game").default_rules().table(3);
    let view = at.join("view.json");
    fs::write(&view, table.asked().expect("a decision").json().to_string()).expect("a view");
    let believed =
        |bot: &str| success(at, &["advise", bot, "--beliefs", "--json"], Some(&view))["beliefs"].clone();
    let (weighed, alike) = (believed("bot"), believed("scripted"));
    assert!(weighed["weighed"] == true && alike["weighed"].is_null());
    assert_ne!(weighed["seats"], alike["seats"]);
    fs::remove_file(at.join("bot/beliefs.safetensors")).expect("the model");
    let none = refusal(at, &["arena", "tahimi", "--bots", bots, "--deals", "4"]);
    assert!(none.contains("bot/beliefs.safetensors"), "{none}");
}

#[test]
fn a_judge_by_a_model_that_its_bot_has_not_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let played = cardsharp(at, &["play", "tachtigen", "--plain", "--seed", "1", "--trace", "t.jsonl"], None);
    assert_eq!(played.status.code(), Some(3), "nobody types");
    let refused = refusal(at, &["review", "t.jsonl", "--by", "search:8:beliefs+tachtigen"]);
    assert!(refused.contains("tachtigen") && refused.contains("beliefs"), "{refused}");
}

#[test]
fn bots_without_a_folder_need_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = refusal(folder.path(), &["beliefs", "scripted", "--game", "dalmuti"]);
    assert!(refused.contains("--to is required: the bot has no folder"), "{refused}");
    let refused = refusal(folder.path(), &["beliefs", "scripted", "--to", "x"]);
    assert!(refused.contains("--game is required: "), "{refused}");
}
