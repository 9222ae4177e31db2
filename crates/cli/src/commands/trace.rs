//! `cardsharp trace GAME`.

use cardsharp_bot::Bot;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable};

use crate::args::{GameArg, RulesArgs, ThinkingArgs};
use crate::bots;
use crate::error::CliError;
use crate::output::Output;
use crate::recording::lines::{FORMAT, Header, Line, problem_of_bots};
use crate::recording::{Recorder, record};

/// Print a session as JSON lines with complete information.
///
/// Header, deals, chance, decisions and payoffs, one a line, as `docs/trace.md` documents them.
/// `cardsharp replay` checks such a trace.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp trace dalmuti --bots scripted --seed 7 --rounds 3 > game.jsonl
  cardsharp trace dalmuti --bots scripted,random --players 6 --rules configs/rules/dalmuti-house.toml")]
pub(crate) struct Trace {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// Who plays, from seat 0 on; repeated until every seat is taken
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', default_value = "scripted")]
    bots: Vec<String>,
    /// The seed of seating, deals and chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Rounds in the session
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u32,
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Trace {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        let rules = self.rules.resolve(game, Some(self.rounds))?;
        let mut table = rules.table(self.seed);
        let names = bots::around(&self.bots, table.seats());
        if let Some(expected) = problem_of_bots(&names, table.seats()) {
            return Err(CliError::Option { option: "--bots", given: self.bots.join(","), expected });
        }
        let bots = bots::open_all(&names, game, &self.thinking.means(0.0, 0), self.seed)?;
        out.json_line(&Line::Header(Header {
            format: FORMAT,
            game: game.name().to_owned(),
            players: table.seats(),
            rules: rules.json().clone(),
            seed: self.seed,
            bots: names,
        }))?;
        record(table.as_mut(), &mut Writer { out, bots })
    }
}

/// Asks the bots and prints the lines.
struct Writer<'o> {
    out: &'o mut Output,
    bots: Vec<Box<dyn Bot>>,
}

impl Recorder for Writer<'_> {
    type Error = CliError;

    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, CliError> {
        let view = table.asked().ok_or(MoveError::RoundOver)?;
        Ok(self.bots[view.seat().index()].pick(view))
    }

    fn line(&mut self, line: &Line) -> Result<(), CliError> {
        self.out.json_line(line)
    }
}
