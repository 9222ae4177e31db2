//! Bots by name and version: installed from the archives of a release, used, and removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cardsharp_bot::bundle::{MANIFEST, Manifest};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A folder with a release, and an empty folder for bots.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("release")).expect("a folder");
        Self { folder }
    }

    fn at(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
        command.args(words).current_dir(self.at());
        command.env("CARDSHARP_BOTS", self.at().join("bots"));
        command.env("CARDSHARP_DOWNLOADS", self.at().join("release"));
        command.output().expect("the command runs")
    }

    fn success(&self, words: &[&str]) -> Value {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    fn refused(&self, words: &[&str], code: i32) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Exports the bundle of release 0.1.0 under this name. Returns its folder.
    fn bundle(&self, address: &str) -> PathBuf {
        let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/releases/0.1.0/run/bundle");
        let words = ["export", bundle, "--to", address, "--name", address, "--license", "MIT", "--json"];
        self.success(&words);
        self.at().join(address)
    }

    /// Packs a bundle as an archive of the release, and adds its hash to the checksums. Returns its URL with the hash.
    fn publish(&self, bundle: &Path, file: &str) -> String {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for entry in fs::read_dir(bundle).expect("a bundle") {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            archive.append_path_with_name(&path, format!("bot/{name}")).expect("packed");
        }
        let packed = archive.into_inner().and_then(GzEncoder::finish).expect("packed");
        let hash: String = Sha256::digest(&packed).iter().map(|byte| format!("{byte:02x}")).collect();
        let release = self.at().join("release");
        fs::write(release.join(file), packed).expect("written");
        let sums = release.join("SHA256SUMS");
        let before = fs::read_to_string(&sums).unwrap_or_default();
        fs::write(&sums, format!("{before}{hash}  {file}\n")).expect("written");
        format!("file://{}#sha256={hash}", release.join(file).display())
    }
}

/// Returns the place score of a bot.
fn score(machine: &Machine, bot: &str) -> Value {
    let bots = format!("{bot},random");
    let words = ["arena", "kuhn", "--bots", &bots, "--deals", "20", "--seed", "1", "--json"];
    machine.success(&words)["bots"][0]["place_score"].clone()
}

#[test]
fn a_bot_is_installed_by_its_name_plays_and_is_removed() {
    let machine = Machine::new();
    let bundle = machine.bundle("mine@v2");
    let url = machine.publish(&bundle, "cardsharp-bot-mine-v2.tar.gz");
    fs::rename(&bundle, machine.at().join("elsewhere")).expect("renamed");

    let installed = machine.success(&["bots", "get", "mine", "--json"]);
    assert_eq!((&installed["bot"], &installed["new"]), (&Value::from("mine@v2"), &Value::from(true)));
    assert_eq!(machine.success(&["bots", "get", &url, "--json"])["new"], false);
    machine.success(&["verify", "mine@v2", "--json"]);

    let expected = score(&machine, "./elsewhere");
    for name in ["mine", "mine@v2", &url] {
        assert_eq!(score(&machine, name), expected, "{name}");
    }

    let listed = machine.success(&["bots", "--json"]);
    let found = listed["bots"].as_array().expect("a list").iter().find(|bot| bot["name"] == "mine");
    let found = found.expect("the bot is listed");
    assert_eq!(
        (&found["version"], &found["license"], &found["game"]),
        (&2.into(), &"MIT".into(), &"kuhn".into())
    );
    assert!(found["source"].as_str().is_some_and(|source| source.contains("#sha256=")));
    let shown = machine.success(&["bots", "show", "mine@v2", "--json"]);
    assert!(shown["card"].as_str().is_some_and(|card| card.contains("| name | `mine@v2` |")));

    assert!(machine.refused(&["bots", "remove", "mine"], 2).contains("expected mine@v2"));
    machine.success(&["bots", "remove", "mine@v2", "--json"]);
    assert!(fs::read_dir(machine.at().join("bots")).expect("a folder").next().is_none());
    assert!(
        machine.refused(&["arena", "kuhn", "--bots", &url], 2).contains("is not installed: download it with")
    );
}

#[test]
fn a_name_without_a_version_is_the_newest_and_an_ambiguous_one_is_refused() {
    let machine = Machine::new();
    for version in ["mine@v2", "mine@v10"] {
        let bundle = machine.bundle(version);
        machine.publish(&bundle, &format!("cardsharp-bot-{}.tar.gz", version.replace('@', "-")));
        machine.success(&["bots", "get", version, "--json"]);
        fs::remove_dir_all(bundle).expect("removed");
    }
    assert_eq!(machine.success(&["bots", "get", "mine", "--json"])["bot"], "mine@v10");
    assert_eq!(machine.success(&["bots", "show", "mine", "--json"])["bot"]["version"], 10);
    let refused = |bot: &str| machine.refused(&["arena", "kuhn", "--bots", bot], 2);
    assert!(refused("mine@v3").contains("there is no bot `mine@v3` here: there is mine@v10, mine@v2"));
    assert!(refused("mine@5@v2").contains("the version comes before the level: `mine@v2@5`"));
    fs::create_dir(machine.at().join("mine")).expect("a folder");
    assert!(refused("mine").contains("`mine` is an installed bot and also a path: type `mine@v10`"));
    assert!(machine.refused(&["bots", "get", "other"], 1).contains("it has mine@v2, mine@v10"));
}

#[cfg(feature = "train")]
#[test]
fn an_installed_bot_is_exported_and_continues_training() {
    let machine = Machine::new();
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/releases/0.1.0/run");
    let file = |folder: &str, name: &str| fs::read(machine.at().join(folder).join(name)).expect("a file");
    let seconds = |folder: &str| {
        let cost: Value = serde_json::from_slice(&file(folder, "cost.json")).expect("JSON");
        cost["core_seconds"].as_f64().expect("seconds")
    };
    let named = ["--name", "mine@v1", "--license", "MIT", "--json"];
    machine.success(&[&["export", run, "--to", "first", "--cost", run][..], &named].concat());
    machine.publish(&machine.at().join("first"), "cardsharp-bot-mine-v1.tar.gz");
    machine.success(&["bots", "get", "mine@v1", "--json"]);

    machine.success(&["export", "mine@v1", "--to", "again", "--json"]);
    for name in ["bot.safetensors", "cost.json", "identity.json"] {
        assert_eq!(file("again", name), file("first", name), "{name}");
    }

    let config = format!("{run}/config.toml");
    let output = machine.run(&["train", &config, "--set", "net.init_from='mine@v1'", "--run", "second"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    machine.success(&["export", "second", "--to", "both", "--cost", "second", "--json"]);
    assert!(seconds("both") > seconds("first"), "{} {}", seconds("both"), seconds("first"));
}

#[test]
fn an_archive_with_another_hash_or_a_changed_file_is_not_installed() {
    let machine = Machine::new();
    let bundle = machine.bundle("mine@v1");
    let url = machine.publish(&bundle, "good.tar.gz");
    let (place, hash) = url.split_once("#sha256=").expect("a hash");
    let other = hash.chars().rev().collect::<String>();
    let refused = machine.refused(&["bots", "get", &format!("{place}#sha256={other}")], 1);
    assert!(refused.contains("does not have the expected hash; nothing was installed"), "{refused}");

    fs::write(bundle.join("card.md"), "Another card.").expect("written");
    let changed = machine.publish(&bundle, "changed.tar.gz");
    let refused = machine.refused(&["bots", "get", &changed], 2);
    assert!(refused.contains("card.md: it was changed after it was written"), "{refused}");

    let identity = br#"{"name":"trained","version":1,"license":"MIT"}"#;
    Manifest::add(&bundle, "card.md", b"Another card.").expect("added");
    Manifest::add(&bundle, "identity.json", identity).expect("added");
    let reserved = machine.publish(&bundle, "reserved.tar.gz");
    assert!(machine.refused(&["bots", "get", &reserved], 2).contains("a bot cannot be called `trained`"));
    assert!(!machine.at().join("bots").exists());

    machine.success(&["bots", "get", &url, "--json"]);
    Manifest::add(&bundle, "identity.json", br#"{"name":"mine","version":1,"license":"MIT"}"#)
        .expect("added");
    let another = machine.publish(&bundle, "another.tar.gz");
    let refused = machine.refused(&["bots", "get", &another], 2);
    assert!(refused.contains("`mine@v1` is installed already, and another bot"), "{refused}");
    assert!(machine.at().join("bots/mine/v1").join(MANIFEST).is_file());
}

#[cfg(feature = "bots")]
#[test]
fn shipped_bots_have_versions_and_are_listed() {
    let machine = Machine::new();
    let listed = machine.success(&["bots", "--json"]);
    for bot in listed["bots"].as_array().expect("a list") {
        let game = bot["game"].as_str().expect("a game");
        assert_eq!((bot["name"].as_str(), bot["levels"].as_u64()), (Some(game), Some(10)));
        assert!(bot["strength"]["place_score"]["low"].as_f64().is_some_and(|low| low > 0.0), "{game}");
        let address = format!("{game}@v{}", bot["version"]);
        let score = |name: &str| {
            let bots = format!("{name},scripted");
            let words = ["arena", game, "--bots", &bots, "--deals", "2", "--json"];
            machine.success(&words)["bots"][0]["place_score"].clone()
        };
        assert_eq!(score(&address), score(game));
        assert_eq!(score(&format!("{address}@3")), score(&format!("{game}@3")));
    }
    assert_eq!(listed["bots"].as_array().map(Vec::len), Some(4));
    let refused = machine.refused(&["arena", "taki", "--bots", "taki@v9"], 2);
    assert!(refused.contains("there is no bot `taki@v9` here: there is taki@v1"), "{refused}");
}
