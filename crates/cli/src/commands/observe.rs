use std::path::{Path, PathBuf};

use cardsharp_env::{AnyObserver, SeatView, mask};
use serde_json::{Value, json};

use crate::args::{GameArg, ToArg};
use crate::error::CliError;
use crate::output::Output;
use crate::position_input::EventLines;

/// Convert a seat's event log into its view.
///
/// `cardsharp trace --seat` prints event logs, and front ends write their own. The view is that of the end of the event
/// log, or of every decision of the seat with --each. An event that the rules do not allow is refused, with its line
/// number and the reason.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp trace taki --seat 2 --seed 7 | cardsharp observe taki --each
  cardsharp observe dalmuti game.jsonl --row

More: ", docs!("protocol.html")))]
pub(crate) struct Observe {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The event log; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Print a view for every decision of the seat instead of one for the end of the event log
    #[arg(long)]
    each: bool,
    /// Also print the observation row, and the ids and labels of the legal actions
    #[arg(long)]
    row: bool,
    #[command(flatten)]
    pub(crate) to: ToArg,
}

impl Observe {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let mut log = EventLines::open(Path::new(&self.file))?;
        let mut observer = log.begin(self.game.0)?;
        while let Some(line) = log.next()? {
            observer.hear(&line)?;
            if self.each && line["line"] == "turn" {
                let shown = self.shown(observer.as_mut())?;
                out.json_line(&shown)?;
            }
        }
        if self.each {
            return Ok(());
        }
        let shown = self.shown(observer.as_mut())?;
        out.json_line(&shown)
    }

    fn shown(&self, observer: &mut dyn AnyObserver) -> Result<Value, CliError> {
        let view = observer.view()?;
        Ok(if self.row { with_row(view) } else { view.json() })
    }
}

/// Returns a view with its observation row and its legal actions.
fn with_row(view: SeatView<'_>) -> Value {
    let mut row = vec![0; view.cells()];
    view.row(&mut row);
    let legal: Vec<_> = mask::actions(&view.legal_words()).collect();
    let labels: Vec<String> = legal.iter().map(|&action| view.label(action)).collect();
    json!({ "view": view.json(), "row": row, "actions": legal, "legal": labels })
}
