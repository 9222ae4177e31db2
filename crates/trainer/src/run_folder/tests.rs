use super::*;

fn config(overrides: &[&str]) -> Config {
    let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
    Config::parse("run.toml", "game = \"dalmuti\"", &overrides).unwrap()
}

fn refused(result: Result<RunFolder, RunError>, folder: &Path) -> String {
    let error = result.err().unwrap().to_string();
    error.replace(&folder.display().to_string(), "runs")
}

#[test]
fn a_run_is_started_once_and_resumed_with_its_own_configuration() {
    let runs = tempfile::tempdir().unwrap();
    let path = runs.path().join("quick-1");
    let absent = refused(RunFolder::resume(&path, &config(&[])), runs.path());
    assert_eq!(absent, "runs/quick-1: there is no run to resume");
    assert!(!path.exists(), "asking leaves no trace");

    let run = RunFolder::create(&path, &config(&[])).unwrap();
    assert_eq!(RunFolder::config(&path).unwrap(), config(&[]));
    run.checkpoints().write(10, None, &Default::default()).unwrap();
    assert!(path.join("checkpoints/00000010/manifest.json").is_file());
    let held = refused(RunFolder::resume(&path, &config(&[])), runs.path());
    assert_eq!(held, "runs/quick-1: another process trains in this folder");
    drop(run);

    let taken = refused(RunFolder::create(&path, &config(&[])), runs.path());
    assert_eq!(taken, "runs/quick-1 is not empty: resume the run in it, or choose another name");
    let differs = refused(RunFolder::resume(&path, &config(&["ppo.epochs=9"])), runs.path());
    let epochs = config(&[]).ppo.epochs;
    assert_eq!(
        differs,
        format!(
            "runs/quick-1 is the run of another configuration: `ppo.epochs` is {epochs} there and 9 here"
        )
    );
    let run = RunFolder::resume(&path, &config(&["threads=3"])).unwrap();
    assert_eq!(run.checkpoints().list().unwrap(), [10]);
    assert_eq!(run.path(), path);
}

#[test]
fn a_folder_of_something_else_is_left_as_it_is() {
    let runs = tempfile::tempdir().unwrap();
    fs::write(runs.path().join("thesis.tex"), "").unwrap();
    let taken = refused(RunFolder::create(runs.path(), &config(&[])), runs.path());
    assert_eq!(taken, "runs is not empty: resume the run in it, or choose another name");
    assert_eq!(fs::read_dir(runs.path()).unwrap().count(), 1);
    let path = runs.path().join("thesis.tex");
    assert!(matches!(RunFolder::create(&path, &config(&[])), Err(RunError::Io { .. })));
}

#[test]
fn a_start_that_was_stopped_before_the_configuration_can_be_repeated() {
    let runs = tempfile::tempdir().unwrap();
    fs::write(runs.path().join(LOCK), "").unwrap();
    fs::write(disk::beside(&runs.path().join(CONFIG), WRITING), "game = \"dal").unwrap();
    let run = RunFolder::create(runs.path(), &config(&[])).unwrap();
    assert_eq!(RunFolder::config(run.path()).unwrap(), config(&[]));
    assert!(!disk::beside(&runs.path().join(CONFIG), WRITING).exists());
}

#[test]
fn what_an_interrupted_checkpoint_left_is_cleaned_on_resume() {
    let runs = tempfile::tempdir().unwrap();
    drop(RunFolder::create(runs.path(), &config(&[])).unwrap());
    let stale = runs.path().join("checkpoints/.writing-00000010");
    fs::create_dir_all(&stale).unwrap();
    fs::write(stale.join("bot.safetensors"), "half").unwrap();
    let run = RunFolder::resume(runs.path(), &config(&[])).unwrap();
    assert!(!stale.exists());
    assert!(run.checkpoints().latest_valid().unwrap().is_none());
}

#[test]
fn who_only_looks_whether_somebody_trains_keeps_nobody_out() {
    let runs = tempfile::tempdir().unwrap();
    let path = runs.path().join("quick-1");
    drop(RunFolder::create(&path, &config(&[])).unwrap());
    let looking = File::open(path.join(LOCK)).unwrap();
    looking.try_lock_shared().unwrap();
    let gone = std::thread::spawn(move || {
        std::thread::sleep(PAUSE);
        drop(looking);
    });
    let run = RunFolder::resume(&path, &config(&[])).unwrap();
    gone.join().unwrap();
    assert!(File::open(path.join(LOCK)).unwrap().try_lock_shared().is_err());
    drop(run);
}
