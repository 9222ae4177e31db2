//! The Python packages: wheels of `cardsharp-rl`, compiled by maturin, its sources, and the wheel of `cardsharp-ray`.

use std::path::Path;
use std::process::Command;

use super::{VERSION, sums};
use crate::error::TaskError;
use crate::program::{self, project};

const MANIFEST: &str = "crates/python/Cargo.toml";
/// The folder of `cardsharp-ray`, which is Python only.
const RAY: &str = "crates/python/ray";

/// A wheel for one kind of machine.
pub(super) struct Wheel {
    triple: &'static str,
    /// The end of its name, in which `*` means any characters.
    tag: &'static str,
    /// The oldest processor on which it runs, or the target's default.
    processor: Option<&'static str>,
}

/// The wheels of a release. One wheel works with every Python from 3.10 on.
pub(super) const WHEELS: [Wheel; 7] = [
    Wheel { triple: "x86_64-unknown-linux-gnu", tag: "*manylinux2014_x86_64", processor: Some("x86-64-v2") },
    Wheel { triple: "aarch64-unknown-linux-gnu", tag: "*manylinux2014_aarch64", processor: None },
    Wheel { triple: "x86_64-unknown-linux-musl", tag: "musllinux_1_2_x86_64", processor: Some("x86-64-v2") },
    Wheel { triple: "aarch64-unknown-linux-musl", tag: "musllinux_1_2_aarch64", processor: None },
    Wheel { triple: "aarch64-apple-darwin", tag: "macosx_*_arm64", processor: None },
    Wheel { triple: "x86_64-apple-darwin", tag: "macosx_*_x86_64", processor: Some("x86-64-v2") },
    Wheel { triple: "x86_64-pc-windows-msvc", tag: "win_amd64", processor: Some("x86-64-v2") },
];

impl Wheel {
    pub(super) fn name(&self) -> String {
        format!("cardsharp_rl-{VERSION}-cp310-abi3-{}.whl", self.tag)
    }

    /// Compiles the wheel. On Linux zig links it, so that it works with old systems and for other processors.
    pub(super) fn build(&self, target: &Path, to: &Path) -> Result<(), TaskError> {
        let systems = [("linux", "linux"), ("darwin", "macos"), ("windows", "windows")];
        if let Some((_, system)) = systems
            .iter()
            .find(|(part, system)| self.triple.contains(part) && *system != std::env::consts::OS)
        {
            return Err(TaskError::System(system));
        }
        program::installed(self.triple)?;
        let linux: &[&str] = match self.triple.rsplit_once("-linux-") {
            Some((_, "musl")) => &["--zig", "--compatibility", "musllinux_1_2"],
            Some(_) => &["--zig", "--compatibility", "manylinux2014"],
            None => &[],
        };
        let mut flags: Vec<String> = program::without_sources().into_iter().collect();
        flags.extend(self.processor.map(|processor| format!("-Ctarget-cpu={processor}")));
        let mut maturin = maturin()?;
        maturin
            .args([
                "build",
                "--release",
                "--locked",
                "--strip",
                "--target",
                self.triple,
                "--manifest-path",
                MANIFEST,
            ])
            .args(linux)
            .arg("--out")
            .arg(to)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        program::run(&mut maturin)
    }
}

/// Packs the sources, from which pip compiles the package on other machines.
pub(super) fn sources(to: &Path) -> Result<(), TaskError> {
    program::run(maturin()?.args(["sdist", "--manifest-path", MANIFEST, "--out"]).arg(to))
}

/// Packs the wheel of `cardsharp-ray`, one for all machines.
pub(super) fn ray(to: &Path) -> Result<(), TaskError> {
    let mut hatchling = Command::new("hatchling");
    program::present(&hatchling, "pip install hatchling")?;
    hatchling.current_dir(project().join(RAY)).env("SOURCE_DATE_EPOCH", sums::time()?);
    program::run(hatchling.args(["build", "--target", "wheel", "--directory"]).arg(to))
}

fn maturin() -> Result<Command, TaskError> {
    let mut maturin = Command::new("maturin");
    program::present(&maturin, "pip install maturin ziglang")?;
    maturin.current_dir(project()).env("SOURCE_DATE_EPOCH", sums::time()?);
    Ok(maturin)
}
