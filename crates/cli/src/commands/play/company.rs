//! Who sits around the table.

use cardsharp_bot::bot::tell;
use cardsharp_bot::{Bot, Means, OpenError, Player, load_with};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, AnyTable, Seat};

use super::names::short;
use crate::bots::{self, Failed};

/// Somebody who is no person.
struct Opponent {
    /// What it is made by.
    player: Player,
    /// The one that sits there, and has heard what it was told.
    bot: Box<dyn Bot>,
}

/// The person and the bots.
pub(super) struct Company {
    game: &'static dyn AnyGame,
    /// The person's seat.
    pub(super) me: Seat,
    /// Per seat; none where the person sits.
    bots: Vec<Option<Opponent>>,
    /// Per seat: of how many of the table's steps it heard.
    heard: Vec<usize>,
    /// Per seat: how the bots were named.
    pub(super) names: Vec<String>,
    /// Who gives hints.
    pub(super) adviser: Box<dyn Bot>,
    /// The names that bots take in turn.
    against: Vec<String>,
    /// What bots are made with.
    means: Means,
    seed: u64,
}

impl Company {
    /// The person in seat `me` and `seats - 1` bots, named `against` in turn from the seat after the
    /// person's on.
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
        // Those who may join later are there, too.
        for name in company.against.iter().skip(seats - 1) {
            load_with(name, game, &company.means)?;
        }
        company.bots.rotate_right(me.index());
        company.names.rotate_right(me.index());
        Ok(company)
    }

    /// Seats bots until there are `seats` seats.
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

    /// Tells the bots that listen what happened at the table since they heard of it last.
    pub(super) fn tell(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, heard)) in self.bots.iter_mut().zip(&mut self.heard).enumerate() {
            if let Some(opponent) = bot {
                tell(opponent.bot.as_mut(), 0, Seat(seat as u8), table, heard);
            }
        }
    }

    /// What the bot plays that is asked at the table; none if the person is, or nobody.
    ///
    /// What is drawn for it follows from the number of the position, so that the same moves are answered alike however
    /// often they were taken back. One that listens is a program, which draws for itself.
    ///
    /// # Errors
    /// The bot is a program and failed.
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

    /// Moves were taken back: whoever listens hears the whole session again.
    pub(super) fn forget(&mut self) {
        self.heard.fill(0);
    }

    /// What a seat is called.
    pub(super) fn name(&self, seat: Seat) -> String {
        if seat == self.me {
            "you".to_owned()
        } else {
            format!("seat {} ({})", seat.0, short(&self.names[seat.index()], self.game.name()))
        }
    }

    /// The characters of the longest name at the table.
    pub(super) fn width(&self) -> usize {
        let lengths = (0..self.bots.len() as u8).map(|seat| self.name(Seat(seat)).chars().count());
        lengths.max().unwrap_or(0)
    }
}
