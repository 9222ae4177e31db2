//! Compiles the engine, generates its JavaScript glue, and optimises its size.

use std::fs;
use std::path::Path;
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::error::{TaskError, at};
use crate::program;

/// The target for browsers.
const PLATFORM: &str = "wasm32-unknown-unknown";
/// The stem of the engine's files.
pub(crate) const ENGINE: &str = "engine";
/// WebAssembly features that browsers have had since 2023. Without them, networks take twice as long.
const FEATURES: &str =
    "-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals";

/// Compiles the engine into the folder of the package.
pub(crate) fn build(target: &Path, package: &Path, wasm_opt: Option<&Path>) -> Result<(), TaskError> {
    program::run(
        program::cargo().env("CARGO_TARGET_DIR", target).env("CARGO_ENCODED_RUSTFLAGS", flags()).args([
            "build",
            "--quiet",
            "--locked",
            "--package=cardsharp-wasm",
            "--profile=web",
            "--target",
            PLATFORM,
        ]),
    )?;
    let compiled = target.join(PLATFORM).join("web/cardsharp_wasm.wasm");
    if package.exists() {
        fs::remove_dir_all(package).map_err(at(package))?;
    }
    fs::create_dir_all(package).map_err(at(package))?;
    let mut bindgen = Bindgen::new();
    let glue =
        bindgen.input_path(&compiled).out_name(ENGINE).typescript(true).omit_default_module_path(false);
    glue.remove_name_section(true).remove_producers_section(true);
    let made = glue.web(true).and_then(|glue| glue.generate(package));
    made.map_err(|error| TaskError::Bindgen(format!("{error:#}")))?;
    let Some(wasm_opt) = wasm_opt else { return Ok(()) };
    let engine = package.join(format!("{ENGINE}_bg.wasm"));
    let features = [
        "--enable-simd",
        "--enable-bulk-memory",
        "--enable-sign-ext",
        "--enable-nontrapping-float-to-int",
        "--enable-mutable-globals",
        "--enable-reference-types",
        "--enable-multivalue",
    ];
    // `-Oz` twice, and with restructured control flow: each saves about 1 %.
    let passes = ["--flatten", "--rereloop", "-Oz", "-Oz"];
    program::run(Command::new(wasm_opt).args(passes).args(features).arg(&engine).arg("-o").arg(&engine))
}

/// Returns the compiler flags, in the format of `CARGO_ENCODED_RUSTFLAGS`.
fn flags() -> String {
    [FEATURES.to_owned()].into_iter().chain(program::without_sources()).collect::<Vec<_>>().join("\u{1f}")
}
