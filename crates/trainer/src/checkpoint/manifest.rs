//! `manifest.json`: what a checkpoint consists of.

use std::collections::BTreeMap;
use std::path::Path;

use cardsharp_bot::bundle::manifest::{Entry, MANIFEST};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CheckpointError, Files, read_file};

/// The longest manifest that is read, in bytes: some hundred are those of a file.
const MAX_MANIFEST: u64 = 16 << 20;

/// Raised when the meaning of a manifest changes.
const FORMAT: u32 = 1;

/// The files of a checkpoint, and where in its run it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: u32,
    pub(super) iteration: u64,
    pub(super) best: Option<u64>,
    pub(super) files: BTreeMap<String, Entry>,
    /// The hash of this manifest with nothing here.
    blake3: String,
}

impl Manifest {
    /// The bytes of the manifest for these files. There is one way to write each manifest.
    pub(super) fn write(iteration: u64, best: Option<u64>, files: &Files) -> serde_json::Result<Vec<u8>> {
        let files = files.iter().map(|(name, bytes)| (name.clone(), Entry::of(bytes))).collect();
        Self { format: FORMAT, iteration, best, files, blake3: String::new() }.sealed()
    }

    fn sealed(mut self) -> serde_json::Result<Vec<u8>> {
        self.blake3 = String::new();
        self.blake3 = blake3::hash(&serde_json::to_vec(&self)?).to_hex().to_string();
        let mut bytes = serde_json::to_vec_pretty(&self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads the manifest in a checkpoint's directory.
    pub(super) fn read(directory: &Path) -> Result<Self, CheckpointError> {
        let path = directory.join(MANIFEST);
        let bytes = read_file(&path, MAX_MANIFEST)?;
        // Before the fields, of which a later format may have others.
        let format = serde_json::from_slice::<Value>(&bytes).ok().and_then(|value| value["format"].as_u64());
        if let Some(given) = format.filter(|&given| given > u64::from(FORMAT)) {
            return Err(CheckpointError::Newer { path, given, expected: FORMAT });
        }
        let parsed = serde_json::from_slice(&bytes).and_then(|manifest: Self| {
            let sealed = manifest.clone().sealed()?;
            Ok((manifest, sealed == bytes))
        });
        let problem = match parsed {
            Ok((manifest, _)) if manifest.format != FORMAT => {
                format!("its format is {}, expected {FORMAT}", manifest.format)
            }
            Ok((manifest, true)) => return Ok(manifest),
            Ok((_, false)) => "it was changed after it was written".to_owned(),
            Err(error) => error.to_string(),
        };
        Err(CheckpointError::Damaged { path, problem })
    }
}
