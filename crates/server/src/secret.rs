//! Secrets, and their hashes that the server stores.

use cardsharp_env::seed;
use serde::{Deserialize, Serialize};

/// A secret: 128 random bits from the operating system, as 32 hexadecimal digits. A client proves its role with it
/// alone.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// Draws a new secret.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(hex(&bytes)))
    }

    /// Wraps the text that a client sent as its secret.
    pub(crate) fn given(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the hash that the server stores.
    pub(crate) fn digest(&self) -> Digest {
        Digest(blake3::hash(self.0.as_bytes()))
    }

    /// Returns the text, to send it to the client.
    pub(crate) fn reveal(&self) -> String {
        self.0.clone()
    }
}

/// The hash of a secret. It can verify a secret, but does not reveal it. Comparisons take constant time.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Digest(blake3::Hash);

impl Digest {
    /// Returns the hash as hexadecimal digits, for the names of files.
    pub(crate) fn hex(&self) -> String {
        self.0.to_hex().to_string()
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Digest(…)")
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        blake3::Hash::from_hex(&text).map(Self).map_err(serde::de::Error::custom)
    }
}

/// 256 random bits from the operating system, as 64 hexadecimal digits.
///
/// # Errors
/// The system has no randomness.
pub(crate) fn digits() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// 64 random bits from the operating system.
///
/// # Errors
/// The system has no random bits.
pub(crate) fn number() -> Result<u64, getrandom::Error> {
    getrandom::u64()
}

/// A random seed from the operating system.
///
/// # Errors
/// The system has no randomness.
pub(crate) fn seed() -> Result<u64, getrandom::Error> {
    number().map(seed::of_bits)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_are_drawn_may_be_written_down() {
        let drawn: Vec<u64> = (0..100).map(|_| super::seed().unwrap()).collect();
        assert!(drawn.iter().all(|&drawn| drawn <= seed::MAX));
        assert!(drawn.iter().any(|&drawn| drawn > seed::MAX / 8));
    }

    #[test]
    fn a_digest_knows_its_secret_and_survives_a_file() {
        let secret = Secret::new().unwrap();
        assert_eq!(secret.reveal().len(), 32);
        let kept: Digest = serde_json::from_str(&serde_json::to_string(&secret.digest()).unwrap()).unwrap();
        assert_eq!(Secret::given(secret.reveal()).digest(), kept);
        assert_ne!(Secret::new().unwrap().digest(), kept);
        assert!(!format!("{kept:?}").contains(&kept.hex()));
    }
}
