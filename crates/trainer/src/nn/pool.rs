//! Memory that tensors reuse.
//!
//! The system clears memory each time it hands it out, which costs as much as a layer of a network. So the buffers of
//! layers and gradients come from one pool. All threads share it, because the threads of a step end with the step. Its
//! content never influences a result.

use std::sync::{Mutex, Once, PoisonError};

/// Minimum length of a buffer in the pool.
const LEAST: usize = 4096;
/// Maximum number of buffers in the pool.
const MOST: usize = 256;

static NUMBERS: Pool<Vec<f32>> = Pool::new();

/// A pool of reusable values.
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn with<R>(&self, act: impl FnOnce(&mut Vec<T>) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a value with arbitrary content.
    pub(crate) fn take(&self) -> T {
        self.with(Vec::pop).unwrap_or_default()
    }

    /// Takes a value back.
    pub(crate) fn give(&self, value: T) {
        self.with(|free| {
            if free.len() < MOST {
                free.push(value);
            }
        });
    }
}

/// Returns a buffer of `len` numbers with arbitrary content.
pub(crate) fn take(len: usize) -> Vec<f32> {
    let found = NUMBERS.with(|free| {
        let fits = |buffer: &Vec<f32>| len >= LEAST && (len..=2 * len).contains(&buffer.capacity());
        let least = free.iter().enumerate().filter(|(_, buffer)| fits(buffer));
        let best = least.min_by_key(|(_, buffer)| buffer.capacity()).map(|(place, _)| place);
        best.map(|place| free.swap_remove(place))
    });
    let mut buffer = found.unwrap_or_default();
    buffer.resize(len, 0.0);
    buffer
}

/// Takes a buffer back.
pub(crate) fn give(buffer: Vec<f32>) {
    if buffer.capacity() >= LEAST {
        NUMBERS.give(buffer);
    }
}

/// Makes the system's allocator keep freed memory.
///
/// The GNU C library returns the end of its heap to the system once a little of it is free. A step's small tensors
/// would be fetched again page by page. After a large block was freed, the library waits for more. With other libraries
/// this does nothing.
pub(crate) fn hold() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(8 << 20))));
}

/// Frees all buffers, at the end of a run.
pub(crate) fn clear() {
    NUMBERS.with(Vec::clear);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_reused_for_lengths_up_to_their_capacity() {
        let mut mine = Vec::with_capacity(123_456);
        mine.resize(100_001, 1.0);
        let place = mine.as_ptr();
        give(mine);
        let again = take(123_400);
        assert_eq!((again.as_ptr(), again.len()), (place, 123_400));
        assert!(take(50).capacity() < LEAST);
    }
}
