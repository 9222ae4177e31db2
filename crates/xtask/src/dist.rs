//! Archives with the command: the program with its bots, shell completions, rules, and licences.

pub(crate) mod archive;
mod licences;
pub(crate) mod platform;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cardsharp_env::games::played;
use clap::Args;

use crate::error::{TaskError, at};
use crate::program::{self, project};
use archive::ArchiveFile;
use platform::Platform;

/// The README of an archive.
const README: &str = include_str!("dist/README.md");
/// The licence of musl, the C library in the Linux programs. Rust ships the library without it.
const MUSL: &str = include_str!("dist/musl.txt");
/// The shells, each with the name of its completion script.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "cardsharp.bash"),
    ("fish", "cardsharp.fish"),
    ("powershell", "cardsharp.ps1"),
    ("zsh", "_cardsharp"),
];

#[derive(Args, Copy, Clone)]
pub(crate) struct Dist {
    /// The machines it is for; rustup must have the target
    #[arg(long, value_enum, default_value_t = Platform::LinuxX86)]
    target: Platform,
    /// With training and datasets too; their C needs cargo-zigbuild, as Windows does
    #[arg(long)]
    full: bool,
}

impl Dist {
    /// The program of releases: everything but training and datasets.
    pub(crate) fn players(target: Platform) -> Self {
        Self { target, full: false }
    }

    /// Returns the name of the archive and of the folder in it.
    pub(crate) fn folder(&self) -> String {
        let kind = if self.full { "-full" } else { "" };
        format!("cardsharp{kind}-{}-{}", env!("CARGO_PKG_VERSION"), self.target.triple())
    }

    /// The arguments of cargo that choose the program.
    fn arguments(&self) -> [&'static str; 3] {
        let features =
            if self.full { "--features=bots,dataset,serve,train" } else { "--features=bots,serve" };
        ["--package=cardsharp-cli", "--no-default-features", features]
    }

    pub(crate) fn run(self, target: &Path) -> Result<(), TaskError> {
        let packed = self.pack(target, &target.join("archives"))?;
        archive::sum(&packed)?;
        println!("{}", packed.display());
        Ok(())
    }

    /// Packs the archive into the folder `to`. Returns its path.
    pub(crate) fn pack(&self, target: &Path, to: &Path) -> Result<PathBuf, TaskError> {
        let build = self.arguments();
        let program = self.compile(target)?;
        let mut entries = vec![ArchiveFile {
            path: self.target.program().to_owned(),
            bytes: fs::read(&program).map_err(at(program))?,
            runs: true,
        }];
        for (shell, file) in SHELLS {
            // A program for this machine writes the script, because the target's program may not run here.
            let quickly = ["run", "--quiet", "--locked", "--profile=tool"];
            let mut script = program::cargo();
            script.args(quickly).args(build).args(["--", "completions", shell]);
            entries.push(ArchiveFile::text(format!("completions/{file}"), program::output(&mut script)?));
        }
        if self.target != Platform::WindowsX86 {
            let pages = target.join("manual-pages");
            if pages.exists() {
                fs::remove_dir_all(&pages).map_err(at(&pages))?;
            }
            let mut man = program::cargo();
            man.args(["run", "--quiet", "--locked", "--profile=tool"]).args(build);
            program::output(man.args(["--", "man", "--to"]).arg(&pages))?;
            ArchiveFile::folder(&pages, "man/man1/", &mut entries)?;
        }
        for game in played() {
            let name = game.name();
            let rules = project().join("crates/games").join(name).join("rules.md");
            entries.push(ArchiveFile::file(&rules, format!("rules/{name}.md"))?);
        }
        for file in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            entries.push(ArchiveFile::file(&project().join(file), file)?);
        }
        let triple = self.target.triple();
        let linked = [build.as_slice(), ["--target", triple].as_slice()].concat();
        entries.push(ArchiveFile::text("licences/libraries.txt", licences::page(&linked)?));
        let rust = program::output(Command::new("rustc").args(["--print", "sysroot"]))?;
        let rust = Path::new(rust.trim()).join("share/doc/rust/COPYRIGHT-library.html");
        entries.push(ArchiveFile::file(&rust, "licences/rust-library.html")?);
        if self.target.is_linux() {
            entries.push(ArchiveFile::text("licences/musl.txt", MUSL));
        }
        let version = env!("CARGO_PKG_VERSION");
        entries.push(ArchiveFile::text("README.md", README.replace("VERSION", version)));
        archive::pack(to, &self.folder(), entries)
    }

    /// Compiles the program for the target, without the paths of this machine. Returns its path.
    pub(crate) fn compile(&self, target: &Path) -> Result<PathBuf, TaskError> {
        let triple = self.target.triple();
        if self.target.is_mac() && !cfg!(target_os = "macos") {
            return Err(TaskError::System("macos"));
        }
        program::installed(triple)?;
        let mut flags = vec![format!("-Ctarget-cpu={}", self.target.processor())];
        flags.extend(program::without_sources());
        // Rust ships a linker for Linux programs without C, and macOS has its own. C and Windows need a compiler and
        // linker: zig works for all.
        let zig = !self.target.is_mac() && (self.full || self.target == Platform::WindowsX86);
        if self.target.is_linux() && !zig {
            flags.extend(["-Clinker=rust-lld".to_owned(), "-Clinker-flavor=ld.lld".to_owned()]);
        }
        if zig {
            program::present(&Command::new("cargo-zigbuild"), "pip install cargo-zigbuild ziglang")?;
        }
        program::run(
            program::cargo()
                .arg(if zig { "zigbuild" } else { "build" })
                .args(["--quiet", "--locked", "--profile=dist", "--target", triple])
                .args(self.arguments())
                .env("CARGO_TARGET_DIR", target)
                .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")),
        )?;
        Ok(target.join(triple).join("dist").join(self.target.program()))
    }
}
