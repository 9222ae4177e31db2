//! `cardsharp trace GAME`.

use cardsharp_env::trace::problem_of_bots;
use cardsharp_env::{Audience, Seat};

use crate::args::{DealArgs, GameArg, RulesArgs, ThinkingArgs, ToArg};
use crate::bots;
use crate::error::CliError;
use crate::output::Output;
use crate::recording::played;

/// Print a session as JSON lines: all of it, or what one seat may know.
///
/// Header, deals, chance, decisions and payoffs, one a line, as `docs/trace.md` documents them; `cardsharp
/// replay` checks such a trace. With --seat or --spectator the lines are those of a seat's record
/// (`docs/protocol.md`), as `cardsharp observe` and `cardsharp advise` read them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp trace dalmuti --bots scripted --seed 7 --rounds 3 > game.jsonl
  cardsharp trace dalmuti --bots scripted,random --players 6 --rules configs/rules/dalmuti-house.toml
  cardsharp trace taki --seat 2 --seed 7 > seat2.jsonl
  cardsharp trace tachtigen --deal deal.json > game.jsonl")]
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
    /// Rounds in the session [default: as --set or --rules say, else 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Print the record of this seat, from 0: what it may know, as it happens
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Print what everybody sees
    #[arg(long, conflicts_with = "seat")]
    spectator: bool,
    #[command(flatten)]
    deal: DealArgs,
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    pub(crate) to: ToArg,
}

impl Trace {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        let rules = self.rules.resolve_short(game, self.rounds)?;
        let mut table = self.deal.table(&rules, self.seed)?;
        if self.bots.len() > table.seats() {
            let expected = format!("expected at most {} bots, one for each seat", table.seats());
            return Err(CliError::Option { option: "--bots", given: self.bots.join(","), expected });
        }
        let names = bots::around(&self.bots, table.seats());
        if let Some(expected) = problem_of_bots(&names, table.seats()) {
            return Err(CliError::Option { option: "--bots", given: self.bots.join(","), expected });
        }
        let bots = bots::open_all(&names, game, &self.thinking.means(0.0, 0)?, self.seed)?;
        let to = self.audience(table.seats())?;
        played::play(table.as_mut(), to, names, bots, |line| out.json_line(line))
    }

    /// Who is told.
    fn audience(&self, seats: usize) -> Result<Audience, CliError> {
        match self.seat {
            Some(seat) if usize::from(seat) >= seats => {
                let expected = format!("expected 0 to {}", seats - 1);
                Err(CliError::Option { option: "--seat", given: seat.to_string(), expected })
            }
            Some(seat) => Ok(Audience::Seat(Seat(seat))),
            None if self.spectator => Ok(Audience::Everybody),
            None => Ok(Audience::Referee),
        }
    }
}
