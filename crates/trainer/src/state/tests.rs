use cardsharp_env::ActionId;

use super::*;
use crate::algorithms::CustomAlgorithm;
use crate::algorithms::dmc::DmcConfig;
use crate::rollout::{Decisions, NONE};

fn state(overrides: &[&str]) -> (Config, TrainState) {
    let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
    let config = Config::parse("run.toml", "game = \"dalmuti\"", &overrides).expect("a valid configuration");
    let mut state = TrainState::new(&config, game());
    state.best = Some(Best { iteration: 3, place_score: 0.1 + 0.2 });
    state.counts = RunCounters { iterations: 4, decisions: 500, rounds: 60, sessions: 7 };
    state.learner.policy.adam.mean[5] = 0.25;
    let net = Arc::new(state.learner.net().expect("a policy and value network"));
    state.league.pool.push(Snapshot { iteration: 2, net });
    (config, state)
}

fn game() -> &'static dyn AnyGame {
    cardsharp_env::game("dalmuti").expect("a game of the list")
}

#[test]
fn a_state_survives_its_files() {
    let (config, mut state) = state(&["net.hidden=[16]", "net.critic=[8]", "ppo.reference_policy=0.1"]);
    state.learner.reference_policy.as_mut().expect("a reference policy")[7] = 0.5;
    state.start = Some(json!({ "algorithm": "dmc", "start": { "by": "hand" } }));
    let header = state.header(&config, game(), &[]);
    let alone = state.to_files(&header).expect("files");
    let (net, mut league) = (state.league.pool[0].net.clone(), state.league.clone());
    league.pool.push(Snapshot { iteration: 3, net: net.clone() });
    state.actors = Some(Actors { net, league });
    let files = state.to_files(&header).expect("files");
    let again = TrainState::from_files(&config, game(), &files).expect("a state");
    assert!(again.learner == state.learner && again.best == state.best && again.counts == state.counts);
    assert_eq!(again.start, state.start);
    assert_eq!(again.to_files(&header).expect("files"), files);
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "actors.safetensors",
            "bot.safetensors",
            "league-00000002.safetensors",
            "league-00000003.safetensors",
            "learner.safetensors",
            "state.json"
        ]
    );
    assert_eq!(alone.len(), 4, "nothing of actors where there are none");
}

/// A program without that algorithm would continue with another one.
#[test]
fn a_state_of_another_algorithm_is_refused() {
    let (config, state) = state(&["net.hidden=[16]"]);
    let own = Config { custom_algorithm: CustomAlgorithm::new(DmcConfig::default()), ..config.clone() };
    let files = state.to_files(&state.header(&own, game(), &[])).expect("files");
    let refused = TrainState::from_files(&config, game(), &files).expect_err("another algorithm");
    assert_eq!(
        refused.to_string(),
        "`bot.safetensors` belongs to another run: it has algorithm \"dmc\", expected algorithm \"ppo\""
    );
    assert!(TrainState::from_files(&own, game(), &files).is_ok());
}

#[test]
fn a_replay_buffer_survives_its_file_and_one_of_other_widths_is_refused() {
    let distill = ["distill.weight=1", "rollout.endgame_solver=0.5", "net.hidden=[16]"];
    let (config, mut state) = state(&distill);
    let header = state.header(&config, game(), &[]);
    let none = state.to_files(&header).expect("files");
    let again = TrainState::from_files(&config, game(), &none).expect("a state");
    assert_eq!(again.learner, state.learner, "none yet");
    let (len, widths) = (3, state.widths());
    let Widths { cells, words, hidden, actions } = widths;
    assert_eq!((words, hidden), (game().words(), 0), "nothing hidden is kept without a critic");
    let decisions = Decisions {
        rows: (0..len * cells).map(|cell| cell as u8).collect(),
        legal: (0..len * words).map(|word| u64::MAX - word as u64).collect(),
        actions: (0..len as u16).map(ActionId).collect(),
        log_probability: vec![0.0; len],
        values: vec![0.0; len],
        rewards: vec![0.1 + 0.2, -7.5, 1e-9],
        next: vec![NONE; len],
        discounts: vec![0.0; len],
        ..Decisions::default()
    };
    let probabilities = (0..len * actions).map(|number| 1.0 / (number as f32 + 3.0)).collect();
    let buffer = state.learner.replay_buffer.as_mut().expect("a replay buffer");
    buffer.push(DistillTargets { decisions, probabilities });
    let files = state.to_files(&header).expect("files");
    let again = TrainState::from_files(&config, game(), &files).expect("a state");
    assert_eq!(again.learner, state.learner);
    assert_eq!(again.to_files(&header).expect("files"), files);

    let refused = |bytes: Option<Vec<u8>>| {
        let mut files = files.clone();
        match bytes {
            Some(bytes) => drop(files.insert(REPLAY_BUFFER.to_owned(), bytes)),
            None => drop(files.remove(REPLAY_BUFFER)),
        }
        let error = TrainState::from_files(&config, game(), &files).err();
        error.map_or_else(|| "accepted".to_owned(), |error| error.to_string())
    };
    assert_eq!(refused(None), "the checkpoint has no `lessons.safetensors`");
    assert!(refused(Some(vec![0; 20])).starts_with("`lessons.safetensors`: "));
    let narrow = Widths { cells: cells - 1, ..widths };
    let narrow = DistillTargets::default().to_bytes(narrow).expect("a file");
    let said = refused(Some(narrow));
    let described = |cells: usize| format!("`rows` of U8 [0, {cells}]");
    let (given, expected) = (described(cells - 1), described(cells));
    assert_eq!(
        said,
        format!("`lessons.safetensors` belongs to another run: it has {given}, expected {expected}")
    );
    // A run without a replay buffer refuses this file.
    let (plain, _) = self::state(&["net.hidden=[16]"]);
    let error = TrainState::from_files(&plain, game(), &files).expect_err("another run's file");
    assert!(error.to_string().contains("an unexpected file `lessons.safetensors`"), "{error}");
}

#[test]
fn files_of_no_state_of_the_run_are_refused_with_a_reason() {
    let (config, state) = state(&["net.hidden=[16]"]);
    let files = state.to_files(&state.header(&config, game(), &[])).expect("files");
    let (other, _) = self::state(&["net.hidden=[17]"]);
    let refused = |config: &Config, change: &dyn Fn(&mut Files)| {
        let mut files = files.clone();
        change(&mut files);
        match TrainState::from_files(config, game(), &files) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(refused(&config, &|_| ()), "accepted");
    type Case<'a> = (&'a Config, &'a dyn Fn(&mut Files), &'a str);
    let cases: [Case<'_>; 5] = [
        (&config, &|f| drop(f.remove(LEARNER)), "the checkpoint has no `learner.safetensors`"),
        (&config, &|f| drop(f.remove("league-00000002.safetensors")), "no `league-00000002.safetensors`"),
        (&config, &|f| drop(f.insert("x".into(), vec![])), "an unexpected file `x`"),
        (&config, &|f| drop(f.insert(LEARNER.into(), vec![0; 9])), "`learner.safetensors`: "),
        (&other, &|_| (), "`bot.safetensors` belongs to another run: it has Shape"),
    ];
    for (config, change, expected) in cases {
        let found = refused(config, change);
        assert!(found.contains(expected), "{found}\ninstead of\n{expected}");
    }
}
