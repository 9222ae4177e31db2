//! The page of watched runs: their current state, then the content of a report.

use std::time::Duration;

use cardsharp_env::Games;
use cardsharp_text::format;

use super::pace::Pace;
use super::{LiveSessions, Snapshot, State, Status, WatchedRun};
use crate::error::ReportError;
use crate::html::{Html, count, signed};
use crate::page::{Context, READING, STYLE, contents, foot, head, parts};
use crate::record::Strength;
use crate::report::{across, of_run};

/// The content security policy. The page may only fetch updates from its own server. Bars of shares use style
/// attributes.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The script that updates the page.
pub const SCRIPT: &str = include_str!("page.js");
/// The path of the table in the browser.
pub const TABLE: &str = "/page/";

/// Returns the style sheet.
pub fn style() -> String {
    STYLE.to_owned() + include_str!("page.css")
}

/// Returns the page, which updates itself every `every` seconds. With `has_table` it links to the table in the browser.
///
/// # Errors
/// A plot cannot be drawn.
pub fn whole(games: &Games, runs: &[WatchedRun], every: u16, has_table: bool) -> Result<String, ReportError> {
    let context = Context { games, viewer: TABLE };
    let body = body(runs, has_table, context)?;
    let title = title(runs, context);
    let mut more = Html::default();
    more.raw("<link rel=\"icon\" href=\"data:,\"/>\n<link rel=\"stylesheet\" href=\"/style.css\"/>\n");
    more.raw("<script src=\"/page.js\" defer=\"defer\"></script>\n");
    more.raw("<noscript><meta http-equiv=\"refresh\" content=\"").text(every).raw("\"/></noscript>\n");
    let mut html = head(&title, &more);
    html.raw("<header>\n").element("h1", title);
    html.raw("<p id=\"heard\" role=\"status\" data-every=\"").text(every).raw("\">Updates every ");
    html.text(every).raw(" s.</p>\n</header>\n<main>\n");
    html.add(&body).raw("</main>\n").add(&foot("watch", READING));
    Ok(html.into_string())
}

/// Returns the content of the page's `main` element, which the script replaces section by section.
///
/// # Errors
/// A plot cannot be drawn.
pub fn content(games: &Games, runs: &[WatchedRun], has_table: bool) -> Result<String, ReportError> {
    body(runs, has_table, Context { games, viewer: TABLE }).map(Html::into_string)
}

fn title(runs: &[WatchedRun], context: Context<'_>) -> String {
    let snapshots = runs.iter().filter_map(WatchedRun::snapshot);
    let games = context.titles_of(snapshots.map(|snapshot| snapshot.run.config.game.as_str()));
    if games.is_empty() { "Training runs".to_owned() } else { format!("Training: {games}") }
}

fn body(runs: &[WatchedRun], has_table: bool, context: Context<'_>) -> Result<Html, ReportError> {
    let snapshots: Vec<&Snapshot> = runs.iter().filter_map(WatchedRun::snapshot).collect();
    let mut sections = Vec::new();
    for snapshot in &snapshots {
        // Contests during training store no games to link to.
        sections.extend(of_run(&snapshot.run, context)?);
    }
    sections.extend(across(&snapshots.iter().map(|snapshot| &snapshot.run).collect::<Vec<_>>(), context)?);
    let mut html = Html::default();
    html.raw("<section id=\"runs\" data-title=\"").text(tab_title(runs, context)).raw("\">\n<h2>Now</h2>\n");
    for (number, run) in runs.iter().enumerate() {
        html.add(&card(number, run, has_table));
    }
    if !has_table && snapshots.iter().any(|snapshot| matches!(snapshot.sessions, Ok(Some(_)))) {
        html.raw("<p class=\"aside\">To watch sessions on the table in the browser, build it with ");
        html.raw("<code>cargo run --release -p xtask -- page</code> and restart <code>watch</code>.</p>\n");
    }
    html.add(&contents(&sections)).raw("</section>\n").add(&parts(&sections));
    Ok(html)
}

/// Returns the title of the browser tab.
fn tab_title(runs: &[WatchedRun], context: Context<'_>) -> String {
    if let [WatchedRun { status: Status::Present(snapshot), .. }] = runs {
        let Snapshot { run, state, .. } = snapshot.as_ref();
        let (done, of) = (run.record.iterations(), run.config.iterations.max(1));
        return format!("{} %, {}: {}", 100 * done.min(of) / of, state.word(), title(runs, context));
    }
    let snapshots = runs.iter().filter_map(WatchedRun::snapshot);
    let running = snapshots.filter(|snapshot| snapshot.state == State::Running).count();
    format!("{running} of {} running: {}", runs.len(), title(runs, context))
}

/// Shows the current state of a run.
fn card(number: usize, run: &WatchedRun, has_table: bool) -> Html {
    let mut html = Html::default();
    let word = match &run.status {
        Status::Present(snapshot) => snapshot.state.word(),
        Status::Gone => "gone",
        Status::Unreadable(_) => "unread",
    };
    html.raw("<article class=\"run ").text(word).raw("\">\n<h3>").name(&run.name);
    html.raw(" <span class=\"state\">").text(word).raw("</span></h3>\n");
    match &run.status {
        Status::Present(snapshot) => {
            html.add(&progress(snapshot)).add(&sessions(number, snapshot, has_table))
        }
        Status::Gone => html.element("p", "The run folder no longer exists."),
        Status::Unreadable(why) => html.element("p", format!("The files of this run cannot be read: {why}")),
    };
    html.raw("</article>\n");
    html
}

/// Shows the progress and the speed of a run.
fn progress(snapshot: &Snapshot) -> Html {
    let Snapshot { run, state, pace, quiet, .. } = snapshot;
    let (done, all) = (run.record.iterations(), run.config.iterations);
    let mut html = Html::default();
    html.raw("<progress aria-label=\"Iterations\" max=\"").text(all).raw("\" value=\"").text(done.min(all));
    html.raw("\"></progress>\n<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        html.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Iterations", &format!("{} of {}", count(done), count(all)));
    fact("Decisions", &count(run.record.decisions()));
    if let Some(Pace { rate, .. }) = pace {
        fact("Decisions per second", &format!("{} (recent)", count(rate.round() as u64)));
    }
    if let (State::Running, Some(pace)) = (state, pace.as_ref().filter(|_| done < all)) {
        fact("Left", &format!("about {}", format::duration(left(pace, quiet.unwrap_or_default()))));
    }
    if let Some(quiet) = quiet.filter(|_| done > 0) {
        fact("Last line written", &format!("{} ago", format::duration(quiet)));
    }
    for Strength { opponent, points } in run.record.strengths() {
        let Some(last) = points.last() else { continue };
        let score = format!("{} at iteration {}", signed(last.score.mean, 3), count(last.iteration));
        html.raw("<div>").element("dt", format!("Place score against {opponent}"));
        html.element("dd", score).raw("</div>\n");
    }
    html.raw("</dl>\n");
    let words = match state {
        State::Running if done == 0 => "The first iteration is not finished yet.".to_owned(),
        State::Running if done >= all => {
            "The last iteration is done; the bot is being measured and exported.".to_owned()
        }
        State::Stopped => "The run is stopped; iterations are left.".to_owned(),
        State::Unknown(why) => format!("Cannot determine whether the run is training: {why}"),
        State::Running | State::Finished => return html,
    };
    html.element("p", words);
    html
}

/// Returns the remaining time. It subtracts the time since the last line, but at most one iteration.
fn left(pace: &Pace, quiet: Duration) -> Duration {
    pace.left.saturating_sub(quiet.min(Duration::try_from_secs_f64(pace.iteration).unwrap_or_default()))
}

/// Shows links to the sessions of the newest checkpoint.
fn sessions(number: usize, snapshot: &Snapshot, has_table: bool) -> Html {
    let mut html = Html::default();
    let LiveSessions { iteration, count: sessions, rules } = match &snapshot.sessions {
        Ok(Some(sessions)) => sessions,
        Ok(None) => {
            html.element("p", "No sessions yet: there is no checkpoint.");
            return html;
        }
        Err(why) => {
            html.element("p", format!("The newest checkpoint cannot play sessions: {why}"));
            return html;
        }
    };
    html.raw("<p class=\"sessions\">Sessions of iteration ").text(count(*iteration)).raw(" against itself, ");
    html.text(rules).raw(":</p>\n<ul class=\"sessions\">\n");
    for session in 1..=*sessions {
        let path = format!("runs/{number}/games/{iteration}/{session}.jsonl");
        html.raw("<li>");
        if has_table {
            // Relative to the location of the table.
            let trace = format!("../{path}").replace('/', "%2F");
            html.raw("<a href=\"").text(format!("{TABLE}#trace={trace}")).raw("\">session ").text(session);
            html.raw("</a> (<a href=\"/").text(path).raw("\">trace</a>)");
        } else {
            html.raw("<a href=\"/").text(path).raw("\">session ").text(session).raw("</a>");
        }
        html.raw("</li>\n");
    }
    html.raw("</ul>\n");
    html
}

#[cfg(test)]
mod tests;
