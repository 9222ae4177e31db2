//! Public knowledge about the other players' hands and the draw pile, as a player with perfect memory would
//! have it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::deck::{self, Card, Cards, Color, SYMBOLS, Symbol, bit};

/// Number of proofs stored for each player.
pub(super) const PROOFS: usize = 4;
/// The most cards that can be turned up and buried before a game.
pub(super) const MOST_BURIED: usize = 52;

/// Number of card groups: 4 colors, 13 symbols, Change Color, Super TAKI, King, +3.
pub(super) const GROUPS: usize = 4 + SYMBOLS + 4;

/// The faces of each group, as bits.
static GROUP_FACES: [u64; GROUPS] = {
    let mut faces = [0; GROUPS];
    let mut i = 0;
    while i < GROUPS {
        faces[i] = match i {
            0..4 => Color::ALL[i].faces(),
            4..17 => Symbol::ALL[i - 4].faces(),
            17 => bit(deck::CHANGE),
            _ => bit(deck::SUPER + (i - 18) as u8),
        };
        i += 1;
    }
    faces
};

/// An upper bound on a player's hand: at most `at_most` of its cards have a face in `faces`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Faces as bits; 0 is no proof.
    pub faces: u64,
    /// The groups all of whose faces are in `faces`, as bits. The observation shows these.
    pub groups: u32,
    /// The highest possible number of such cards in the hand.
    pub at_most: u8,
}

impl Proof {
    /// Returns the proof that at most `at_most` cards have one of these faces.
    pub(super) fn new(faces: u64, at_most: u8) -> Self {
        let mut groups = 0;
        for (i, group) in GROUP_FACES.iter().enumerate() {
            groups |= u32::from(faces & group == *group) << i;
        }
        Self { faces, groups, at_most }
    }
}

/// What a player's moves have proven about their hand, oldest proof first. Example: with `draw_policy =
/// "stuck_only"`, a player who draws held no playable card, so only cards drawn since can be playable. The
/// faces of each proof include those of the later proofs. Therefore the list loses no information, except
/// that it drops the oldest proof if there are more than four.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Proofs(pub(super) [Proof; PROOFS]);

impl Proofs {
    /// Iterates over the proofs, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Proof> + '_ {
        self.0.iter().copied().take_while(|proof| proof.faces != 0)
    }

    /// Adds the proof that the player holds none of these faces.
    pub(super) fn add(&mut self, faces: u64) {
        if faces == 0 {
            return;
        }
        // Drop an older proof if the new one covers all its faces: the new bound of 0 is at least as strict.
        let mut kept = [Proof::default(); PROOFS + 1];
        let mut n = 0;
        for proof in self.iter() {
            if proof.faces & !faces != 0 {
                kept[n] = Proof::new(proof.faces | faces, proof.at_most);
                n += 1;
            }
        }
        kept[n] = Proof::new(faces, 0);
        let oldest = (n + 1).saturating_sub(PROOFS);
        self.0.copy_from_slice(&kept[oldest..oldest + PROOFS]);
        self.merge();
    }

    /// Drops the older of two proofs about the same faces, because the later one is at least as strict.
    fn merge(&mut self) {
        for i in (1..PROOFS).rev() {
            if self.0[i].faces != 0 && self.0[i - 1].faces == self.0[i].faces {
                self.0.copy_within(i.., i - 1);
                self.0[PROOFS - 1] = Proof::default();
            }
        }
    }

    /// Updates the proofs after a draw. `faces` are the faces that the drawn card can have, as far as the
    /// table knows.
    #[inline]
    pub(super) fn drew(&mut self, faces: u64) {
        for proof in &mut self.0 {
            proof.at_most += u8::from(proof.faces & faces != 0);
        }
    }

    /// Updates the proofs after the player laid a card, and drops those that no longer restrict a hand of
    /// `size` cards.
    #[inline]
    pub(super) fn laid(&mut self, card: Card, size: u8) {
        for proof in &mut self.0 {
            proof.at_most -= u8::from(proof.faces & bit(card) != 0);
        }
        while self.0[0].faces != 0 && self.0[0].at_most >= size {
            self.0.copy_within(1.., 0);
            self.0[PROOFS - 1] = Proof::default();
        }
    }
}

/// An upper limit for certain cards in a player's hand, proven by the player's moves or by the discards.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Proof")]
struct ProofText {
    /// The kinds of cards that the limit counts, each once.
    #[schemars(with = "Cards")]
    cards: String,
    /// The most cards of these kinds that the hand can hold in total.
    at_most: u8,
}

impl JsonSchema for Proofs {
    fn schema_name() -> Cow<'static, str> {
        "Proofs".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<ProofText>(), "maxItems": PROOFS })
    }
}

impl JsonSchema for Buried {
    fn schema_name() -> Cow<'static, str> {
        Cards::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Cards::json_schema(generator)
    }
}

impl Serialize for Proofs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |proof: Proof| ProofText {
            cards: deck::list_to_text(deck::kinds().filter(|&card| proof.faces & bit(card) != 0)),
            at_most: proof.at_most,
        };
        serializer.collect_seq(self.iter().map(text))
    }
}

impl<'de> Deserialize<'de> for Proofs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<ProofText>::deserialize(deserializer)?;
        if list.len() > PROOFS {
            return Err(serde::de::Error::invalid_length(list.len(), &"at most 4 proofs"));
        }
        let mut proofs = Self::default();
        for (proof, text) in proofs.0.iter_mut().zip(list) {
            let mut faces = 0;
            for word in text.cards.split_whitespace() {
                faces |= bit(deck::card_from(word).map_err(serde::de::Error::custom)?);
            }
            if faces == 0 {
                return Err(serde::de::Error::custom("a proof about no cards"));
            }
            *proof = Proof::new(faces, text.at_most);
        }
        Ok(proofs)
    }
}

/// The known cards at the bottom of the draw pile, in order, the bottom card first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Buried {
    cards: [Card; MOST_BURIED],
    len: u8,
}

impl Buried {
    pub(super) const NONE: Self = Self { cards: [0; MOST_BURIED], len: 0 };

    /// Puts a card below all others.
    pub(super) fn bury(&mut self, card: Card) {
        self.cards.copy_within(..usize::from(self.len), 1);
        self.cards[0] = card;
        self.len += 1;
    }

    /// The cards, the bottom one first.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// Returns the number of buried cards.
    #[inline]
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Returns whether there are no buried cards.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes and returns the top one of these cards.
    pub(super) fn take(&mut self) -> Option<Card> {
        self.len = self.len.checked_sub(1)?;
        Some(std::mem::take(&mut self.cards[usize::from(self.len)]))
    }
}

impl Serialize for Buried {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&deck::list_to_text(self.cards().iter().copied()))
    }
}

impl<'de> Deserialize<'de> for Buried {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut buried = Self::NONE;
        for word in text.split_whitespace() {
            let card = deck::card_from(word).map_err(serde::de::Error::custom)?;
            let next = usize::from(buried.len);
            let place = buried.cards.get_mut(next).ok_or_else(|| {
                serde::de::Error::invalid_length(MOST_BURIED + 1, &"at most 52 buried cards")
            })?;
            *place = card;
            buried.len += 1;
        }
        Ok(buried)
    }
}
