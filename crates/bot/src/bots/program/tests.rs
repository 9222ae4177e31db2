//! The programs of these tests are shell one-liners, which implement as much of the protocol as needed.

use std::time::{Duration, Instant};

use cardsharp_env::{GameRules, game, mask};

use super::*;
use crate::arena::{Contest, Report};
use crate::bots::{Player, load};

const HELLO: &str = r#"read -r hello; echo '{"line":"hello","protocol":1,"name":"sh","wants":["legal"]}'"#;
/// Plays the first legal move at every `go`.
const FIRST: &str = r#"while read -r line; do case "$line" in '{"line":"go"'*)
    table=${line#*'"table":'}; table=${table%%,*}; legal=${line#*'"legal":["'}; legal=${legal%%'"'*}
    echo "{\"line\":\"move\",\"table\":$table,\"choice\":\"$legal\"}";; esac; done"#;

fn shell(script: &str) -> String {
    format!("exec:sh -c {}", shlex::try_quote(script).unwrap())
}

fn rules() -> GameRules {
    game("leduc").unwrap().default_rules()
}

fn open(script: &str, timeout: Duration) -> Result<Player, ProgramError> {
    open_with(script, &LoadOptions { timeout, forward_errors: false, ..LoadOptions::default() })
}

fn open_with(script: &str, means: &LoadOptions) -> Result<Player, ProgramError> {
    Program::open(&shell(script), "leduc", means).map(|program| Player::program(program, "sh"))
}

/// Plays a contest of the program against the scripted player.
fn contest(player: Player, deals: u64) -> Report {
    let contest = Contest::new(&rules(), vec![player, Player::scripted()], deals, 3).unwrap();
    let units: Vec<_> = (0..contest.units()).map(|unit| contest.play(unit, &mut || Duration::ZERO)).collect();
    contest.report(&units)
}

/// Plays the first legal move.
struct First;

impl Bot for First {
    fn name(&self) -> &str {
        "sh"
    }
    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        mask::nth(&view.legal_words(), 0).unwrap()
    }
}

#[test]
fn a_program_plays_as_the_same_bot_would_here() {
    let outside = contest(open(&format!("{HELLO}; {FIRST}"), TIMEOUT).unwrap(), 40);
    let inside = contest(Player::new("sh", |_| Box::new(First)), 40);
    assert_eq!(outside.bots[0].faults, Some(Faults::default()));
    assert_eq!(inside.bots[0].faults, None);
    let figures =
        |report: &Report| (report.bots[0].place_score, report.bots[0].points, report.bots[1].points);
    assert_eq!(figures(&outside), figures(&inside));
}

#[test]
fn an_answer_to_an_earlier_question_is_recognized_by_its_id() {
    // The second answer arrives when the next question is open.
    let twice = r#"while read -r line; do case "$line" in '{"line":"go"'*)
        table=${line#*'"table":'}; table=${table%%,*}; id=${line#*'"id":'}; id=${id%%,*}
        legal=${line#*'"legal":["'}; legal=${legal%%'"'*}; for choice in "$legal" castle; do
        echo "{\"line\":\"move\",\"table\":$table,\"id\":$id,\"choice\":\"$choice\"}"; done;; esac; done"#;
    let faults = |script: &str| {
        contest(open(&format!("{HELLO}; {script}"), TIMEOUT).unwrap(), 20).bots[0].faults.unwrap()
    };
    assert_eq!(faults(twice), Faults::default());
    assert!(faults(&twice.replace(r#"\"id\":$id,"#, "")).total() > 0);
}

#[test]
fn a_program_that_wants_the_event_log_gets_it_before_it_decides() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let hello = HELLO.replace("\"legal\"", "\"record\",\"legal\"");
    let script =
        format!("{hello}; tee {} | {{ {FIRST}; }}", shlex::try_quote(heard.to_str().unwrap()).unwrap());
    let report = contest(open(&script, TIMEOUT).unwrap(), 2);
    assert_eq!(report.bots[0].faults, Some(Faults::default()));
    // The process reads its input to the end before it ends.
    let begun = Instant::now();
    let read = || std::fs::read_to_string(&heard).unwrap();
    while !read().contains("\"line\":\"end\"") && begun.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_millis(5));
    }
    let lines: Vec<serde_json::Value> =
        read().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_first: Vec<&str> =
        lines.iter().filter(|line| line["table"] == 1).map(|line| line["line"].as_str().unwrap()).collect();
    assert_eq!(of_first[..3], ["begin", "header", "deal"], "{of_first:?}");
    // The event log announces a decision before it is requested.
    let go = of_first.iter().position(|&line| line == "go").unwrap();
    assert_eq!(of_first[go - 1], "turn");
    assert!(of_first.contains(&"payoff"));
    // A program that receives the event log needs no views.
    assert!(lines.iter().all(|line| line.get("view").is_none()));
}

#[test]
fn every_fault_of_a_program_ends_in_a_report() {
    let short = Duration::from_millis(200);
    let faults = |script: &str, timeout| {
        contest(open(&format!("{HELLO}; {script}"), timeout).unwrap(), 10).bots[0].faults.unwrap()
    };
    let begun = Instant::now();
    let late = faults("sleep 100", short);
    assert_eq!((late.late, late.broken, late.illegal), (u64::from(GIVE_UP), 0, 0));
    assert!(late.given_up > 0 && begun.elapsed() < Duration::from_secs(30));
    let ended = faults("read -r begin; exit", TIMEOUT);
    assert_eq!((ended.broken, ended.late), (u64::from(GIVE_UP), 0));
    let illegal = faults(&FIRST.replace("$legal\\", "seven\\"), TIMEOUT);
    assert!(illegal.illegal > 10 && illegal.total() == illegal.illegal, "{illegal:?}");
    let nonsense = faults("while read -r line; do echo hm; done", TIMEOUT);
    assert_eq!(nonsense.broken, u64::from(GIVE_UP));
    // A program that does not understand has no move, and is asked again.
    let puzzled =
        faults(r#"while read -r line; do echo '{"line":"error","problem":"what?"}'; done"#, TIMEOUT);
    assert!(puzzled.total() > 0);
    // A program that writes without end times out like a silent one, and does not fill the memory.
    let flood = r#"while read -r line; do while :; do echo '{"line":"info","text":"so"}'; done; done"#;
    let begun = Instant::now();
    let late = faults(flood, short);
    assert_eq!((late.late, late.broken), (u64::from(GIVE_UP), 0));
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_error_of_another_line_is_no_answer() {
    // It reports that it does not understand the first line of each seat.
    let objects = FIRST.replace(
        "case",
        r#"case "$line" in '{"line":"begin"'*)
        echo '{"line":"error","input":2,"problem":"what?"}';; esac; case"#,
    );
    let report = contest(open(&format!("{HELLO}; {objects}"), TIMEOUT).unwrap(), 10);
    assert_eq!(report.bots[0].faults, Some(Faults::default()));
}

#[test]
fn faults_are_reported_for_each_contest_separately() {
    let player = open(&format!("{HELLO}; {}", FIRST.replace("$legal\\", "seven\\")), TIMEOUT).unwrap();
    let illegal = |player: &Player| contest(player.clone(), 10).bots[0].faults.unwrap().illegal;
    let first = illegal(&player);
    assert!(first > 10);
    assert_eq!(illegal(&player), first);
    assert_eq!(player.faults().map(|faults| faults.illegal), Some(2 * first));
}

#[test]
fn a_program_that_ended_is_started_again() {
    // It answers once and ends.
    let once = FIRST.replace(";; esac", "; exit;; esac");
    let faults = contest(open(&format!("{HELLO}; {once}"), TIMEOUT).unwrap(), 10).bots[0].faults.unwrap();
    assert!(faults.broken > GIVE_UP.into() && faults.given_up == 0, "{faults:?}");
}

#[test]
fn what_is_no_bot_is_refused_with_the_reason() {
    let refused = |script: &str| open(script, Duration::from_secs(5)).unwrap_err().to_string();
    let said = |script: &str| refused(&format!("read -r hello; echo '{script}'"));
    assert_eq!(
        said(r#"{"line":"hello","protocol":9,"name":"x","wants":[]}"#),
        "`sh` speaks protocol 9; expected 1"
    );
    assert_eq!(
        said(r#"{"line":"hello","protocol":1,"name":"x","wants":[],"games":["taki","tahimi"]}"#),
        "`sh` does not play `leduc`: it plays taki, tahimi"
    );
    assert_eq!(said(r#"{"line":"hello","protocol":3,"features":{}}"#), "`sh` speaks protocol 3; expected 1");
    let ended = refused("read -r hello; echo no network >&2; exit 3");
    assert!(
        ended.starts_with("`sh` did not answer `hello`: it ended\n  sent: {\"line\":\"hello\""),
        "{ended}"
    );
    let why = "\n  process: exit status: 3\n  standard error ends with:\n    no network";
    assert!(ended.ends_with(why), "{ended}");
    assert!(
        said(r#"{"line":"hello","protocol":1,"wants":["rows"]}"#).contains("`wants` has `rows`: expected")
    );
    assert!(
        said("good day").starts_with("`sh` did not answer `hello`: `good day` is no line of the protocol")
    );
    let leduc = game("leduc").unwrap();
    let refused = |name: &str| load(name, leduc, 0.0).unwrap_err().to_string();
    assert!(refused("exec:").starts_with("cannot use the bot `exec:`: `exec:` needs a command"));
    assert!(refused("exec:no-such-program-anywhere x").contains("cannot start `no-such-program-anywhere`"));
    assert!(refused("exec:sh 'a").contains("has a quote that is not closed"));
}

/// Returns the report's fault counts and first fault of a program that continues like this after `hello`.
fn failed(script: &str) -> (Faults, Fault) {
    let report = contest(open(&format!("{HELLO}; {script}"), TIMEOUT).unwrap(), 10);
    let bot = &report.bots[0];
    (bot.faults.unwrap(), bot.first_fault.clone().unwrap())
}

#[test]
fn the_first_faulty_exchange_is_reported() {
    // A thread reads standard error. The pause gives it time before the wrong move.
    let (_, fault) = failed(&format!("echo begun >&2; sleep 0.5; {}", FIRST.replace("$legal\\", "seven\\")));
    assert!(fault.problem.starts_with("`seven` is not legal: expected one of check, bet"), "{fault}");
    assert!(
        fault.sent.as_deref().is_some_and(|line| line.starts_with("{\"line\":\"go\",\"table\":1,")),
        "{fault}"
    );
    assert_eq!(fault.answer.as_deref(), Some(r#"{"line":"move","table":1,"choice":"seven"}"#));
    assert_eq!((fault.ended, &fault.stderr[..]), (None, &["begun".to_owned()][..]));

    // It reads `begin` and `go`, complains at length, and ends.
    let (_, fault) = failed("read -r b; read -r g; seq 1 30 >&2; exit 3");
    assert_eq!((fault.problem.as_str(), fault.answer), ("it ended", None));
    assert_eq!(fault.ended.as_deref(), Some("exit status: 3"));
    let last: Vec<String> = (21..=30).map(|line: u8| line.to_string()).collect();
    assert_eq!(fault.stderr, last);

    let (_, fault) = failed("while read -r line; do echo good day; done");
    assert!(fault.problem.starts_with("`good day` is no line of the protocol: "), "{fault}");
    assert_eq!(fault.answer.as_deref(), Some("good day"));
    let (_, fault) =
        failed(r#"while read -r line; do echo '{"line":"move","table":99,"choice":"bet"}'; done"#);
    assert_eq!(
        fault.problem,
        "it wrote `move` of table 99, which was not asked for: expected `move` of table 1"
    );
    let (_, fault) = failed(r#"while read -r line; do echo '{"line":"error","problem":"what?"}'; done"#);
    assert_eq!(fault.problem, "it answered `error`: what?");
}

#[test]
fn a_summary_counts_faults_and_shows_the_first() {
    let player = open(&format!("{HELLO}; {}", FIRST.replace("$legal\\", "seven\\")), TIMEOUT).unwrap();
    assert_eq!(player.faults_summary(), None);
    let report = contest(player.clone(), 4);
    let summary = report.bots[0].faults_summary().unwrap();
    let illegal = report.bots[0].faults.unwrap().illegal;
    let counts = format!("{illegal} illegal, 0 late, 0 where it broke, 0 after it was given up.\n");
    assert!(
        summary.starts_with(&format!("sh: {illegal} of its moves were drawn at random: {counts}")),
        "{summary}"
    );
    assert!(summary.contains("\nThe first fault: `seven` is not legal"), "{summary}");
    assert!(
        summary.contains("\n  answer: {\"line\":\"move\",\"table\":1,\"choice\":\"seven\"}"),
        "{summary}"
    );
    assert!(player.faults_summary().is_some() && report.bots[1].faults_summary().is_none());
    assert_eq!(report.faults_summaries().count(), 1);
}

#[test]
fn a_bot_gives_each_fault_once() {
    let player = open(&format!("{HELLO}; {}", FIRST.replace("$legal\\", "seven\\")), TIMEOUT).unwrap();
    let mut bot = player.with_endgame_solver(1).bot(1);
    let table = rules().table(1);
    bot.pick(table.asked().unwrap());
    let seat = table.asked().unwrap().seat();
    assert_eq!((bot.faults().unwrap().illegal, bot.random_moves(0, seat)), (1, 1));
    assert!(bot.take_fault().is_some() && bot.take_fault().is_none());
}

#[test]
fn recorded_games_name_no_program_that_did_not_play() {
    let games = |script: &str| {
        let player = open(&format!("{HELLO}; {script}"), TIMEOUT).unwrap();
        let contest =
            Contest::new(&rules(), vec![player, Player::scripted()], 1, 3).unwrap().keeping_games(1);
        contest.run(&mut || Duration::ZERO).games
    };
    for game in games(FIRST) {
        assert!(game.bots.iter().any(|name| name == "sh"), "{:?}", game.bots);
    }
    for game in games("exit") {
        assert!(game.bots.iter().all(|name| name != "sh"), "{:?}", game.bots);
        let header = game.trace.lines().next().unwrap();
        assert!(game.bots.iter().any(|name| name.starts_with("sh (") && name.ends_with(" at random)")));
        assert!(header.contains(" at random)\""), "{header}");
    }
}

#[test]
fn what_is_harmless_is_no_fault() {
    let hello =
        r#"read -r hello; printf '\n\357\273\277{"line":"Hello","protocol":1.0,"wants":["LEGAL"]}\r\n'"#;
    let first = FIRST.replace(
        r#"echo "{\"line\":\"move\",\"table\":$table,\"choice\":\"$legal\"}""#,
        r#"echo; echo "{\"line\":\"MOVE\",\"table\":$table.0,\"choice\":\" $(echo "$legal" | tr a-z A-Z)\",
            \"value\":NaN,\"seen\":[Infinity]}" | tr -d '\n'; echo"#,
    );
    assert_ne!(first, FIRST);
    let report = contest(open(&format!("{hello}; {first}"), TIMEOUT).unwrap(), 4);
    assert_eq!(report.bots[0].faults, Some(Faults::default()), "{:?}", report.bots[0].first_fault);
    let plain = contest(open(&format!("{HELLO}; {FIRST}"), TIMEOUT).unwrap(), 4);
    assert_eq!(report.bots[0].points, plain.bots[0].points);
}

#[test]
fn a_log_has_the_whole_conversation_of_each_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("talk.log");
    let log = Some(Arc::new(ProgramLog::create(&path).unwrap()));
    // The first process answers once and ends.
    let once = format!("echo here >&2; {}", FIRST.replace(";; esac", "; exit 4;; esac"));
    let means = LoadOptions { log, forward_errors: false, ..LoadOptions::default() };
    let player = open_with(&format!("{HELLO}; {once}"), &means).unwrap();
    let sent = contest(player, 1).bots[0].first_fault.clone().unwrap().sent.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let of = |process: u32| -> Vec<&str> {
        let own = format!(" {process} ");
        text.lines().filter_map(|line| line.split_once(&own).map(|(_, said)| said)).collect()
    };
    let one = of(1);
    assert!(one[0].starts_with("= started [\"sh\", \"-c\", "), "{text}");
    assert!(one[1].starts_with("> {\"line\":\"hello\",\"protocol\":1,"), "{text}");
    assert!(one.contains(&r#"< {"line":"hello","protocol":1,"name":"sh","wants":["legal"]}"#), "{text}");
    assert!(one.contains(&"! here") && one.contains(&"= ended: exit status: 4"), "{text}");
    assert!(one.iter().any(|said| said.starts_with("< {\"line\":\"move\",\"table\":1,")), "{text}");
    assert!(one.contains(&format!("> {sent}").as_str()), "{text}");
    assert!(!of(2).is_empty(), "{text}");
    assert!(text.lines().all(|line| line.split(' ').next().unwrap().parse::<f64>().is_ok()), "{text}");
}
