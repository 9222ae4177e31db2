//! Every reader says what is wrong with its input, or writing and reading the value again gives the same.

use std::fs;

use cardsharp_env::{Draw, GAMES};
use cardsharp_trainer::checkpoint;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::state::TrainState;
use serde_json::Value;

use super::damage::damaged;
use super::{cardsharp, said, told, trained, tries};

#[test]
fn damaged_configurations_are_refused_or_read_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs");
    let mut texts: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).expect("configurations") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            texts.push(fs::read_to_string(path).expect("text"));
        }
    }
    texts.sort();
    let mut accepted = 0;
    for number in tries(3_000) {
        let mut draw = Draw::new(number, 2);
        let [one, other] = [0, 1].map(|_| &texts[draw.below(texts.len() as u32) as usize]);
        let bytes = damaged(one.as_bytes(), other.as_bytes(), &mut draw);
        let Ok(given) = String::from_utf8(bytes) else { continue };
        match Config::parse("damaged.toml", &given, &[]) {
            Ok(config) => {
                accepted += 1;
                let written = config.toml().expect("it has a TOML form");
                let again = Config::parse("written.toml", &written, &[]);
                let again = again.unwrap_or_else(|error| panic!("text {number}: {error}\n{written}"));
                assert_eq!(again.toml().as_ref(), Ok(&written), "text {number}");
            }
            Err(error) => assert!(error.to_string().starts_with("damaged.toml:"), "text {number}: {error}"),
        }
    }
    println!("{accepted} accepted");
    assert!(accepted > 100);
}

/// The manifest lists the damaged files.
#[test]
fn damaged_states_of_training_are_refused_or_survive_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    trained(&run);
    let config = RunFolder::config(&run).expect("a configuration");
    let game = config.game().expect("a game of the list");
    let mut whole = checkpoint::read(&run.join("checkpoints/00000004")).expect("a checkpoint").files;
    // These files belong to the run folder, not to the state.
    whole.retain(|name, _| !["run.toml", "metrics.blake3"].contains(&name.as_str()));
    let state = TrainState::from_files(&config, game, &whole).expect("a state");
    let header = state.header(&config, game, &[]);
    for number in tries(200) {
        for name in whole.keys() {
            let mut draw = Draw::new(number, 3);
            let mut files = whole.clone();
            files.insert(name.clone(), damaged(&whole[name], &whole["state.json"], &mut draw));
            match TrainState::from_files(&config, game, &files) {
                Ok(state) => {
                    let files = state.to_files(&header).expect("files");
                    let again = TrainState::from_files(&config, game, &files).map(|state| state.counts);
                    assert_eq!(again.ok(), Some(state.counts), "{name}, damage {number}");
                }
                Err(error) => assert!(error.to_string().contains(name), "{name}, damage {number}: {error}"),
            }
        }
    }
}

#[test]
fn damaged_traces_are_refused_or_say_the_same() {
    let read = |text: &[u8]| -> Option<Vec<Value>> {
        let text = std::str::from_utf8(text).ok()?;
        text.lines().map(|line| serde_json::from_str(line).ok()).collect()
    };
    let traces: Vec<Vec<u8>> = GAMES
        .iter()
        .map(|game| {
            let words = ["trace", game.name(), "--bots", "random", "--rounds", "1", "--seed", "3"];
            said(&cardsharp(&words), game.name()).expect("a trace")
        })
        .collect();
    for number in tries(20) {
        for (trace, game) in traces.iter().zip(GAMES.iter()) {
            let mut draw = Draw::new(number, 4);
            let other = &traces[draw.below(traces.len() as u32) as usize];
            let given = damaged(trace, other, &mut draw);
            let what = format!("{}, damage {number}", game.name());
            if said(&told(&["replay", "-"], &given), &what).is_ok() {
                assert_eq!(read(&given), read(trace), "{what}");
            }
        }
    }
}
