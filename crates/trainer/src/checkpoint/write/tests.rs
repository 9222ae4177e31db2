use std::io::Write;

use super::super::{Checkpoint, read};
use super::*;

fn files(iteration: u64) -> Files {
    let text = |what: &str| format!("{what} of {iteration}").into_bytes();
    Files::from([
        ("bot.safetensors".to_owned(), text("weights")),
        ("moments.safetensors".to_owned(), text("moments")),
        ("empty".to_owned(), Vec::new()),
    ])
}

fn latest(checkpoints: &Checkpoints) -> (Checkpoint, Vec<String>) {
    let latest = checkpoints.latest_valid().unwrap().unwrap();
    let refused = latest.refused.iter().map(|e| e.to_string().replace('\\', "/")).collect();
    (latest.checkpoint, refused)
}

#[test]
fn what_is_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(&folder.path().join("checkpoints"), 2);
    assert!(checkpoints.list().unwrap().is_empty());
    assert!(checkpoints.latest_valid().unwrap().is_none());
    assert_eq!(checkpoints.best().unwrap(), None);
    checkpoints.prepare().unwrap();
    checkpoints.write(7, None, &files(7)).unwrap();
    let path = folder.path().join("checkpoints/00000007");
    let expected = Checkpoint { path: path.clone(), iteration: 7, best: None, files: files(7) };
    assert_eq!(latest(&checkpoints), (expected.clone(), vec![]));
    assert_eq!(checkpoints.best().unwrap(), None);
    let elsewhere = folder.path().join("shipped");
    fs::rename(&path, &elsewhere).unwrap();
    assert_eq!(read(&elsewhere).unwrap(), Checkpoint { path: elsewhere, ..expected });
}

#[test]
fn what_a_stop_left_behind_the_last_checkpoint_is_tidied() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 2);
    checkpoints.prepare().unwrap();
    for iteration in [10, 20, 30] {
        checkpoints.write(iteration, Some(10), &files(1)).unwrap();
    }
    let (payload, manifest) = (files(2), Manifest::write(40, Some(40), &files(2)).unwrap());
    for step in steps(&payload, &manifest) {
        checkpoints.take(40, &step).unwrap();
    }
    assert_eq!(checkpoints.list().unwrap(), [10, 20, 30, 40]);
    checkpoints.tidy(40, Some(40)).unwrap();
    assert_eq!(checkpoints.list().unwrap(), [30, 40]);
    assert_eq!(fs::read_to_string(folder.path().join(BEST)).unwrap(), "00000040\n");
}

#[test]
fn a_stop_after_any_step_leaves_whole_checkpoints_only() {
    let manifest = Manifest::write(20, Some(10), &files(20)).unwrap();
    let count = steps(&files(20), &manifest).len();
    for (existing, stop) in [false, true].into_iter().flat_map(|e| (0..=count).map(move |stop| (e, stop))) {
        for torn in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let checkpoints = Checkpoints::new(folder.path(), 3);
            checkpoints.prepare().unwrap();
            checkpoints.write(10, Some(10), &files(10)).unwrap();
            if existing {
                checkpoints.write(20, Some(10), &files(19)).unwrap();
            }
            let payload = files(20);
            let all = steps(&payload, &manifest);
            for step in &all[..stop] {
                checkpoints.take(20, step).unwrap();
            }
            if torn && let Some(WriteStep::File(name, bytes)) = stop.checked_sub(1).map(|last| &all[last]) {
                let file = folder.path().join(WRITING.to_owned() + "00000020").join(name);
                fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
            }
            // With and without a cleanup by the next process.
            for clean in [false, true] {
                if clean {
                    checkpoints.prepare().unwrap();
                }
                let (checkpoint, refused) = latest(&checkpoints);
                assert_eq!(refused, Vec::<String>::new(), "after {stop} steps");
                let renamed = all[..stop].iter().any(|step| matches!(step, WriteStep::Rename));
                let cleared = all[..stop].iter().any(|step| matches!(step, WriteStep::Clear));
                let expected = match (existing, renamed, cleared) {
                    (_, true, _) => (20, files(20)),
                    (true, false, false) => (20, files(19)),
                    _ => (10, files(10)),
                };
                assert_eq!((checkpoint.iteration, checkpoint.files), expected, "after {stop} steps");
            }
            let names: Vec<_> =
                fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            assert!(!names.iter().any(|n| n.to_str().unwrap().starts_with('.')), "not cleaned: {names:?}");
            checkpoints.write(20, Some(20), &files(20)).unwrap();
            assert_eq!(latest(&checkpoints).0.files, files(20));
        }
    }
}

#[test]
fn any_flipped_bit_is_found_and_the_one_before_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 2);
    checkpoints.prepare().unwrap();
    checkpoints.write(1, None, &files(1)).unwrap();
    checkpoints.write(2, Some(1), &files(2)).unwrap();
    for name in ["bot.safetensors", "moments.safetensors", MANIFEST] {
        let path = checkpoints.path(2).join(name);
        let good = fs::read(&path).unwrap();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            // Overwrite in place: truncating a file first makes some file systems wait for the disk.
            fs::File::options().write(true).open(&path).unwrap().write_all(&bad).unwrap();
            assert!(read(&checkpoints.path(2)).is_err(), "bit {bit} of {name}");
        }
        let (checkpoint, refused) = latest(&checkpoints);
        assert_eq!((checkpoint.iteration, refused.len()), (1, 1));
        fs::write(&path, good).unwrap();
    }
    assert_eq!(latest(&checkpoints).0.iteration, 2);
}

#[test]
fn every_refusal_says_which_file_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 9);
    checkpoints.prepare().unwrap();
    checkpoints.write(1, None, &files(1)).unwrap();
    let path = checkpoints.path(2);
    let refusal = |damage: &dyn Fn()| {
        checkpoints.write(2, None, &files(2)).unwrap();
        damage();
        let (checkpoint, refused) = latest(&checkpoints);
        assert_eq!((checkpoint.iteration, refused.len()), (1, 1));
        refused[0].strip_prefix(&format!("{}/", path.display())).unwrap().to_owned()
    };
    let missing = refusal(&|| fs::remove_file(path.join("bot.safetensors")).unwrap());
    assert_eq!(missing, "bot.safetensors: the checkpoint lacks this file");
    let missing = refusal(&|| fs::remove_file(path.join(MANIFEST)).unwrap());
    assert_eq!(missing, "manifest.json: the checkpoint lacks this file");
    let extra = refusal(&|| fs::write(path.join("notes"), "").unwrap());
    assert_eq!(extra, "notes: this file is not in the checkpoint's manifest");
    let short = refusal(&|| fs::write(path.join("bot.safetensors"), "weights").unwrap());
    assert_eq!(short, "bot.safetensors: the file is damaged: it has 7 bytes and was written with 12");
    let long = refusal(&|| fs::write(path.join("bot.safetensors"), "weights of 2 and more").unwrap());
    assert_eq!(long, "bot.safetensors: the file is damaged: it has more than 12 bytes");
    let changed = refusal(&|| fs::write(path.join("bot.safetensors"), "weights of 3").unwrap());
    assert!(changed.starts_with("bot.safetensors: the file is damaged: its hash is "), "{changed}");
    let other = refusal(&|| {
        fs::remove_dir_all(&path).unwrap();
        fs::create_dir(&path).unwrap();
        for name in files(1).keys().map(String::as_str).chain([MANIFEST]) {
            fs::copy(checkpoints.path(1).join(name), path.join(name)).unwrap();
        }
    });
    assert_eq!(other, "manifest.json: the file is damaged: it is of iteration 1");
    let newer = Manifest::write(2, None, &files(2)).unwrap();
    let newer = String::from_utf8(newer).unwrap().replace("\"format\": 1", "\"format\": 2");
    // It is undamaged, so no older checkpoint replaces it.
    fs::write(path.join(MANIFEST), newer.replace("\"best\"", "\"strongest\"")).unwrap();
    let newer = checkpoints.latest_valid().unwrap_err().to_string();
    let message = "manifest.json: the checkpoint was written by a newer version of cardsharp: its format is 2, this program reads 1";
    assert!(newer.ends_with(message), "{newer}");
}

#[test]
fn what_cannot_be_read_is_no_damage_and_nothing_older_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 2);
    checkpoints.write(1, None, &files(1)).unwrap();
    checkpoints.write(2, None, &files(2)).unwrap();
    // Even root cannot read a folder as a file.
    let unread = checkpoints.path(2).join("moments.safetensors");
    fs::remove_file(&unread).unwrap();
    fs::create_dir(&unread).unwrap();
    let error = checkpoints.latest_valid().unwrap_err();
    assert!(matches!(&error, CheckpointError::Io { path, .. } if *path == unread), "{error}");
}

#[test]
fn without_a_usable_checkpoint_there_is_an_error_not_a_new_run() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 2);
    checkpoints.write(1, None, &files(1)).unwrap();
    checkpoints.write(2, None, &files(2)).unwrap();
    for iteration in [1, 2] {
        fs::write(checkpoints.path(iteration).join("empty"), "not").unwrap();
    }
    let error = checkpoints.latest_valid().unwrap_err().to_string();
    assert!(error.contains("no checkpoint can be loaded; the newest: "), "{error}");
    assert!(error.contains("00000002"), "{error}");
}

#[test]
fn a_hundred_writes_keep_the_latest_and_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 3);
    checkpoints.prepare().unwrap();
    for iteration in 1..=100_u64 {
        let best = (iteration / 40 * 40).max(1); // the first, then 40, then 80
        checkpoints.write(iteration, Some(best), &files(iteration)).unwrap();
        let mut expected: Vec<_> =
            [best].into_iter().chain(iteration.saturating_sub(2).max(1)..=iteration).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(checkpoints.list().unwrap(), expected);
        let (checkpoint, refused) = latest(&checkpoints);
        assert_eq!((checkpoint.files, refused), (files(iteration), vec![]));
        assert_eq!(checkpoints.best().unwrap().unwrap().files, files(best));
    }
    assert_eq!(fs::read_to_string(folder.path().join("best")).unwrap(), "00000080\n");
    // A run that went back keeps the checkpoint that it resumed from, and replaces later ones as it reaches them.
    checkpoints.write(99, Some(80), &files(1099)).unwrap();
    assert_eq!(checkpoints.list().unwrap(), [80, 98, 99, 100]);
    assert_eq!(read(&checkpoints.path(99)).unwrap().files, files(1099));
}

#[test]
fn names_that_could_leave_the_directory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), 2);
    for name in ["", ".", "..", ".hidden", "a/b", "a\\b", "manifest.json", "ä", "a b"] {
        let error = checkpoints.write(1, None, &Files::from([(name.to_owned(), vec![])])).unwrap_err();
        assert_eq!(error.to_string(), format!("a checkpoint cannot hold a file named `{name}`"));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
