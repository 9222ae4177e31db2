//! Writing files: a regular file is replaced whole or not at all; devices, FIFOs and sockets are written to.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use super::{STANDARD, WRITING, beside, parent, sync};

/// Names of standard output. A file of such a name is written as `./-`.
const STDOUT: [&str; 4] = [STANDARD, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// How many symbolic links a path may lead through.
const MOST_LINKS: usize = 40;

/// Writes one file, as [`Writer`] does.
///
/// # Errors
/// It cannot be written; no temporary file is left.
pub fn replace(to: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut writer = Writer::create(to)?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    STDOUT.iter().any(|name| path == Path::new(name))
}

/// A file that is being written.
///
/// - A new file, and a regular file (also through symbolic links), appears with [`Writer::finish`]: it is written beside its
///   place, flushed to the disk, and renamed. A reader sees the old file or the new one. It keeps its mode.
/// - Where no temporary file can be created or renamed there (a read-only folder, a mounted file), the file is written in place.
/// - Devices, FIFOs, sockets and standard output ([`is_stdout`]) are written to.
#[derive(Debug)]
pub struct Writer(Target);

#[derive(Debug)]
enum Target {
    Stdout(io::Stdout),
    /// A device or a FIFO, which a disk does not hold.
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
    /// Opens the file, and changes nothing before the first byte. Opening a FIFO waits for its reader.
    ///
    /// # Errors
    /// It is a folder, or the system refuses.
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
    /// The system refuses; no temporary file is left.
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
                        // A folder that this user may write and not read cannot be opened for that.
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

/// A regular file, or a new one.
fn regular(to: PathBuf, found: Option<&Metadata>) -> io::Result<Target> {
    match temporary(&to, found) {
        Ok((file, temporary)) => Ok(Target::Beside { file, temporary, to }),
        // Emptying the file would not make enough room.
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

/// A temporary file beside `to`, which belongs to the owner of the file that it replaces, and has its mode.
fn temporary(to: &Path, found: Option<&Metadata>) -> io::Result<(File, Temporary)> {
    let path = beside(to, WRITING);
    // An interrupted write left it, or it is a link that leads elsewhere.
    super::remove(&path)?;
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(found) = found {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        // From its first byte on no more people can read it than the old one.
        options.mode(found.mode() & 0o777);
    }
    let temporary = Temporary::new(path);
    let file = options.open(temporary.path())?;
    #[cfg(unix)]
    if let Some(found) = found {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (found.uid(), found.gid()) {
            // Only root can give files away; what others write is theirs.
            let _ = fchown(&file, Some(found.uid()), Some(found.gid()));
        }
        // After the owner, because a change of owner clears bits of the mode.
        file.set_permissions(found.permissions())?;
    }
    Ok((file, temporary))
}

/// Whether the system refuses to replace something that it may still let us write: a mounted file or folder, or the file
/// of another user in a folder like `/tmp`.
pub(crate) fn is_protected(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// A device, a FIFO or a socket.
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

/// A file that is written where it is.
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

    /// Empties the file before the first byte: until then what was there is whole.
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

/// The path that a path leads to if it names a symbolic link, also where nothing is there yet.
///
/// # Errors
/// The links lead in a circle.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    // Without a slash at its end, which would follow a link by itself.
    let mut at: PathBuf = path.components().collect();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&at) {
            Ok(next) => at = parent(&at).join(next),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("the symbolic links lead in a circle"))
}

/// Whether `path` still leads to `file`, which was opened there.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (held, found) = (file.metadata()?, fs::metadata(path)?);
    Ok((held.dev(), held.ino()) == (found.dev(), found.ino()))
}

/// Whether `path` still leads to `file`, which was opened there: elsewhere a file that is open cannot be
/// replaced.
///
/// # Errors
/// The system refuses.
#[cfg(not(unix))]
pub fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}
