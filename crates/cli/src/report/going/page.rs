//! The page of watched runs: their current state, then the content of a report.

use std::time::Duration;

use super::pace::Pace;
use super::state::State;
use super::{Now, Seen, Sessions, There};
use crate::duration;
use crate::report::error::ReportError;
use crate::report::figures::{count, signed};
use crate::report::html::Html;
use crate::report::record::Strength;
use crate::report::{READING, STYLE, across, contents, foot, games, head, of_run, parts};

/// The content security policy. The page may only fetch updates from its own server. Bars of shares use style
/// attributes.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The script that updates the page.
pub(crate) const SCRIPT: &str = include_str!("page.js");
/// The path of the table in the browser.
pub(crate) const TABLE: &str = "/page/";

/// Returns the style sheet.
pub(crate) fn style() -> String {
    STYLE.to_owned() + include_str!("page.css")
}

/// Returns the page, which updates itself every `every` seconds. With `has_table` it links to the table in the browser.
pub(crate) fn whole(runs: &[Seen], every: u16, has_table: bool) -> Result<String, ReportError> {
    let body = body(runs, has_table)?;
    let title = title(runs);
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
pub(crate) fn new(runs: &[Seen], has_table: bool) -> Result<String, ReportError> {
    body(runs, has_table).map(Html::into_string)
}

fn title(runs: &[Seen]) -> String {
    let games = games(runs.iter().filter_map(Seen::there).map(|there| there.run.asked.game.as_str()));
    if games.is_empty() { "Training runs".to_owned() } else { format!("Training: {games}") }
}

fn body(runs: &[Seen], has_table: bool) -> Result<Html, ReportError> {
    let there: Vec<&There> = runs.iter().filter_map(Seen::there).collect();
    let mut sections = Vec::new();
    for there in &there {
        // Contests during training store no games to link to.
        sections.extend(of_run(&there.run, TABLE)?);
    }
    sections.extend(across(&there.iter().map(|there| &there.run).collect::<Vec<_>>())?);
    let mut html = Html::default();
    html.raw("<section id=\"runs\" data-title=\"").text(in_short(runs)).raw("\">\n<h2>Now</h2>\n");
    for (number, run) in runs.iter().enumerate() {
        html.add(&card(number, run, has_table));
    }
    if !has_table && there.iter().any(|there| matches!(there.sessions, Ok(Some(_)))) {
        html.raw("<p class=\"aside\">To watch sessions on the table in the browser, build it with ");
        html.raw("<code>cargo run --release -p xtask -- page</code> and restart <code>watch</code>.</p>\n");
    }
    html.add(&contents(&sections)).raw("</section>\n").add(&parts(&sections));
    Ok(html)
}

/// Returns the title of the browser tab.
fn in_short(runs: &[Seen]) -> String {
    if let [Seen { now: Now::There(there), .. }] = runs {
        let (done, of) = (there.run.record.iterations(), there.run.asked.iterations.max(1));
        return format!("{} %, {}: {}", 100 * done.min(of) / of, there.state.word(), title(runs));
    }
    let running = runs.iter().filter_map(Seen::there).filter(|there| there.state == State::Running).count();
    format!("{running} of {} running: {}", runs.len(), title(runs))
}

/// Shows the current state of a run.
fn card(number: usize, run: &Seen, has_table: bool) -> Html {
    let mut html = Html::default();
    let word = match &run.now {
        Now::There(there) => there.state.word(),
        Now::Gone => "gone",
        Now::Unread(_) => "unread",
    };
    html.raw("<article class=\"run ").text(word).raw("\">\n<h3>").name(&run.name);
    html.raw(" <span class=\"state\">").text(word).raw("</span></h3>\n");
    match &run.now {
        Now::There(there) => html.add(&progress(there)).add(&sessions(number, there, has_table)),
        Now::Gone => html.element("p", "The run folder no longer exists."),
        Now::Unread(why) => html.element("p", format!("The files of this run cannot be read: {why}")),
    };
    html.raw("</article>\n");
    html
}

/// Shows the progress and the speed of a run.
fn progress(there: &There) -> Html {
    let There { run, state, pace, quiet, .. } = there;
    let (done, all) = (run.record.iterations(), run.asked.iterations);
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
        fact("Left", &format!("about {}", duration::short(left(pace, quiet.unwrap_or_default()))));
    }
    if let Some(quiet) = quiet.filter(|_| done > 0) {
        fact("Last line written", &format!("{} ago", duration::short(quiet)));
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
fn sessions(number: usize, there: &There, has_table: bool) -> Html {
    let mut html = Html::default();
    let Sessions { iteration, count: sessions, rules } = match &there.sessions {
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
