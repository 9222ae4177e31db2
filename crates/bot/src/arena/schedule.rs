//! Assigns bots to tables and seats.

use std::collections::BTreeSet;
use std::sync::Arc;

use cardsharp_env::rng::derive;
use cardsharp_env::{Draw, MAX_SEATS};
use serde::{Deserialize, Serialize};

/// The most bots in a round robin.
pub const MOST_BOTS: usize = 64;

/// The bot in each seat when a deal is first played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lineup {
    /// The bot of each seat; 0 beyond the players.
    bots: [u8; MAX_SEATS],
    /// For each seat, the index of its bot in [`Lineup::sitting`]; 0 beyond the players.
    places: [u8; MAX_SEATS],
    players: u8,
}

impl Lineup {
    fn new(seats: impl Iterator<Item = usize>) -> Self {
        let (mut bots, mut players) = ([0; MAX_SEATS], 0);
        for (place, bot) in bots.iter_mut().zip(seats) {
            *place = bot as u8;
            players += 1;
        }
        let mut lineup = Self { bots, places: [0; MAX_SEATS], players };
        let before = |own: u8| lineup.sitting().filter(|&bot| bot < usize::from(own)).count() as u8;
        let mut places = bots.map(before);
        places[usize::from(players)..].fill(0);
        lineup.places = places;
        lineup
    }

    /// Returns the bot of a seat.
    pub fn bot(&self, seat: usize) -> usize {
        usize::from(self.bots[seat])
    }

    /// Returns the number of seats.
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// Returns the bots at the table, each once, in ascending order.
    pub fn sitting(&self) -> impl Iterator<Item = usize> {
        let bots = self.bots[..usize::from(self.players)].iter();
        let set = bots.fold(0u64, |set, bot| set | 1 << bot);
        (0..MOST_BOTS).filter(move |bot| set >> bot & 1 == 1)
    }

    /// Returns the index of a seat's bot in [`Lineup::sitting`].
    pub(super) fn place_of(&self, seat: usize) -> usize {
        usize::from(self.places[seat])
    }
}

/// The lineup of every deal.
#[derive(Clone, Debug, PartialEq)]
pub enum LineupSchedule {
    /// The same lineup in all deals.
    Fixed(Lineup),
    /// Each deal has its own lineup.
    RoundRobin {
        /// The lineups, by deal.
        lineups: Arc<[Lineup]>,
    },
}

impl LineupSchedule {
    /// Puts bot `seats[s]` in seat `s`, in all deals.
    pub(super) fn fixed(seats: &[usize]) -> Self {
        Self::Fixed(Lineup::new(seats.iter().copied()))
    }

    /// Creates tables of `players` seats (at most [`MAX_SEATS`]) for `bots` bots, one for each of `deals` deals.
    ///
    /// With more bots than seats, the tables repeat all sets of that many bots. The deals of an incomplete repetition
    /// get random sets. At any time, no bot has sat at more than one table more than another. With fewer bots than
    /// seats, each bot takes the same number of seats. The remaining seats rotate in the same way. The seating order of
    /// each deal is drawn from `seed`.
    ///
    /// # Panics
    /// If there are fewer than 2 or more than [`MOST_BOTS`] bots. A contest refuses these earlier.
    pub fn round_robin(bots: usize, players: usize, deals: u64, seed: u64) -> Self {
        assert!((2..=MOST_BOTS).contains(&bots), "{bots} bots in a round robin");
        // Each deal chooses anew: the bots at the table, or those that get an extra seat.
        let (copies, chosen) = (players / bots, players % bots);
        let mut sets = Sets::new(bots, chosen, deals, derive(seed, &[3]));
        let lineups = (0..deals).map(|deal| {
            let mut seats: Vec<usize> = (0..bots).flat_map(|bot| vec![bot; copies]).collect();
            seats.extend(sets.next());
            Draw::new(derive(seed, &[4, deal]), 0).shuffle(&mut seats);
            Lineup::new(seats.into_iter())
        });
        Self::RoundRobin { lineups: lineups.collect() }
    }

    /// Returns the lineup of a deal.
    pub fn lineup(&self, deal: u64) -> Lineup {
        match self {
            Self::Fixed(lineup) => *lineup,
            Self::RoundRobin { lineups } => lineups[deal as usize],
        }
    }

    /// Returns the number of different sets of bots at the tables of the first `deals` deals.
    pub(super) fn tables(&self, deals: u64) -> u64 {
        let sorted = |deal| {
            let mut lineup = self.lineup(deal).bots;
            lineup.sort_unstable();
            lineup
        };
        (0..deals).map(sorted).collect::<BTreeSet<_>>().len() as u64
    }
}

/// Yields subsets of `0..of` with `size` elements.
struct Sets {
    of: usize,
    size: usize,
    /// All subsets, if each of them is used at least once.
    all: Vec<Vec<usize>>,
    /// Subsets still to come from `all`.
    left: u64,
    draw: Draw,
    /// The bots that are next in random order; the last one is first.
    queue: Vec<usize>,
}

impl Sets {
    fn new(of: usize, size: usize, count: u64, seed: u64) -> Self {
        let all = match binomial(of, size) {
            sets if sets <= count => subsets(of, size),
            _ => Vec::new(),
        };
        let left = if all.is_empty() { 0 } else { count - count % all.len() as u64 };
        Self { of, size, all, left, draw: Draw::new(seed, 0), queue: Vec::new() }
    }

    fn next(&mut self) -> Vec<usize> {
        if self.left > 0 {
            let sets = self.all.len() as u64;
            // A new order each time, so that a contest that stops early favors no bot.
            if self.left.is_multiple_of(sets) {
                self.draw.shuffle(&mut self.all);
            }
            self.left -= 1;
            return self.all[(self.left % sets) as usize].clone();
        }
        let mut set: Vec<usize> = Vec::with_capacity(self.size);
        // A bot that is at this table already stays in the queue for the next table.
        while set.len() < self.size {
            if !self.queue.iter().any(|bot| !set.contains(bot)) {
                let mut more: Vec<usize> = (0..self.of).collect();
                self.draw.shuffle(&mut more);
                more.append(&mut self.queue);
                self.queue = more;
            }
            if let Some(at) = self.queue.iter().rposition(|bot| !set.contains(bot)) {
                set.push(self.queue.remove(at));
            }
        }
        set
    }
}

/// Returns the number of subsets with `size` of `of` elements, or `u64::MAX` on overflow.
fn binomial(of: usize, size: usize) -> u64 {
    let product = (0..size as u128)
        .try_fold(1u128, |product, k| product.checked_mul(of as u128 - k).map(|product| product / (k + 1)));
    product.and_then(|product| u64::try_from(product).ok()).unwrap_or(u64::MAX)
}

/// Returns all subsets of `0..of` with `size` elements.
fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: &Vec<usize>| {
            let set = set.clone();
            let first = set.last().map_or(0, |&last: &usize| last + 1);
            (first..of).map(move |next| set.iter().copied().chain([next]).collect()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests;
