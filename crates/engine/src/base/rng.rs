//! Random streams that are the same on every machine.
//!
//! Everything random in a round comes from its [`DealRng`]: 24 bytes that name a ChaCha8 stream and a position in
//! it. Bounded draws and shuffles are implemented here, because those of the `rand` crate may change between
//! versions. The tests pin the first values.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// A position in a random stream: small and copyable. It is part of a round's state and never of a view.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealRng {
    seed: u64,
    stream: u64,
    word: u64,
}

impl DealRng {
    /// The beginning of stream `stream` under `seed`.
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self { seed, stream, word: 0 }
    }

    /// Returns a second, independent stream: drawing from it does not change the draws of this one.
    pub fn beside(&self) -> Self {
        Self { seed: derive(self.seed, &[self.stream, BESIDE]), ..*self }
    }

    /// Draws with `f` and advances past the words it consumed.
    pub fn draw<R>(&mut self, f: impl FnOnce(&mut Draw) -> R) -> R {
        let mut draw = Draw::at(self);
        let result = f(&mut draw);
        self.word = draw.0.get_word_pos() as u64;
        result
    }
}

/// An open random stream.
#[derive(Clone, Debug)]
pub struct Draw(ChaCha8Rng);

impl Draw {
    /// The beginning of stream `stream` under `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self::at(&DealRng::new(seed, stream))
    }

    fn at(place: &DealRng) -> Self {
        let mut key = [0; 32];
        let mut state = place.seed;
        for chunk in key.chunks_exact_mut(8) {
            state = state.wrapping_add(GOLDEN);
            chunk.copy_from_slice(&mix(state).to_le_bytes());
        }
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(place.stream);
        if place.word != 0 {
            rng.set_word_pos(u128::from(place.word));
        }
        Self(rng)
    }

    /// Uniform in `0..n` without bias (Lemire's multiply with rejection). `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.0.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.0.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A uniformly random element of `values`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u32) as usize]
    }

    /// Returns 64 uniform random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// True with probability `p` (to within 2⁻³²); consumes one word whatever `p` is.
    pub fn chance(&mut self, p: f64) -> bool {
        f64::from(self.0.next_u32()) < p * 4_294_967_296.0
    }

    /// Uniform in `[0, 1)`, 24 bits.
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// Puts `items` in a uniformly random order (Fisher–Yates from the front).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in 0..items.len().saturating_sub(1) {
            let j = i + self.below((items.len() - i) as u32) as usize;
            items.swap(i, j);
        }
    }
}

/// Separates the seeds of [`DealRng::beside`] from all other seeds.
const BESIDE: u64 = 0xbe51_de00;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Derives a separate seed for each path of numbers under `seed`, such as `[unit, lane, session]`.
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(seed ^ GOLDEN), |seed, &part| {
        mix(seed.wrapping_add(GOLDEN) ^ mix(part.wrapping_add(GOLDEN)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned() {
        let mut draw = Draw::new(7, 3);
        let first: Vec<u32> = (0..6).map(|_| draw.below(1000)).collect();
        let mut cards: Vec<u8> = (0..10).collect();
        draw.shuffle(&mut cards);
        assert_eq!(first, [857, 554, 335, 962, 828, 421]);
        assert_eq!(cards, [4, 8, 6, 9, 2, 5, 1, 7, 3, 0]);
    }

    #[test]
    fn a_place_in_a_stream_can_be_left_and_taken_up() {
        let mut whole = Draw::new(1, 2);
        let mut parts = DealRng::new(1, 2);
        for n in 1..200 {
            assert_eq!(whole.below(n), parts.draw(|d| d.below(n)));
        }
    }

    #[test]
    fn a_stream_beside_another_is_another() {
        let mut stream = DealRng::new(1, 2);
        let draws = |rng: &mut DealRng| -> Vec<u32> { (0..8).map(|_| rng.draw(|d| d.below(1000))).collect() };
        let (mut untouched, mut beside) = (stream, stream.beside());
        assert_ne!(draws(&mut beside), draws(&mut stream));
        assert_ne!(draws(&mut DealRng::new(1, 3).beside()), draws(&mut DealRng::new(1, 2).beside()));
        assert_eq!(stream, {
            draws(&mut untouched);
            untouched
        });
    }

    #[test]
    fn bounded_draws_are_uniform() {
        let mut draw = Draw::new(5, 0);
        let mut seen = [0u32; 7];
        (0..70_000).for_each(|_| seen[draw.below(7) as usize] += 1);
        assert!(seen.iter().all(|n| (9_600..10_400).contains(n)), "{seen:?}");
        let hits = (0..100_000).filter(|_| draw.chance(0.3)).count();
        assert!((29_400..30_600).contains(&hits), "{hits}");
        assert!(!draw.chance(0.0) && draw.chance(1.0));
    }

    #[test]
    fn derived_seeds_depend_on_every_part_and_its_place() {
        let seeds = [
            derive(1, &[]),
            derive(1, &[0]),
            derive(1, &[0, 0]),
            derive(1, &[0, 1]),
            derive(1, &[1, 0]),
            derive(2, &[0]),
        ];
        for (i, a) in seeds.iter().enumerate() {
            assert!(seeds[i + 1..].iter().all(|b| a != b));
        }
    }
}
