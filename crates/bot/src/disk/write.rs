//! Writes files. Regular files are replaced atomically; devices, FIFOs and sockets are written directly.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use super::{STANDARD, WRITING, beside, parent, sync};

/// Names of standard output. A path like `./-` names a file.
const STDOUT: [&str; 4] = [STANDARD, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// The most symbolic links that a path may follow.
const MOST_LINKS: usize = 40;

/// Writes one file, as [`Writer`] does.
///
/// # Errors
/// The file cannot be written. No temporary file is left.
pub fn replace(to: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut writer = Writer::create(to)?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// Returns whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    STDOUT.iter().any(|name| path == Path::new(name))
}

/// A file that is being written.
///
/// - A regular file, also one behind symbolic links, is replaced atomically by [`Writer::finish`]. The content goes to
///   a temporary file in the same folder, which is flushed to the disk and renamed. Readers see the old file or the new
///   one. The new file has the permissions of the old one.
/// - If no temporary file can be created or renamed there (a read-only folder, a mounted file), the file is written in
///   place.
/// - Devices, FIFOs, sockets and standard output ([`is_stdout`]) are written directly.
#[derive(Debug)]
pub struct Writer(Target);

#[derive(Debug)]
enum Target {
    Stdout(io::Stdout),
    /// A device or a FIFO.
    Stream(File),
    #[cfg(unix)]
    Socket(std::os::unix::net::UnixStream),
    InPlace(InPlace),
    Beside {
        file: File,
        temporary: Temporary,
        to: PathBuf,
    },
}

impl Writer {
    /// Opens a file. Changes nothing before the first byte is written. Opening a FIFO waits for its reader.
    ///
    /// # Errors
    /// The path is a folder, or the system refuses.
    pub fn create(to: &Path) -> io::Result<Self> {
        if is_stdout(to) {
            return Ok(Self(Target::Stdout(io::stdout())));
        }
        let target = match fs::metadata(to) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file"));
            }
            Ok(found) if found.is_file() => regular(followed(to)?, Some(&found))?,
            Ok(found) => stream(to, &found)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => regular(followed(to)?, None)?,
            Err(error) => return Err(error),
        };
        Ok(Self(target))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The system refuses. No temporary file is left.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Stdout(mut to) => to.flush(),
            Target::Stream(mut to) => to.flush(),
            #[cfg(unix)]
            Target::Socket(mut to) => to.flush(),
            Target::InPlace(file) => file.finish(),
            Target::Beside { file, temporary, to } => {
                file.sync_all()?;
                drop(file);
                match temporary.rename(&to) {
                    Ok(()) => match sync(parent(&to)) {
                        // A folder that the user may write but not read cannot be opened for a flush.
                        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
                        synced => synced,
                    },
                    Err((temporary, error)) if is_protected(&error) => {
                        let mut in_place = InPlace::open(&to)?;
                        io::copy(&mut File::open(temporary.path())?, &mut in_place)?;
                        in_place.finish()
                    }
                    Err((_, error)) => Err(error),
                }
            }
        }
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Stdout(to) => to.write(bytes),
            Target::Stream(to) | Target::Beside { file: to, .. } => to.write(bytes),
            #[cfg(unix)]
            Target::Socket(to) => to.write(bytes),
            Target::InPlace(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Stdout(to) => to.flush(),
            _ => Ok(()),
        }
    }
}

/// Opens a regular file, or creates one.
fn regular(to: PathBuf, found: Option<&Metadata>) -> io::Result<Target> {
    match temporary(&to, found) {
        Ok((file, temporary)) => Ok(Target::Beside { file, temporary, to }),
        // The disk is full, and emptying the old file would not make enough room.
        Err(error) if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
            Err(error)
        }
        Err(error) => match InPlace::open(&to) {
            Ok(file) => Ok(Target::InPlace(file)),
            Err(refused) if refused.kind() == error.kind() => Err(refused),
            Err(refused) => {
                let text = format!("{refused}; nor can a temporary file be created in its folder: {error}");
                Err(io::Error::new(refused.kind(), text))
            }
        },
    }
}

/// Creates a temporary file in the folder of `to`, with the owner and the permissions of the file that it replaces.
fn temporary(to: &Path, found: Option<&Metadata>) -> io::Result<(File, Temporary)> {
    let path = beside(to, WRITING);
    // It may be left from an interrupted write, or be a link to somewhere else.
    super::remove(&path)?;
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(found) = found {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        // Set at creation, so that the new file is never readable to more users than the old one.
        options.mode(found.mode() & 0o777);
    }
    let temporary = Temporary::new(path);
    let file = options.open(temporary.path())?;
    #[cfg(unix)]
    if let Some(found) = found {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (found.uid(), found.gid()) {
            // Only root can change the owner. Otherwise the file belongs to the current user.
            let _ = fchown(&file, Some(found.uid()), Some(found.gid()));
        }
        // After the owner, because changing the owner clears permission bits.
        file.set_permissions(found.permissions())?;
    }
    #[cfg(not(unix))]
    let _ = found;
    Ok((file, temporary))
}

/// Returns whether the error means that a path cannot be replaced but may still be writable. Examples are a mounted
/// file or folder, and another user's file in a folder like `/tmp`.
pub(crate) fn is_protected(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// Opens a device, a FIFO or a socket.
fn stream(to: &Path, found: &Metadata) -> io::Result<Target> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.file_type().is_socket() {
            return Ok(Target::Socket(std::os::unix::net::UnixStream::connect(to)?));
        }
    }
    let _ = found;
    Ok(Target::Stream(File::options().write(true).open(to)?))
}

/// A file that is written in place.
#[derive(Debug)]
struct InPlace {
    file: File,
    begun: bool,
}

impl InPlace {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        Ok(Self { file, begun: false })
    }

    /// Empties the file before the first byte is written. Until then the old content stays complete.
    fn begin(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            self.file.set_len(0)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.begin()?;
        self.file.sync_all()
    }
}

impl Write for InPlace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the target of a path that may be a symbolic link. The target need not exist.
///
/// # Errors
/// The links form a cycle.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    // Components drop a slash at the end, which would follow a link implicitly.
    let mut at: PathBuf = path.components().collect();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&at) {
            Ok(next) => at = parent(&at).join(next),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("the symbolic links lead in a circle"))
}

/// Returns whether `path` still leads to `file`, which was opened there.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (held, found) = (file.metadata()?, fs::metadata(path)?);
    Ok((held.dev(), held.ino()) == (found.dev(), found.ino()))
}

/// Returns whether `path` exists. On systems other than Unix, an open file cannot be replaced.
///
/// The system refuses.
/// The system refuses.
#[cfg(not(unix))]
pub fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}
