//! The players at the table: one person and bots.

use cardsharp_bot::bot::tell;
use cardsharp_bot::{Bot, Means, OpenError, Player, load_with};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, AnyTable, Seat};

use super::names::short;
use crate::bots::{self, Failed};

/// A bot at the table.
struct Opponent {
    /// What the bot is made from.
    player: Player,
    /// The instance in this seat, which knows the session so far.
    bot: Box<dyn Bot>,
}

/// The players of a session.
pub(super) struct Company {
    game: &'static dyn AnyGame,
    pub(super) me: Seat,
    /// Per seat: the bot; `None` for the person.
    bots: Vec<Option<Opponent>>,
    /// Per seat: how many steps of the table the bot has received.
    heard: Vec<usize>,
    /// Per seat: the name by which the bot was requested.
    pub(super) names: Vec<String>,
    /// The bot that gives hints.
    pub(super) adviser: Box<dyn Bot>,
    /// Names of the opponents; new seats use them in turn.
    against: Vec<String>,
    /// What bots are made with.
    means: Means,
    seed: u64,
}

impl Company {
    /// Seats the person at `me`, and `seats - 1` bots. Their names come from `against` in turn, from the seat after the
    /// person on.
    pub(super) fn new(
        game: &'static dyn AnyGame,
        me: Seat,
        seats: usize,
        against: Vec<String>,
        hints: &str,
        means: Means,
        seed: u64,
    ) -> Result<Self, OpenError> {
        let adviser = cardsharp_bot::open_with(hints, game, &means, derive(seed, &[2]))?;
        let (bots, heard, names) = (vec![None], vec![0], vec!["you".to_owned()]);
        let mut company = Self { game, me, bots, heard, names, adviser, against, means, seed };
        company.welcome(seats)?;
        // Check the bots that may join later, too.
        for name in company.against.iter().skip(seats - 1) {
            load_with(name, game, &company.means)?;
        }
        company.bots.rotate_right(me.index());
        company.names.rotate_right(me.index());
        Ok(company)
    }

    /// Adds bots until there are `seats` seats.
    pub(super) fn welcome(&mut self, seats: usize) -> Result<(), OpenError> {
        while self.bots.len() < seats {
            let number = self.bots.len() - 1;
            let name = &self.against[number % self.against.len()];
            let player = load_with(name, self.game, &self.means)?;
            let bot = player.bot(derive(derive(self.seed, &[1]), &[number as u64]));
            self.bots.push(Some(Opponent { player, bot }));
            self.heard.push(0);
            self.names.push(name.clone());
        }
        Ok(())
    }

    /// Sends new events of the table to the bots that listen.
    pub(super) fn tell(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, heard)) in self.bots.iter_mut().zip(&mut self.heard).enumerate() {
            if let Some(opponent) = bot {
                tell(opponent.bot.as_mut(), 0, Seat(seat as u8), table, heard);
            }
        }
    }

    /// Returns the move of the bot that has to decide; `None` if it is the person's turn, or no decision is due.
    ///
    /// The random stream depends on the number of steps so far. The same moves get the same answers, however often they
    /// were taken back. A bot that listens is a process with its own random numbers.
    ///
    /// # Errors
    /// The bot is a process and failed.
    pub(super) fn pick(&mut self, table: &dyn AnyTable) -> Result<Option<ActionId>, Failed> {
        let Some(view) = table.asked() else { return Ok(None) };
        let seat = view.seat();
        let Some(opponent) = self.bots[seat.index()].as_mut() else { return Ok(None) };
        if !opponent.bot.listens() {
            let stream = derive(self.seed, &[1, u64::from(seat.0), table.steps() as u64]);
            opponent.bot = opponent.player.bot(stream);
        }
        let action = opponent.bot.pick(view);
        bots::check(opponent.bot.as_mut())?;
        Ok(Some(action))
    }

    /// Sends the whole session again to bots that listen, after moves were taken back.
    pub(super) fn forget(&mut self) {
        self.heard.fill(0);
    }

    /// Returns the name of a seat for messages.
    pub(super) fn name(&self, seat: Seat) -> String {
        if seat == self.me {
            "you".to_owned()
        } else {
            format!("seat {} ({})", seat.0, short(&self.names[seat.index()], self.game.name()))
        }
    }

    /// Returns the length of the longest name at the table, in characters.
    pub(super) fn width(&self) -> usize {
        let lengths = (0..self.bots.len() as u8).map(|seat| self.name(Seat(seat)).chars().count());
        lengths.max().unwrap_or(0)
    }
}
