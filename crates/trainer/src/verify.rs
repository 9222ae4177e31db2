//! Holds a bundle against itself and against the game as it is now: what a bundle says must be what
//! this build computes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::bots::levels::{self, LevelError, Levels};
use cardsharp_bot::file::{self, FileError};
use cardsharp_bot::net::{Net, Scratch};
use cardsharp_env::game::ViewError;
use cardsharp_env::{ActionId, AnyGame, Games, mask};
use serde::Serialize;
use serde_json::Value;

use crate::card::Contest;
use crate::export::{self, Misfit};
use crate::onnx;
use crate::vectors::{VECTORS, Vector, greedy, sparse};

/// The largest difference between a recorded logit or value and the computed one, absolute below 1
/// and relative above. The sum of a layer may be rounded differently by another build.
pub const TOLERANCE: f32 = 1e-6;

/// What was found in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The game.
    pub game: String,
    /// The version of its encoding.
    pub encoding: u32,
    /// Layer widths, from cells to actions.
    pub layers: Vec<usize>,
    /// Number of test vectors that agree.
    pub vectors: usize,
    /// The largest difference found, at most [`TOLERANCE`].
    pub difference: f32,
}

/// Checks every file of the bundle in `folder`, of a bot for one of `games`.
///
/// # Errors
/// The first thing that is missing, damaged or different, with its file and line.
pub fn verify(games: &Games, folder: &Path) -> Result<Report, VerifyError> {
    let weights = folder.join("bot.safetensors");
    let (header, net) = file::read(&weights).map_err(|error| {
        let reason = match error {
            FileError::Io { source, .. } => Reason::Read(source),
            other => Reason::Bot(other),
        };
        VerifyError::new(&weights, reason)
    })?;
    let game = export::fits(games, &header).map_err(|e| VerifyError::new(&weights, Reason::Misfit(e)))?;
    same_json(&folder.join("encoding.json"), &export::encoding(game))?;
    same_json(&folder.join("actions.json"), &export::actions(game))?;
    let model = folder.join("model.onnx");
    if read(&model)? != onnx::encode(&header, &net) {
        return Err(VerifyError::new(&model, Reason::Model));
    }
    let arena = folder.join("arena.json");
    serde_json::from_slice::<Vec<Contest>>(&read(&arena)?)
        .map_err(|e| VerifyError::new(&arena, Reason::Json(e)))?;
    if folder.join(levels::FILE).exists() {
        let found = Levels::read(folder).map_err(|e| VerifyError::new(folder, Reason::Levels(e)))?;
        if found.game != header.game {
            let (bot, levels) = (header.game, found.game);
            return Err(VerifyError::new(&folder.join(levels::FILE), Reason::OtherGame { bot, levels }));
        }
    }
    let card = folder.join("card.md");
    if read(&card)?.trim_ascii().is_empty() {
        return Err(VerifyError::new(&card, Reason::Empty));
    }

    let path = folder.join("vectors.jsonl");
    let text = String::from_utf8(read(&path)?).map_err(|_| VerifyError::new(&path, Reason::Text))?;
    let mut checker = Checker { game, net: &net, scratch: Scratch::default(), difference: 0.0 };
    let mut vectors = 0;
    for line in text.lines() {
        vectors += 1;
        checker.check(line).map_err(|reason| VerifyError {
            file: path.clone(),
            line: Some(vectors),
            reason: Box::new(reason),
        })?;
    }
    if vectors != VECTORS {
        return Err(VerifyError::new(&path, Reason::Count { found: vectors }));
    }
    let (game, encoding) = (header.game, header.encoding);
    Ok(Report { game, encoding, layers: header.layers, vectors, difference: checker.difference })
}

fn read(path: &Path) -> Result<Vec<u8>, VerifyError> {
    fs::read(path).map_err(|e| VerifyError::new(path, Reason::Read(e)))
}

fn same_json(path: &Path, now: &Value) -> Result<(), VerifyError> {
    let found: Value =
        serde_json::from_slice(&read(path)?).map_err(|e| VerifyError::new(path, Reason::Json(e)))?;
    match difference(&found, now, String::new()) {
        None => Ok(()),
        Some((place, found, now)) => Err(VerifyError::new(path, Reason::Differs { place, found, now })),
    }
}

/// The first place where two values differ, as a JSON pointer, with both contents.
fn difference(found: &Value, now: &Value, place: String) -> Option<(String, String, String)> {
    match (found, now) {
        (Value::Object(a), Value::Object(b)) => a.keys().chain(b.keys()).find_map(|key| {
            let (a, b) = (a.get(key), b.get(key));
            difference(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), format!("{place}/{key}"))
        }),
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|i| {
            let (a, b) = (a.get(i), b.get(i));
            difference(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), format!("{place}/{i}"))
        }),
        _ if found == now => None,
        _ => Some((place, found.to_string(), now.to_string())),
    }
}

struct Checker<'a> {
    game: &'static dyn AnyGame,
    net: &'a Net,
    scratch: Scratch,
    difference: f32,
}

impl Checker<'_> {
    fn check(&mut self, line: &str) -> Result<(), Reason> {
        let vector: Vector = serde_json::from_str(line).map_err(Reason::Json)?;
        let mut row = vec![0; self.net.scale.len()];
        let mut words = vec![0; self.game.words()];
        let read = self.game.view(&vector.view.to_string()).map_err(Reason::View)?;
        let view = read.view();
        view.row(&mut row);
        view.legal(&mut words);
        let legal: Vec<ActionId> = mask::actions(&words).collect();
        let names: Vec<String> = legal.iter().map(|&action| view.label(action)).collect();
        if vector.dense_row(row.len()).as_deref() != Some(row.as_slice()) {
            return Err(self.cell(&vector.row, &sparse(&row)));
        }
        if vector.legal != legal {
            return Err(Reason::Legal { found: self.labels(&vector.legal), now: self.labels(&legal) });
        }
        if vector.logits.len() != legal.len() {
            return Err(Reason::Logits { found: vector.logits.len(), now: legal.len() });
        }
        let mut logits = vec![0.0; self.net.policy.outputs];
        let value = self.net.forward(&row, &words, &mut self.scratch, &mut logits);
        self.close("value", vector.value, value)?;
        for ((action, name), found) in legal.iter().zip(&names).zip(&vector.logits) {
            self.close(&format!("logit of `{name}`"), *found, logits[usize::from(action.0)])?;
        }
        let best = greedy(&legal, &logits);
        let named = legal.iter().zip(&names).find(|(action, _)| Some(**action) == best);
        let best = named.map(|(_, name)| name.clone()).unwrap_or_default();
        if vector.best != best {
            return Err(Reason::Move { found: vector.best, now: best });
        }
        Ok(())
    }

    fn close(&mut self, what: &str, found: f32, now: f32) -> Result<(), Reason> {
        let difference = (found - now).abs() / now.abs().max(1.0);
        self.difference = self.difference.max(difference);
        // Written so that NaN is refused.
        if difference <= TOLERANCE {
            Ok(())
        } else {
            Err(Reason::Number { what: what.to_owned(), found, now })
        }
    }

    fn labels(&self, actions: &[ActionId]) -> String {
        let count = cardsharp_env::blocks::width(self.game.actions());
        let label = |a: &ActionId| match usize::from(a.0) < count {
            true => self.game.label(*a),
            false => format!("id {}", a.0),
        };
        actions.iter().map(label).collect::<Vec<_>>().join(" ")
    }

    /// The first cell in which two rows differ.
    fn cell(&self, found: &[(usize, u8)], now: &[(usize, u8)]) -> Reason {
        let same = found.iter().zip(now).take_while(|(a, b)| a == b).count();
        let cells = [found.get(same), now.get(same)];
        let cell = cells.iter().flatten().map(|(cell, _)| *cell).min().unwrap_or_default();
        let content =
            |entry: Option<&(usize, u8)>| entry.filter(|(at, _)| *at == cell).map_or(0, |(_, c)| *c);
        let block = self.game.observation().iter().find(|block| cell < block.end());
        let block = block.map_or_else(
            || "beyond the row".to_owned(),
            |block| format!("{}[{}]", block.name, cell - block.offset),
        );
        Reason::Cell { cell, block, found: content(cells[0]), now: content(cells[1]) }
    }
}

/// Why a bundle is refused, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {reason}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct VerifyError {
    /// The file at fault.
    pub file: PathBuf,
    /// Its line, from 1, where lines tell anything.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: Box<Reason>,
}

impl VerifyError {
    fn new(file: &Path, reason: Reason) -> Self {
        Self { file: file.to_owned(), line: None, reason: Box::new(reason) }
    }
}

/// What is wrong with a file of a bundle.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// The file is not UTF-8.
    #[error("it is not UTF-8 text")]
    Text,
    /// The file is not the JSON it should be.
    #[error("not what a bundle holds here: {0}")]
    Json(serde_json::Error),
    /// The levels are not what they should be.
    #[error("{0}")]
    Levels(LevelError),
    /// The levels are those of a bot for another game.
    #[error("levels of a bot for `{levels}` beside one for `{bot}`")]
    OtherGame {
        /// The bot's game.
        bot: String,
        /// That of the levels.
        levels: String,
    },
    /// The weights cannot be read.
    #[error(transparent)]
    Bot(FileError),
    /// The network does not fit the game.
    #[error(transparent)]
    Misfit(Misfit),
    /// A table differs from the game's own.
    #[error("{place} is {found}, but the game says {now}")]
    Differs {
        /// A JSON pointer.
        place: String,
        /// In the file.
        found: String,
        /// In the game.
        now: String,
    },
    /// The ONNX model holds another network.
    #[error("it is not the network of bot.safetensors; export the bundle again")]
    Model,
    /// The card is blank.
    #[error("it is empty")]
    Empty,
    /// Vectors are missing or too many.
    #[error("it holds {found} vectors; a bundle has {VECTORS}")]
    Count {
        /// Number of lines.
        found: usize,
    },
    /// The view of a vector is refused.
    #[error(transparent)]
    View(ViewError),
    /// A cell of a row.
    #[error("cell {cell} ({block}) is {found}, but the view encodes to {now}")]
    Cell {
        /// The cell.
        cell: usize,
        /// Its block and place in it.
        block: String,
        /// In the file.
        found: u8,
        /// By the game.
        now: u8,
    },
    /// The legal actions.
    #[error("the legal actions are {found}, but the view allows {now}")]
    Legal {
        /// In the file.
        found: String,
        /// By the game.
        now: String,
    },
    /// The number of logits.
    #[error("there are {found} logits for {now} legal actions")]
    Logits {
        /// In the file.
        found: usize,
        /// Legal actions.
        now: usize,
    },
    /// A logit or the value.
    #[error("the {what} is {found}, but the network computes {now}")]
    Number {
        /// Which number.
        what: String,
        /// In the file.
        found: f32,
        /// By the network.
        now: f32,
    },
    /// The move.
    #[error("the move is `{found}`, but the network prefers `{now}`")]
    Move {
        /// In the file.
        found: String,
        /// By the network.
        now: String,
    },
}
