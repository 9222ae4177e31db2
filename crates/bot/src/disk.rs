//! Replaces files atomically, and reads files up to a size limit.

mod temporary;
#[cfg(test)]
mod tests;
mod write;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cardsharp_env::rules;

pub(crate) use temporary::Temporary;
pub use temporary::{abandon, remove_all};
pub(crate) use write::is_protected;
pub use write::{Writer, followed, is_at, is_stdout, replace};

/// Prefix of a temporary file, which is written in the same folder as its target.
pub const WRITING: &str = ".writing-";
/// The path that means standard input where a file is read, and standard output where one is written.
pub const STANDARD: &str = "-";

/// Removes a file if it exists.
///
/// # Errors
/// The file exists, and the system refuses to remove it.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a new file and flushes it to the disk.
///
/// # Errors
/// The file cannot be written, or something of that name exists, which may be a link.
pub fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Flushes the names in a folder to the disk.
///
/// # Errors
/// The system refuses.
pub fn sync(folder: &Path) -> io::Result<()> {
    // On other systems a folder cannot be opened as a file. There, names are on the disk when the call that changed
    // them returns.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Returns the content of a file of at most `most` bytes, or of standard input for `-`. Returns `None` if the file is
/// longer, as an endless device is.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most_read = most.saturating_add(1);
    if path == Path::new(STANDARD) {
        io::stdin().lock().take(most_read).read_to_end(&mut bytes)?;
    } else {
        let read = File::open(path).and_then(|file| file.take(most_read).read_to_end(&mut bytes));
        read.map_err(|error| unopened(path, error))?;
    }
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Reads a regular file as [`read`] does. Other files are refused, because reading a pipe without a writer never ends.
///
/// # Errors
/// The file cannot be read, or is a pipe, a socket or a device.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() && !kind.is_dir() {
        let problem = "it is a pipe, a socket or a device; expected a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    read(path, most)
}

/// Returns the path that a missing path probably means. The most similar name in its folder replaces the first missing
/// part. Returns `None` if no name is similar.
pub fn nearest(to: &Path) -> Option<PathBuf> {
    let missing = to.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last()?;
    // A broken link exists itself, under the right name.
    if missing.is_symlink() {
        return None;
    }
    let given = missing.file_name()?.to_str()?;
    let entries = fs::read_dir(parent(missing)).ok()?.flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = missing.with_file_name(rules::nearest(given, names.iter().map(String::as_str))?);
    // The rest of the path counts only if the whole path exists.
    let rest = to.strip_prefix(missing).ok().filter(|rest| !rest.as_os_str().is_empty());
    let whole = rest.map(|rest| near.join(rest)).filter(|whole| whole.exists());
    Some(whole.unwrap_or(near))
}

/// Returns `; did you mean …?` for the end of a message about a missing path. Empty if there is no similar path.
pub fn meant(to: &Path) -> String {
    nearest(to).map(|near| format!("; did you mean `{}`?", near.display())).unwrap_or_default()
}

/// Returns a readable error for a file that cannot be read. A missing file gets the most similar name, and a broken
/// link its missing target.
pub fn unopened(path: &Path, error: io::Error) -> io::Error {
    let text = match error.kind() {
        io::ErrorKind::NotFound => match dangling(path) {
            Some((link, target)) if link == path => {
                format!("it is a link to {}, which does not exist", target.display())
            }
            Some((link, target)) => {
                format!("{} is a link to {}, which does not exist", link.display(), target.display())
            }
            None => format!("there is no such file{}", meant(path)),
        },
        // Some systems report a folder as a file without permission.
        io::ErrorKind::IsADirectory | io::ErrorKind::PermissionDenied if path.is_dir() => {
            "it is a folder; expected a file".to_owned()
        }
        _ => return error,
    };
    io::Error::new(error.kind(), text)
}

/// Returns the broken link on the way to a path, and its target, if there is one.
fn dangling(path: &Path) -> Option<(&Path, PathBuf)> {
    let link = path.ancestors().find(|path| path.is_symlink() && !path.exists())?;
    Some((link, fs::read_link(link).ok()?))
}

/// Returns the name of a file without its extension; `stdin` for standard input.
pub fn stem(path: &Path) -> String {
    match path == Path::new(STANDARD) {
        true => "stdin".to_owned(),
        false => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Returns the folder that contains a path; `.` for a bare name.
pub fn parent(of: &Path) -> &Path {
    of.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path in the folder of `to` whose name is `what` followed by the name of `to`.
pub fn beside(to: &Path, what: &str) -> PathBuf {
    to.with_file_name(format!("{what}{}", to.file_name().unwrap_or_default().to_string_lossy()))
}
