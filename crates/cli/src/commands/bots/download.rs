//! Downloads the archive of a bot, and compares its hash.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use cardsharp_bot::bots::registry::HASH;
use cardsharp_bot::bundle::manifest::MAX_FILE;
use cardsharp_bot::disk;
use cardsharp_bot::identity::{Address, version_of};
use sha2::{Digest, Sha256};

use crate::error::Failure;

/// The variable that names another place of a release, as for the installers.
const VARIABLE: &str = "CARDSHARP_DOWNLOADS";
const RELEASE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest/download");
/// The file of a release with the SHA-256 of all others.
const SUMS: &str = "SHA256SUMS";
/// The longest such file, in bytes.
const MAX_SUMS: u64 = 1 << 20;

/// Why an archive was not downloaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DownloadError {
    #[error(
        "`{0}` names no bot: expected a name such as `dalmuti@v1`, or a URL or path that ends with {HASH} and 64 digits"
    )]
    Source(String),
    #[error("{0}: expected an address that starts with https:// or file://, or a path")]
    Scheme(String),
    #[error("the release at {release} has no bot `{bot}`{}", has(.bots))]
    NoBot { release: String, bot: String, bots: Vec<String> },
    #[error("`curl` cannot be started ({0}): install it, or download the archive and pass its path")]
    NoCurl(io::Error),
    #[error("cannot download {url}: {problem}")]
    Curl { url: String, problem: String },
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("{0} has more than {1} bytes")]
    Long(String, u64),
    #[error(
        "{place} does not have the expected hash; nothing was installed\n  expected {expected}\n  found    {found}"
    )]
    Hash { place: String, expected: String, found: String },
}

fn has(bots: &[String]) -> String {
    if bots.is_empty() { String::new() } else { format!(": it has {}", bots.join(", ")) }
}

impl Failure for DownloadError {
    fn code(&self) -> u8 {
        match self {
            Self::Source(_) | Self::Scheme(_) => 2,
            _ => 1,
        }
    }
}

/// Returns the archive that `source` names, and its URL with its hash.
pub(crate) fn archive(source: &str) -> Result<(Vec<u8>, String), DownloadError> {
    let (place, expected) = match source.rsplit_once(HASH) {
        Some((place, hash)) => (place.to_owned(), hash.to_ascii_lowercase()),
        None => in_release(source)?,
    };
    if place.is_empty() || expected.len() != 64 || !expected.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(DownloadError::Source(source.to_owned()));
    }
    let bytes = content(&place, MAX_FILE)?;
    let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    match found == expected {
        true => Ok((bytes, format!("{place}{HASH}{found}"))),
        false => Err(DownloadError::Hash { place, expected, found }),
    }
}

/// Finds a bot in the checksums of a release. Returns the place of its archive, and the hash. Without a version it is
/// the newest one.
fn in_release(source: &str) -> Result<(String, String), DownloadError> {
    let Address { name, version } =
        Address::parse(source).ok_or_else(|| DownloadError::Source(source.to_owned()))?;
    let release = std::env::var(VARIABLE).ok().filter(|place| !place.is_empty());
    let release = release.unwrap_or_else(|| RELEASE.to_owned());
    let sums = content(&format!("{release}/{SUMS}"), MAX_SUMS)?;
    let sums = String::from_utf8_lossy(&sums);
    let bots: Vec<(&str, u32, &str, &str)> = sums.lines().filter_map(listed).collect();
    let versions = bots.iter().filter(|bot| bot.0 == name && version.is_none_or(|version| version == bot.1));
    match versions.max_by_key(|bot| bot.1) {
        Some((_, _, hash, file)) => Ok((format!("{release}/{file}"), (*hash).to_owned())),
        None => {
            let bots = bots.iter().map(|(name, version, ..)| format!("{name}@v{version}")).collect();
            Err(DownloadError::NoBot { release, bot: source.to_owned(), bots })
        }
    }
}

/// Returns name, version, hash and file of a bot in a line of the checksums; `None` for lines of other files.
fn listed(line: &str) -> Option<(&str, u32, &str, &str)> {
    let (hash, file) = line.split_once("  ")?;
    let (name, version) = file.strip_prefix("cardsharp-bot-")?.strip_suffix(".tar.gz")?.rsplit_once('-')?;
    Some((name, version_of(version)?, hash, file))
}

/// Returns the content at a URL or path, at most `most` bytes.
fn content(place: &str, most: u64) -> Result<Vec<u8>, DownloadError> {
    let path = match place.split_once("://") {
        Some(("https", _)) => return downloaded(place, most),
        Some(("file", path)) => path,
        Some(_) => return Err(DownloadError::Scheme(place.to_owned())),
        None => place,
    };
    let read = disk::read_regular(Path::new(path), most);
    let read = read.map_err(|source| {
        let source = disk::unopened(Path::new(path), source);
        DownloadError::Read { path: path.to_owned(), source }
    })?;
    read.ok_or_else(|| DownloadError::Long(place.to_owned(), most))
}

/// Downloads with `curl`, which knows the certificates and the proxy of the system.
fn downloaded(url: &str, most: u64) -> Result<Vec<u8>, DownloadError> {
    let mut curl = Command::new("curl");
    curl.args(["--fail", "--silent", "--show-error", "--location", "--proto", "=https", "--url", url]);
    curl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut curl = curl.spawn().map_err(DownloadError::NoCurl)?;
    let problem = |problem: String| DownloadError::Curl { url: url.to_owned(), problem };
    let mut bytes = Vec::new();
    if let Some(output) = curl.stdout.take() {
        output.take(most + 1).read_to_end(&mut bytes).map_err(|error| problem(error.to_string()))?;
    }
    // The pipe is closed: a program that still writes to it ends.
    let ended = curl.wait_with_output().map_err(|error| problem(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(DownloadError::Long(url.to_owned(), most));
    }
    match ended.status.success() {
        true => Ok(bytes),
        false => Err(problem(String::from_utf8_lossy(&ended.stderr).trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_list_the_bots_of_a_release() {
        let line = format!("{}  cardsharp-bot-my-bot-v12.tar.gz", "0".repeat(64));
        assert_eq!(listed(&line).map(|bot| (bot.0, bot.1)), Some(("my-bot", 12)));
        for other in
            ["", "00  cardsharp-0.1.0.tgz", "00  cardsharp-bot-x.tar.gz", "00  cardsharp-bot-x-1.tar.gz"]
        {
            assert_eq!(listed(other), None, "{other}");
        }
    }

    #[test]
    fn a_place_without_a_hash_and_other_schemes_are_refused() {
        let refused = |source: &str| archive(source).expect_err("refused").to_string();
        for source in ["./mine.tar.gz", "https://example.org/a", "a#sha256=12", "#sha256="] {
            assert!(refused(source).contains("names no bot"), "{source}");
        }
        let hash = "0".repeat(64);
        assert!(refused(&format!("http://example.org/a#sha256={hash}")).contains("https://"));
    }
}
