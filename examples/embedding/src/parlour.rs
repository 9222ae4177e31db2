//! A running session. The person sees three things, none of which has hidden cards: the seat's view as text, public
//! moves and the person's own moves, and payoffs. (`AnyTable::events` and `describe_deal` have all cards. They are for
//! traces, not for players.)

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use cardsharp_bot::Bot;
use cardsharp_env::{ActionId, AnyTable, GameRules, Seat};
use serde_json::json;

/// One person and some bots around a table.
pub struct Parlour {
    pub rules: GameRules,
    pub seed: u64,
    pub table: Box<dyn AnyTable>,
    pub me: Seat,
    /// The bot of each seat. In the person's seat it makes forced moves, and continues after the end of the input.
    pub bots: Vec<Box<dyn Bot>>,
    pub adviser: Box<dyn Bot>,
    /// Whether the bot in the person's seat makes all moves.
    pub auto: bool,
    /// The file that the session is written to when it is over.
    pub record: Option<PathBuf>,
    /// All steps that the table can undo: moves, and deals as `None`.
    pub steps: Vec<Option<ActionId>>,
    /// The number of steps before each choice of the person.
    pub choices: Vec<usize>,
}

impl Parlour {
    /// Plays until the session is over or the person leaves.
    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        for (seat, bot) in self.bots.iter().enumerate() {
            let name = if seat == self.me.index() { "you" } else { bot.name() };
            writeln!(out, "  seat {seat}: {name}")?;
        }
        loop {
            match self.table.asked() {
                Some(view) if view.seat() == self.me && !self.auto && self.table.legal().len() > 1 => {
                    if !self.ask(input, out)? {
                        return writeln!(out, "You left the table.");
                    }
                }
                Some(view) => {
                    let action = self.bots[view.seat().index()].pick(view);
                    self.make(action, out)?;
                }
                None => {
                    self.payoff(out)?;
                    if !self.table.deal_next() {
                        return writeln!(out, "The session is over; its seed was {}.", self.seed);
                    }
                    self.steps.push(None);
                }
            }
        }
    }

    /// Shows the view, reads a command, and carries it out. Returns false if the person leaves.
    fn ask(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let legal = self.table.legal();
        let labels = legal.iter().zip(1..).map(|(&action, n)| format!("  #{n} {}", self.table.label(action)));
        let picture = self.table.asked().map(|view| view.picture()).unwrap_or_default();
        let labels = labels.collect::<String>();
        writeln!(out, "\n{picture}{}:{labels}", self.table.phase())?;
        write!(out, "Your move (or hint, undo, quit): ")?;
        out.flush()?;
        // The input may be endless or not UTF-8. Invalid bytes are replaced, which no name of a move contains.
        let mut line = Vec::new();
        if input.take(4096).read_until(b'\n', &mut line)? == 0 {
            self.auto = true;
            writeln!(out, "\nThe input has ended: the scripted player goes on for you.")?;
            return Ok(true);
        }
        let line = String::from_utf8_lossy(&line);
        let action = match line.trim() {
            "hint" => return self.hint(out).map(|()| true),
            "undo" if self.undo() => return Ok(true),
            "quit" => return Ok(false),
            text => match text.strip_prefix('#') {
                Some(n) => n.parse().ok().and_then(|n: usize| legal.get(n.checked_sub(1)?)).copied(),
                None => self.table.parse(text),
            },
        };
        if let Some(action) = action.filter(|action| legal.contains(action)) {
            self.choices.push(self.steps.len());
            self.make(action, out)?;
        } else {
            // Escaped, because a terminal obeys control characters. The loop then asks again.
            writeln!(out, "  {:?} cannot be done now.", line.trim())?;
        }
        Ok(true)
    }

    /// Makes a move, and prints it if the person may see it.
    fn make(&mut self, action: ActionId, out: &mut dyn Write) -> io::Result<()> {
        // The label must be read before the move, because the next round may have another card notation.
        let (seat, label) = (self.table.turn(), self.table.label(action));
        self.table.try_play(action).map_err(io::Error::other)?;
        self.steps.push(Some(action));
        match seat {
            Some(seat) if seat == self.me => writeln!(out, "  you: {label}"),
            Some(seat) if self.table.is_public(action) => writeln!(out, "  seat {}: {label}", seat.0),
            _ => Ok(()),
        }
    }

    /// Prints the three best moves of the adviser, which gets the view of the person's seat.
    fn hint(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(view) = self.table.asked() else { return Ok(()) };
        let advice = self.adviser.advise(view);
        advice.moves.iter().take(3).try_for_each(|ranked| {
            writeln!(out, "  {:3.0} % {}", 100.0 * ranked.probability, self.table.label(ranked.action))
        })
    }

    /// Undoes the person's last choice and all steps after it. Returns false if there is none.
    fn undo(&mut self) -> bool {
        let Some(then) = self.choices.pop() else { return false };
        self.steps.drain(then..).all(|_| self.table.undo().is_some())
    }

    /// Prints the payoffs of the round.
    fn payoff(&self, out: &mut dyn Write) -> io::Result<()> {
        let payoff = self.table.payoff().unwrap_or_default();
        writeln!(out, "\nRound {} is over.", self.table.round())?;
        // A seat that sat the round out has no place.
        for seat in (0..self.table.seats()).filter(|&seat| payoff.place[seat] != 0) {
            let who = if seat == self.me.index() { "you".to_owned() } else { format!("seat {seat}") };
            writeln!(out, "  {who}: place {}, {} points", payoff.place[seat], payoff.points[seat])?;
        }
        Ok(())
    }

    /// Writes the session to its file. Rules, seed and actions determine all of it, also the hidden cards. The version
    /// of the encoding defines the meaning of the action ids.
    pub fn write(&self) -> io::Result<()> {
        let Some(path) = &self.record else { return Ok(()) };
        let (game, actions) = (self.rules.game(), self.steps.iter().flatten().collect::<Vec<_>>());
        let record = json!({
            "game": game.name(), "encoding": game.encoding(), "rules": self.rules, "seed": self.seed,
            "actions": actions,
        });
        let named = |problem| io::Error::other(format!("{}: {problem}", path.display()));
        std::fs::write(path, record.to_string()).map_err(named)
    }
}
