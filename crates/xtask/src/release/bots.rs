//! An archive for each trained bot: its bundle with the ONNX model, and the texts of its license.

use std::path::Path;

use cardsharp_bot::bots::FILE;
use cardsharp_bot::bundle::{MODEL, Manifest, onnx};
use cardsharp_bot::file;
use cardsharp_bot::identity::{self, Identity};

use crate::dist::archive::{self, ArchiveFile};
use crate::error::{TaskError, at};
use crate::program::project;

/// Packs the bundle of the bot that ships for a game. `cardsharp bots get` installs such an archive.
pub(super) fn pack(game: &str, to: &Path) -> Result<(), TaskError> {
    let bundle = project().join("checkpoints").join(game).join("bot");
    let mut entries = Vec::new();
    ArchiveFile::folder(&bundle, "", &mut entries)?;
    let refused = |source| TaskError::Bot { path: bundle.join(FILE), source };
    let (header, net) = file::read(&bundle.join(FILE)).map_err(refused)?;
    entries.retain(|entry| entry.path != MODEL);
    entries.push(ArchiveFile::text(MODEL, onnx::encode(&header, &net)));
    // The manifest also has the checksum of the model.
    let manifest = Manifest::read(&bundle).map_err(TaskError::Manifest)?;
    for entry in &entries {
        if let Some(listed) = manifest.get(&entry.path) {
            listed.check(&entry.bytes).map_err(|_| TaskError::Changed(bundle.join(&entry.path)))?;
        }
    }
    let path = bundle.join(identity::FILE);
    let identity = std::fs::read(&path).map_err(at(&path))?;
    let identity = Identity::from_bytes(&identity).map_err(|source| TaskError::Identity { path, source })?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(ArchiveFile::file(&project().join(file), file)?);
    }
    let folder = format!("cardsharp-bot-{}-v{}", identity.name, identity.version);
    archive::pack(to, &folder, entries).map(|_| ())
}
