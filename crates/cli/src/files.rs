//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes `contents` beside `to` and renames it: a reader sees the old file or the new one.
///
/// # Errors
/// It cannot be written; nothing is left beside `to` then.
pub(crate) fn replace(to: &Path, contents: &[u8]) -> io::Result<()> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let beside = to.with_file_name(format!(".writing-{name}"));
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, to));
    written.inspect_err(|_| {
        // If half a file cannot be removed either, the first problem tells more.
        let _ = std::fs::remove_file(&beside);
    })
}
