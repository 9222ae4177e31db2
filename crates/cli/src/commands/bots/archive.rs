//! Unpacks the archive of a bot: one folder with the files of a bundle and the texts of its license.

use std::io::{self, Read};
use std::path::{Component, Path};

use cardsharp_bot::bundle::manifest::MAX_FILE;
use flate2::read::GzDecoder;

use crate::error::Failure;

/// The archive is not that of a bot.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error("not the archive of a bot: {0}")]
    Read(#[from] io::Error),
    #[error("not the archive of a bot: it has `{0}`, expected the files of one folder")]
    Entry(String),
    #[error("the archive holds more than {MAX_FILE} bytes")]
    Long,
}

impl Failure for ArchiveError {
    fn code(&self) -> u8 {
        2
    }
}

/// Returns the files of the bundle in an archive (`.tar.gz`), each with its name.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
    files(GzDecoder::new(bytes).take(MAX_FILE + 1))
}

/// Returns the files of the bundle in an archive that was decompressed.
pub(crate) fn files(bytes: impl Read) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
    let mut archive = tar::Archive::new(bytes);
    let mut files = Vec::new();
    let mut length = 0;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let named = || ArchiveError::Entry(path.display().to_string());
        let name = file_name(&path).filter(|_| entry.header().entry_type().is_file()).ok_or_else(named)?;
        length += entry.size();
        if length > MAX_FILE {
            return Err(ArchiveError::Long);
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        if !name.starts_with("LICENSE-") {
            files.push((name, content));
        }
    }
    Ok(files)
}

/// Returns the name of a file that is in a folder, which is not in another one.
fn file_name(path: &Path) -> Option<String> {
    let mut parts = path.components();
    let (Some(Component::Normal(_)), Some(Component::Normal(name)), None) =
        (parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    name.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// Packs files without the checks of the `tar` crate, as an attacker would.
    fn packed(entries: &[(&str, tar::EntryType)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, kind) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_gnu_mut().expect("a header").name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(2);
            header.set_cksum();
            archive.append(&header, &b"{}"[..]).expect("packed");
        }
        archive.into_inner().and_then(GzEncoder::finish).expect("packed")
    }

    #[test]
    fn only_plain_files_of_one_folder_are_unpacked() {
        use tar::EntryType::{Regular, Symlink};

        let good = packed(&[("bot/card.md", Regular), ("bot/LICENSE-MIT", Regular)]);
        assert_eq!(unpack(&good).expect("an archive"), [("card.md".to_owned(), b"{}".to_vec())]);
        for (path, kind) in [
            ("../card.md", Regular),
            ("/card.md", Regular),
            ("card.md", Regular),
            ("bot/../../card.md", Regular),
            ("bot/in/card.md", Regular),
            ("bot/card.md", Symlink),
        ] {
            let refused = unpack(&packed(&[(path, kind)])).expect_err("refused").to_string();
            assert_eq!(
                refused,
                format!("not the archive of a bot: it has `{path}`, expected the files of one folder")
            );
        }
        assert!(matches!(unpack(b"no archive"), Err(ArchiveError::Read(_))));
        assert!(matches!(unpack(&good[..good.len() / 2]), Err(ArchiveError::Read(_))));
    }
}
