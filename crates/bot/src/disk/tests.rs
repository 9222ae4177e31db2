use std::path::{Path, PathBuf};
use std::{fs, io};

use super::*;

fn content(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).expect("a folder").map(name).collect();
    names.sort();
    names
}

/// Returns a path that leaves no room for the prefix of a temporary name: a name has at most 255 bytes.
fn long(folder: &Path) -> PathBuf {
    folder.join("x".repeat(250))
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("page.html");
    fs::write(&to, "old").expect("a file");
    let mut writer = Writer::create(&to).expect("a writer");
    writer.write_all(b"half of the n").expect("bytes");
    assert_eq!((content(&to), names(folder.path()).len()), ("old".to_owned(), 2));
    drop(writer);
    assert_eq!((content(&to), names(folder.path())), ("old".to_owned(), vec!["page.html".to_owned()]));
    replace(&to, b"new").expect("a file");
    assert_eq!((content(&to), names(folder.path())), ("new".to_owned(), vec!["page.html".to_owned()]));
}

#[test]
fn a_file_without_room_for_a_temporary_one_is_written_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = long(folder.path());
    replace(&to, b"a long text").expect("a new file");
    assert_eq!(content(&to), "a long text");
    let mut writer = Writer::create(&to).expect("a writer");
    assert_eq!(content(&to), "a long text", "nothing is emptied before the first byte");
    writer.write_all(b"short").expect("bytes");
    writer.finish().expect("a file");
    assert_eq!((content(&to), names(folder.path()).len()), ("short".to_owned(), 1));
    replace(&to, b"").expect("a file");
    assert_eq!(content(&to), "");
}

#[test]
fn a_folder_is_no_file_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = replace(folder.path(), b"x").expect_err("a folder");
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (io::ErrorKind::IsADirectory, "it is a folder; expected a file")
    );
    let nowhere = folder.path().join("no/file");
    assert_eq!(replace(&nowhere, b"x").expect_err("no folder").kind(), io::ErrorKind::NotFound);
}

#[test]
fn names_of_standard_output_are_those_of_the_shell() {
    for (name, expected) in [("-", true), ("/dev/stdout", true), ("./-", false), ("a/-", false), ("", false)]
    {
        assert_eq!(is_stdout(Path::new(name)), expected, "{name}");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn a_link_in_the_place_of_a_temporary_file_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [to, victim] = ["bot", "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").expect("a file");
        symlink(&victim, beside(&to, WRITING)).expect("a link");
        replace(&to, b"new").expect("a file");
        assert_eq!((content(&victim), content(&to)), ("precious".to_owned(), "new".to_owned()));
        assert!(to.symlink_metadata().expect("a file").is_file());
        replace(&to, b"newer").expect("a file");
        assert_eq!(content(&to), "newer");
    }

    #[test]
    fn a_link_is_followed_to_the_file_that_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("elsewhere")).expect("a folder");
        symlink("second", path("first")).expect("a link");
        symlink("elsewhere/file", path("second")).expect("a link");
        // The last link is broken at first.
        for text in ["new", "newer"] {
            replace(&path("first"), text.as_bytes()).expect("a file");
            assert_eq!(content(&path("elsewhere/file")), text);
            for link in ["first", "second"] {
                assert!(path(link).symlink_metadata().expect("a link").is_symlink(), "{link}");
            }
        }
        symlink("circle", path("circle")).expect("a link");
        assert!(replace(&path("circle"), b"x").is_err());
        assert_eq!(names(folder.path()), ["circle", "elsewhere", "first", "second"]);
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("file");
        for mode in [0o600, 0o640, 0o755, 0o666] {
            fs::write(&to, "old").expect("a file");
            fs::set_permissions(&to, fs::Permissions::from_mode(mode)).expect("a mode");
            let writer = Writer::create(&to).expect("a writer");
            let temporary = beside(&to, WRITING).metadata().expect("a temporary file");
            assert_eq!(temporary.permissions().mode() & 0o777, mode, "before the first byte");
            writer.finish().expect("a file");
            assert_eq!(to.metadata().expect("a file").permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_writable_file_in_a_read_only_folder_is_written_in_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("file");
        fs::write(&to, "old text").expect("a file");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("a mode");
        let written = replace(&to, b"new");
        let other = replace(&folder.path().join("other"), b"new");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
        written.expect("a file");
        assert_eq!(content(&to), "new");
        // Root may write anywhere.
        if let Err(error) = other {
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
            assert_eq!(names(folder.path()), ["file"]);
        }
    }

    #[test]
    fn a_fifo_gets_the_bytes_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = folder.path().join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let reader = thread::spawn({
            let fifo = fifo.clone();
            move || content(&fifo)
        });
        replace(&fifo, b"for the reader").expect("a write");
        assert_eq!(reader.join().expect("a reader"), "for the reader");
        assert!(fifo.symlink_metadata().expect("a FIFO").file_type().is_fifo());
    }

    #[test]
    fn a_socket_gets_the_bytes_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).expect("a socket");
        let reader = thread::spawn(move || {
            let mut text = String::new();
            listener.accept().expect("a writer").0.read_to_string(&mut text).expect("a text");
            text
        });
        replace(&path, b"for the reader").expect("a write");
        assert_eq!(reader.join().expect("a reader"), "for the reader");
        assert!(path.symlink_metadata().expect("a socket").file_type().is_socket());
    }

    /// Uses links, so that a bug cannot replace a device of the machine.
    #[test]
    fn a_device_is_written_to_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = |device: &str| {
            let link = folder.path().join(device.replace('/', "-"));
            symlink(device, &link).expect("a link");
            link
        };
        let null = link("/dev/null");
        replace(&null, b"nothing").expect("a write");
        assert!(null.symlink_metadata().expect("a link").is_symlink());
        assert!(null.metadata().expect("a device").file_type().is_char_device());
        if cfg!(target_os = "linux") {
            let error = replace(&link("/dev/full"), b"x").expect_err("a full device");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_names_its_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let [link, near] = ["run.toml", "run.tonl"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("gone/away.toml", &link).expect("a link");
    fs::write(&near, "").expect("a file");
    let refused = read(&link, 10).expect_err("no file").to_string();
    assert_eq!(refused, "it is a link to gone/away.toml, which does not exist");
    assert_eq!(nearest(&link), None);
    let within = read(&link.join("file"), 10).expect_err("no file").to_string();
    assert_eq!(within, format!("{} is a link to gone/away.toml, which does not exist", link.display()));
    let other = read(&folder.path().join("run.tomm"), 10).expect_err("no file").to_string();
    assert!(other.starts_with("there is no such file; did you mean"), "{other}");
}

#[test]
fn a_folder_is_not_read_as_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = read(folder.path(), 10).expect_err("a folder").to_string();
    assert_eq!(refused, "it is a folder; expected a file");
}
