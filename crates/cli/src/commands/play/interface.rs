//! The interface to the person: the full screen, lines, or JSON lines for a program.

use std::ops::ControlFlow::{self, Break, Continue};

use cardsharp_bot::Advice;
use cardsharp_bot::stats::percent;
use cardsharp_env::log::Line;
use cardsharp_env::rules::RosterChange;
use cardsharp_env::{ActionId, AnyTable, Payoff, Piece, Seat, SeatView, Teacher, teacher};
use cardsharp_text::escape::quoted;
use cardsharp_tui::{Choices, EXPLANATION, Message, RESULTS, RoundResults, ScreenLink, TableView, ascii};
use serde::Serialize;
use serde_json::json;

use super::players::Players;
use super::prompt::{Between, LineReader, Typist, help, is_piped};
use crate::bots::{AdviceJson, Failed};
use crate::commands::rules;
use crate::error::CliError;
use crate::games;
use crate::output::{Output, StyledText};
use crate::tables;
use crate::terminal::{width, wrapped};

pub(super) const NOTHING_TO_UNDO: &str = "You have no move to take back.";

/// Why a session ends before its last round is over.
#[derive(Copy, Clone)]
pub(super) enum Leaving {
    /// The person asked to leave.
    Asked,
    InputClosed,
}

/// Where the person sees the session and types.
pub(crate) enum Channel {
    Screen(ScreenLink),
    Lines(LineReader),
}

pub(crate) struct Interface<'o> {
    out: &'o mut Output,
    channel: Channel,
    /// Names cards and moves, and knows their colors.
    teacher: Option<Box<dyn Teacher>>,
}

/// The JSON line of a hint.
#[derive(Serialize)]
struct Hint {
    line: &'static str,
    #[serde(flatten)]
    advice: AdviceJson,
}

impl<'o> Interface<'o> {
    /// Creates the interface for a session of the game of this name.
    pub(crate) fn new(out: &'o mut Output, channel: Channel, game: &str) -> Self {
        Self { out, channel, teacher: teacher(game) }
    }

    /// Whether the output is JSON lines.
    pub(super) fn is_json(&self) -> bool {
        self.out.json
    }

    /// Returns who types: with `--json` a program.
    pub(super) fn typist(&self) -> Typist {
        if self.out.json { Typist::Program } else { Typist::Person }
    }

    /// Returns the next line that the person types; `None` at the end of the input.
    pub(crate) fn ask(&mut self, prompt: &str) -> Result<Option<String>, CliError> {
        let reader = match &self.channel {
            Channel::Screen(screen) => {
                self.out.flush()?;
                return Ok(screen.next_line());
            }
            Channel::Lines(reader) => reader,
        };
        if !self.out.json {
            self.out.text(prompt)?;
        }
        self.out.flush()?;
        let line = reader.next()?;
        match &line {
            _ if self.out.json => {}
            None => self.out.line("")?,
            Some(line) if is_piped() => self.out.line(quoted(line.trim_end()))?,
            Some(_) => {}
        }
        Ok(line)
    }

    /// Returns the error to exit with after a signal.
    pub(super) fn interrupted(&self) -> Option<CliError> {
        match &self.channel {
            Channel::Lines(reader) => reader.interrupted(),
            Channel::Screen(_) => None,
        }
    }

    /// Shows the position on the screen, if there is one. Breaks if the person has left it.
    pub(super) fn show_position(
        &mut self,
        table: &dyn AnyTable,
        players: &Players,
    ) -> Result<ControlFlow<()>, CliError> {
        let Channel::Screen(screen) = &self.channel else { return Ok(Continue(())) };
        self.out.flush()?;
        let scene = table.view(players.me).map(SeatView::scene);
        let names = (0..table.seats()).map(|seat| players.name(Seat(seat as u8))).collect();
        screen.send(Message::Position(Box::new(TableView { scene, names })));
        Ok(if screen.has_left() { Break(()) } else { Continue(()) })
    }

    /// Shows the position and the legal moves. Those that are not `listed` come last, or only on request.
    pub(crate) fn show_decision(
        &mut self,
        table: &dyn AnyTable,
        view: SeatView<'_>,
        legal: &[ActionId],
        listed: Vec<bool>,
    ) -> Result<(), CliError> {
        let labels: Vec<String> = legal.iter().map(|&action| table.label(action)).collect();
        if let Channel::Screen(screen) = &self.channel {
            self.out.flush()?;
            let (title, names) = ("Your move".to_owned(), self.names(&labels));
            screen.send(Message::Choices(Choices { title, labels, names, listed }));
            return Ok(());
        }
        if self.out.json {
            return self.out.json_line(&json!({
                "line": "turn", "round": table.round(), "seat": view.seat(), "phase": table.phase(),
                "legal": labels, "view": view.json(),
            }));
        }
        self.out.line("")?;
        self.show_picture(view)?;
        self.out.line(self.out.bold("Your moves:"))?;
        let names = (1..).zip(self.names(&labels));
        let numbered = names.zip(&listed).filter(|(_, listed)| **listed).map(|(name, _)| name);
        self.out.text(self.out.joined(columns(numbered, width())))?;
        match listed.iter().filter(|&&listed| !listed).count() {
            0 => Ok(()),
            more => self.out.line(format!("  and {more} more; type `more` to list them")),
        }
    }

    /// Shows the position as text.
    fn show_picture(&mut self, view: SeatView<'_>) -> Result<(), CliError> {
        const HAND: &str = "Your hand: ";
        for line in view.picture().lines() {
            match line.strip_prefix(HAND) {
                Some(_) => self.show_hand(HAND, view)?,
                None => self.out.line(self.in_words(line))?,
            }
        }
        Ok(())
    }

    /// Shows the cards of a hand in their groups.
    fn show_hand(&mut self, before: &str, view: SeatView<'_>) -> Result<(), CliError> {
        let Some(teacher) = &self.teacher else { return self.out.line(format!("{before}{}", view.hand())) };
        const GAP: &str = " | ";
        let mut pieces = vec![uncolored(before)];
        let mut used = before.len();
        for (at, group) in view.scene().hand.iter().enumerate() {
            let cards = teacher.hand_pieces(group);
            let wide: usize = cards.iter().map(|card| card.text.chars().count()).sum();
            if at > 0 && used + wide + GAP.len() > width() {
                pieces.push(uncolored(&format!("\n{:1$}", "", before.len())));
                used = before.len();
            } else if at > 0 {
                pieces.push(uncolored(GAP));
                used += GAP.len();
            }
            used += wide;
            pieces.extend(cards);
        }
        self.out.line(self.out.joined(pieces))
    }

    /// Returns moves in players' words.
    fn names(&self, labels: &[String]) -> Vec<Piece> {
        labels.iter().map(|label| self.name(label)).collect()
    }

    /// Returns a move in players' words.
    pub(crate) fn name(&self, label: &str) -> Piece {
        self.teacher.as_deref().map_or_else(|| uncolored(label), |teacher| teacher.move_piece(label))
    }

    /// Returns what a person typed, with the name of a legal move replaced by its number in the list. Short names come
    /// first.
    pub(crate) fn numbered(&self, line: String, table: &dyn AnyTable, legal: &[ActionId]) -> String {
        let text = line.trim();
        if self.out.json || text.is_empty() || table.parse(text).is_some() {
            return line;
        }
        let plain = |text: &str| text.chars().map(ascii).collect::<String>().to_lowercase();
        let is_named = |&action: &ActionId| plain(&self.name(&table.label(action)).text) == plain(text);
        legal.iter().position(is_named).map_or_else(|| line.clone(), |at| format!("#{}", at + 1))
    }

    /// Shows the choices between two rounds.
    pub(super) fn show_between(&mut self, round: u32, me: Seat, choices: &[Between]) -> Result<(), CliError> {
        let labels: Vec<String> = choices.iter().map(Between::to_string).collect();
        if let Channel::Screen(screen) = &self.channel {
            let (title, listed) = (format!("Before round {}", round + 1), vec![true; choices.len()]);
            let names = labels.iter().map(|label| uncolored(label)).collect();
            screen.send(Message::Choices(Choices { title, labels, names, listed }));
            return Ok(());
        }
        if self.out.json {
            return self
                .out
                .json_line(&json!({ "line": "between", "round": round, "seat": me, "legal": labels }));
        }
        self.out.line(self.out.bold(format!("Before round {}:", round + 1)))?;
        let names = labels.iter().map(|label| uncolored(label));
        self.out.text(self.out.joined(columns((1..).zip(names), width())))
    }

    /// Shows a move, and whether it was the person's only one.
    pub(super) fn show_move(
        &mut self,
        players: &Players,
        seat: Seat,
        label: &str,
        round: u32,
        forced: bool,
    ) -> Result<(), CliError> {
        if self.out.json {
            return self
                .out
                .json_line(&json!({ "line": "move", "round": round, "seat": seat, "choice": label }));
        }
        let (who, width) = (players.name(seat), players.name_width());
        let line = self.out.joined([uncolored(&format!("  {who:<width$}  ")), self.name(label)]);
        let only = forced && seat == players.me;
        self.out.line(if only { line.then(self.out.dim("  (your only move)")) } else { line })
    }

    /// Shows that a player joins or leaves before a round.
    pub(super) fn show_change(
        &mut self,
        players: &Players,
        change: RosterChange,
        round: u32,
    ) -> Result<(), CliError> {
        if self.out.json {
            let choice = Between::Change(change).to_string();
            return self.out.json_line(&json!({ "line": "change", "round": round, "choice": choice }));
        }
        let (seat, does, do_) = match change {
            RosterChange::Join(seat) => (seat, "joins", "join"),
            RosterChange::Leave(seat) => (seat, "leaves", "leave"),
        };
        let verb = if seat == players.me { do_ } else { does };
        let (who, width) = (players.name(seat), players.name_width());
        self.out.line(format!("  {who:<width$}  {verb} before round {round}"))
    }

    /// Shows the effects of a step, as texts.
    pub(super) fn show_effects(&mut self, effects: &[String]) -> Result<(), CliError> {
        self.paragraphs(effects, "    ")
    }

    /// Shows explanations that are new to the person, before a decision.
    pub(super) fn show_lessons(&mut self, texts: &[String]) -> Result<(), CliError> {
        if !texts.is_empty() {
            self.out.line("")?;
        }
        self.paragraphs(texts, EXPLANATION)
    }

    /// Explains a decision on request.
    pub(super) fn explain(&mut self, texts: &[String]) -> Result<(), CliError> {
        if self.out.json {
            return self.answer("explain", &texts.join("\n"));
        }
        if texts.is_empty() {
            return self.answer("explain", "There is no explanation for this decision.");
        }
        self.paragraphs(texts, EXPLANATION)
    }

    /// Lists all moves, grouped by kind, with the hand below.
    pub(super) fn list_moves(&mut self, table: &dyn AnyTable, legal: &[ActionId]) -> Result<(), CliError> {
        let labels: Vec<String> = legal.iter().map(|&action| table.label(action)).collect();
        if self.out.json {
            return self.out.json_line(&json!({ "line": "more", "legal": labels }));
        }
        self.out.text(self.in_words(&grouped(&labels, width())))?;
        let asked = table.asked().filter(|view| !view.hand().is_empty());
        asked.map_or(Ok(()), |view| self.show_hand("Your hand: ", view))
    }

    /// Shows the rules of the game, and of this table.
    pub(super) fn show_rules(&mut self, table: &dyn AnyTable) -> Result<(), CliError> {
        let (rules, game) = (table.rules(), games::game(table.game()));
        let Some(game) = game else { return Ok(()) };
        match (self.out.json, rules::markdown(game)) {
            (true, page) => self.answer("rules", page.unwrap_or_default()),
            (false, _) if matches!(self.channel, Channel::Screen(_)) => {
                // The panel over the table has a frame.
                let text = rules::text(self.out, game, &rules, width() - 6);
                self.out.text(text)
            }
            (false, _) => rules::show(self.out, game, &rules),
        }
    }

    /// Lists what can be typed, with some of the choices as examples.
    pub(super) fn show_help(&mut self, choices: &[String]) -> Result<(), CliError> {
        let legend = self.teacher.as_deref().map_or(&[][..], Teacher::legend);
        let legend = legend.iter().flat_map(|line| wrapped(line, width(), "  "));
        let legend: Vec<String> = if self.out.json { Vec::new() } else { legend.collect() };
        self.answer("help", &legend.into_iter().chain([help(choices)]).collect::<Vec<_>>().join("\n"))
    }

    /// Shows what the adviser of this name would play.
    pub(super) fn show_hint(
        &mut self,
        table: &dyn AnyTable,
        adviser: &str,
        advice: &Advice,
    ) -> Result<(), CliError> {
        if self.out.json {
            let advice = AdviceJson::new(|action| table.label(action), advice);
            return self.out.json_line(&Hint { line: "hint", advice });
        }
        let Advice { moves, value } = advice;
        let best = moves.iter().take(3).filter(|m| m.probability >= 0.005);
        let best: Vec<String> = best
            .map(|m| format!("{} ({})", self.name(&table.label(m.action)).text, percent(m.probability, 0)))
            .collect();
        let value = value.map(|v| format!("; expected reward {v:+.2}")).unwrap_or_default();
        self.out.line(format!("  {adviser} would play {}{value}", best.join(", or ")))
    }

    /// Answers a command of the person; `kind` is the kind of the JSON line.
    pub(crate) fn answer(&mut self, kind: &str, text: &str) -> Result<(), CliError> {
        if self.out.json {
            return self.out.json_line(&json!({ "line": kind, "text": text }));
        }
        // Keep the line breaks of texts that have them.
        if text.contains('\n') {
            return self.out.line(text);
        }
        wrapped(text, width(), "").into_iter().try_for_each(|line| self.out.line(line))
    }

    /// Shows the results of a round; `totals` are the points of each seat so far.
    pub(super) fn show_results(
        &mut self,
        players: &Players,
        round: u32,
        payoff: &Payoff,
        totals: &[i32],
    ) -> Result<(), CliError> {
        if self.out.json {
            return self.out.json_line(&Line::payoff(round, payoff));
        }
        let mut seats: Vec<usize> = (0..totals.len()).filter(|&seat| payoff.place[seat] != 0).collect();
        seats.sort_by_key(|&seat| payoff.place[seat]);
        let rows = seats.into_iter().map(|seat| {
            let who = players.name(Seat(seat as u8));
            let [place, points] = [payoff.place[seat].to_string(), payoff.points[seat].to_string()];
            vec![place, who, points, totals[seat].to_string()]
        });
        let rows: Vec<_> = rows.collect();
        if let Channel::Screen(screen) = &self.channel {
            self.out.flush()?;
            screen.send(Message::Results(RoundResults { round, rows }));
            return Ok(());
        }
        self.out.line(self.out.bold(format!("\nRound {round} is over")))?;
        self.out.line(tables::table(&RESULTS, &[0, 2, 3], rows))
    }

    /// Shows on the screen that a bot failed, because the person cannot see error messages there.
    pub(super) fn show_failure(&mut self, failed: &Failed) -> Result<(), CliError> {
        if let Channel::Lines(_) = self.channel {
            return Ok(());
        }
        self.out.line(failed.to_string())?;
        self.out.flush()
    }

    /// Shows the end of a session; `left` says why it ended early.
    pub(super) fn show_end(
        &mut self,
        left: Option<Leaving>,
        me: Seat,
        totals: &[i32],
        rounds: usize,
    ) -> Result<(), CliError> {
        if self.out.json {
            let why = match left {
                None => "over",
                Some(Leaving::Asked) => "quit",
                Some(Leaving::InputClosed) => "input closed",
            };
            self.out.json_line(&json!({ "line": "end", "why": why, "points": totals }))?;
            return self.out.flush();
        }
        let text = match left {
            Some(Leaving::Asked) => "You left the table.".to_owned(),
            Some(Leaving::InputClosed) => "The input ended. You left the table.".to_owned(),
            None => {
                let mine = totals[me.index()];
                let ahead = totals.iter().filter(|&&total| total > mine).count();
                let session = if rounds == 1 { "one round".to_owned() } else { format!("{rounds} rounds") };
                let (place, seats) = (ordinal(ahead + 1), totals.len());
                format!("After {session} you have {mine} points: {place} of {seats}.")
            }
        };
        self.out.line(text)?;
        self.out.flush()
    }

    /// Returns a text with its cards in players' words and in their colors.
    fn in_words(&self, text: &str) -> StyledText {
        match &self.teacher {
            Some(teacher) => self.out.joined(teacher.pieces(text)),
            None => text.into(),
        }
    }

    /// Prints texts in lines that fit the terminal.
    fn paragraphs(&mut self, texts: &[String], indent: &str) -> Result<(), CliError> {
        for text in texts {
            let lines = match self.channel {
                // The screen breaks lines to the width of its panels.
                Channel::Screen(_) => vec![format!("{indent}{text}")],
                Channel::Lines(_) => wrapped(text, width(), indent),
            };
            for line in lines {
                self.out.line(self.in_words(&line))?;
            }
        }
        Ok(())
    }
}

/// Formats a place as `1st`, `2nd`, `3rd`, `4th`.
fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Lists moves in columns, each with its number.
fn columns(names: impl IntoIterator<Item = (usize, Piece)>, width: usize) -> Vec<Piece> {
    let cells: Vec<(String, Piece)> =
        names.into_iter().map(|(number, name)| (format!("#{number} "), name)).collect();
    let wide = |(number, name): &(String, Piece)| number.len() + name.text.chars().count();
    let cell = cells.iter().map(wide).max().unwrap_or(0) + 3;
    // The last name of a line needs no gap after it.
    let across = ((width + 1) / cell).max(1);
    let mut pieces = Vec::new();
    for row in cells.chunks(across) {
        let mut gap = "  ".to_owned();
        for (number, name) in row {
            pieces.extend([uncolored(&format!("{gap}{number}")), name.clone()]);
            gap = " ".repeat(cell - number.len() - name.text.chars().count());
        }
        pieces.push(uncolored("\n"));
    }
    pieces
}

fn uncolored(text: &str) -> Piece {
    Piece { text: text.to_owned(), tint: None }
}

/// Lists moves, one line for each first word: `bid  80, 90, misere`.
fn grouped(labels: &[String], width: usize) -> String {
    let first = |label: &String| label.split(' ').next().unwrap_or_default().to_owned();
    let mut text = String::new();
    for group in labels.chunk_by(|one, other| one.contains(' ') && first(one) == first(other)) {
        let word = first(&group[0]);
        let line = match group {
            [only] => format!("  {only}"),
            many => {
                let rest: Vec<&str> =
                    many.iter().filter_map(|label| Some(label.split_once(' ')?.1)).collect();
                format!("  {word}  {}", rest.join(", "))
            }
        };
        let hang = " ".repeat(4 + word.chars().count());
        let options = textwrap::Options::new(width).subsequent_indent(&hang).break_words(false);
        text.extend(textwrap::wrap(&line, options).iter().flat_map(|line| [line.as_ref(), "\n"]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{columns, grouped, ordinal, uncolored};

    #[test]
    fn columns_fill_lines_and_number_from_one() {
        let text = |names: &[(usize, &str)], width| -> String {
            let names = names.iter().map(|&(number, name)| (number, uncolored(name)));
            columns(names, width).into_iter().map(|piece| piece.text).collect()
        };
        assert_eq!(text(&[(1, "7"), (2, "7x2+J"), (3, "pass")], 80), "  #1 7       #2 7x2+J   #3 pass\n");
        assert_eq!(text(&[(3, "pass"), (12, "7")], 80), "  #3 pass   #12 7\n");
        let long = [(1, "exchange with position 4"), (2, "exchange with position 4"), (3, "pass")];
        assert_eq!([80, 120].map(|width| text(&long, width).lines().count()), [2, 1]);
    }

    #[test]
    fn moves_of_one_kind_share_a_line() {
        let labels: Vec<String> =
            ["hold", "bid 80", "bid 90", "bid prive uit de hand", "pass"].map(str::to_owned).into();
        assert_eq!(grouped(&labels, 80), "  hold\n  bid  80, 90, prive uit de hand\n  pass\n");
        assert_eq!(grouped(&labels, 20), "  hold\n  bid  80, 90, prive\n       uit de hand\n  pass\n");
    }

    #[test]
    fn places_in_words() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"]
        );
    }
}
