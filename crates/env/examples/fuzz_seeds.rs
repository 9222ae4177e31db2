//! Writes what the targets of `fuzz/` begin with, in a folder for each; `.ci/fuzz` runs it.
//!
//! Random bytes hardly ever become a view; a true one that was changed often nearly is.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use cardsharp_env::{Draw, GAMES};

/// Sessions of each game from which views are taken.
const SESSIONS: u64 = 12;

/// An endgame of TAKI and its rules.
const ENDGAME: &str =
    r#"[{"players": 2, "max_decisions": 3}, {"top": "R5", "unseen": "R1 R3 Rtaki Rstop B1 B1", "hand": 2}]"#;

fn main() -> Result<(), Box<dyn Error>> {
    let to = std::env::args_os().nth(1).map(PathBuf::from).ok_or("expected a folder to write to")?;
    for game in GAMES.iter() {
        for seed in 0..SESSIONS {
            let name = format!("{}-{seed}", game.name());
            let rules = game.random_rules(seed);
            write(&to.join("rules"), &name, rules.to_string().as_bytes())?;
            let mut table = rules.table(seed);
            let mut draw = Draw::new(seed, 0);
            for step in 0.. {
                let Some(view) = table.asked() else { break };
                if draw.below(12) == 0 {
                    let view = view.json().to_string();
                    write(&to.join("views"), &format!("{name}-{step}"), view.as_bytes())?;
                }
                table.try_play(draw.pick(&table.legal()))?;
            }
        }
    }
    write(&to.join("endgames"), "taki", ENDGAME.as_bytes())?;
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}
