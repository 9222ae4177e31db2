//! The replay buffer of distillation targets.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Lessons;

/// A replay buffer of settled lessons ([`Lessons::settled`]), in the order in which they came. Clones share the
/// lessons: every iteration starts with a clone of the state, and the lessons are most of it.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    parts: VecDeque<Arc<Lessons>>,
    /// Number of lessons of the first part that were dropped.
    forgotten: usize,
}

impl Kept {
    /// Number of lessons.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum::<usize>() - self.forgotten
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds settled lessons ([`Lessons::settled`]).
    pub fn add(&mut self, lessons: Lessons) {
        if !lessons.is_empty() {
            self.parts.push_back(Arc::new(lessons));
        }
    }

    /// Drops all but the last `most` lessons.
    pub fn keep_last(&mut self, most: usize) {
        self.forgotten += self.len().saturating_sub(most);
        while let Some(first) = self.parts.front().filter(|first| first.len() <= self.forgotten) {
            self.forgotten -= first.len();
            self.parts.pop_front();
        }
    }

    /// Returns copies of the lessons with these numbers, from 0 for the oldest.
    pub fn chosen(&self, numbers: impl Iterator<Item = usize>) -> Lessons {
        let ends: Vec<usize> = self
            .parts
            .iter()
            .scan(0, |end, part| {
                *end += part.len();
                Some(*end)
            })
            .collect();
        let mut chosen = Lessons::default();
        for number in numbers {
            let number = number + self.forgotten;
            let at = ends.partition_point(|&end| end <= number);
            let part = &self.parts[at];
            chosen.copy_of(part, number + part.len() - ends[at]);
        }
        chosen
    }

    /// Returns copies of all lessons.
    pub fn all(&self) -> Lessons {
        self.chosen(0..self.len())
    }
}

impl PartialEq for Kept {
    /// Compares the lessons, not how they are divided into parts.
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::ActionId;

    use super::*;
    use crate::rollout::NONE;

    #[test]
    fn lessons_are_kept_to_the_last_and_chosen_by_number() {
        let lessons = |numbers: std::ops::Range<usize>| {
            let mut lessons = Lessons::default();
            for number in numbers {
                let (row, legal, hidden) = ([number as u8; 3], [number as u64, 1], [number as u8]);
                lessons.decisions.push(&row, &legal, &hidden, ActionId(number as u16), 0.0, 0.0);
                lessons.targets.extend([number as f32, 0.5]);
            }
            let returns = lessons.decisions.actions.iter().map(|action| f32::from(action.0)).collect();
            lessons.settled(returns)
        };
        let mut kept = Kept::default();
        [0..5, 5..5, 5..9, 9..10].into_iter().for_each(|numbers| kept.add(lessons(numbers)));
        kept.keep_last(20);
        assert_eq!((kept.len(), kept.all()), (10, lessons(0..10)));
        kept.keep_last(7);
        assert_eq!((kept.len(), kept.all()), (7, lessons(3..10)));
        let mut chosen = lessons(4..5);
        [9..10, 5..6, 4..5].into_iter().for_each(|numbers| chosen.append(&lessons(numbers)));
        let before = kept.clone();
        kept.keep_last(6);
        assert_eq!(kept.chosen([0, 5, 1, 0].into_iter()), chosen);
        assert!(chosen.decisions.next.iter().all(|&next| next == NONE));
        // A clone does not change, and the division into parts makes no difference.
        assert_eq!(before.all(), lessons(3..10));
        assert_ne!(before, kept);
        let mut other = Kept::default();
        other.add(lessons(4..10));
        assert_eq!(other, kept);
        kept.keep_last(0);
        assert!(kept.is_empty() && kept.all().is_empty());
    }
}
