//! Effects of moves and deals, and explanations of the game.

use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, Audience, Seat, SeatView, Step};
use serde_json::{Value, json};

use super::{Asked, Parlour};
use crate::commands::play::words::grouped;
use crate::commands::rules;
use crate::error::CliError;
use crate::list;
use crate::terminal;

pub(in crate::commands::play) const LESSONS: &str = "| ";

impl Parlour<'_> {
    /// Shows the effects of the last step: drawn or moved cards, tricks, the result of a contract.
    pub(super) fn tell_what_came(
        &mut self,
        before: Option<SeatView<'_>>,
        chosen: Option<(Seat, ActionId)>,
    ) -> Result<(), CliError> {
        let (Some(teacher), false) = (&self.lessons.teacher, self.out.json) else { return Ok(()) };
        let me = self.company.me;
        // A person who sits out receives the public events.
        let plays = self.table.view(me).is_some();
        let to = if plays { Audience::Seat(me) } else { Audience::Everybody };
        let events: Vec<Value> =
            self.table.told(self.table.steps(), to).into_iter().filter_map(event).collect();
        let present = self.table.present().lowest();
        let Some(after) = self.table.view(if plays { me } else { Seat(present) }) else { return Ok(()) };
        let who = |seat| self.company.name(seat);
        let told = teacher.told(Step { before, chosen, after, events: &events, who: &who });
        told.iter().try_for_each(|text| self.out_in(text, "    "))
    }

    /// Shows explanations that are new to the person, before the position.
    pub(super) fn teach(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let news = self.lessons.news(self.table.as_ref(), legal);
        if !news.is_empty() {
            self.out.line("")?;
        }
        news.iter().try_for_each(|text| self.out_in(text, LESSONS))
    }

    /// Explains the position on request.
    pub(super) fn explain(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let texts = self.lessons.explained(self.table.as_ref(), legal);
        if self.out.json {
            return self.say("explain", &texts.join("\n"));
        }
        if texts.is_empty() {
            return self.say("explain", "There is no explanation for this decision.");
        }
        texts.iter().try_for_each(|text| self.out_in(text, LESSONS))
    }

    /// Lists all moves, grouped by kind, with the hand below.
    pub(super) fn list(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let labels: Vec<String> = legal.iter().map(|&action| self.table.label(action)).collect();
        if self.out.json {
            return self.out.json_line(&json!({ "line": "more", "legal": labels }));
        }
        let text = grouped(&labels, terminal::width());
        let text = self.out.tinted(&text, |word| self.lessons.tint(word));
        self.out.text(text)?;
        let hand = self.table.asked().map(SeatView::hand).filter(|hand| !hand.is_empty());
        hand.map_or(Ok(()), |hand| self.out_in(&format!("Your hand: {hand}"), ""))
    }

    /// Shows the rules of the game, and of this table.
    pub(super) fn rules(&mut self) -> Result<(), CliError> {
        let (rules, game) = (self.table.rules(), list::game(self.table.game()));
        let Some(game) = game else { return Ok(()) };
        match (self.out.json, rules::markdown(game)) {
            (true, page) => self.say("rules", page.unwrap_or_default()),
            (false, _) if matches!(self.asked, Asked::Screen(_)) => {
                // The panel over the table has a frame.
                let text = rules::text(self.out, game, &rules, terminal::width() - 6);
                self.out.text(text)
            }
            (false, _) => rules::show(self.out, game, &rules),
        }
    }

    /// Prints a text in lines that fit the terminal.
    fn out_in(&mut self, text: &str, indent: &str) -> Result<(), CliError> {
        let lines = match self.asked {
            // The screen breaks lines to the width of its panels.
            Asked::Screen(_) => vec![format!("{indent}{text}")],
            Asked::Lines(_) => terminal::wrapped(text, terminal::width(), indent),
        };
        for line in lines {
            let line = self.out.tinted(&line, |word| self.lessons.tint(word));
            self.out.line(line)?;
        }
        Ok(())
    }
}

fn event(line: Line) -> Option<Value> {
    if let Line::Event { event, .. } = line { Some(event) } else { None }
}
