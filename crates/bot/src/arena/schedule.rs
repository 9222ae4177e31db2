//! Who sits at which table.

use std::collections::BTreeSet;
use std::sync::Arc;

use cardsharp_env::rng::derive;
use cardsharp_env::{Draw, MAX_SEATS};
use serde::{Deserialize, Serialize};

/// The most bots of a round robin.
pub const MOST_BOTS: usize = 64;

/// Who sits in which seat when a deal is first played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lineup {
    /// The bot of each seat; 0 beyond the players.
    bots: [u8; MAX_SEATS],
    /// For each seat, how many of [`Lineup::sitting`] come before its bot; 0 beyond the players.
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

    /// The bot of a seat.
    pub fn bot(&self, seat: usize) -> usize {
        usize::from(self.bots[seat])
    }

    /// Number of seats.
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// The bots at the table, each once, in ascending order.
    pub fn sitting(&self) -> impl Iterator<Item = usize> {
        let bots = self.bots[..usize::from(self.players)].iter();
        let set = bots.fold(0u64, |set, bot| set | 1 << bot);
        (0..MOST_BOTS).filter(move |bot| set >> bot & 1 == 1)
    }

    /// Where the bot of a seat stands among those [`Lineup::sitting`].
    pub(super) fn place_of(&self, seat: usize) -> usize {
        usize::from(self.places[seat])
    }
}

/// The table of every deal.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// The same in all deals.
    Fixed(Lineup),
    /// One for each deal.
    RoundRobin {
        /// By deal.
        lineups: Arc<[Lineup]>,
    },
}

impl Schedule {
    /// Bot `seats[s]` in seat `s`, in all deals.
    pub(super) fn fixed(seats: &[usize]) -> Self {
        Self::Fixed(Lineup::new(seats.iter().copied()))
    }

    /// Tables of `players` seats (at most [`MAX_SEATS`]) for `bots` bots, one for each of `deals` deals.
    ///
    /// Where there are more bots than seats, the tables go through all sets of so many bots again and
    /// again; deals that are left over, and all if there are more sets than deals, get tables by lot, such that at
    /// any time no bot has sat at more than one table more than another one. Where there are fewer bots
    /// than seats, each takes as many seats as all can, and the seats that are left over go round in the same
    /// manner. Who sits next to whom is drawn from `seed` for each deal.
    ///
    /// # Panics
    /// If there are fewer than 2 or more than [`MOST_BOTS`] bots, which a contest refuses before.
    pub fn round_robin(bots: usize, players: usize, deals: u64, seed: u64) -> Self {
        assert!((2..=MOST_BOTS).contains(&bots), "{bots} bots in a round robin");
        // What is chosen anew for each deal: the bots at the table, or those that get a seat more.
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

    /// The table of a deal.
    pub fn lineup(&self, deal: u64) -> Lineup {
        match self {
            Self::Fixed(lineup) => *lineup,
            Self::RoundRobin { lineups } => lineups[deal as usize],
        }
    }

    /// Number of different sets of bots at the tables of the first `deals` deals, however often each sits there.
    pub(super) fn tables(&self, deals: u64) -> u64 {
        let sorted = |deal| {
            let mut lineup = self.lineup(deal).bots;
            lineup.sort_unstable();
            lineup
        };
        (0..deals).map(sorted).collect::<BTreeSet<_>>().len() as u64
    }
}

/// Sets of `size` of `0..of`, one after the other.
struct Sets {
    of: usize,
    size: usize,
    /// All sets, if they are gone through at least once.
    all: Vec<Vec<usize>>,
    /// Sets still to come from `all`.
    left: u64,
    draw: Draw,
    /// Who gets a seat next by lot, the last one first.
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
            // Each time in another order, so that a contest that ends early favours nobody.
            if self.left.is_multiple_of(sets) {
                self.draw.shuffle(&mut self.all);
            }
            self.left -= 1;
            return self.all[(self.left % sets) as usize].clone();
        }
        let mut set: Vec<usize> = Vec::with_capacity(self.size);
        // Who is at the table already stays in the queue for the next one.
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

/// Number of sets of `size` of `of`, or more than any number of deals.
fn binomial(of: usize, size: usize) -> u64 {
    let product = (0..size as u128)
        .try_fold(1u128, |product, k| product.checked_mul(of as u128 - k).map(|product| product / (k + 1)));
    product.and_then(|product| u64::try_from(product).ok()).unwrap_or(u64::MAX)
}

/// All sets of `size` of `0..of`.
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
