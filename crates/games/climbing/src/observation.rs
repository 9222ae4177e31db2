//! Parts of the observation that the climbing games share.

use cardsharp_engine::blocks::{Block, ones};
use cardsharp_engine::hands::RankCounts;

use super::{EqualRank, Memory, REMEMBERED_SIZES, Trick, TrickRules};

/// Number of thermometer cells that also show another player's card count.
pub const FEW: usize = 8;

/// Thermometers for card counts: row `n` starts with `n` ones. All cells are 1 from [`FEW`] on.
static COUNTS: [[u8; FEW]; 32] = ones();

/// Number of steps clockwise from position `me` to `position` at a table of `players`.
#[inline]
pub fn clockwise(me: u8, position: u8, players: u8) -> usize {
    usize::from(if position >= me { position - me } else { position + players - me })
}

/// Cards of the deck that are neither in `hand` nor in `gone`, by rank index.
#[inline]
pub fn unseen<const N: usize>(deck: &[u8; N], hand: &[u8; N], gone: &[u8; N]) -> [u8; N] {
    std::array::from_fn(|rank| deck[rank].wrapping_sub(hand[rank]).wrapping_sub(gone[rank]))
}

/// The blocks that have a run of cells for each other player, clockwise from the viewer.
pub struct Others {
    /// Whether the player has gone out.
    pub out: Block,
    /// The finishing place, if the player has gone out.
    pub place: Block,
    /// Number of cards that the player holds.
    pub count: Block,
    /// The same number as [`FEW`] thermometer cells.
    pub few_cards: Block,
    /// Cards that the player has played, one cell for each rank.
    pub played: Block,
    /// Passes of the player, [`REMEMBERED_SIZES`] cells.
    pub passed_on: Block,
}

impl Others {
    /// Writes the public state of the player at `position`, the `other`-th (from 0) clockwise after the viewer.
    ///
    /// The row shows the card count only if `held` returns one, and the cards played only if `shows_played` is true.
    #[inline]
    pub fn write<const N: usize, const WIDTH: usize>(
        &self,
        (other, position): (usize, u8),
        (trick, memory): (&Trick, &Memory<N>),
        held: impl FnOnce() -> Option<u8>,
        shows_played: bool,
        row: &mut [u8; WIDTH],
    ) {
        let p = usize::from(position);
        if !trick.still_in.has(position) {
            row[self.out.offset + other] = 1;
            row[self.place.offset + other] = trick.place(position);
        } else if let Some(held) = held() {
            row[self.count.offset + other] = held;
            let start = self.few_cards.offset + other * FEW;
            row[start..start + FEW].copy_from_slice(&COUNTS[usize::from(held & 31)]);
        }
        if shows_played && memory.total[p] != 0 {
            let start = self.played.offset + other * N;
            row[start..start + N].copy_from_slice(&memory.played[p].0);
        }
        let start = self.passed_on.offset + other * REMEMBERED_SIZES;
        row[start..start + REMEMBERED_SIZES].copy_from_slice(&memory.passed_on[p]);
    }
}

/// Number of cells for the house rules of these games.
pub const HOUSE_RULES: usize = 3;
/// The documentation of those cells.
pub const ABOUT_HOUSE_RULES: &str = "House rules in force: pass_is_final; equal_rank skips, burns.";

/// Writes the house rules in force and the skipped player, one-hot clockwise from position `me`.
#[inline]
pub fn house_rules<const WIDTH: usize>(
    [rules, skipped]: [Block; 2],
    trick_rules: TrickRules,
    trick: &Trick,
    me: u8,
    row: &mut [u8; WIDTH],
) {
    if trick_rules.pass_is_final || trick_rules.equals() != 0 {
        let equal = trick_rules.equal_rank;
        let cells = [trick_rules.pass_is_final, equal == EqualRank::Skips, equal == EqualRank::Burns];
        rules.set::<HOUSE_RULES, WIDTH>(cells.map(u8::from), row);
        for position in trick.skipped.iter() {
            row[skipped.offset + clockwise(me, position, trick.players)] = 1;
        }
    }
}

/// Writes the hands of all players except position `me`, clockwise from it, one cell for each rank.
pub fn reveal<const N: usize>(hands: &[RankCounts<N>], me: u8, row: &mut [u8]) {
    row.fill(0);
    let others = (1..hands.len()).map(|steps| &hands[(usize::from(me) + steps) % hands.len()]);
    row.chunks_exact_mut(N).zip(others).for_each(|(cells, hand)| cells.copy_from_slice(&hand.0));
}
