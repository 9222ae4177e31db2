//! `cargo xtask release`: one folder with everything that this machine can build of a release.
//!
//! The folder has all files of one version, without subfolders, as a release on GitHub shows them. The same commit gives
//! byte-identical files. What is missing is listed with the reason; other systems build it into their folders, and
//! `release sums` completes the folder that has all of them.

mod bots;
mod crates;
mod sums;
mod texts;
mod wheels;

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cardsharp_env::games::played;
use clap::{Args, ValueEnum};

use crate::dist::Dist;
use crate::dist::archive::{self, ArchiveFile};
use crate::dist::platform::Platform;
use crate::error::{TaskError, at};
use crate::package::{self, Engine};
use crate::page;
use crate::program::{self, project};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The folder in the target folder.
const FOLDER: &str = "release-files";

#[derive(Args)]
pub(crate) struct Release {
    /// What to build; everything if you name nothing
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Of these parts, build only the files with this text in their names, like `x86_64`
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Fail if a file of the release is missing
    #[arg(long)]
    complete: bool,
    #[command(flatten)]
    engine: Engine,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Archives with the command
    Archives,
    /// Archives with one trained bot each
    Bots,
    /// The context from which a container image is built
    Container,
    /// The packages of the crates
    Crates,
    /// The npm package, with its four bots
    Npm,
    /// The browser page in one file
    Page,
    /// Lists of all libraries (CycloneDX)
    Sbom,
    /// The documentation, with the browser page in `play`
    Site,
    /// Installers and release notes
    Texts,
    /// The Python packages: wheels and sources
    Wheels,
    /// Only the checksums and the provenance of the files that are there
    Sums,
}

/// Builds a file of the release.
type Build = Box<dyn Fn(&Work) -> Result<(), TaskError>>;

/// A file of the release.
struct Product {
    part: Part,
    /// Its name, in which `*` means any characters.
    name: String,
    build: Build,
}

impl Product {
    fn new(part: Part, name: String, build: impl Fn(&Work) -> Result<(), TaskError> + 'static) -> Self {
        Self { part, name, build: Box::new(build) }
    }
}

struct Work {
    target: PathBuf,
    folder: PathBuf,
    engine: Engine,
    /// The npm package and the page, if this run has built them. Other files use both.
    package: OnceCell<PathBuf>,
    page: OnceCell<PathBuf>,
}

impl Work {
    fn web(&self) -> PathBuf {
        self.target.join("web")
    }

    /// Returns the folder of the npm package, built the first time.
    fn package(&self) -> Result<&Path, TaskError> {
        once(&self.package, || package::build(&self.target, &self.web(), &self.engine))
    }

    /// Returns the folder of the browser page, built the first time.
    fn page(&self) -> Result<&Path, TaskError> {
        self.package()?;
        once(&self.page, || page::build(&self.web()).map(|()| self.web().join("page")))
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), TaskError> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(at(path))
    }
}

/// Returns a folder, built the first time.
fn once(
    folder: &OnceCell<PathBuf>,
    build: impl FnOnce() -> Result<PathBuf, TaskError>,
) -> Result<&Path, TaskError> {
    let built = match folder.get() {
        Some(built) => built,
        None => {
            let built = build()?;
            folder.get_or_init(|| built)
        }
    };
    Ok(built)
}

impl Release {
    pub(crate) fn run(self, target: &Path) -> Result<(), TaskError> {
        let commit = sums::commit()?;
        let work = Work {
            target: target.to_owned(),
            folder: target.join(FOLDER),
            engine: self.engine,
            package: OnceCell::new(),
            page: OnceCell::new(),
        };
        let all = self.parts.is_empty() && self.only.is_empty();
        if all && work.folder.exists() {
            fs::remove_dir_all(&work.folder).map_err(at(&work.folder))?;
        }
        fs::create_dir_all(&work.folder).map_err(at(&work.folder))?;
        let mut reasons = Vec::new();
        let products = products();
        let is_wanted = |product: &&Product| {
            (self.parts.is_empty() || self.parts.contains(&product.part)) && product.name.contains(&self.only)
        };
        for product in products.iter().filter(is_wanted) {
            eprintln!("{}", product.name);
            if let Err(error) = (product.build)(&work) {
                if !error.is_missing_tool() {
                    return Err(error);
                }
                reasons.push((&product.name, error));
            }
        }
        let files = sums::write(&work.folder, &commit)?;
        let missing: Vec<&str> = (products.iter().map(|product| product.name.as_str()))
            .filter(|name| !files.iter().any(|file| matches(name, file)))
            .collect();
        println!("{}: {} files", work.folder.display(), files.len());
        for name in &missing {
            match reasons.iter().find(|(product, _)| product == name) {
                Some((_, reason)) => println!("not built here: {name}: {reason}"),
                None => println!("not built here: {name}"),
            }
        }
        if self.complete && !missing.is_empty() { Err(TaskError::Incomplete(missing.len())) } else { Ok(()) }
    }
}

/// Whether a file name has this pattern, in which `*` means any characters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|end| matches(rest, end)))
        }),
    }
}

/// Lists the files of a release. A file follows those that its build uses.
fn products() -> Vec<Product> {
    let mut products = Vec::new();
    for (name, text) in texts::TEXTS {
        products.push(Product::new(Part::Texts, name.to_owned(), move |work| work.write(name, text()?)));
    }
    for &platform in Platform::value_variants() {
        let dist = Dist::players(platform);
        let name = format!("{}.tar.gz", dist.folder());
        let pack = move |work: &Work| dist.pack(&work.target, &work.folder).map(|_| ());
        products.push(Product::new(Part::Archives, name, pack));
    }
    for game in played() {
        let name = format!("cardsharp-bot-{}-v*.tar.gz", game.name());
        products.push(Product::new(Part::Bots, name, move |work| bots::pack(game.name(), &work.folder)));
    }
    let name = |what: &str| format!("cardsharp-{what}{VERSION}");
    products.push(Product::new(Part::Container, name("container-") + ".tar.gz", container));
    for wheel in &wheels::WHEELS {
        let build = move |work: &Work| wheel.build(&work.target, &work.folder);
        products.push(Product::new(Part::Wheels, wheel.name(), build));
    }
    let sources = |work: &Work| wheels::sources(&work.folder);
    products.push(Product::new(Part::Wheels, format!("cardsharp_rl-{VERSION}.tar.gz"), sources));
    let ray = |work: &Work| wheels::ray(&work.folder);
    products.push(Product::new(Part::Wheels, format!("cardsharp_ray-{VERSION}-py3-none-any.whl"), ray));
    products.push(Product::new(Part::Npm, name("") + ".tgz", npm));
    products.push(Product::new(Part::Page, name("page-") + ".html", one_page));
    products.push(Product::new(Part::Site, name("site-") + ".tar.gz", site));
    let packages = |work: &Work| crates::packages(&work.target, &work.folder);
    products.push(Product::new(Part::Crates, name("cli-") + ".crate", packages));
    for (krate, what) in crates::PROGRAMS {
        let name = name(what) + ".cdx.json";
        let to = name.clone();
        let build = move |work: &Work| work.write(&to, crates::components(krate)?);
        products.push(Product::new(Part::Sbom, name, build));
    }
    products
}

/// Packs the static programs for Linux with a Dockerfile. Docker chooses the folder by the platform of the image.
fn container(work: &Work) -> Result<(), TaskError> {
    let mut entries = vec![ArchiveFile::text("Dockerfile", include_str!("release/Dockerfile"))];
    for (platform, folder) in [(Platform::LinuxX86, "amd64"), (Platform::LinuxArm, "arm64")] {
        let program = Dist::players(platform).compile(&work.target)?;
        let bytes = fs::read(&program).map_err(at(program))?;
        entries.push(ArchiveFile { path: format!("{folder}/cardsharp"), bytes, runs: true });
    }
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(ArchiveFile::file(&project().join(file), file)?);
    }
    archive::pack(&work.folder, &format!("cardsharp-container-{VERSION}"), entries).map(|_| ())
}

fn npm(work: &Work) -> Result<(), TaskError> {
    let package = work.package()?;
    program::output(
        Command::new("npm")
            .args(["pack", "--loglevel=error", "--pack-destination"])
            .arg(&work.folder)
            .current_dir(package),
    )
    .map(|_| ())
}

fn one_page(work: &Work) -> Result<(), TaskError> {
    let page = work.page()?.join("cardsharp.html");
    work.write(&format!("cardsharp-page-{VERSION}.html"), fs::read(&page).map_err(at(page))?)
}

/// Packs the documentation. `.ci/site` adds the browser page.
fn site(work: &Work) -> Result<(), TaskError> {
    work.page()?;
    program::run(
        Command::new("bash")
            .arg(".ci/site")
            .current_dir(project())
            .env("CARDSHARP_REPOSITORY", env!("CARGO_PKG_REPOSITORY"))
            .env("SOURCE_DATE_EPOCH", sums::time()?)
            .env("CARGO_TARGET_DIR", &work.target)
            .stdout(std::process::Stdio::null()),
    )?;
    let site = work.target.join("site");
    let mut entries = Vec::new();
    ArchiveFile::folder(&site, "", &mut entries)?;
    archive::pack(&work.folder, &format!("cardsharp-site-{VERSION}"), entries).map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_star_means_any_characters() {
        let wheel = "cardsharp_rl-*-manylinux*_x86_64.whl";
        assert!(matches(
            wheel,
            "cardsharp_rl-0.1.0-cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
        ));
        assert!(!matches(wheel, "cardsharp_rl-0.1.0-cp310-abi3-manylinux_2_17_aarch64.whl"));
        assert!(matches("SHA256SUMS", "SHA256SUMS") && !matches("SHA256SUMS", "SHA256SUMS2"));
    }

    #[test]
    fn no_two_files_of_a_release_have_the_same_name() {
        let names: Vec<String> = products().into_iter().map(|product| product.name).collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
    }
}
