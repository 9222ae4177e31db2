//! A session under way. The person is told three things, and no card that the seat may not know is in any of them:
//! the picture of the seat's own view, moves that everybody sees or that are the person's own, and payoffs.
//! (`AnyTable::events` and `describe_deal` know all cards: they are for records, not for people.)

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
    /// Who plays each seat; in the person's seat who makes forced moves and goes on at the end of the input.
    pub bots: Vec<Box<dyn Bot>>,
    pub adviser: Box<dyn Bot>,
    /// Whether the person's seat plays by itself.
    pub auto: bool,
    /// The file that the session is written to when it is over.
    pub record: Option<PathBuf>,
    /// All that the table can take back: moves, and deals (none).
    pub steps: Vec<Option<ActionId>>,
    /// How many steps there were at each choice of the person.
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

    /// Shows what the person may know and does what is typed; false if the person leaves.
    fn ask(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let legal = self.table.legal();
        let labels = legal.iter().zip(1..).map(|(&action, n)| format!("  #{n} {}", self.table.label(action)));
        let picture = self.table.asked().map(|view| view.picture()).unwrap_or_default();
        let labels = labels.collect::<String>();
        writeln!(out, "\n{picture}{}:{labels}", self.table.phase())?;
        write!(out, "Your move (or hint, undo, quit): ")?;
        out.flush()?;
        // Input is not trusted to end, or to be UTF-8: what is not is replaced, and so no move's name.
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
            // As a literal, because a terminal acts on control characters. The loop asks again.
            writeln!(out, "  {:?} cannot be done now.", line.trim())?;
        }
        Ok(true)
    }

    /// Makes a move and tells it, unless it stays between another player and the dealer.
    fn make(&mut self, action: ActionId, out: &mut dyn Write) -> io::Result<()> {
        // Before the move: the next round may call its cards otherwise.
        let (seat, label) = (self.table.turn(), self.table.label(action));
        self.table.try_play(action).map_err(io::Error::other)?;
        self.steps.push(Some(action));
        match seat {
            Some(seat) if seat == self.me => writeln!(out, "  you: {label}"),
            Some(seat) if self.table.is_public(action) => writeln!(out, "  seat {}: {label}", seat.0),
            _ => Ok(()),
        }
    }

    /// What the adviser thinks, who gets the view of the person's seat.
    fn hint(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(view) = self.table.asked() else { return Ok(()) };
        let advice = self.adviser.advise(view);
        advice.moves.iter().take(3).try_for_each(|ranked| {
            writeln!(out, "  {:3.0} % {}", 100.0 * ranked.probability, self.table.label(ranked.action))
        })
    }

    /// Takes back the person's last choice and all that followed; false if there was none.
    fn undo(&mut self) -> bool {
        let Some(then) = self.choices.pop() else { return false };
        self.steps.drain(then..).all(|_| self.table.undo().is_some())
    }

    /// What the round was worth.
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

    /// Writes the session to its file: rules, seed and actions are the whole of it, hidden cards included; the number
    /// of the encoding says what the ids of actions mean.
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
