//! Ends programs when the process that started them ends, even if a signal killed it.
//!
//! On Unix, every program leads a process group. A shell, the watchdog, reads the numbers of these groups from a pipe.
//! When this process ends for any reason, the pipe ends. The watchdog waits a second, because programs may end on their
//! own when their input ends. Then it kills the remaining groups. On Windows, all programs belong to a job object. The
//! system closes its last handle when this process ends, which kills the programs.

use std::io;
use std::process::{Child, Command};

/// Prepares a command for being watched.
pub(super) fn prepare(command: &mut Command) {
    system::prepare(command);
}

/// Registers a new program, so that it ends with this process.
pub(super) fn watch(child: &Child) -> io::Result<()> {
    system::watch(child)
}

/// Unregisters a program that has ended.
pub(super) fn release(child: &Child) {
    system::release(child);
}

/// Kills a program; on Unix, also all processes that it started.
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

    /// Reads `+ GROUP` and `- GROUP` until its input ends, then kills the remaining groups. It ignores the signals of a
    /// terminal or a service manager that end this process, so that it outlives it.
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
        /// Sends a line to the watchdog. If the watchdog is not running, starts it and sends all groups.
        fn tell(&mut self, line: &str) -> io::Result<()> {
            if let Some((_, to)) = &mut self.process
                && to.write_all(line.as_bytes()).is_ok()
            {
                return Ok(());
            }
            self.process = None;
            let mut command = Command::new("sh");
            command.args(["-c", SCRIPT]).current_dir("/").process_group(0);
            // Without inherited pipes, because other processes may wait for their end.
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
            // A system without a shell is a container with one program, where the end of that program ends all
            // processes.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            answer => answer,
        }
    }

    pub(super) fn release(child: &Child) {
        let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
        if watchdog.live.remove(&child.id()) && watchdog.process.is_some() {
            // Ignore errors: the watchdog is gone, and the next one does not receive this group.
            let _ = watchdog.tell(&format!("- {}\n", child.id()));
        }
    }

    pub(super) fn kill(child: &mut Child) {
        // Ignore errors: the group has already ended.
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

    /// The job of all programs. The system closes its handle when this process ends.
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
        // Ignore errors: the program has already ended.
        let _ = child.kill();
    }
}

/// For systems on which no program can be started.
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
