//! A bot that remembers: at Kuhn poker it learns from the showdowns how often somebody bluffs.
//!
//! A view shows the hand that is played and nothing of those before. Who wants to know more listens: the bot is told the record
//! of each of its seats, line by line, as `docs/protocol.md` has it.

use std::collections::BTreeMap;

use cardsharp_bot::Bot;
use cardsharp_env::games::kuhn;
use cardsharp_env::record::Line;
use cardsharp_env::{ActionId, Seat, SeatView, mask};

/// Plays as the scripted player does, but for one decision: the queen, who calls a bet only of somebody who bluffs.
#[derive(Default)]
pub struct Memory {
    /// By table and own seat: what the other player was seen to do in this session.
    rivals: BTreeMap<(usize, Seat), Rival>,
}

/// What is known of the other player.
#[derive(Default)]
struct Rival {
    /// Whether he has bet in this hand.
    bets: bool,
    /// Bets that were called, and how many of them with a jack.
    called: u32,
    bluffs: u32,
}

impl Rival {
    /// How probable it is that a bet of his is a bluff; one in three before anything was seen, as a good player's are.
    fn bluffing(&self) -> f64 {
        f64::from(self.bluffs + 1) / f64::from(self.called + 3)
    }
}

impl Bot for Memory {
    fn name(&self) -> &str {
        "memory"
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.pick_at(0, view)
    }

    fn pick_at(&mut self, table: usize, view: SeatView<'_>) -> ActionId {
        let (seat, scripted) = (view.seat(), view.scripted());
        // The game's own types, where it is this game.
        let queen = view.typed::<kuhn::Round>().is_some_and(|view| view.own.card.rank() == 1);
        let legal = view.legal_words();
        let fold = mask::actions(&legal).find(|&action| view.label(action) == "fold");
        match (fold, self.rivals.get(&(table, seat))) {
            // To call costs one chip more and wins three times that much: it pays against one bluff in four.
            (Some(fold), Some(rival)) if queen && rival.bluffing() < 0.25 => fold,
            _ => scripted,
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, table: usize, seat: Seat, line: &Line) {
        let key = (table, seat);
        if matches!(line, Line::Beginning(_)) {
            self.rivals.insert(key, Rival::default());
        }
        let Some(rival) = self.rivals.get_mut(&key) else { return };
        match line {
            Line::Deal { .. } => rival.bets = false,
            Line::Move { seat: who, choice: Some(choice), .. } if *who != seat && choice == "bet" => {
                rival.bets = true
            }
            Line::Event { event, .. } if rival.bets && event["event"] == "showdown" => {
                rival.called += 1;
                let other = usize::from(seat == Seat(0));
                rival.bluffs += u32::from(event["hands"][other] == "Js");
            }
            Line::End { .. } => _ = self.rivals.remove(&key),
            _ => {}
        }
    }
}
