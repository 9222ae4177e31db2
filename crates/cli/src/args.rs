//! Arguments that several commands share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardsharp_bot::LoadOptions;
use cardsharp_bot::arena::command::word;
use cardsharp_bot::bots::program::{ProgramLog, TIMEOUT};
use cardsharp_bot::bots::search::{DEFAULT_SIMULATIONS, MOST_SIMULATIONS};
use cardsharp_bot::workers::MOST_THREADS;
use cardsharp_document::{parse_rules, parse_session_rules};
use cardsharp_env::seed::{self, EXPECTED};
use cardsharp_env::{AnyGame, AnyTable, GameRules, Size};
use cardsharp_text::input::{SMALL, name, read_text};
use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser,
};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use serde_json::Value;

use crate::error::{CliError, Failure};
use crate::{files, games};

/// A game named on the command line.
#[derive(Clone, Copy)]
pub(crate) struct GameArg(pub(crate) &'static dyn AnyGame);

impl GameArg {
    /// The parser: accepts the names of all games. Help hides the reference games.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        Self::parser_showing(|game| !game.is_reference())
    }

    /// The parser: accepts the names of all games. Help lists those for which `is_shown` is true.
    pub(crate) fn parser_showing(is_shown: fn(&dyn AnyGame) -> bool) -> impl TypedValueParser<Value = Self> {
        let names = games::all().iter().map(|game| PossibleValue::new(game.name()).hide(!is_shown(game)));
        PossibleValuesParser::new(names).try_map(|name| games::game(&name).map(Self).ok_or(UnknownGame(name)))
    }
}

/// The error for a name that no game has.
#[derive(Debug, thiserror::Error)]
#[error("there is no game `{0}`")]
pub(crate) struct UnknownGame(pub(crate) String);

impl Failure for UnknownGame {
    fn code(&self) -> u8 {
        2
    }
}

/// Default address of the page that shows games.
pub(crate) const VIEWER: &str = "http://127.0.0.1:8038/";

/// Where links to games lead.
#[derive(clap::Args)]
pub(crate) struct ViewerArg {
    /// Address of the table in the browser, which links to games open
    #[arg(long, value_name = "URL", default_value = VIEWER, value_parser = address)]
    pub(crate) viewer: String,
}

/// Parses the address of a page, or a relative path.
fn address(text: &str) -> Result<String, &'static str> {
    let path = text.split(['/', '?']).next().unwrap_or_default();
    let known = ["http:", "https:", "file:"].contains(&path) || !path.contains(':');
    if text.is_empty() || text.contains('#') || !known {
        return Err("expected an http:// or https:// address or a path, without a `#`");
    }
    Ok(text.to_owned())
}

/// Where a command writes what it prints.
#[derive(clap::Args)]
pub(crate) struct ToArg {
    /// Write to this file instead of standard output; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

impl ToArg {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.to.as_deref()
    }
}

/// Which rules to play by.
#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// Number of players [default: from the rules]
    #[arg(long, value_name = "N")]
    pub(crate) players: Option<u8>,
    /// Rule set by its name, or TOML file with options of the game (`-`: standard input); `cardsharp describe GAME` lists
    /// rule sets and options
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Set an option of the game, like `players=5`; overrides the file; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    pub(crate) set: Vec<String>,
}

impl RulesArgs {
    /// Whether the command line sets any rules: `--rules`, `--set` or `--players`.
    pub(crate) fn is_given(&self) -> bool {
        self.rules.is_some() || !self.set.is_empty() || self.players.is_some()
    }

    /// Returns the complete rules. The rules file or the defaults come first; `--set`, `--players` and `rounds`
    /// override them.
    pub(crate) fn resolve(&self, game: &dyn AnyGame, rounds: Option<u32>) -> Result<GameRules, CliError> {
        let (name, text) = self.text(game)?;
        let size = Size { players: self.players, rounds };
        Ok(parse_rules(game, &name, &text, &self.set, size)?)
    }

    /// Like [`RulesArgs::resolve`], but sessions have one round if neither the rules nor `rounds` set a number.
    pub(crate) fn resolve_short(
        &self,
        game: &dyn AnyGame,
        rounds: Option<u32>,
    ) -> Result<GameRules, CliError> {
        let (name, text) = self.text(game)?;
        let size = Size { players: self.players, rounds };
        Ok(parse_session_rules(game, &name, &text, &self.set, size, 1)?)
    }

    /// Returns the name of the rules for messages, and their TOML text.
    fn text(&self, game: &dyn AnyGame) -> Result<(String, String), CliError> {
        match &self.rules {
            Some(path) => match games::rule_set(game, path) {
                Some(set) => Ok((format!("rule set {}", set.name), set.text.to_owned())),
                None if games::is_rule_set_name(path) => Err(games::unknown_rule_set(game, path)),
                None => Ok((name(path), read_text(path, SMALL)?)),
            },
            None => Ok(("--set".to_owned(), String::new())),
        }
    }
}

/// What is dealt in the first round.
#[derive(clap::Args)]
pub(crate) struct DealArgs {
    /// JSON file with the deal of the first round (`-`: standard input), in the format of a `deal` line of a trace; the
    /// seed deals whatever the file leaves out
    #[arg(long, value_name = "FILE")]
    pub(crate) deal: Option<PathBuf>,
}

impl DealArgs {
    /// Starts a session with the deal of the file. The seed deals everything that the file leaves out.
    pub(crate) fn table(&self, rules: &GameRules, seed: u64) -> Result<Box<dyn AnyTable>, CliError> {
        let Some(path) = &self.deal else { return Ok(rules.table(seed)) };
        let refused = |reason: String| DealError { path: path.clone(), reason };
        let deal = serde_json::from_str(&read_text(path, SMALL)?);
        let deal: Value = deal.map_err(|error| refused(format!("not JSON: {error}")))?;
        Ok(rules.table_of(seed, &deal).map_err(|error| refused(error.to_string()))?)
    }
}

/// A file does not describe a deal.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
struct DealError {
    path: PathBuf,
    reason: String,
}

impl Failure for DealError {
    fn code(&self) -> u8 {
        2
    }
}

/// How long bots may think.
#[derive(clap::Args)]
pub(crate) struct ThinkingArgs {
    /// Playouts per decision of a search whose name sets no budget, like `search` or `search+BOT`
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SIMULATIONS,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SIMULATIONS)))]
    pub(crate) playouts: u32,
    /// Timeout per move for `exec:` bots, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    #[command(flatten)]
    pub(crate) log: LogArg,
}

impl ThinkingArgs {
    /// Returns what bots are made with. `threads_asked` threads may work on one decision; 0 means one for each core.
    ///
    /// # Errors
    /// The log cannot be written.
    pub(crate) fn means(&self, temperature: f32, threads_asked: usize) -> Result<LoadOptions, CliError> {
        self.log.open()?;
        let begun = Instant::now();
        Ok(LoadOptions {
            temperature,
            simulations: self.playouts,
            threads: threads(threads_asked),
            clock: Some(Arc::new(move || begun.elapsed())),
            budget: None,
            timeout: Duration::from_secs(self.timeout),
            ..LoadOptions::default()
        })
    }
}

/// Where conversations with programs are written down.
#[derive(clap::Args)]
pub(crate) struct LogArg {
    /// Log all messages to and from `exec:` bots to this file, one message a line
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

impl LogArg {
    /// Opens the log, if `--log` names one. It covers only bot processes that start afterwards.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn open(&self) -> Result<(), CliError> {
        let Some(path) = &self.log else { return Ok(()) };
        files::check(path)?;
        let log =
            ProgramLog::create(path).map_err(|source| CliError::Write { path: path.clone(), source })?;
        log.keep();
        Ok(())
    }
}

/// Returns a random seed, of 32 bits so that it is short to type.
pub(crate) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() >> 32
}

/// Adapts the arguments of a subcommand: options accept negative numbers, seeds get their parser, and options for
/// folders refuse `-`.
pub(crate) fn with_numbers(command: Command) -> Command {
    let is_option = |arg: &Arg| arg.get_action().takes_values() && !arg.is_positional();
    let of_contest = command.get_name() == "arena";
    command.mut_args(|arg| {
        let arg = if is_option(&arg) { arg.allow_negative_numbers(true) } else { arg };
        let arg = match arg.get_id().as_str() {
            "seed" if of_contest => arg.value_parser(contest_seed),
            "seed" => arg.value_parser(seed),
            _ => arg,
        };
        let is_folder =
            |names: &[clap::builder::Str]| names.len() == 1 && ["DIR", "RUNDIR"].contains(&names[0].as_str());
        if is_option(&arg) && arg.get_value_names().is_some_and(is_folder) {
            arg.value_parser(PathBufValueParser::new().try_map(files::folder))
        } else {
            arg
        }
    })
}

/// Replaces clap's messages about types by what was expected.
pub(crate) fn in_plain_words(text: String) -> String {
    const WORDS: [(&str, &str); 6] = [
        (": invalid digit found in string", ": expected a whole number, 0 or more"),
        (": number too large to fit in target type", ": expected a smaller number"),
        (": invalid float literal", ": expected a number"),
        (": invalid socket address syntax", ": expected an address with a port, like 127.0.0.1:8037"),
        (" is not in 1..18446744073709551615", " is too small: expected 1 or more"),
        (" is not in 1..4294967295", " is too small: expected 1 or more"),
    ];
    WORDS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours))
}

/// Parses a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let seed = text.parse().ok().filter(|&seed| seed <= seed::MAX);
    seed.ok_or_else(|| format!("expected {EXPECTED}"))
}

/// Parses the seed of a contest. Older bundles name seeds of up to 64 bits, and their contests must stay repeatable.
fn contest_seed(text: &str) -> Result<u64, String> {
    text.parse().or_else(|_| seed(text))
}

/// Options that were renamed: old name, new name. An old name is refused, and the error names the new one.
pub(crate) const RENAMED: [(&str, &str); 3] =
    [("--patience", "--timeout"), ("--sims", "--playouts"), ("--until-known", "--sprt")];

/// Adds a tip to the error of an unknown option: its new name if it was renamed, otherwise the list of all options unless
/// a similar one exists.
pub(crate) fn suggest_options(error: &mut clap::Error, command: &Command) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let words = std::env::args_os().skip(1);
    let asked = words.filter_map(|word| command.find_subcommand(word)).next().unwrap_or(command);
    if let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) {
        let given = given.split('=').next().unwrap_or_default();
        let is_option = |new: &str| asked.get_opts().any(|option| option.get_long() == Some(&new[2..]));
        if let Some((old, new)) = RENAMED.into_iter().find(|(old, new)| *old == given && is_option(new)) {
            let tip = format!("`{old}` was renamed: use `{new}`");
            error.remove(ContextKind::SuggestedArg);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            return;
        }
    }
    if error.get(ContextKind::SuggestedArg).is_some() {
        return;
    }
    let shown = asked.get_opts().filter(|option| !option.is_hide_set());
    let names: Vec<String> = shown.filter_map(|option| Some(format!("--{}", option.get_long()?))).collect();
    let names = names.join(", ");
    let tip = format!("the options of `{}` are --json, --help, {names}", asked.get_name());
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Parses the sampling temperature of networks.
pub(crate) fn temperature(text: &str) -> Result<f32, &'static str> {
    let given = text.parse().ok().filter(|given| (0.0..=100.0).contains(given));
    given.ok_or("expected a number from 0 to 100")
}

/// Returns the parser of a number of threads, where 0 means one for each core.
pub(crate) fn thread_count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=MOST_THREADS as u64)
}

/// Returns the number of threads for an option: 0 means one for each core.
pub(crate) fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        asked => asked,
    }
}

/// Returns the name by which this program was called, quoted for a shell, so that printed commands can be copied.
pub(crate) fn program() -> String {
    let name = std::env::args_os().next().map(|name| name.to_string_lossy().into_owned());
    word(&name.unwrap_or_else(|| "cardsharp".to_owned()))
}
