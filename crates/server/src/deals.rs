//! Deals that players can verify. When a table opens, the server publishes the hash of a secret. People can add salts
//! before the session starts. The secret and the salts determine the seed, and are published when the session is over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The number of hexadecimal digits of a hash from which a seed is made: 52 bits, which JavaScript reads exactly.
const SEED: usize = 13;
/// The maximum number of characters of a salt.
pub(crate) const SALT: usize = 64;

/// A text that a person adds to the secret of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Salt {
    /// The seat of the person.
    pub seat: u8,
    /// 1 to 64 visible ASCII characters without spaces.
    pub salt: String,
}

/// What determines the seed of a session.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SeedSource {
    /// 64 hexadecimal digits.
    pub(crate) secret: String,
    /// The salts, by seat.
    pub(crate) salts: Vec<Salt>,
}

/// What everyone at a table knows about the seed of the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Published {
    /// The SHA-256 hash of the secret, from the opening of the table on.
    pub commitment: String,
    /// The secret; null until the session is over.
    pub secret: Option<String>,
    /// The salts by seat; null until the session is over.
    pub salts: Option<Vec<Salt>>,
    /// The seed; null until the session is over.
    pub seed: Option<u64>,
}

/// Why the published values do not match the commitment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealsError {
    /// The session is not over.
    #[error("`secret`, `salts` or `seed` is null: the server publishes them when the session is over")]
    NotOver,
    /// The secret is another one than that of the commitment.
    #[error(
        "the SHA-256 hash of `secret` is {found}, but `commitment` is {expected}: the server changed one of them"
    )]
    Secret {
        /// The hash of the secret.
        found: String,
        /// The hash to which the server committed.
        expected: String,
    },
    /// The seed does not follow from the secret and the salts.
    #[error("the secret and the salts give the seed {expected}, but `seed` is {found}")]
    Seed {
        /// The published seed.
        found: u64,
        /// The seed that the secret and the salts give.
        expected: u64,
    },
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns whether people may add this text as a salt.
pub(crate) fn is_salt(text: &str) -> bool {
    (1..=SALT).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl SeedSource {
    /// Returns the hash of the secret.
    pub(crate) fn commitment(&self) -> String {
        hash(&self.secret)
    }

    /// Returns the seed of the session.
    pub(crate) fn seed(&self) -> u64 {
        let salts = self.salts.iter().map(|Salt { seat, salt }| format!("\n{seat} {salt}"));
        let digits = hash(&(self.secret.clone() + &salts.collect::<String>()));
        // The digits of a hash are hexadecimal.
        u64::from_str_radix(&digits[..SEED], 16).unwrap_or_default()
    }

    /// Returns what everyone knows of it, while the session runs or after it.
    pub(crate) fn published(&self, over: bool) -> Published {
        Published {
            commitment: self.commitment(),
            secret: over.then(|| self.secret.clone()),
            salts: over.then(|| self.salts.clone()),
            seed: over.then(|| self.seed()),
        }
    }
}

impl Published {
    /// Checks the commitment and the seed. Returns the seed.
    ///
    /// # Errors
    /// The session is not over, or a value does not fit the others.
    pub fn verify(&self) -> Result<u64, DealsError> {
        let (Some(secret), Some(salts), Some(found)) = (&self.secret, &self.salts, self.seed) else {
            return Err(DealsError::NotOver);
        };
        let deals = SeedSource { secret: secret.clone(), salts: salts.clone() };
        let (hash, seed) = (deals.commitment(), deals.seed());
        if hash != self.commitment {
            return Err(DealsError::Secret { found: hash, expected: self.commitment.clone() });
        }
        if seed != found {
            return Err(DealsError::Seed { found, expected: seed });
        }
        Ok(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deals() -> SeedSource {
        let salt = |seat, salt: &str| Salt { seat, salt: salt.to_owned() };
        SeedSource { secret: "ab".repeat(32), salts: vec![salt(0, "rain"), salt(3, "17:04")] }
    }

    #[test]
    fn another_program_computes_the_same() {
        // From Python: hashlib.sha256(text.encode()).hexdigest(), and int(digits[:13], 16).
        assert_eq!(deals().commitment(), "271a413bd339c5709fdceaec41f14f11e9fbfb5042d72d331c65f32b284cd09a");
        assert_eq!(deals().seed(), 3_938_001_651_555_452);
        assert_eq!(SeedSource { salts: Vec::new(), ..deals() }.seed(), 687_899_473_163_164);
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let published = deals().published(true);
        assert_eq!(published.verify(), Ok(deals().seed()));
        assert_eq!(deals().published(false).verify(), Err(DealsError::NotOver));
        let other = Published { secret: Some("cd".repeat(32)), ..published.clone() };
        assert!(matches!(other.verify(), Err(DealsError::Secret { .. })));
        let other = Published { seed: Some(5), ..published.clone() };
        assert_eq!(other.verify(), Err(DealsError::Seed { found: 5, expected: deals().seed() }));
        let fewer = Published { salts: Some(deals().salts[..1].to_vec()), ..published };
        assert!(matches!(fewer.verify(), Err(DealsError::Seed { .. })));
    }

    #[test]
    fn a_salt_is_short_visible_text() {
        let long = "x".repeat(SALT);
        assert!([long.as_str(), "a", "~!:\"\\"].into_iter().all(is_salt));
        assert!(!["", "a b", "a\n", "é", &(long + "x")].into_iter().any(is_salt));
    }
}
