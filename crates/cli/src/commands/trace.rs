use cardsharp_env::trace::problem_of_bots;
use cardsharp_env::{Audience, Seat};

use crate::args::{DealArgs, GameArg, RulesArgs, ThinkingArgs, ToArg};
use crate::bots;
use crate::error::CliError;
use crate::output::Output;
use crate::recording;

/// Play a session between bots and print its trace, or one seat's event log, as JSON lines.
///
/// A trace has a header, deals, chance events, decisions and payoffs, one a line; `cardsharp replay` checks it. With --seat
/// or --spectator, the output is an event log with the information of that seat or of spectators. `cardsharp observe` and
/// `cardsharp advise` read event logs.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp trace dalmuti --bots scripted --seed 7 --rounds 3 > game.jsonl
  cardsharp trace dalmuti --bots scripted,random --players 6 --rules house
  cardsharp trace taki --seat 2 --seed 7 > seat2.jsonl
  cardsharp trace tachtigen --deal deal.json > game.jsonl

More: ", docs!("trace.html"), " and ", docs!("protocol.html")))]
pub(crate) struct Trace {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The bots from seat 0 on, repeated to fill all seats
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', default_value = "scripted")]
    bots: Vec<String>,
    /// Seed of seating, deals and chance events
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Rounds in the session [default: from --set or --rules, otherwise 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Print the event log of this seat, counted from 0
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Print the event log of spectators, with public information only
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
        let names = bots::around(&bots::all_resolved(&self.bots, game), table.seats());
        if let Some(expected) = problem_of_bots(&names, table.seats()) {
            return Err(CliError::Option { option: "--bots", given: self.bots.join(","), expected });
        }
        let bots = bots::open_all(&names, game, &self.thinking.means(0.0, 0)?, self.seed)?;
        let to = self.audience(table.seats())?;
        recording::play(table.as_mut(), to, names, bots, |line| out.json_line(line))
    }

    /// Returns the audience of the output: one seat, spectators or the referee.
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
