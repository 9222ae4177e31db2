use cardsharp_bot::bots::BUILT_IN;
use cardsharp_env::blocks::width;
use serde_json::json;

use crate::error::CliError;
use crate::output::Output;
use crate::tables;

/// List the games.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cardsharp games\n  cardsharp games --all --json")]
pub(crate) struct Games {
    /// Include the reference games: small games with known solutions, to test learning algorithms
    #[arg(long)]
    all: bool,
}

impl Games {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let games = || crate::games::all().iter().filter(|game| self.all || !game.is_reference());
        if out.json {
            let games = games().map(|game| {
                json!({
                    "game": game.name(),
                    "title": game.title(),
                    "players": [game.players().start(), game.players().end()],
                    "encoding": game.encoding(),
                    "actions": width(game.actions()),
                    "cells": width(game.observation()),
                    "reference": game.is_reference(),
                })
            });
            return out.json_page(&games.collect::<Vec<_>>());
        }
        let rows = games().map(|game| {
            let players = format!("{}–{}", game.players().start(), game.players().end());
            let (actions, cells) = (width(game.actions()), width(game.observation()));
            vec![game.name().into(), game.title().into(), players, actions.to_string(), cells.to_string()]
        });
        out.line(tables::table(
            &["game", "title", "players", "actions", "observation cells"],
            &[2, 3, 4],
            rows,
        ))?;
        out.line(format!("Bots for all games: {}", BUILT_IN.join(", ")))?;
        out.line("Options, actions and observations of a game: cardsharp describe GAME")
    }
}
