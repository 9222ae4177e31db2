//! The name, version and license of a bot, and how a bot is named: `dalmuti@v3`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file in a bundle.
pub const FILE: &str = "identity.json";
/// The longest name of a bot, in characters.
const LONGEST: usize = 40;
/// Names that cannot be those of a network, because they mean other bots.
const RESERVED: [&str; 6] = ["aggressive", "cautious", "random", "scripted", "search", "trained"];

/// The content of `identity.json`: who a bot is, wherever its bundle is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name of the bot: a letter, then letters, digits and hyphens, in lower case.
    pub name: String,
    /// Version of the bot, from 1. Another network has another version.
    #[schemars(range(min = 1))]
    pub version: u32,
    /// License of the network, as an SPDX expression.
    pub license: String,
}

impl Identity {
    /// Creates the identity of the bot at `address`, as in `dalmuti@v3`.
    ///
    /// # Errors
    /// The address has no version, or its name is reserved.
    pub fn new(address: &str, license: String) -> Result<Self, IdentityError> {
        let refused = || IdentityError::Address(address.to_owned());
        let Address { name, version } = Address::parse(address).ok_or_else(refused)?;
        let identity = Self { name: name.to_owned(), version: version.ok_or_else(refused)?, license };
        identity.check()?;
        Ok(identity)
    }

    /// Reads the content of `identity.json`.
    ///
    /// # Errors
    /// The content is not JSON, or not valid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IdentityError> {
        let identity: Self = crate::text::from_json(bytes)?;
        identity.check()?;
        Ok(identity)
    }

    fn check(&self) -> Result<(), IdentityError> {
        let address = self.to_string();
        if Address::parse(&address).is_none() {
            return Err(IdentityError::Address(address));
        }
        if RESERVED.contains(&self.name.as_str()) {
            return Err(IdentityError::Reserved(self.name.clone()));
        }
        let is_license = |c: char| c.is_ascii_alphanumeric() || " -.+()".contains(c);
        if self.license.trim().is_empty() || self.license.len() > 200 || !self.license.chars().all(is_license)
        {
            return Err(IdentityError::License(self.license.clone()));
        }
        Ok(())
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@v{}", self.name, self.version)
    }
}

/// A bot's name, and its version if the user wants a certain one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Address<'s> {
    /// The name of the bot.
    pub name: &'s str,
    /// The version of the bot.
    pub version: Option<u32>,
}

impl<'s> Address<'s> {
    /// Reads `dalmuti` or `dalmuti@v3`. Returns `None` for anything else, such as a path.
    pub fn parse(text: &'s str) -> Option<Self> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version_of(version)?)),
            None => (text, None),
        };
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.len() <= LONGEST
            && name.chars().all(plain);
        is_name.then_some(Self { name, version })
    }
}

/// Returns the number of a version such as `v3`. Each version has one spelling.
pub fn version_of(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('v')?;
    let starts_well = digits.starts_with(|c: char| ('1'..='9').contains(&c));
    digits.parse().ok().filter(|_| starts_well)
}

/// Why an identity is refused.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// It is not a name with a version.
    #[error(
        "`{0}` is not the name of a bot with a version: expected a name of at most {LONGEST} lower-case letters, digits and \
         `-`, and a version from 1, like `mine@v1`"
    )]
    Address(String),
    /// The name has another meaning.
    #[error("a bot cannot be called `{0}`: the name has another meaning")]
    Reserved(String),
    /// It is not an SPDX expression.
    #[error("`{0}` is not a license: expected an SPDX expression such as `MIT`")]
    License(String),
    /// The file is not JSON.
    #[error("not the identity of a bot: {0}")]
    Json(#[from] serde_json::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_name_and_may_have_a_version() {
        let address = |name, version| Some(Address { name, version });
        assert_eq!(Address::parse("dalmuti"), address("dalmuti", None));
        assert_eq!(Address::parse("my-bot2@v12"), address("my-bot2", Some(12)));
        let others =
            ["", "a/b", "A", "2a", "a_b", "a@3", "a@v0", "a@v03", "a@v", "a@v1@3", "a@V1", "a@v99999999999"];
        for other in others {
            assert_eq!(Address::parse(other), None, "{other}");
        }
    }

    #[test]
    fn identities_are_checked_when_they_are_made_and_read() {
        let identity = Identity::new("mine@v2", "MIT OR Apache-2.0".to_owned()).unwrap();
        assert_eq!(identity.to_string(), "mine@v2");
        let bytes = serde_json::to_vec(&identity).unwrap();
        assert_eq!(Identity::from_bytes(&bytes).unwrap(), identity);
        let refused = |address: &str, license: &str| {
            Identity::new(address, license.to_owned()).unwrap_err().to_string()
        };
        assert!(refused("mine", "MIT").starts_with("`mine` is not the name of a bot with a version"));
        assert_eq!(
            refused("trained@v1", "MIT"),
            "a bot cannot be called `trained`: the name has another meaning"
        );
        assert!(refused("mine@v1", "").starts_with("`` is not a license"));
        for text in
            [r#"{"name":"../x","version":1,"license":"MIT"}"#, r#"{"name":"x","version":0,"license":"MIT"}"#]
        {
            assert!(Identity::from_bytes(text.as_bytes()).is_err(), "{text}");
        }
    }
}
