//! Who sits around the table.

use cardsharp_bot::bot::tell;
use cardsharp_bot::{Bot, Means, OpenError};
use cardsharp_env::rng::derive;
use cardsharp_env::{AnyGame, AnyTable, Seat};

/// The person and the bots.
pub(super) struct Company {
    game: &'static dyn AnyGame,
    /// The person's seat.
    pub(super) me: Seat,
    /// Per seat; none where the person sits.
    pub(super) bots: Vec<Option<Box<dyn Bot>>>,
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
        company.bots.rotate_right(me.index());
        company.names.rotate_right(me.index());
        Ok(company)
    }

    /// Seats bots until there are `seats` seats.
    pub(super) fn welcome(&mut self, seats: usize) -> Result<(), OpenError> {
        while self.bots.len() < seats {
            let number = self.bots.len() - 1;
            let name = &self.against[number % self.against.len()];
            let stream = derive(derive(self.seed, &[1]), &[number as u64]);
            self.bots.push(Some(cardsharp_bot::open_with(name, self.game, &self.means, stream)?));
            self.heard.push(0);
            self.names.push(name.clone());
        }
        Ok(())
    }

    /// Tells the bots that listen what happened at the table since they heard of it last.
    pub(super) fn tell(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, heard)) in self.bots.iter_mut().zip(&mut self.heard).enumerate() {
            if let Some(bot) = bot {
                tell(bot.as_mut(), 0, Seat(seat as u8), table, heard);
            }
        }
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
            format!("seat {} ({})", seat.0, self.names[seat.index()])
        }
    }
}
