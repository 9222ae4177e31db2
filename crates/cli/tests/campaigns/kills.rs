//! Kills a run at any moment and resumes it, until it is complete: nothing is lost, and nothing differs.

use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use cardsharp_env::Draw;

use super::{TRAIN, command, differing, files_of, text, trained, tries};

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    let begun = Instant::now();
    trained(&whole);
    let longest = u32::try_from(begun.elapsed().as_micros()).expect("seconds");
    let expected = files_of(&whole);
    assert!(expected.contains_key("bundle/bot.safetensors") && expected.contains_key("metrics.csv"));

    let mut kills = 0;
    for number in tries(3) {
        let mut draw = Draw::new(number, 0);
        let run = folder.path().join(number.to_string());
        // The moments are spread over a whole run, including the export at its end. They become later and later: on a
        // busy machine, every start may be slower than the whole run was.
        let mut latest = longest;
        while !is_finished(&run, Duration::from_micros(draw.below(latest).into())) {
            kills += 1;
            latest += longest / 10;
        }
        assert_eq!(differing(&expected, &files_of(&run)), Vec::<String>::new(), "run {number}");
        fs::remove_dir_all(&run).expect("removed");
    }
    println!("killed {kills} times");
    assert!(kills > 0);
}

/// Trains in `run`, or resumes it, for the time `moment`. Returns whether the run is complete.
fn is_finished(run: &Path, moment: Duration) -> bool {
    // Without the file, the command was killed before the run started.
    let words = if run.join("config.toml").exists() { &["train", "--resume"][..] } else { TRAIN };
    let run = if words == TRAIN { vec!["--run", text(run)] } else { vec![text(run)] };
    let mut child = command(&[words, &run].concat()).spawn().expect("the command starts");
    let status = wait(&mut child, moment);
    if status.is_none() {
        // On Unix this is SIGKILL, so that the program cannot clean up.
        child.kill().expect("killed");
    }
    let output = child.wait_with_output().expect("the command ends");
    assert!(status.is_none_or(|status| status.success()), "{output:?}");
    status.is_some()
}

/// Returns how a child ended, if it ended in time.
fn wait(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    None
}
