//! Error messages for invalid configurations; valid ones read back as equal values.

use cardsharp_trainer::algorithms::Schedule;
use cardsharp_trainer::algorithms::schedule::ScheduleShape;
use cardsharp_trainer::config::{
    Config, ConfigProblem, ErrorPosition, REMOVED_FIELDS, REMOVED_VALUES, RENAMED_FIELDS, RENAMED_VALUES,
};

fn refused(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
    match Config::parse("run.toml", text, &overrides) {
        Ok(_) => panic!("accepted: {text} {overrides:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_mistake_has_its_place_and_says_what_is_right() {
    let cases = [
        // Not TOML at all.
        (
            "game = dalmuti",
            "run.toml:1:8: not valid TOML: string values must be quoted, expected literal string",
        ),
        ("game = \"dalmuti\"\nseed = 1\nseed = 2", "run.toml:3:1: not valid TOML: duplicate key"),
        (
            "game = \"dalmuti\"\n[ppo]\nlearning_rat = { from = 1e-4, to = 1e-5 }",
            "run.toml:3:1: there is no field `learning_rat` in `ppo`; did you mean `learning_rate`?",
        ),
        (
            "game = \"dalmuti\"\n[poo]\nclip = 0.1",
            "run.toml:2:2: there is no field `poo`; did you mean `ppo`?",
        ),
        (
            "game = \"dalmuti\"\nxyzzy = 1",
            "run.toml:2:1: there is no field `xyzzy`; expected one of algorithm, checkpoint, device, distill, dmc, \
             evaluate, game, iterations, league, metrics, net, ppo, rollout, seed, threads",
        ),
        // The right name in the wrong section.
        (
            "game = \"dalmuti\"\n[league]\n  clip = 0.1",
            "run.toml:3:3: there is no field `clip` in `league`; did you mean `ppo.clip`?",
        ),
        (
            "game = \"dalmuti\"\n[[rollout.tables]]\n[[rollout.tables]]\nwieght = 2.0",
            "run.toml:4:1: there is no field `wieght` in `rollout.tables.1`; did you mean `weight`?",
        ),
        (
            "game = \"dalmuti\"\nppo.clip = \"wide\"",
            "run.toml:2:12: `ppo.clip` cannot be \"wide\": expected a number",
        ),
        (
            "game = \"dalmuti\"\nppo.epochs = -1",
            "run.toml:2:14: `ppo.epochs` cannot be -1: expected a whole number, at least 0",
        ),
        ("game = \"dalmuti\"\nppo = 3", "run.toml:2:7: `ppo` cannot be 3: expected a table"),
        ("game = 7", "run.toml:1:8: `game` cannot be 7: expected a text in quotes"),
        (
            "game = \"dalmuti\"\nnet.hidden = 256",
            "run.toml:2:14: `net.hidden` cannot be 256: expected a list",
        ),
        (
            "game = \"dalmuti\"\nmetrics.tensorboard = \"yes\"",
            "run.toml:2:23: `metrics.tensorboard` cannot be \"yes\": expected true or false",
        ),
        (
            "game = \"dalmuti\"\nrollout.tables = 5",
            "run.toml:2:18: `rollout.tables` cannot be 5: expected a list",
        ),
        (
            "game = \"dalmuti\"\nseed = 1979-05-27",
            "run.toml:2:8: `seed` cannot be 1979-05-27: no field is a date or time",
        ),
        (
            "game = \"dalmuti\"\nppo.clip = nan",
            "run.toml:2:12: `clip` cannot be nan: expected a finite number",
        ),
        (
            "game = \"dalmuti\"\nseed = 99999999999999999999",
            "run.toml:2:8: `seed` cannot be 99999999999999999999: the integer is too large",
        ),
        (
            "game = \"dalmuti\"\nseed = 9007199254740992",
            "run.toml:2:8: `seed` cannot be 9007199254740992: expected an integer from 0 to \
             9007199254740991 (2^53 - 1)",
        ),
        (
            "game = \"dalmuti\"\niterations = 0",
            "run.toml:2:14: `iterations` cannot be 0: expected 1 to 10000000",
        ),
        ("game = \"dalmuti\"\nthreads = 9999", "run.toml:2:11: `threads` cannot be 9999: expected 0 to 1024"),
        (
            "game = \"dalmuti\"\n[ppo]\nclip = 1.5",
            "run.toml:3:8: `ppo.clip` cannot be 1.5: expected a number above 0 and below 1",
        ),
        (
            "game = \"dalmuti\"\n[checkpoint]\nkeep = 0",
            "run.toml:3:8: `checkpoint.keep` cannot be 0: expected 1 to 1000",
        ),
        (
            "game = \"dalmuti\"\nrollout.tables = [{}, { weight = -2.0 }]",
            "run.toml:2:34: `rollout.tables.1.weight` cannot be -2: expected a number above 0",
        ),
        (
            "game = \"dalmuti\"\nrollout.tables = [{ weight = 1e308 }, { weight = 1.5e308 }]",
            "run.toml:2:50: `rollout.tables.1.weight` cannot be 1.5e308: expected smaller weights: the sum of the \
             weights up to this table is too large for a number",
        ),
        // A network that is too large for a file.
        (
            "game = \"dalmuti\"\n[net]\nhidden = [4096, 4096, 4096, 4096, 4096]",
            "run.toml:3:10: `net.hidden` cannot be [4096, 4096, 4096, 4096, 4096]: expected fewer or smaller layers: this \
             network has 272 MiB with its inputs and outputs, and a bot file has at most 255 MiB",
        ),
        // The refused field has its default, so the error points to the section that made it invalid.
        (
            "game = \"dalmuti\"\n[league]\npast = 1.0",
            "run.toml:2:2: `league.scripted` cannot be 0.1: expected a number from 0 to 1 - `past`",
        ),
        (
            "game = \"dalmuti\"\nppo.learning_rate = { from = 1e-5 }",
            "run.toml:2:21: `ppo.learning_rate.to` is missing: expected the value in the last iteration, like \
             { from = 0.001, to = 0.00001 }; a value that does not change is a plain number",
        ),
        (
            "game = \"dalmuti\"\n[dmc.exploration]\nto = 0.1",
            "run.toml:2:1: `dmc.exploration.from` is missing: expected the value in the first iteration, like \
             { from = 0.001, to = 0.00001 }; a value that does not change is a plain number",
        ),
        (
            "game = \"dalmuti\"\nppo.learning_rate = \"fast\"",
            "run.toml:2:21: `ppo.learning_rate` cannot be \"fast\": expected a number, or a table like \
             { from = 0.001, to = 0.00001 }",
        ),
        (
            "game = \"dalmuti\"\nppo.learning_rate = 0.5",
            "run.toml:2:21: `ppo.learning_rate` cannot be 0.5: expected a number above 0, at most 0.1",
        ),
        (
            "game = \"dalmuti\"\nppo.entropy = { from = 0.1, to = 2 }",
            "run.toml:2:34: `ppo.entropy.to` cannot be 2: expected a number from 0 to 1",
        ),
        (
            "game = \"dalmuti\"\nppo.entropy = { from = 0.1, to = \"0\" }",
            "run.toml:2:34: `ppo.entropy.to` cannot be \"0\": expected a number",
        ),
        (
            "game = \"dalmuti\"\nppo.uniform_kl = { from = 0.1, to = 0, shape = \"cosin\" }",
            "run.toml:2:48: `ppo.uniform_kl.shape` cannot be \"cosin\": expected `linear` or `cosine`",
        ),
        (
            "game = \"dalmuti\"\nppo.uniform_kl = { from = 0.1, to = 0, warmup = 1.0 }",
            "run.toml:2:49: `ppo.uniform_kl.warmup` cannot be 1: expected a share of the run, from 0 to below 1",
        ),
        (
            "game = \"dalmuti\"\nppo.uniform_kl = { from = 0.1, to = 0, warm_up = 0.1 }",
            "run.toml:2:40: there is no field `warm_up` in `ppo.uniform_kl`; did you mean `warmup`?",
        ),
        (
            "game = \"dalmuti\"\nalgorithm = \"dqn\"",
            "run.toml:2:13: `algorithm` cannot be \"dqn\": expected `ppo` or `dmc`",
        ),
        (
            "game = \"dalmuti\"\n[ppo]\nexploration = { from = 0.1, to = 0.1 }",
            "run.toml:3:1: there is no field `exploration` in `ppo`; expected one of adam_epsilon, beta1, beta2, clip, \
             entropy, epochs, gae_lambda, gamma, imitation_iterations, learning_rate, max_grad_norm, minibatch, \
             normalize_advantages, optimizer, reference_policy, reference_policy_every, round_gamma, shards, target_kl, uniform_kl, \
             value_huber, value_weight, weight_decay",
        ),
        (
            "game = \"dalmuti\"\nppo.adam_epsilon = 1e-44",
            "run.toml:2:20: `ppo.adam_epsilon` cannot be 0.00000000000000000000000000000000000000000001: expected a number from 1e-12 to below 1",
        ),
        (
            "game = \"dalmuti\"\nppo.optimizer = \"adamw\"\nppo.weight_decay = 1.0",
            "run.toml:3:20: `ppo.weight_decay` cannot be 1: expected a number from 0 to below 1",
        ),
        (
            "game = \"dalmuti\"\ndmc.optimizer = \"rmsprop\"\ndmc.weight_decay = 0.1",
            "run.toml:3:20: `dmc.weight_decay` cannot be 0.1: expected 0 unless `optimizer` is \"adamw\"",
        ),
        (
            "game = \"dalmuti\"\nppo.optimizer = \"sgd\"",
            "run.toml:2:17: `ppo.optimizer` cannot be \"sgd\": expected one of `adam`, `adamw`, `rmsprop`",
        ),
        (
            "game = \"dalmuti\"\nalgorithm = \"dmc\"\ndmc.imitation_iterations = 4",
            "run.toml:3:5: there is no field `imitation_iterations` in `dmc`; did you mean `ppo.imitation_iterations`?",
        ),
        (
            "game = \"dalmuti\"\n[dmc]\nexploration.from = 0.1\nexploration.to = 1.5",
            "run.toml:4:18: `dmc.exploration.to` cannot be 1.5: expected a number from 0 to 1",
        ),
        (
            "game = \"dalmuti\"\nalgorithm = \"dmc\"\nnet.critic = [8]",
            "run.toml:3:14: `net.critic` cannot be [8]: expected [] with `algorithm = \"dmc\"`, which has no critic",
        ),
        (
            "game = \"dalmuti\"\n[league]\npast = 0.0\nopponent = \"scripted\"",
            "run.toml:2:2: `league.scripted` cannot be 0.1: expected 0 with an `opponent`, which plays in every session",
        ),
        (
            "game = \"dalmuti\"\ndistill.weight = 2.0",
            "run.toml:2:18: `distill.weight` cannot be 2: expected 0, or `rollout.endgame_solver` above 0, whose moves are the \
             targets",
        ),
        (
            "game = \"dalmuti\"\nalgorithm = \"dmc\"\ndistill.weight = 2.0",
            "run.toml:3:18: `distill.weight` cannot be 2: expected 0 with `algorithm = \"dmc\"`, which has no distillation",
        ),
        // Tables of the evaluation.
        (
            "game = \"dalmuti\"\n[[evaluate.tables]]\ndeals = 4",
            "run.toml:2:1: `evaluate.tables.0.name` cannot be \"\": expected a name of one line",
        ),
        (
            "game = \"dalmuti\"\n[[evaluate.tables]]\nname = \"a\"\n[[evaluate.tables]]\nname = \"a\"",
            "run.toml:5:8: `evaluate.tables.1.name` cannot be \"a\": another table has this name",
        ),
        (
            "game = \"dalmuti\"\n[[evaluate.tables]]\nname = \"a\"\ndeals = 1",
            "run.toml:4:9: `evaluate.tables.0.deals` cannot be 1: expected 2 to 1000000",
        ),
        (
            "game = \"dalmuti\"\n[[evaluate.tables]]\nname = \"a\"\nchance = 1",
            "run.toml:4:1: there is no field `chance` in `evaluate.tables.0`; expected one of deals, name, rules, seats",
        ),
        (
            "game = \"dalmuti\"\n[[evaluate.tables]]\nname = \"a\"\nrules.players = 3",
            "run.toml:4:17: rules option `players` cannot be 3: expected a whole number, 4 to 12 (default 5)",
        ),
        // The game and its rules.
        (
            "seed = 1",
            "run.toml: `game` is missing: expected one of the games: tahimi, dalmuti, taki, tachtigen",
        ),
        (
            "game = \"dalmutti\"",
            "run.toml:1:8: `game` cannot be \"dalmutti\": expected one of the games: tahimi, dalmuti, taki, tachtigen; did you mean `dalmuti`?",
        ),
        (
            "game = \"dalmuti\"\n[[rollout.tables]]\nrules = { playes = 5 }",
            "run.toml:3:11: there is no rules option `playes`; did you mean `players`?",
        ),
        (
            "game = \"dalmuti\"\n[[rollout.tables]]\n[rollout.tables.rules]\nhands = 3\nplayers = 99",
            "run.toml:5:11: rules option `players` cannot be 99: expected a whole number, 4 to 12 (default 5)",
        ),
        (
            "game = \"dalmuti\"\nevaluate.rules.scoring = \"all\"",
            "run.toml:2:26: rules option `scoring` cannot be \"all\": expected \"none\", \"standard\" or \
             \"philanthropic\" (default \"standard\")",
        ),
        // A combination of options without a meaning, not all of which are in the file.
        (
            "game = \"dalmuti\"\n[evaluate.rules]\nscoring = \"none\"\nreward = \"score\"",
            "run.toml:4:10: rules option `reward` cannot be \"score\": scoring = \"none\" gives no points to maximise",
        ),
    ];
    let wrong: Vec<(&str, String, &str)> = cases
        .into_iter()
        .map(|(text, expected)| (text, refused(text, &[]), expected))
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn old_names_are_refused_with_the_new_names_or_a_remedy() {
    let listed: Vec<String> = Config::listed().into_iter().map(|listed| listed.field).collect();
    let is_listed = |field: &str| listed.iter().any(|listed| listed == field);
    let expect = |problem: &str, assignment: &str| {
        let in_file = refused(&format!("game = \"dalmuti\"\n{assignment}"), &[]);
        assert!(
            in_file.starts_with("run.toml:2:") && in_file.ends_with(&format!(": {problem}")),
            "{in_file}"
        );
        let on_the_command_line = refused("game = \"dalmuti\"", &[assignment]);
        assert_eq!(on_the_command_line, format!("--set {assignment}: {problem}"));
    };
    for (old, new) in RENAMED_FIELDS {
        assert!(!is_listed(old) && is_listed(new), "{old} and {new}");
        expect(&format!("`{old}` is now called `{new}`"), &format!("{old} = 1"));
    }
    for (old, remedy) in REMOVED_FIELDS {
        assert!(!is_listed(old), "{old} is a field");
        expect(&format!("`{old}` was removed: {remedy}"), &format!("{old} = 1"));
    }
    for (field, old, new) in RENAMED_VALUES {
        let [from, to] = [old, new].map(|value| format!("{field} = \"{value}\""));
        expect(&format!("`{from}` is now called `{to}`"), &from);
        let error =
            Config::parse("run.toml", "game = \"dalmuti\"", &[to]).err().map(|error| error.to_string());
        assert!(
            error.as_ref().is_none_or(|error| error.contains("this program has no GPU support")),
            "{error:?}"
        );
    }
    for (field, old, remedy) in REMOVED_VALUES {
        let assignment = format!("{field} = \"{old}\"");
        expect(&format!("`{assignment}` was removed: {remedy}"), &assignment);
    }
    let renamed = refused("game = \"dalmuti\"\n[ppo.spread]\nfrom = 0.1\nto = 0.0", &[]);
    assert_eq!(renamed, "run.toml:2:6: `ppo.spread` is now called `ppo.uniform_kl`");
    // The first old field of an old section is named.
    let removed = refused("game = \"dalmuti\"\n[expert]\nfoo = 1\nppo_weight = 1.0", &[]);
    assert!(removed.starts_with("run.toml:4:1: `expert.ppo_weight` was removed: "), "{removed}");
    let unknown = refused("game = \"dalmuti\"\n[expert]\nfoo = 1", &[]);
    assert!(unknown.starts_with("run.toml:2:2: there is no field `expert`"), "{unknown}");
}

#[test]
fn mistakes_in_overrides_name_the_override() {
    let cases = [
        ("ppo.clip", "--set ppo.clip: expected `key=value`, like `ppo.clip=0.2`"),
        ("=3", "--set =3: `` is not a path of names"),
        ("ppo..clip=3", "--set ppo..clip=3: `ppo..clip` is not a path of names"),
        ("ppo.clipp=0.1", "--set ppo.clipp=0.1: there is no field `clipp` in `ppo`; did you mean `clip`?"),
        ("ppo.clip=2", "--set ppo.clip=2: `ppo.clip` cannot be 2: expected a number above 0 and below 1"),
        ("ppo.clip=\"x\"", "--set ppo.clip=\"x\": `ppo.clip` cannot be \"x\": expected a number"),
        ("seed.x=1", "--set seed.x=1: `seed` is not a section: it has no field `x`"),
        (
            "rollout.tables.1.weight=2",
            "--set rollout.tables.1.weight=2: `rollout.tables` has one entry, `0`: it has no `1`",
        ),
        ("net.critic.0.x=2", "--set net.critic.0.x=2: `net.critic` is an empty list: it has no entry `0`"),
        (
            "rollout.tables.0.rules.players=3",
            "--set rollout.tables.0.rules.players=3: rules option `players` cannot be 3: expected a whole number, 4 to \
             12 (default 5)",
        ),
    ];
    let text = "game = \"dalmuti\"\nseed = 3\nnet.critic = []\n[[rollout.tables]]\nweight = 1.0\n";
    for (over, expected) in cases {
        assert_eq!(refused(text, &[over]), expected);
    }
    let quotes = refused(text, &["game=dalmuti five"]);
    assert!(quotes.starts_with("--set game=dalmuti five: the value is not valid TOML: "), "{quotes}");
    assert!(quotes.ends_with("; a text needs quotes, like `name='\"a text\"'` in a shell"), "{quotes}");
    // A single word needs no quotes.
    let word = refused(text, &["algorithm=sac"]);
    assert!(word.starts_with("--set algorithm=sac: `algorithm` cannot be \"sac\": expected "), "{word}");
    let game = refused(text, &["game=chess"]);
    assert!(
        game.starts_with("--set game=chess: `game` cannot be \"chess\": expected one of the games: "),
        "{game}"
    );
}

#[test]
fn the_text_around_a_mistake_is_shown() {
    let text = "game = \"dalmuti\"\n\n[ppo]\nlearning_rat = 1\n";
    let error = Config::parse("run.toml", text, &[]).unwrap_err();
    assert_eq!(error.place(), &ErrorPosition::File { name: "run.toml".to_owned(), line: 4, column: 1 });
    assert!(matches!(error.problem(), ConfigProblem::Unknown { .. }));
    let mut shown = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none()).with_width(100);
    handler.render_report(&mut shown, &error).unwrap();
    let expected =
        "  x run.toml:4:1: there is no field `learning_rat` in `ppo`; did you mean `learning_rate`?
   ,-[run.toml:4:1]
 3 | [ppo]
 4 | learning_rat = 1
   : ^^^^^^|^^^^^
   :       `-- did you mean `learning_rate`?
   `----
";
    assert_eq!(shown, expected, "\n{shown}");
}

#[test]
fn overrides_are_applied_in_their_order() {
    let text =
        "game = \"dalmuti\"\n[[rollout.tables]]\nrules.players = 5\n[[rollout.tables]]\nrules.hands = 2\n";
    let overrides = [
        "ppo.learning_rate = { from = 5e-4, to = 1e-5 }",
        "ppo.learning_rate.from = 1e-3",
        "ppo.entropy=0.01",
        "ppo.clip=0.1",
        "ppo.clip=0.3",
        "rollout.tables.1.rules.players=6",
        "evaluate.opponents=[\"random\"]",
        "metrics.tensorboard=false",
    ];
    let config = Config::parse("run.toml", text, &overrides.map(str::to_owned)).unwrap();
    assert_eq!(config.ppo.learning_rate, Schedule::linear(1e-3, 1e-5));
    assert_eq!(config.ppo.entropy, Schedule::constant(0.01));
    assert_eq!(config.ppo.clip, 0.3);
    let rules = |table: usize, option: &str| config.rollout.tables[table].rules[option].as_u64();
    assert_eq!([rules(0, "players"), rules(0, "hands")], [Some(5), Some(20)]);
    assert_eq!([rules(1, "players"), rules(1, "hands")], [Some(6), Some(2)]);
    assert_eq!(config.evaluate.opponents, ["random"]);
    assert!(!config.metrics.tensorboard);
    assert_eq!(config.evaluate.rules, config.rollout.tables[0].rules, "the rules of the first table");
}

#[test]
fn every_schedule_is_a_number_or_a_table_in_the_file_and_on_the_command_line() {
    let read = |text: &str, overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
        let text = format!("game = \"dalmuti\"\n{text}");
        Config::parse("run.toml", &text, &overrides).expect("a valid configuration")
    };
    let schedules = |config: &Config| {
        let (ppo, dmc) = (&config.ppo, &config.dmc);
        [ppo.learning_rate, ppo.entropy, ppo.uniform_kl, dmc.learning_rate, dmc.exploration]
    };
    let fields =
        ["ppo.learning_rate", "ppo.entropy", "ppo.uniform_kl", "dmc.learning_rate", "dmc.exploration"];
    let cosine = Schedule { from: 1e-2, to: 0.001, shape: ScheduleShape::Cosine, warmup: 0.05 };
    for (written, expected) in [
        ("0.001", Schedule::constant(0.001)),
        ("{ from = 1e-2, to = 0.001 }", Schedule::linear(1e-2, 0.001)),
        ("{ from = 1e-2, to = 0.001, shape = \"cosine\", warmup = 0.05 }", cosine),
    ] {
        let in_file = fields.map(|field| format!("{field} = {written}\n")).concat();
        assert_eq!(schedules(&read(&in_file, &[])), [expected; 5], "{written}");
        let on_the_command_line = fields.map(|field| format!("{field}={written}"));
        let overrides = on_the_command_line.each_ref().map(String::as_str);
        assert_eq!(schedules(&read("ppo.learning_rate = 0.01\n", &overrides)), [expected; 5], "{written}");
        // The effective configuration reads back as an equal value.
        let config = read(&in_file, &[]);
        let again = Config::parse("run.toml", &config.toml().unwrap(), &[]).unwrap();
        assert_eq!(again, config, "{written}");
    }
    // A number and a table of two equal values are the same schedule, so the runs have the same id.
    let [number, table] =
        ["ppo.entropy=0.01", "ppo.entropy={from=0.01,to=0.01}"].map(|of| read("", &[of]).id());
    assert_eq!(number, table);
}

#[test]
fn an_effective_config_reads_back_equal() {
    let texts = [
        "game = \"dalmuti\"",
        "game = \"dalmuti\"\nseed = 9007199254740991\nppo.clip = 0.123456789\nnet.critic = [64]\n\
         [[rollout.tables]]\nweight = 0.3333333333333333\nrules = { strip = [11, 12], misdeal_prob = 0.1 }\n\
         [[rollout.tables]]\nrules.players = 12\n[evaluate]\nopponents = [\"a b\\\"c.safetensors\"]\nrules.players = 4\n\
         [[evaluate.tables]]\nname = \"ten, {quick}\"\ndeals = 7\nrules = { players = 10 }\n\
         [[evaluate.tables]]\nname = \"default\"\n",
        "game = \"tahimi\"\n[[rollout.tables]]\nrules = { decree = [{ jokers = \"wild\" }, {}] }\n\
         [[rollout.tables]]\n\
         rules = { players = 4, roster_script = [{ round = 2, join = 4 }, { round = 3, leave = 0 }] }\n",
    ];
    for text in texts {
        let config = Config::parse("run.toml", text, &[]).unwrap();
        let effective = config.toml().unwrap();
        let again = Config::parse("config.toml", &effective, &[]).unwrap();
        assert_eq!(config, again, "\n{effective}");
        assert_eq!(again.toml().unwrap(), effective);
        assert_eq!((config.id(), config.difference(&again)), (again.id(), None));
    }
}

#[test]
fn differences_are_named_and_threads_are_none() {
    let read = |over: &[&str]| {
        let over: Vec<_> = over.iter().map(|&o| o.to_owned()).collect();
        Config::parse("run.toml", "game = \"dalmuti\"\nrollout.tables = [{ rules.players = 5 }]", &over)
            .unwrap()
    };
    let base = read(&[]);
    assert_eq!(base.difference(&read(&["threads=7"])), None);
    assert_eq!(base.id(), read(&["threads=7"]).id());
    for (over, field, one, other) in [
        ("seed=2", "seed", "1", "2"),
        ("ppo.epochs=9", "ppo.epochs", &*base.ppo.epochs.to_string(), "9"),
        ("rollout.tables.0.rules.players=6", "evaluate.rules.players", "5", "6"),
        ("net.hidden=[3]", "net.hidden", &serde_json::json!(base.net.hidden).to_string(), "[3]"),
    ] {
        let changed = read(&[over]);
        let difference = base.difference(&changed).unwrap();
        assert_eq!(difference.field, field);
        assert_eq!((difference.one.as_deref(), difference.other.as_deref()), (Some(one), Some(other)));
        assert_ne!(base.id(), changed.id());
    }
    assert_eq!(base.run_name("configs/quickstart.toml".as_ref()), "quickstart-1");
}

#[test]
fn what_was_measured_with_moves_that_were_drawn_no_command_finds_again() {
    let repeatable = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
        Config::parse("run.toml", "game = \"dalmuti\"", &overrides).unwrap().is_repeatable()
    };
    assert!(repeatable(&[]) && repeatable(&["league.temperature=1"]), "nobody is an opponent");
    assert!(!repeatable(&["evaluate.temperature=1"]));
    assert!(!repeatable(&["evaluate.baseline_temperature=0.5"]));
    let opponent = ["league.opponent='scripted'", "league.past=0", "league.scripted=0"];
    assert!(repeatable(&opponent));
    assert!(!repeatable(&[&opponent[..], &["league.temperature=1"]].concat()));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = Config::read("absent/run.toml".as_ref(), &[]).unwrap_err().to_string();
    assert!(error.starts_with("absent/run.toml: cannot be read: "), "{error}");
}

#[test]
#[cfg(unix)]
fn a_file_without_an_end_is_not_read_to_it() {
    let error = Config::read("/dev/zero".as_ref(), &[]).unwrap_err().to_string();
    assert_eq!(error, "/dev/zero: longer than 1024 KiB, the most that is read");
}

/// A file or folder at the root of the project.
fn project(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn quickstart_has_at_most_30_lines() {
    let text = std::fs::read_to_string(project("configs/quickstart.toml")).unwrap();
    assert!(text.lines().count() <= 30, "{} lines", text.lines().count());
}

#[test]
fn every_config_of_the_project_is_accepted() {
    let files = |folder: &str| {
        let entries = std::fs::read_dir(project(folder)).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
        files.sort();
        assert!(!files.is_empty());
        files
    };
    for path in ["configs", "crates/cli/configs", "configs/reference"].into_iter().flat_map(files) {
        let config = Config::read(&path, &[]).unwrap();
        assert_eq!(config, Config::parse("again", &config.toml().unwrap(), &[]).unwrap(), "{path:?}");
    }
}
