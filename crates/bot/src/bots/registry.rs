//! Where a named bot is: in the program, in the folder of installed bots, or at a path.
//!
//! | name | bot |
//! | --- | --- |
//! | `dalmuti` | the shipped bot of this name, otherwise the newest installed one |
//! | `dalmuti@v3` | version 3, shipped or installed |
//! | `URL#sha256=…` | the installed bot whose archive has this hash |
//! | `./dalmuti` | a path |
//!
//! A level comes last: `dalmuti@v3@5`. Installed bots are in `NAME/vN` in the [`folder`], each as a bundle.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::shipped::{SHIPPED, Shipped, shipped};
use crate::disk;
use crate::file;
use crate::identity::{Address, Identity, version_of};
use crate::manifest::{BundleProblem, MANIFEST, Manifest};

/// The variable that names the folder of installed bots.
pub const VARIABLE: &str = "CARDSHARP_BOTS";
/// What separates a URL from the hash of the archive there.
pub const HASH: &str = "#sha256=";
/// The file next to an installed bundle that records where its archive came from.
const SOURCE: &str = "source";

/// Where a bot is.
#[derive(Clone)]
pub enum BotLocation {
    /// A bot that this program contains.
    Shipped(&'static Shipped),
    /// At a path, which may not exist.
    Path(PathBuf),
}

impl BotLocation {
    /// Returns the path; `None` for a shipped bot.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Shipped(_) => None,
            Self::Path(path) => Some(path),
        }
    }

    /// Returns the shipped bot, if it is one.
    pub fn shipped(&self) -> Option<&'static Shipped> {
        match self {
            Self::Shipped(bot) => Some(bot),
            Self::Path(_) => None,
        }
    }
}

/// Why a name does not name one bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The level comes before the version.
    #[error("cannot use the bot `{spec}`: the version comes before the level: `{meant}`")]
    Order {
        /// The name as typed.
        spec: String,
        /// The name in the right order.
        meant: String,
    },
    /// The name is that of an installed bot, and a path.
    #[error(
        "`{name}` is an installed bot and also a path: type `{bot}` for the bot, or `./{name}` for the path"
    )]
    Ambiguous {
        /// The name as typed.
        name: String,
        /// The name of the bot with its version.
        bot: String,
    },
    /// There is no such version.
    #[error("there is no bot `{spec}` here{}; `cardsharp bots get {spec}` downloads bots", here(.known))]
    Version {
        /// The name as typed.
        spec: String,
        /// The versions that are here.
        known: Vec<String>,
    },
    /// No installed bot has the hash.
    #[error("the bot `{spec}` is not installed: download it with `cardsharp bots get '{spec}'`")]
    Absent {
        /// The URL with the hash.
        spec: String,
    },
}

fn here(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(": there is {}", known.join(", ")) }
}

/// A bot in the folder of installed bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The name in its bundle's identity.
    pub name: String,
    /// The version in its bundle's identity.
    pub version: u32,
    /// The folder of its bundle.
    pub path: PathBuf,
}

impl Installed {
    /// Returns its name with the version.
    pub fn address(&self) -> String {
        format!("{}@v{}", self.name, self.version)
    }

    /// Returns where its archive came from: a URL with [`HASH`].
    pub fn source(&self) -> Option<String> {
        fs::read_to_string(self.path.with_extension(SOURCE)).ok().map(|text| text.trim_end().to_owned())
    }
}

/// Returns the folder of installed bots, which may not exist: that in [`VARIABLE`], or `bots` in the [`data_folder`].
/// Returns `None` if the environment names neither.
pub fn folder() -> Option<PathBuf> {
    variable(VARIABLE).or_else(|| Some(data_folder()?.join("bots")))
}

/// Returns the folder `cardsharp` in the platform's folder for data, which may not exist. Returns `None` if the
/// environment does not name it.
pub fn data_folder() -> Option<PathBuf> {
    let data = match () {
        () if cfg!(windows) => variable("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => Some(variable("HOME")?.join("Library/Application Support")),
        // The XDG specification ignores relative paths.
        () => (variable("XDG_DATA_HOME").filter(|path| path.is_absolute()))
            .or_else(|| Some(variable("HOME")?.join(".local/share"))),
    };
    Some(data?.join("cardsharp"))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Lists the installed bots by name, and the newest version of each first.
pub fn installed() -> Vec<Installed> {
    folder().map(|folder| installed_in(&folder)).unwrap_or_default()
}

fn installed_in(folder: &Path) -> Vec<Installed> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let mut found = Vec::new();
    for name in names(folder) {
        for version in names(&folder.join(&name)) {
            let path = folder.join(&name).join(&version);
            let Some(version) = version_of(&version).filter(|_| path.join(MANIFEST).is_file()) else {
                continue;
            };
            found.push(Installed { name: name.clone(), version, path });
        }
    }
    found.sort_by(|a, b| (&a.name, b.version).cmp(&(&b.name, a.version)));
    found
}

/// Returns where the bot is that `spec` names, without a level. A name that means no shipped and no installed bot is a
/// path.
///
/// # Errors
/// The name is ambiguous, or names a missing version, or a hash of no installed bot.
pub fn place(spec: &str) -> Result<BotLocation, AddressError> {
    match shipped(spec) {
        Some(bot) => Ok(BotLocation::Shipped(bot)),
        None => place_in(spec, folder().as_deref()),
    }
}

fn place_in(spec: &str, folder: Option<&Path>) -> Result<BotLocation, AddressError> {
    let installed = || folder.map(installed_in).unwrap_or_default();
    if let Some((_, hash)) = spec.split_once(HASH) {
        let has =
            |bot: &Installed| bot.source().is_some_and(|source| source.ends_with(&format!("{HASH}{hash}")));
        let found = installed().into_iter().find(has);
        let absent = || AddressError::Absent { spec: spec.to_owned() };
        return found.map(|bot| BotLocation::Path(bot.path)).ok_or_else(absent);
    }
    let exists = Path::new(spec).exists();
    let Some(Address { name, version }) = Address::parse(spec) else {
        let (before, last) = spec.rsplit_once('@').unwrap_or_default();
        return match before.rsplit_once('@') {
            Some((name, level)) if !exists && version_of(last).is_some() => {
                Err(AddressError::Order { spec: spec.to_owned(), meant: format!("{name}@{last}@{level}") })
            }
            _ => Ok(BotLocation::Path(spec.into())),
        };
    };
    let versions: Vec<Installed> = installed().into_iter().filter(|bot| bot.name == name).collect();
    match versions.iter().find(|bot| version.is_none_or(|version| bot.version == version)) {
        Some(bot) if exists => Err(AddressError::Ambiguous { name: spec.to_owned(), bot: bot.address() }),
        Some(bot) => Ok(BotLocation::Path(bot.path.clone())),
        None if exists || version.is_none() => Ok(BotLocation::Path(spec.into())),
        None => {
            let here = SHIPPED.iter().filter(|bot| bot.game == name);
            let here =
                here.filter_map(|bot| Identity::from_bytes(bot.identity).ok()).map(|bot| bot.to_string());
            let known = here.chain(versions.iter().map(Installed::address)).collect();
            Err(AddressError::Version { spec: spec.to_owned(), known })
        }
    }
}

/// Why a bot was not installed or removed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum InstallError {
    /// The environment names no folder for data.
    #[error("there is no folder for bots: set {VARIABLE} to one")]
    Folder,
    /// The bundle has no identity, or an invalid one.
    #[error("the bundle names no bot: {0}")]
    Identity(String),
    /// Another bot of this name and version is installed.
    #[error(
        "`{address}` is installed already, and another bot: remove it with `cardsharp bots remove {address}`"
    )]
    Other { address: String },
    /// A file differs from the manifest.
    #[error("{name}: {problem}")]
    File { name: String, problem: BundleProblem },
    /// The network cannot play.
    #[error(transparent)]
    Bot(#[from] file::FileError),
    /// The operating system reports an error.
    #[error("cannot {doing} {}: {source}", path.display())]
    System { doing: &'static str, path: PathBuf, source: io::Error },
}

/// Installs a bundle whose archive came from `source`, a URL with [`HASH`]. Every file must match the manifest. The
/// bundle appears complete or not at all. Returns the bot, and whether it is new.
///
/// # Errors
/// The bundle is not valid, its name and version are taken by another bot, or the system refuses.
pub fn install(files: &[(String, Vec<u8>)], source: &str) -> Result<(Installed, bool), InstallError> {
    let folder = folder().ok_or(InstallError::Folder)?;
    let content = |name: &str| files.iter().find(|(file, _)| file == name).map(|(_, bytes)| bytes.as_slice());
    let manifest = content(MANIFEST).unwrap_or_default();
    let refuse = |name: &str, problem| InstallError::File { name: name.to_owned(), problem };
    let listed = Manifest::from_bytes(manifest, false).map_err(|problem| refuse(MANIFEST, problem))?;
    for (name, entry) in listed.files() {
        let bytes = content(name).ok_or_else(|| refuse(name, BundleProblem::Lost))?;
        entry.check(bytes).map_err(|changed| refuse(name, BundleProblem::Other(changed)))?;
    }
    if let Some((extra, _)) = files.iter().find(|(name, _)| name != MANIFEST && listed.get(name).is_none()) {
        return Err(refuse(extra, BundleProblem::Foreign));
    }
    file::from_bytes(content(super::FILE).ok_or_else(|| refuse(super::FILE, BundleProblem::Lost))?)?;
    let missing = || InstallError::Identity(format!("it has no `{}`", crate::identity::FILE));
    let identity = Identity::from_bytes(content(crate::identity::FILE).ok_or_else(missing)?)
        .map_err(|error| InstallError::Identity(error.to_string()))?;
    let path = folder.join(&identity.name).join(format!("v{}", identity.version));
    let bot = Installed { name: identity.name, version: identity.version, path };
    if let Ok(found) = fs::read(bot.path.join(MANIFEST)) {
        return match found == manifest {
            true => Ok((bot, false)),
            false => Err(InstallError::Other { address: bot.address() }),
        };
    }
    let at = |doing, path: &Path| {
        let path = path.to_owned();
        move |source| InstallError::System { doing, path, source }
    };
    let parent = disk::parent(&bot.path);
    fs::create_dir_all(parent).map_err(at("create", parent))?;
    let note = bot.path.with_extension(SOURCE);
    disk::replace(&note, format!("{source}\n").as_bytes()).map_err(at("write", &note))?;
    let aside = disk::Temporary::new(disk::beside(&bot.path, disk::WRITING));
    // A killed process may have left one.
    disk::remove_all(aside.path())
        .and_then(|()| fs::create_dir(aside.path()))
        .map_err(at("create", aside.path()))?;
    for (name, bytes) in files {
        let path = aside.path().join(name);
        disk::write_synced(&path, bytes).map_err(at("write", &path))?;
    }
    disk::sync(aside.path()).map_err(at("flush", aside.path()))?;
    aside.rename(&bot.path).map_err(|(aside, error)| at("rename", aside.path())(error))?;
    disk::sync(parent).map_err(at("flush", parent))?;
    Ok((bot, true))
}

/// Removes an installed bot.
///
/// # Errors
/// The system refuses.
pub fn remove(bot: &Installed) -> Result<(), InstallError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| InstallError::System { doing: "remove", path, source }
    };
    // Without its manifest the folder is no longer an installed bot, even if the rest cannot be removed.
    let manifest = bot.path.join(MANIFEST);
    disk::remove(&manifest).map_err(at(&manifest))?;
    disk::remove_all(&bot.path).map_err(at(&bot.path))?;
    let note = bot.path.with_extension(SOURCE);
    disk::remove(&note).map_err(at(&note))?;
    // The folder of the name remains while it has other versions.
    let _ = fs::remove_dir(disk::parent(&bot.path));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes folders that count as installed bots, without networks.
    fn folder_with(bots: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for bot in bots {
            let path = folder.path().join(bot);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(MANIFEST), "{}").unwrap();
        }
        folder
    }

    #[test]
    fn names_and_versions_are_those_of_installed_bots() {
        let folder = folder_with(&["mine/v2", "mine/v10", "other/v1", "other/x", "mine/v03"]);
        let path = |spec: &str| place_in(spec, Some(folder.path())).unwrap().path().unwrap().to_owned();
        assert_eq!(path("mine"), folder.path().join("mine/v10"));
        assert_eq!(path("mine@v2"), folder.path().join("mine/v2"));
        for same in ["./mine", "unknown", "other@x"] {
            assert_eq!(path(same), Path::new(same));
        }
        let addresses: Vec<String> = installed_in(folder.path()).iter().map(Installed::address).collect();
        assert_eq!(addresses, ["mine@v10", "mine@v2", "other@v1"]);
    }

    #[test]
    fn names_of_no_single_bot_are_refused_with_the_reason() {
        // The tests run in the folder of the crate, which has a path `src`.
        let folder = folder_with(&["mine/v2", "src/v1"]);
        let refused = |spec: &str| place_in(spec, Some(folder.path())).err().unwrap().to_string();
        assert_eq!(
            refused("mine@v3"),
            "there is no bot `mine@v3` here: there is mine@v2; `cardsharp bots get mine@v3` downloads bots"
        );
        assert_eq!(
            refused("mine@5@v2"),
            "cannot use the bot `mine@5@v2`: the version comes before the level: `mine@v2@5`"
        );
        assert_eq!(
            refused("src"),
            "`src` is an installed bot and also a path: type `src@v1` for the bot, or `./src` for the path"
        );
        assert!(refused("https://example.org/a.tar.gz#sha256=12").contains("is not installed: download it"));
    }

    #[test]
    fn a_hash_names_the_bot_whose_archive_has_it() {
        let folder = folder_with(&["mine/v2"]);
        let path = folder.path().join("mine/v2");
        fs::write(path.with_extension(SOURCE), "https://example.org/mine.tar.gz#sha256=12ab\n").unwrap();
        let found = place_in("https://mirror.example.org/x#sha256=12ab", Some(folder.path())).unwrap();
        assert_eq!(found.path(), Some(path.as_path()));
    }
}
