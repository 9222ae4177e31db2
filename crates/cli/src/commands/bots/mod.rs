pub(crate) mod archive;
mod download;
mod list;

use cardsharp_bot::bots::registry::{self, InstallError, Installed};
use cardsharp_bot::bundle::{self, ExportError};
use cardsharp_bot::file;
use cardsharp_text::escape;
use serde_json::json;

use crate::args::program;
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::{bots, games, terminal};
use list::BotSummary;

/// List trained bots, or download and remove them.
///
/// Without a subcommand, all bots in this program and all installed bots are listed. A bot has a name and a version:
/// `dalmuti` or `dalmuti@v1`, at a level `dalmuti@v1@5`. The names work wherever a command takes a bot. Downloaded bots
/// are in the folder of the variable CARDSHARP_BOTS, otherwise in `cardsharp/bots` in the platform's folder for data.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp bots
  cardsharp bots show dalmuti
  cardsharp bots get dalmuti@v1
  cardsharp bots get 'https://example.org/mine.tar.gz#sha256=HASH'
  cardsharp play dalmuti --against dalmuti@v1

More: ", docs!("levels.html")))]
pub(crate) struct Bots {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show the model card of a bot: training, strength, cost and limits
    Show {
        /// The bot: a name such as `dalmuti` or `dalmuti@v1`, or the folder of a bundle
        #[arg(value_name = "BOT")]
        bot: std::path::PathBuf,
    },
    /// Download the archive of a bot, and install it if its hash is right
    ///
    /// A name is looked up in the checksums of the latest release. The variable CARDSHARP_DOWNLOADS names another address
    /// or folder with the files of a release. Downloads need `curl`; paths and `file://` do not.
    Get {
        /// A name such as `dalmuti`, or a URL or path with the SHA-256 of the archive: `URL#sha256=HASH`
        #[arg(value_name = "BOT")]
        source: String,
    },
    /// Remove an installed bot
    Remove {
        /// The name and version, such as `dalmuti@v1`
        #[arg(value_name = "NAME@vN")]
        bot: String,
    },
}

impl Failure for InstallError {
    fn code(&self) -> u8 {
        if matches!(self, Self::System { .. }) { 1 } else { 2 }
    }
}

impl Bots {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        match self.action {
            None => list::all(out),
            Some(Action::Show { bot }) => show(out, &bot),
            Some(Action::Get { source }) => get(out, &source),
            Some(Action::Remove { bot }) => remove(out, &bot),
        }
    }
}

fn show(out: &mut Output, bot: &std::path::Path) -> Result<(), CliError> {
    let listed = BotSummary::of(&bots::place(bot)?)?;
    if out.json {
        return out.json_page(&json!({ "bot": listed, "card": listed.card()? }));
    }
    let card = listed.card()?;
    let card = escape::page(&card);
    out.flush()?;
    if terminal::paged(&card) { Ok(()) } else { out.text(card.into_owned()) }
}

fn get(out: &mut Output, source: &str) -> Result<(), CliError> {
    let (bytes, source) = download::archive(source)?;
    let files = archive::unpack(&bytes)?;
    // Nothing is installed that this program cannot play.
    let network = files.iter().find(|(name, _)| name == cardsharp_bot::bots::FILE);
    let network = network.map_or(&[][..], |(_, bytes)| bytes.as_slice());
    let (header, _) = file::from_bytes(network).map_err(ExportError::Bot)?;
    let game = bundle::fits(games::all(), &header).map_err(ExportError::Misfit)?;
    let (bot, new) = registry::install(&files, &source)?;
    let (address, path) = (bot.address(), bot.path.display().to_string());
    if out.json {
        return out.json_page(&json!({ "bot": address, "path": path, "source": source, "new": new }));
    }
    match new {
        true => out.line(format!("Installed {address} in {path}."))?,
        false => out.line(format!("{address} is installed already, in {path}."))?,
    }
    out.command(format!("Play against it with: {} play {} --against {address}", program(), game.name()))
}

/// There is no installed bot of this name and version.
#[derive(Debug, thiserror::Error)]
#[error("`{spec}` is not an installed bot: expected {expected}")]
struct NotInstalled {
    spec: String,
    expected: String,
}

impl Failure for NotInstalled {
    fn code(&self) -> u8 {
        2
    }
}

fn remove(out: &mut Output, bot: &str) -> Result<(), CliError> {
    let installed = registry::installed();
    let Some(found) = installed.iter().find(|installed| installed.address() == bot) else {
        let names: Vec<String> = installed.iter().map(Installed::address).collect();
        let expected =
            if names.is_empty() { "one, but none is installed".to_owned() } else { names.join(", ") };
        return Err(NotInstalled { spec: bot.to_owned(), expected }.into());
    };
    registry::remove(found)?;
    if out.json {
        return out.json_page(&json!({ "removed": bot }));
    }
    out.line(format!("Removed {bot}."))
}
