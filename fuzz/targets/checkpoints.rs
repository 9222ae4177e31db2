//! The files of a checkpoint, one of them changed: refused by its name, or a state that survives its files.
//!
//! The input says which file, from which place on, and what stands there instead. Without a place for it the
//! whole file is replaced.

#![no_main]

use std::sync::LazyLock;

use cardsharp_bot::file::Header;
use cardsharp_env::AnyGame;
use cardsharp_trainer::checkpoint::Files;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::state::TrainState;
use libfuzzer_sys::fuzz_target;

/// A small run at its beginning.
static RUN: LazyLock<(Config, &dyn AnyGame, Header, Files)> = LazyLock::new(|| {
    let text = "game = \"kuhn\"\nnet.hidden = [4]\nnet.critic = [4]";
    let config = Config::parse("run.toml", text, &[]).expect("a valid configuration");
    let game = config.game().expect("a game of the list");
    let state = TrainState::new(&config, game);
    let header = state.header(&config, game, &[]);
    let files = state.to_files(&header).expect("files");
    (config, game, header, files)
});

fuzz_target!(|bytes: &[u8]| {
    let [which, high, low, new @ ..] = bytes else { return };
    let (config, game, header, files) = &*RUN;
    let mut files = files.clone();
    let name = files.keys().nth(usize::from(*which) % files.len()).expect("a file").clone();
    let file = files.get_mut(&name).expect("it is there");
    match usize::from(u16::from_be_bytes([*high, *low])) {
        from if from < file.len() => {
            let to = (from + new.len()).min(file.len());
            file.splice(from..to, new.iter().copied());
        }
        _ => *file = new.to_vec(),
    }
    match TrainState::from_files(config, *game, &files) {
        Ok(state) => {
            let again = state.to_files(header).expect("files");
            let again = TrainState::from_files(config, *game, &again).expect("they were written");
            assert_eq!(again.counts, state.counts);
        }
        Err(error) => assert!(error.to_string().contains(&name), "{name}: {error}"),
    }
});
