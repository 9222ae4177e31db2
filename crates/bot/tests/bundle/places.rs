//! Tests of where bundles are written: through links, with the permissions of the folder, and without leftovers.

use super::*;

#[test]
fn a_folder_without_room_for_a_temporary_one_is_written_file_by_file() {
    let folder = tempfile::tempdir().expect("a folder");
    // A name has at most 255 bytes. With the prefix, the temporary name would be longer.
    let [to, other] = ["x".repeat(250), "other".to_owned()].map(|name| folder.path().join(name));
    fs::create_dir(&to).expect("a folder");
    bundle(&other);
    for _ in 0..2 {
        bundle(&to);
        assert_same(&to, &other);
        // Left from another version, or from an interrupted export.
        for leftover in ["levels.json", ".writing-card.md"] {
            fs::write(to.join(leftover), "{}").expect("a file");
        }
    }
    bundle(&to);
    verify(&Games::shipped(), &to).expect("a sound bundle");
    assert_eq!(names(folder.path()).len(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_followed_and_the_folder_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("elsewhere")).expect("a folder");
    symlink("elsewhere/bundle", path("link")).expect("a link");
    // The link is broken at first.
    bundle(&path("link"));
    fs::set_permissions(path("elsewhere/bundle"), fs::Permissions::from_mode(0o700)).expect("a mode");
    bundle(&path("link"));
    bundle(&path("link/"));
    assert!(path("link").symlink_metadata().expect("a link").is_symlink());
    let found = path("elsewhere/bundle").metadata().expect("a bundle");
    assert_eq!(found.permissions().mode() & 0o777, 0o700);
    verify(&Games::shipped(), &path("elsewhere/bundle")).expect("a sound bundle");
    let expected = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names(folder.path()), expected(&["elsewhere", "link"]));
    assert_eq!(names(&path("elsewhere")), expected(&["bundle"]));
}
