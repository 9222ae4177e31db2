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
    assert_eq!(held, "runs/quick-1: another process is training in this folder");
    drop(run);

    let taken = refused(RunFolder::create(&path, &config(&[])), runs.path());
    assert_eq!(taken, "runs/quick-1 already contains a run: resume it, or choose another name");
    let differs = refused(RunFolder::resume(&path, &config(&["ppo.epochs=9"])), runs.path());
    let epochs = config(&[]).ppo.epochs;
    assert_eq!(
        differs,
        format!(
            "runs/quick-1 contains a run with another configuration: `ppo.epochs` is {epochs} there and 9 here"
        )
    );
    let run = RunFolder::resume(&path, &config(&["threads=3"])).unwrap();
    assert_eq!(run.checkpoints().list().unwrap(), [10]);
    assert_eq!(run.path(), path);
}

#[test]
fn runs_with_old_names_in_their_configuration_are_refused() {
    let runs = tempfile::tempdir().unwrap();
    let path = runs.path().join("old-1");
    drop(RunFolder::create(&path, &config(&[])).unwrap());
    let current = config(&[]).toml().unwrap();
    for (now, old, problem) in [
        ("reference_policy = ", "magnet = ", "`ppo.magnet` is now called `ppo.reference_policy`. "),
        ("[distill]\n", "[expert]\nppo_weight = 1.0\n", "`expert.ppo_weight` was removed: delete it; "),
        (
            "[league]\n",
            "[league]\nsearcher = \"search:100+current\"\n",
            "`league.searcher` was removed: delete it; ",
        ),
    ] {
        let text = current.replacen(&format!("\n{now}"), &format!("\n{old}"), 1);
        fs::write(path.join(CONFIG), seal::sealed(&text)).unwrap();
        let said = refused(RunFolder::resume(&path, &config(&[])), runs.path());
        assert!(said.starts_with("runs/old-1/config.toml:") && said.contains(problem), "{said}");
        let remedy = "An earlier version of cardsharp wrote this run, and this version cannot resume it: start a new \
                      run, which can take its initial weights from a checkpoint of this one (`net.init_from`)";
        assert!(said.ends_with(remedy), "{said}");
    }
}

#[test]
fn who_was_lost_and_holds_the_lock_is_waited_for() {
    let runs = tempfile::tempdir().unwrap();
    let run = RunFolder::create(runs.path(), &config(&[])).unwrap();
    let message = refused(RunFolder::resume_within(runs.path(), &config(&[]), Duration::ZERO), runs.path());
    assert_eq!(message, "runs: another process is training in this folder");
    let lost = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        drop(run);
    });
    RunFolder::resume_within(runs.path(), &config(&[]), Duration::from_secs(60)).unwrap();
    lost.join().unwrap();
}

#[test]
fn a_folder_of_something_else_is_left_as_it_is() {
    let runs = tempfile::tempdir().unwrap();
    fs::write(runs.path().join("thesis.tex"), "").unwrap();
    let taken = refused(RunFolder::create(runs.path(), &config(&[])), runs.path());
    assert_eq!(taken, "runs is not empty and contains no run: choose another name");
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
fn a_look_at_the_lock_of_a_folder_does_not_take_it() {
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

#[test]
fn what_no_iteration_depended_on_may_change_and_is_written_down() {
    let runs = tempfile::tempdir().unwrap();
    let path = runs.path().join("quick-1");
    let change = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
        RunFolder::resume_with(&Games::shipped(), &path, &overrides)
    };
    let refused = |overrides: &[&str]| refused(change(overrides).map(|(_, run)| run), runs.path());
    let run = RunFolder::create(&path, &config(&["iterations=30"])).unwrap();
    drop(run);
    assert_eq!(
        refused(&["iterations=60"]),
        "runs/quick-1: the run has no checkpoint yet: resume it unchanged, or start another run"
    );
    let run = RunFolder::resume(&path, &config(&["iterations=30"])).unwrap();
    let mut files = Files::new();
    run.add_config(&config(&["iterations=30"]), &mut files).unwrap();
    run.checkpoints().write(30, None, &files).unwrap();
    drop(run);
    let before = fs::read_to_string(path.join(CONFIG)).unwrap();
    assert_eq!(
        refused(&["iterations=20"]),
        "runs/quick-1: `iterations` cannot be 20: 30 iterations are done; expected at least 30"
    );
    let fixed = "runs/quick-1: `ppo.clip` is 0.2 in this run and cannot become 0.1: the completed iterations \
                 depend on it; these may change: iterations, ";
    assert!(refused(&["iterations=60", "ppo.clip=0.1"]).starts_with(fixed));
    assert!(
        refused(&["evaluate.temperature=1"])
            .contains("the measurements so far and the choice of the best checkpoint depend on it")
    );
    assert_eq!(fs::read_to_string(path.join(CONFIG)).unwrap(), before);

    let (changed, run) = change(&["iterations=60", "threads=2"]).unwrap();
    assert_eq!((changed.iterations, changed.threads), (60, 2));
    run.check_config(&changed, Path::new("run"), &mut files).unwrap();
    drop(run);
    let (again, run) = change(&["checkpoint.every=7"]).unwrap();
    let text = fs::read_to_string(path.join(CONFIG)).unwrap();
    assert_eq!(
        changes::lines(&text),
        "# After iteration 30 `iterations` was changed from 30 to 60\n\
         # After iteration 30 `checkpoint.every` was changed from 10 to 7\n"
    );
    assert_eq!(RunFolder::config(&path).unwrap(), again);

    // Later checkpoints have the lines, too. A change without a line is an edit.
    let mut later = Files::new();
    run.add_config(&again, &mut later).unwrap();
    assert_eq!(changes::lines(&String::from_utf8_lossy(&later[CONFIG_COPY])), changes::lines(&text));
    let unlisted = config(&["iterations=60", "checkpoint.every=7", "checkpoint.keep=9"]);
    let message = run.check_config(&unlisted, Path::new("run"), &mut later).unwrap_err().to_string();
    assert!(message.contains("`checkpoint.keep` was 3 and is 9"), "{message}");

    // If the run does not start after a change, the change is undone.
    run.abandon();
    assert_eq!(RunFolder::config(&path).unwrap().checkpoint.every, 10);
}

#[test]
fn a_run_that_does_not_start_leaves_things_as_they_were() {
    let runs = tempfile::tempdir().unwrap();
    let path = runs.path().join("all/mine/quick-1");
    RunFolder::create(&path, &config(&[])).unwrap().abandon();
    assert_eq!(fs::read_dir(runs.path()).unwrap().count(), 0);

    // Files that were added meanwhile stay.
    let run = RunFolder::create(&path, &config(&[])).unwrap();
    fs::write(path.join("notes.txt"), "mine").unwrap();
    run.abandon();
    let left = |path: &Path| -> Vec<_> {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(left(&path), ["notes.txt"]);

    // An incomplete checkpoint is removed. A complete one stays with its run.
    let path = runs.path().join("half");
    let run = RunFolder::create(&path, &config(&[])).unwrap();
    fs::create_dir(path.join("checkpoints/.writing-00000000")).unwrap();
    run.abandon();
    assert!(!path.exists());
    let run = RunFolder::create(&path, &config(&[])).unwrap();
    run.checkpoints().write(0, None, &Files::new()).unwrap();
    run.abandon();
    assert_eq!(RunFolder::config(&path).unwrap(), config(&[]));

    // A configuration that cannot be written.
    let path = runs.path().join("full");
    fs::create_dir_all(path.join(CONFIG).join("notes")).unwrap();
    assert!(RunFolder::create(&path, &config(&[])).is_err());
    assert_eq!(left(&path), [CONFIG]);
}
