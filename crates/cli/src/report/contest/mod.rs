//! Results of arena contests.

mod games;
mod robin;
mod tables;

use cardsharp_bot::Report;
use cardsharp_bot::arena::report::{BotReport, Decision, FEW, Sprt};
use serde_json::Value;

use super::error::ReportError;
use super::figures::{count, counted, signed};
use super::html::Html;
use super::source::{Contest, Contests};
use super::{Section, plot, title_of};

/// Returns a section for each contest of a file, with an overview first if there are several. `at` is the page that
/// shows games.
pub(super) fn sections(contests: &Contests, at: &str) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    if contests.contests.len() > 1 {
        sections.push(overview(contests)?);
    }
    for contest in &contests.contests {
        sections.push(Section { title: title(contest), body: body(&contests.name, contest, at)? });
    }
    Ok(sections)
}

fn title(contest: &Contest) -> String {
    let report = &contest.report;
    let game = title_of(&report.game);
    match (&contest.table, &report.round_robin, report.bots.as_slice()) {
        (Some(table), _, _) => format!("{game}, {table}: {}", against(report)),
        (None, Some(_), bots) => format!("{game}: a round robin of {} bots", bots.len()),
        (None, None, _) => format!("{game}: {}", against(report)),
    }
}

/// Returns the names of the first bot and its opponents.
fn against(report: &Report) -> String {
    let names: Vec<&str> = report.bots.iter().map(|bot| bot.name.as_str()).collect();
    match names.as_slice() {
        [only] => (*only).to_owned(),
        [first, others @ ..] => format!("{first} against {}", others.join(", ")),
        [] => String::new(),
    }
}

/// Shows the place score of the first bot in every contest of a file.
fn overview(contests: &Contests) -> Result<Section, ReportError> {
    let scores = contests.contests.iter().filter_map(|contest| {
        let (table, report) = (contest.table.as_deref(), &contest.report);
        let opponents: Vec<&str> = report.bots.iter().skip(1).map(|bot| bot.name.as_str()).collect();
        let name = match table {
            Some(table) => table.to_owned(),
            None => format!("{} players, against {}", report.players, opponents.join(", ")),
        };
        Some((name, report.bots.first()?.place_score))
    });
    let rows: Vec<_> = scores.collect();
    let mut body = Html::default();
    body.element("p", format!("The first bot of each contest of {}; 95 % intervals.", contests.name));
    let label = "Place score of the first bot in every contest, with 95 % intervals";
    figure(&mut body, "Place score", &plot::whiskers::whiskers(label, "place score", 3, &rows)?);
    Ok(Section { title: format!("All contests of {}", contests.name), body })
}

fn body(file: &str, contest: &Contest, at: &str) -> Result<Html, ReportError> {
    let report = &contest.report;
    let order = ranking(report);
    let bots: Vec<&BotReport> = order.iter().map(|&bot| &report.bots[bot]).collect();
    let mut html = facts(file, contest);
    match &report.round_robin {
        Some(round_robin) => {
            html.add(&tables::ratings(&bots));
            html.add(&robin::ratings(&bots, round_robin)?);
            html.add(&robin::cross_play(&bots, &order, round_robin));
        }
        None => {
            if let Some(verdict) = verdict(report) {
                html.element("p", verdict);
            }
            html.add(&tables::figures(&bots));
        }
    }
    html.add(&places(report.players, &bots)?);
    html.add(&tables::contracts(&bots));
    html.add(&tables::habits(&bots));
    html.add(&tables::faults(&bots));
    html.add(&games::games(report, at));
    Ok(html)
}

/// Returns the order in which bots are shown: as named, or after a round robin by rating, the best first.
fn ranking(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.bots.len()).collect();
    let rating = |bot: usize| report.bots[bot].rating.unwrap_or_default().mean;
    order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    order
}

/// Shows the settings of a contest, and the command that repeats it.
fn facts(file: &str, contest: &Contest) -> Html {
    let report = &contest.report;
    let deals = match &report.sprt {
        Some(known) => format!("{} of at most {}", count(report.deals), count(known.most_deals)),
        None => count(report.deals),
    };
    let sessions = match report.rounds {
        1 => "each one round, from every seat".to_owned(),
        rounds => format!("each a session of {rounds} rounds, from every seat"),
    };
    let mut html = Html::default();
    html.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        html.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &title_of(&report.game));
    fact("Players", &report.players.to_string());
    fact("Deals", &format!("{deals}, {sessions}"));
    if !report.seats.is_empty() {
        let at = |&bot: &usize| report.bots[bot].name.as_str();
        fact("Seats", &report.seats.iter().map(at).collect::<Vec<_>>().join(", "));
    }
    if let Some(round_robin) = &report.round_robin {
        fact("Tables", &counted(round_robin.tables, "set of bots", "different sets of bots"));
    }
    fact("Seed", &report.seed.to_string());
    fact("Rules", &rules(report));
    fact("File", file);
    html.raw("</dl>\n");
    match &contest.command {
        Ok(command) => html.command(command),
        Err(problem) => {
            html.element("p", format!("This version of the program cannot repeat the contest: {problem}."))
        }
    };
    html.raw("<details><summary>All rules</summary>\n<pre><code>");
    for (option, value) in report.rules.as_object().into_iter().flatten() {
        html.text(format!("{option} = {value}\n"));
    }
    html.raw("</code></pre>\n</details>\n");
    html
}

/// Lists the options that differ from the game's default rules, except the numbers of players and rounds.
fn rules(report: &Report) -> String {
    let usual = crate::list::game(&report.game).and_then(|game| {
        let (players, rounds) = (u8::try_from(report.players).ok()?, u32::try_from(report.rounds).ok()?);
        // Some default options, like rosters, may not allow this number of players. Then the default number is used.
        let of =
            |players| game.sized_rules(&Value::Null, cardsharp_env::Size { players, rounds: Some(rounds) });
        of(Some(players)).or_else(|_| of(None)).ok()
    });
    let Some(usual) = usual else { return "as below".to_owned() };
    let options = report.rules.as_object().into_iter().flatten();
    let other = options.filter(|(option, value)| usual.json()[option.as_str()] != **value);
    let other: Vec<String> = other.map(|(option, value)| format!("{option} = {value}")).collect();
    if other.is_empty() { "default rules".to_owned() } else { other.join(", ") }
}

/// Returns the conclusion about the first bot; `None` if it has no opponents.
fn verdict(report: &Report) -> Option<String> {
    let first = report.bots.first()?;
    let name = &first.name;
    if let Some(known) = &report.sprt {
        return Some(sprt(name, known, report.deals));
    }
    let found = match report.decision() {
        Decision::Stronger => "is stronger than the other bots: the interval of its place score is above 0",
        Decision::Weaker => "is weaker than the other bots: the interval of its place score is below 0",
        Decision::Unknown if report.deals < FEW => "is not measured well enough: these are too few deals",
        Decision::Unknown => {
            "is not clearly stronger or weaker than the other bots: the interval of its place score contains 0"
        }
    };
    (report.bots.len() > 1).then(|| format!("{name} {found}."))
}

fn sprt(first: &str, known: &Sprt, deals: u64) -> String {
    let Sprt { delta, log_likelihood_ratio, bound, looks, .. } = known;
    let found = match known.decision {
        Decision::Stronger => format!("{first} is stronger than the other bots: decided after"),
        Decision::Weaker => format!("{first} is weaker than the other bots: decided after"),
        Decision::Unknown => {
            format!("Undecided whether {first} is stronger or weaker than the other bots after")
        }
    };
    format!(
        "{found} {} of at most {}. Sequential test of place scores {} and {} with 5 % errors: the log likelihood ratio is {}, \
         and decides at ±{bound:.2}; it was evaluated {}. The intervals are valid at any stopping time, and therefore wider.",
        counted(deals, "deal", "deals"),
        count(known.most_deals),
        signed(*delta, 3),
        signed(-delta, 3),
        signed(*log_likelihood_ratio, 2),
        counted(*looks, "time", "times"),
    )
}

/// Shows a histogram of places for each bot, all with the same scale.
fn places(players: usize, bots: &[&BotReport]) -> Result<Html, ReportError> {
    let shares = bots.iter().flat_map(|bot| bot.places.iter().copied());
    let most = shares.fold(1.0 / players as f64, f64::max);
    let mut html = Html::default();
    html.element("h3", "Places");
    let line = "Share of rounds in each place, from first to last, in per cent; the line marks equal shares.";
    html.element("p", line);
    html.raw("<div class=\"few\">\n");
    for bot in bots {
        let shares: Vec<String> = bot.places.iter().map(|share| format!("{:.1} %", 100.0 * share)).collect();
        let label = format!("{}: shares of places 1 to {players}: {}", bot.name, shares.join(", "));
        figure(&mut html, &bot.name, &plot::places::places(&label, &bot.places, most)?);
    }
    html.raw("</div>\n");
    Ok(html)
}

/// Adds a drawing with its caption.
pub(super) fn figure(html: &mut Html, caption: &str, drawing: &Html) {
    html.raw("<figure>\n<figcaption>").name(caption).raw("</figcaption>\n").add(drawing).raw("</figure>\n");
}
