//! A short list of plain data, without heap memory.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Up to `N` values. In JSON, a list.
#[derive(Copy, Clone, Debug)]
pub struct List<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Returns the values without unused entries.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }

    /// Adds a value at the end. Returns false and does nothing if the list is full.
    pub fn push(&mut self, item: T) -> bool {
        let Some(place) = self.items.get_mut(usize::from(self.len)) else { return false };
        *place = item;
        self.len += 1;
        true
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self { items: [T::default(); N], len: 0 }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Default + Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Vec::<T>::deserialize(deserializer)?;
        let mut list = Self::default();
        if given.iter().all(|&item| list.push(item)) {
            return Ok(list);
        }
        Err(serde::de::Error::invalid_length(given.len(), &format!("at most {N} entries").as_str()))
    }
}

/// Sorts a few values; equal ones stay in order. `first` says whether one value belongs before another.
///
/// This needs no heap memory and only a few bytes of code. The standard library's sorts are for long lists and take
/// kilobytes for each type, which browsers would have to download.
pub fn sort_few<T>(values: &mut [T], first: impl Fn(&T, &T) -> bool) {
    for end in 1..values.len() {
        let mut at = end;
        while at > 0 && first(&values[at], &values[at - 1]) {
            values.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{List, sort_few};

    #[test]
    fn a_few_values_are_sorted_and_equals_keep_their_order() {
        let mut words = ["pass", "9", "10x2", "J", "9+J", "9x2", ""];
        let mut expected = words;
        expected.sort_by_key(|word| std::cmp::Reverse(word.len()));
        sort_few(&mut words, |a, b| a.len() > b.len());
        assert_eq!(words, expected);
        sort_few::<u8>(&mut [], |a, b| a < b);
    }

    #[test]
    fn a_list_holds_what_fits_and_reads_back() {
        let mut list = List::<u8, 3>::default();
        assert!([5, 6, 7].into_iter().all(|item| list.push(item)) && !list.push(8));
        assert_eq!(list.as_slice(), [5, 6, 7]);
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(text, "[5,6,7]");
        assert_eq!(serde_json::from_str::<List<u8, 3>>(&text).unwrap(), list);
        let error = serde_json::from_str::<List<u8, 3>>("[1,2,3,4]").unwrap_err();
        assert!(error.to_string().contains("at most 3"), "{error}");
    }
}
