//! A bot with a memory: in Kuhn poker it learns from showdowns how often the opponent bluffs.
//!
//! A view shows only the current hand. A bot that needs earlier hands listens: it gets the event log of each of its
//! seats, line by line, in the format of `docs/protocol.md`.

use std::collections::BTreeMap;

use cardsharp_bot::Bot;
use cardsharp_env::games::kuhn;
use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, Seat, SeatView, mask};

/// Plays like the scripted player, except with a queen after a bet: it folds if the opponent rarely bluffs.
#[derive(Default)]
pub struct Memory {
    /// By table and own seat: what the opponent did in this session.
    rivals: BTreeMap<(usize, Seat), Rival>,
}

/// What the bot knows about an opponent.
#[derive(Default)]
struct Rival {
    /// Whether the opponent has bet in this hand.
    bets: bool,
    /// Bets of the opponent that were called.
    called: u32,
    /// How many of these bets were made with a jack.
    bluffs: u32,
}

impl Rival {
    /// Returns the probability that a bet is a bluff. Without observations it is one in three, as for a good player.
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
        // `typed` gives access to the game's own types, if the view is of this game.
        let queen = view.typed::<kuhn::Round>().is_some_and(|view| view.own.card.rank() == 1);
        let legal = view.legal_words();
        let fold = mask::actions(&legal).find(|&action| view.label(action) == "fold");
        match (fold, self.rivals.get(&(table, seat))) {
            // A call costs one chip and wins three, so it pays off if at least one bet in four is a bluff.
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
