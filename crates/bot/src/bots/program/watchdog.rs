//! Programs end with the process that started them, however that one ends.
//!
//! On Unix every program leads a process group. A shell, the watchdog, reads the numbers of these groups from a pipe of
//! ours; when we end, by whatever signal, the pipe ends, and the watchdog kills the groups that are left after a second
//! in which a program may end because its own input ended. On Windows all programs belong to a job object that kills
//! them when its last handle is closed, which the system does when we end.

use std::io;
use std::process::{Child, Command};

/// Makes a command ready to be watched.
pub(super) fn prepare(command: &mut Command) {
    system::prepare(command);
}

/// Ends a program that was just started when this process ends.
pub(super) fn watch(child: &Child) -> io::Result<()> {
    system::watch(child)
}

/// Forgets a program that has ended.
pub(super) fn release(child: &Child) {
    system::release(child);
}

/// Ends a program at once, on Unix with all that it started.
pub(super) fn kill(child: &mut Child) {
    system::kill(child);
}

#[cfg(unix)]
mod system {
    use std::collections::BTreeSet;
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    use rustix::process::{Pid, Signal, kill_process_group};

    /// Reads `+ GROUP` and `- GROUP` until its input ends, then kills the groups that are left. Signals of a terminal
    /// or a service manager that end us must not end it first.
    const SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
live=' '
while read -r what group; do
    case $what in
        +) live="$live$group " ;;
        -) live="${live%% "$group" *} ${live#* "$group" }" ;;
    esac
done
[ "$live" = ' ' ] && exit
sleep 1
for group in $live; do kill -s KILL -- "-$group"; done
"#;

    /// The watchdog of this process, and the groups that it watches.
    static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog { process: None, live: BTreeSet::new() });

    struct Watchdog {
        process: Option<(Child, ChildStdin)>,
        live: BTreeSet<u32>,
    }

    impl Watchdog {
        /// Tells the watchdog something. One that is not there is started and told of all groups.
        fn tell(&mut self, line: &str) -> io::Result<()> {
            if let Some((_, to)) = &mut self.process
                && to.write_all(line.as_bytes()).is_ok()
            {
                return Ok(());
            }
            self.process = None;
            let mut command = Command::new("sh");
            command.args(["-c", SCRIPT]).current_dir("/").process_group(0);
            // It holds no pipe open that others wait for.
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut process = command.spawn()?;
            let mut to =
                process.stdin.take().ok_or_else(|| io::Error::other("the watchdog has no standard input"))?;
            let all: String = self.live.iter().map(|group| format!("+ {group}\n")).collect();
            to.write_all(all.as_bytes())?;
            self.process = Some((process, to));
            Ok(())
        }
    }

    pub(super) fn prepare(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn watch(child: &Child) -> io::Result<()> {
        let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
        watchdog.live.insert(child.id());
        match watchdog.tell(&format!("+ {}\n", child.id())) {
            // A system without a shell is a container with one program, whose end ends all processes.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            told => told,
        }
    }

    pub(super) fn release(child: &Child) {
        let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
        if watchdog.live.remove(&child.id()) && watchdog.process.is_some() {
            // A watchdog that cannot be told has gone, and the next one is not told of this group.
            let _ = watchdog.tell(&format!("- {}\n", child.id()));
        }
    }

    pub(super) fn kill(child: &mut Child) {
        // What cannot be killed has ended already.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::process::{Child, Command};
    use std::sync::OnceLock;

    use win32job::{ExtendedLimitInfo, Job};

    /// The job of all programs; its handle is closed when this process ends.
    static JOB: OnceLock<Job> = OnceLock::new();

    fn job() -> io::Result<&'static Job> {
        if let Some(job) = JOB.get() {
            return Ok(job);
        }
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        Ok(JOB.get_or_init(|| job))
    }

    pub(super) fn prepare(_: &mut Command) {}

    pub(super) fn watch(child: &Child) -> io::Result<()> {
        job()?.assign_process(child.as_raw_handle() as isize).map_err(io::Error::other)
    }

    pub(super) fn release(_: &Child) {}

    pub(super) fn kill(child: &mut Child) {
        // What cannot be killed has ended already.
        let _ = child.kill();
    }
}

/// Systems that start no programs at all.
#[cfg(not(any(unix, windows)))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    pub(super) fn prepare(_: &mut Command) {}

    pub(super) fn watch(_: &Child) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn release(_: &Child) {}

    pub(super) fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
