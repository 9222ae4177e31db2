//! The players at the table: one person and bots.

use std::borrow::Cow;
use std::path::Path;

use cardsharp_bot::bot::tell;
use cardsharp_bot::bots::path_of;
use cardsharp_bot::bots::program::PREFIX;
use cardsharp_bot::{Advice, Bot, LoadOptions, OpenError, Player, load_with};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, AnyTable, Seat, SeatView};

use crate::bots::{self, Failed};

struct Opponent {
    /// What the bot is made from.
    player: Player,
    /// The instance in this seat, which knows the session so far.
    bot: Box<dyn Bot>,
}

pub(super) struct Players {
    game: &'static dyn AnyGame,
    pub(super) me: Seat,
    /// Per seat: the bot; `None` for the person.
    bots: Vec<Option<Opponent>>,
    /// Per seat: how many steps of the table the bot has received.
    received: Vec<usize>,
    /// Per seat: the name by which the bot was requested.
    pub(super) names: Vec<String>,
    /// The bot that gives hints.
    adviser: Box<dyn Bot>,
    /// Names of the opponents; new seats use them in turn.
    against: Vec<String>,
    /// What bots are made with.
    means: LoadOptions,
    seed: u64,
}

impl Players {
    /// Seats the person at `me`, and `seats - 1` bots. Their names come from `against` in turn, from the seat after the
    /// person on.
    pub(super) fn new(
        game: &'static dyn AnyGame,
        me: Seat,
        seats: usize,
        against: Vec<String>,
        hints: &str,
        means: LoadOptions,
        seed: u64,
    ) -> Result<Self, OpenError> {
        let adviser = cardsharp_bot::open_with(hints, game, &means, derive(seed, &[2]))?;
        let (bots, received, names) = (vec![None], vec![0], vec!["you".to_owned()]);
        let mut players = Self { game, me, bots, received, names, adviser, against, means, seed };
        players.add_bots(seats)?;
        // Check the bots that may join later, too.
        for name in players.against.iter().skip(seats - 1) {
            load_with(name, game, &players.means)?;
        }
        players.bots.rotate_right(me.index());
        players.names.rotate_right(me.index());
        Ok(players)
    }

    /// Adds bots until there are `seats` seats.
    pub(super) fn add_bots(&mut self, seats: usize) -> Result<(), OpenError> {
        while self.bots.len() < seats {
            let number = self.bots.len() - 1;
            let name = &self.against[number % self.against.len()];
            let player = load_with(name, self.game, &self.means)?;
            let bot = player.bot(derive(derive(self.seed, &[1]), &[number as u64]));
            self.bots.push(Some(Opponent { player, bot }));
            self.received.push(0);
            self.names.push(name.clone());
        }
        Ok(())
    }

    /// Sends new events of the table to the bots that listen.
    pub(super) fn send_events(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, received)) in self.bots.iter_mut().zip(&mut self.received).enumerate() {
            if let Some(opponent) = bot {
                tell(opponent.bot.as_mut(), 0, Seat(seat as u8), table, received);
            }
        }
    }

    /// Sends the whole session again to bots that listen, after moves were taken back.
    pub(super) fn resend_events(&mut self) {
        self.received.fill(0);
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

    /// Returns what the adviser would play.
    ///
    /// # Errors
    /// The adviser is a process and failed.
    pub(super) fn advise(&mut self, view: SeatView<'_>) -> Result<Advice, Failed> {
        let advice = self.adviser.advise(view);
        bots::check(self.adviser.as_mut())?;
        Ok(advice)
    }

    pub(super) fn adviser_name(&self) -> &str {
        self.adviser.name()
    }

    /// Returns the name of a seat for messages.
    pub(super) fn name(&self, seat: Seat) -> String {
        if seat == self.me {
            "you".to_owned()
        } else {
            format!("seat {} ({})", seat.0, short_name(&self.names[seat.index()], self.game.name()))
        }
    }

    /// Returns the length of the longest name at the table, in characters.
    pub(super) fn name_width(&self) -> usize {
        let lengths = (0..self.bots.len() as u8).map(|seat| self.name(Seat(seat)).chars().count());
        lengths.max().unwrap_or(0)
    }
}

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 18;

/// Shortens a bot's name at a table of `game`. A path becomes its last folder, and a command the file of its last word.
/// The game's own bot at a level becomes the level.
fn short_name(spec: &str, game: &str) -> String {
    let name: Cow<'_, str> = match path_of(spec) {
        Some(path) => match (spec.strip_prefix(path), spec.strip_suffix(path)) {
            (Some(level), _) if path == game => {
                level.strip_prefix('@').map_or(path.into(), |n| format!("level {n}").into())
            }
            (Some(level), _) => format!("{}{level}", last_folder(path)).into(),
            (None, before) => format!("{}{}", before.unwrap_or_default(), last_folder(path)).into(),
        },
        None => match spec.strip_prefix(PREFIX) {
            Some(command) => command.split_whitespace().last().map_or(command, file_name).into(),
            None => spec.into(),
        },
    };
    match name.chars().nth(LONGEST_NAME) {
        None => name.into_owned(),
        Some(_) => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
    }
}

/// Returns the last folder of a path, with its parent if the last one is a generic name like `bundle`.
fn last_folder(path: &str) -> Cow<'_, str> {
    let last = file_name(path);
    let parent = Path::new(path).parent().and_then(Path::file_name).map(|name| name.to_string_lossy());
    match parent {
        Some(parent) if matches!(last, "bot" | "bundle" | "bot.safetensors") => {
            format!("{parent}/{last}").into()
        }
        _ => last.into(),
    }
}

fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_short() {
        for (spec, name) in [
            ("scripted", "scripted"),
            ("taki", "taki"),
            ("taki@4", "level 4"),
            ("checkpoints/taki/bot@4", "taki/bot@4"),
            ("checkpoints/taki/bot/", "taki/bot"),
            ("runs/a/best", "best"),
            ("search:500ms", "search:500ms"),
            ("search:200+checkpoints/taki/bot", "search:200+taki/b…"),
            ("exec:python3 bots/my_bot.py", "my_bot.py"),
        ] {
            assert_eq!(short_name(spec, "taki"), name, "{spec}");
        }
    }
}
