use std::path::{Path, PathBuf};

use cardsharp_server::{DealsError, Published, Salt};
use cardsharp_text::escape::quoted;
use cardsharp_text::format::counted;
use cardsharp_text::input::{Lines, SMALL, TRACE_LINE, name, read_text};
use serde_json::{Value, json};

use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::recording::replay::{OpenTrace, Summary};

/// Verify that a server dealt the cards to which it was committed.
///
/// When a table opens, the server publishes the hash of a secret. When the session is over, it publishes the secret and
/// the salts of the people. The secret must have this hash, and the secret and the salts must give the seed. With
/// --trace, the session is dealt again from the seed, as `replay` does. Exits with 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp verify-deal table.json
  cardsharp verify-deal table.json --commitment 5d0c… --salt 0=rain --trace session.jsonl

More: ", docs!("fair-deals.html")))]
pub(crate) struct VerifyDeal {
    /// The published values: the answer of `GET /v1/tables/ID` after the session, or its `deals`; `-` reads standard input
    file: PathBuf,
    /// The commitment that you noted when the table opened
    #[arg(long, value_name = "HASH")]
    commitment: Option<String>,
    /// A salt that you added, after the number of your seat; may be repeated
    #[arg(long = "salt", value_name = "SEAT=TEXT", value_parser = salt)]
    salts: Vec<Salt>,
    /// The trace of the session, to check its cards as well
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Parses a salt and its seat.
fn salt(text: &str) -> Result<Salt, &'static str> {
    let (seat, salt) = text.split_once('=').ok_or("expected a seat and a text, like 0=rain")?;
    let seat = seat.parse().map_err(|_| "expected the number of a seat before the `=`")?;
    Ok(Salt { seat, salt: salt.to_owned() })
}

/// Why the deals of a session are not proven.
#[derive(Debug, thiserror::Error)]
enum VerifyDealError {
    #[error(
        "{} has no published values: {problem}; expected the answer of GET /v1/tables/ID after the session",
        quoted(name)
    )]
    NoValues { name: String, problem: String },
    #[error("{}: {source}", quoted(name))]
    Deals { name: String, source: DealsError },
    #[error("the commitment in {} is {found}, but you noted {noted}: the server changed it", quoted(name))]
    Commitment { name: String, noted: String, found: String },
    #[error("the salt of seat {seat} in {} is {found}, but you added `{}`", quoted(name), quoted(added))]
    Salt { name: String, seat: u8, added: String, found: String },
    #[error("the trace {} has the seed {found}, but the secret and the salts give {expected}", quoted(name))]
    Seed { name: String, found: u64, expected: u64 },
    #[error("the trace {} has chosen cards in `deal`: they do not follow from the seed", quoted(.0))]
    ChosenCards(String),
}

impl Failure for VerifyDealError {
    fn code(&self) -> u8 {
        match self {
            Self::NoValues { .. } | Self::Deals { source: DealsError::NotOver, .. } => 2,
            _ => 1,
        }
    }
}

impl VerifyDeal {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let published = published(&self.file)?;
        let name = || name(&self.file);
        let seed = published.verify().map_err(|source| VerifyDealError::Deals { name: name(), source })?;
        if let Some(noted) =
            self.commitment.filter(|noted| !noted.eq_ignore_ascii_case(&published.commitment))
        {
            let found = published.commitment;
            return Err(VerifyDealError::Commitment { name: name(), noted, found }.into());
        }
        let salts = published.salts.unwrap_or_default();
        for Salt { seat, salt: added } in self.salts {
            let found = salts.iter().find(|salt| salt.seat == seat).map(|salt| &salt.salt);
            if found != Some(&added) {
                let found =
                    found.map_or_else(|| "missing".to_owned(), |found| format!("`{}`", quoted(found)));
                return Err(VerifyDealError::Salt { name: name(), seat, added, found }.into());
            }
        }
        let summary = self.trace.map(|trace| replayed(&trace, seed)).transpose()?;
        if out.json {
            return out.json_page(&json!({
                "matches_commitment": true, "commitment": published.commitment, "salts": salts, "seed": seed,
                "trace": summary,
            }));
        }
        let salted = counted(salts.len() as u64, "salt");
        out.line(format!("The deals match the commitment: the secret and {salted} give the seed {seed}."))?;
        if let Some(summary) = summary {
            let rounds = counted(u64::from(summary.rounds), "round");
            out.line(format!("The trace has this seed, and its cards in {rounds} follow from it."))?;
        }
        Ok(())
    }
}

/// Reads the published values.
fn published(file: &Path) -> Result<Published, CliError> {
    let text = read_text(file, SMALL)?;
    let wrong = |problem: String| VerifyDealError::NoValues { name: name(file), problem };
    let mut value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if let Some(deals) = value.get_mut("deals") {
        value = deals.take();
        if value.is_null() {
            let why = "`deals` is null, because the host chose the seed or an older server opened the table";
            return Err(wrong(why.to_owned()).into());
        }
    }
    Ok(serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?)
}

/// Checks that a trace has this seed, and that its lines follow from it.
fn replayed(file: &Path, expected: u64) -> Result<Summary, CliError> {
    let trace =
        OpenTrace::open(Lines::open(file, TRACE_LINE)?).map_err(|error| error.in_input(name(file)))?;
    let found = trace.seed();
    if found != expected {
        return Err(VerifyDealError::Seed { name: name(file), found, expected }.into());
    }
    if trace.is_chosen {
        return Err(VerifyDealError::ChosenCards(name(file)).into());
    }
    trace.check(&mut ()).map_err(|error| error.in_input(name(file)))
}
