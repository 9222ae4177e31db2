//! One person and some bots around a table.

use cardsharp_bot::{Advice, Bot};
use cardsharp_env::games::AnyGame;
use cardsharp_env::{ActionId, AnyTable, Payoff, Seat};
use serde::Serialize;
use serde_json::{Value, json};

use super::prompt::{HELP, Wish, is_piped, read, understand};
use super::words::{columns, ordinal};
use crate::answer::Answer;
use crate::error::CliError;
use crate::live::Lane;
use crate::output::Output;
use crate::tables;

/// The line of a hint.
#[derive(Serialize)]
struct Hint {
    line: &'static str,
    #[serde(flatten)]
    answer: Answer,
}

/// Who sits around the table.
pub(super) struct Company {
    /// The person's seat.
    pub(super) me: Seat,
    /// Per seat; none where the person sits.
    pub(super) bots: Vec<Option<Box<dyn Bot>>>,
    /// Per seat: how the bots were named.
    pub(super) names: Vec<String>,
    /// Who gives hints.
    pub(super) adviser: Box<dyn Bot>,
}

/// A session in play.
pub(super) struct Parlour<'o> {
    out: &'o mut Output,
    game: &'static dyn AnyGame,
    table: Box<dyn AnyTable>,
    lane: Lane,
    company: Company,
    /// Every move of the session so far.
    moves: Vec<ActionId>,
    /// How many moves had been made at each decision of the person.
    mine: Vec<usize>,
    /// What each finished round was worth.
    payoffs: Vec<Payoff>,
}

impl<'o> Parlour<'o> {
    /// A session that has just begun at `table`, and beside it in `lane`.
    pub(super) fn new(
        out: &'o mut Output,
        game: &'static dyn AnyGame,
        table: Box<dyn AnyTable>,
        lane: Lane,
        company: Company,
    ) -> Self {
        Self { out, game, table, lane, company, moves: Vec::new(), mine: Vec::new(), payoffs: Vec::new() }
    }

    /// Plays until the session is over or the person leaves.
    pub(super) fn run(mut self) -> Result<(), CliError> {
        loop {
            match self.table.turn() {
                Some(seat) if seat == self.company.me => {
                    if !self.my_move()? {
                        return if self.out.json { Ok(()) } else { self.out.line("You left the table.") };
                    }
                }
                Some(seat) => self.their_move(seat)?,
                None => {
                    self.scores()?;
                    if !self.table.deal_next() {
                        return self.farewell();
                    }
                }
            }
        }
    }

    /// False if the person leaves.
    fn my_move(&mut self) -> Result<bool, CliError> {
        let legal = self.table.legal();
        if let [only] = legal[..] {
            self.play(self.company.me, only)?;
            return Ok(true);
        }
        self.show(&legal)?;
        loop {
            if !self.out.json {
                self.out.text("Your move: ")?;
            }
            self.out.flush()?;
            let Some(line) = read()? else {
                if !self.out.json {
                    self.out.line("")?;
                }
                return Ok(false);
            };
            if !self.out.json && is_piped() {
                self.out.line(line.trim_end())?;
            }
            match understand(&line, self.table.as_ref(), &legal) {
                Wish::Move(action) => {
                    self.mine.push(self.moves.len());
                    self.play(self.company.me, action)?;
                    return Ok(true);
                }
                Wish::Undo if self.undo() => return Ok(true),
                Wish::Undo => self.say("undo", "There is no move of yours to take back.")?,
                Wish::Hint => self.hint()?,
                Wish::Show => self.show(&legal)?,
                Wish::Help => self.say("help", HELP)?,
                Wish::Quit => return Ok(false),
                Wish::Unclear(reason) => self.say("refused", &reason)?,
            }
        }
    }

    fn their_move(&mut self, seat: Seat) -> Result<(), CliError> {
        let Some(bot) = &mut self.company.bots[seat.index()] else { return Ok(()) };
        let action = self.lane.ask(bot.as_mut());
        self.play(seat, action)
    }

    /// Plays and tells a move, unless it is one that stays between a bot and the dealer.
    fn play(&mut self, seat: Seat, action: ActionId) -> Result<(), CliError> {
        let label = self.table.label(action);
        let (round, forced) = (self.table.round(), self.table.legal().len() == 1);
        self.table.try_play(action)?;
        self.lane.play(action);
        self.moves.push(action);
        if seat != self.company.me && !self.table.is_public(action) {
            return Ok(());
        }
        if self.out.json {
            return self
                .out
                .json_line(&json!({ "line": "move", "round": round, "seat": seat, "choice": label }));
        }
        let why = if forced && seat == self.company.me {
            self.out.dim("  (your only move)")
        } else {
            String::new()
        };
        let who = self.name(seat);
        self.out.line(format!("  {who:<24} {label}{why}"))
    }

    fn undo(&mut self) -> bool {
        let Some(then) = self.mine.pop() else { return false };
        while self.moves.len() > then {
            let round = self.table.round();
            if !self.table.undo() {
                break;
            }
            // A deal that was taken back is not a move.
            if self.table.round() == round {
                self.moves.pop();
            }
        }
        self.payoffs.truncate(self.table.round() as usize - 1);
        self.lane.restart();
        self.moves.iter().for_each(|&action| self.lane.play(action));
        true
    }

    fn show(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let labels: Vec<String> = legal.iter().map(|&a| self.table.label(a)).collect();
        let (mut picture, mut view) = (String::new(), Value::Null);
        let json = self.out.json;
        self.table.with_view(self.company.me, &mut |v| {
            if json {
                view = v.json();
            } else {
                picture = v.picture();
            }
        });
        if json {
            return self.out.json_line(&json!({
                "line": "turn", "round": self.table.round(), "seat": self.company.me, "phase": self.table.phase(),
                "legal": labels, "view": view,
            }));
        }
        self.out.line("")?;
        self.out.text(&picture)?;
        let phase = self.out.bold(format!("Your moves ({}):", self.table.phase()));
        self.out.line(phase)?;
        let columns = columns(&labels);
        self.out.text(columns)
    }

    fn hint(&mut self) -> Result<(), CliError> {
        let mut advice = None;
        self.table.with_view(self.company.me, &mut |view| {
            advice = Some(self.company.adviser.advise(self.game, view))
        });
        let Some(advice) = advice else { return Ok(()) };
        if self.out.json {
            let answer = Answer::new(|action| self.table.label(action), &advice);
            return self.out.json_line(&Hint { line: "hint", answer });
        }
        let Advice { moves, value } = advice;
        let best = moves.iter().take(3).filter(|m| m.probability >= 0.005);
        let best: Vec<String> = best
            .map(|m| format!("{} ({:.0} %)", self.table.label(m.action), 100.0 * m.probability))
            .collect();
        let value = value.map(|v| format!("; it expects {v:+.2}")).unwrap_or_default();
        self.out.line(format!("  {} would play {}{value}", self.company.adviser.name(), best.join(", or ")))
    }

    fn say(&mut self, line: &str, text: &str) -> Result<(), CliError> {
        if self.out.json {
            return self.out.json_line(&json!({ "line": line, "text": text }));
        }
        self.out.line(text)
    }

    fn scores(&mut self) -> Result<(), CliError> {
        let Some(payoff) = self.table.payoff() else { return Ok(()) };
        self.payoffs.push(payoff);
        let round = self.table.round();
        if self.out.json {
            return self.out.json_line(&crate::recording::lines::Line::payoff(round, &payoff));
        }
        let mut seats: Vec<usize> = (0..self.table.seats()).filter(|&s| payoff.place[s] != 0).collect();
        seats.sort_by_key(|&s| payoff.place[s]);
        let rows = seats.into_iter().map(|s| {
            let who = self.name(Seat(s as u8));
            vec![payoff.place[s].to_string(), who, payoff.points[s].to_string(), self.total(s).to_string()]
        });
        let rows: Vec<_> = rows.collect();
        let title = self.out.bold(format!("\nRound {round} is over"));
        self.out.line(title)?;
        self.out.line(tables::table(&["place", "player", "points", "total"], &[0, 2, 3], rows))
    }

    fn farewell(&mut self) -> Result<(), CliError> {
        if self.out.json {
            let totals: Vec<i32> = (0..self.table.seats()).map(|s| self.total(s)).collect();
            return self.out.json_line(&json!({ "line": "end", "points": totals }));
        }
        let mine = self.total(self.company.me.index());
        let ahead = (0..self.table.seats()).filter(|&s| self.total(s) > mine).count();
        let rounds = self.payoffs.len();
        let session = if rounds == 1 { "one round".to_owned() } else { format!("{rounds} rounds") };
        self.out.line(format!(
            "After {session} you have {mine} points: {} of {}.",
            ordinal(ahead + 1),
            self.table.seats()
        ))
    }

    fn total(&self, seat: usize) -> i32 {
        self.payoffs.iter().map(|p| p.points[seat]).sum()
    }

    fn name(&self, seat: Seat) -> String {
        if seat == self.company.me {
            "you".to_owned()
        } else {
            format!("seat {} ({})", seat.0, self.company.names[seat.index()])
        }
    }
}
