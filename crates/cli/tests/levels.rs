//! Levels of a bot: measured, written, and played.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::{cardsharp, success};
use cardsharp_bot::bundle::{self, Extras, vectors};
use serde_json::Value;

fn refusal(folder: &Path, words: &[&str]) -> String {
    let output = cardsharp(folder, words, None);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a bundle of the shipped Dalmuti bot, without levels.
fn copy(folder: &Path) -> PathBuf {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/dalmuti/bot/bot.safetensors");
    let bot = folder.join("checkpoints/dalmuti/bot");
    let (header, net) = cardsharp_bot::file::read(&shipped).expect("the bot");
    bundle::export(&cardsharp_env::Games::shipped(), &header, &net, &Extras::default(), &bot)
        .expect("a bundle");
    bot
}

#[test]
fn levels_are_measured_and_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, bot) = (folder.path(), copy(folder.path()));
    let name = "checkpoints/dalmuti/bot";
    let unmeasured = refusal(at, &["play", "dalmuti", "--against", name, "--level", "3"]);
    assert!(unmeasured.contains("measure the levels with `cardsharp levels BOT`"), "{unmeasured}");

    let [few, again] = ["1", "3"].map(|threads| {
        cardsharp(at, &["levels", name, "--deals", "20", "--playouts", "2", "--threads", threads], None)
    });
    assert_eq!((few.status.code(), &few.stdout), (Some(1), &again.stdout), "on any number of threads");
    let few = String::from_utf8_lossy(&few.stderr).into_owned();
    assert!(few.contains("were not written") && few.contains("--deals 20 are too few: use about "), "{few}");
    assert!(!bot.join("levels.json").exists());

    let measure = ["levels", name, "--deals", "800", "--playouts", "0", "--json"];
    let found = success(at, &measure, None);
    let file = fs::read(bot.join("levels.json")).expect("levels");
    assert_eq!(found, serde_json::from_slice::<Value>(&file).expect("JSON"));
    let kept = refusal(at, &measure);
    assert!(kept.contains("levels.json already exists and holds levels: pass --overwrite"), "{kept}");
    fs::write(at.join("mine.json"), "").expect("a file");
    let kept = refusal(at, &[&measure[..], &["--to", "mine.json"]].concat());
    assert!(kept.contains("mine.json already exists and holds levels"), "{kept}");
    let levels = found["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 10);
    let temperature = |level: &Value| level["temperature"].as_f64().expect("a number");
    assert!(levels.is_sorted_by(|a, b| temperature(a) >= temperature(b)), "{levels:?}");
    // The ratings of distant levels hardly depend on luck.
    let rating = |level: usize, end: &str| levels[level - 1]["rating"][end].as_f64().expect("a number");
    assert!(rating(1, "high") < rating(6, "low") && rating(5, "high") < rating(10, "low"));
    assert_eq!(found["others"][0]["name"], "scripted");

    success(at, &["verify", name, "--json"], None);
    let bots = format!("{name}@2,{name}@9");
    let arena = success(at, &["arena", "dalmuti", "--bots", &bots, "--deals", "30", "--json"], None);
    assert!(arena["bots"][0]["place_score"]["high"].as_f64().expect("a number") < 0.0);

    // A weak level is less sure of its move.
    let view = at.join("view.json");
    let packed = fs::read(bot.join(vectors::FILE)).expect("vectors");
    fs::write(&view, vectors::lines(&packed).next().expect("a line").expect("text")).expect("a file");
    let sure = |more: &[&str]| {
        let advice = success(at, &[&["advise", name, "--json"], more].concat(), Some(&view));
        advice["moves"][0]["probability"].as_f64().expect("a number")
    };
    assert!(sure(&["--level", "1"]) < sure(&["--level", "9"]));

    let played = cardsharp(at, &["play", "dalmuti", "--against", name, "--level", "4", "--seed", "1"], None);
    // There is no input, so it ends before the session does.
    assert_eq!(played.status.code(), Some(3), "{}", String::from_utf8_lossy(&played.stderr));

    // From now on, the levels are part of the bundle.
    let text = String::from_utf8(file).expect("text");
    let changed = text.replacen("\"deals\": 800", "\"deals\": 801", 1);
    fs::write(bot.join("levels.json"), changed).expect("a file");
    let said = cardsharp(at, &["verify", name], None);
    assert_eq!(said.status.code(), Some(1));
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("levels.json: it was changed after it was written"), "{said}");
    fs::write(bot.join("levels.json"), text).expect("a file");
    let kept = at.join("kept");
    success(at, &["export", name, "--to", &kept.display().to_string(), "--json"], None);
    assert_eq!(fs::read(kept.join("levels.json")).ok(), fs::read(bot.join("levels.json")).ok());

    // A new network does not keep the levels of the old one.
    let other = copy(&at.join("other"));
    success(at, &["export", &other.display().to_string(), "--to", name, "--json"], None);
    assert!(!bot.join("levels.json").exists());
}

#[test]
fn what_has_no_levels_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    copy(at);
    let play = |more: &[&str]| refusal(at, &[&["play", "dalmuti"], more].concat());
    assert!(play(&["--against", "scripted", "--level", "3"]).contains("`scripted` has no levels"));
    assert!(play(&["--level", "11"]).contains("11 is not in 1..=10"));
    assert!(play(&["--against", "checkpoints/dalmuti/bot@0"]).contains("levels.json"));
    let advise = refusal(at, &["advise", "checkpoints/dalmuti/bot", "--level", "2", "--temperature", "2"]);
    assert!(advise.contains("cannot be used with"), "{advise}");
    assert!(refusal(at, &["levels", "nowhere"]).contains("nowhere"));
}
