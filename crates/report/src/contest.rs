//! Results of arena contests.

mod tables;

use cardsharp_bot::Report;
use cardsharp_bot::arena::RecordedSession;
use cardsharp_bot::arena::report::{Anchor, BotReport, FEW, Meeting, RoundRobin, Sprt, StrengthVerdict};
use cardsharp_env::Size;
use serde_json::Value;

use crate::error::ReportError;
use crate::html::{Html, HtmlTable, count, counted, range, signed, text};
use crate::link;
use crate::page::{Context, PageSection};
use crate::plot::{figure, places, whiskers};
use crate::source::{Contests, SourceContest};

/// Returns a section for each contest of a file, with an overview first if there are several.
pub(crate) fn sections(contests: &Contests, context: Context<'_>) -> Result<Vec<PageSection>, ReportError> {
    let mut sections = Vec::new();
    if contests.contests.len() > 1 {
        sections.push(overview(contests)?);
    }
    for contest in &contests.contests {
        sections.push(PageSection {
            title: title(contest, context),
            body: body(&contests.name, contest, context)?,
        });
    }
    Ok(sections)
}

fn title(contest: &SourceContest, context: Context<'_>) -> String {
    let report = &contest.report;
    let game = context.title_of(&report.game);
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
fn overview(contests: &Contests) -> Result<PageSection, ReportError> {
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
    figure(&mut body, "Place score", &whiskers(label, "place score", 3, &rows)?);
    Ok(PageSection { title: format!("All contests of {}", contests.name), body })
}

fn body(file: &str, contest: &SourceContest, context: Context<'_>) -> Result<Html, ReportError> {
    let report = &contest.report;
    let order = ranking(report);
    let bots: Vec<&BotReport> = order.iter().map(|&bot| &report.bots[bot]).collect();
    let mut html = facts(file, contest, context);
    match &report.round_robin {
        Some(round_robin) => {
            html.add(&tables::ratings(&bots));
            html.add(&rating_plot(&bots, round_robin)?);
            html.add(&cross_play(&bots, &order, round_robin));
        }
        None => {
            if let Some(verdict) = verdict(report) {
                html.element("p", verdict);
            }
            html.add(&tables::figures(&bots));
        }
    }
    html.add(&place_histograms(report.players, &bots)?);
    html.add(&tables::contracts(&bots));
    html.add(&tables::habits(&bots));
    html.add(&tables::faults(&bots));
    html.add(&games(report, context.viewer));
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
fn facts(file: &str, contest: &SourceContest, context: Context<'_>) -> Html {
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
    fact("Game", &context.title_of(&report.game));
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
    fact("Rules", &rules(report, context));
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
fn rules(report: &Report, context: Context<'_>) -> String {
    let usual = context.games.named(&report.game).and_then(|game| {
        let (players, rounds) = (u8::try_from(report.players).ok()?, u32::try_from(report.rounds).ok()?);
        // Some default options, like rosters, may not allow this number of players. Then the default number is used.
        let of = |players| game.sized_rules(&Value::Null, Size { players, rounds: Some(rounds) });
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
        StrengthVerdict::Stronger => {
            "is stronger than the other bots: the interval of its place score is above 0"
        }
        StrengthVerdict::Weaker => {
            "is weaker than the other bots: the interval of its place score is below 0"
        }
        StrengthVerdict::Unknown if report.deals < FEW => {
            "is not measured well enough: these are too few deals"
        }
        StrengthVerdict::Unknown => {
            "is not clearly stronger or weaker than the other bots: the interval of its place score contains 0"
        }
    };
    (report.bots.len() > 1).then(|| format!("{name} {found}."))
}

fn sprt(first: &str, known: &Sprt, deals: u64) -> String {
    let Sprt { delta, log_likelihood_ratio, bound, looks, .. } = known;
    let found = match known.decision {
        StrengthVerdict::Stronger => format!("{first} is stronger than the other bots: decided after"),
        StrengthVerdict::Weaker => format!("{first} is weaker than the other bots: decided after"),
        StrengthVerdict::Unknown => {
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
fn place_histograms(players: usize, bots: &[&BotReport]) -> Result<Html, ReportError> {
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
        figure(&mut html, &bot.name, &places(&label, &bot.places, most)?);
    }
    html.raw("</div>\n");
    Ok(html)
}

/// Number of shades of each color in the heat map. `style.css` has the classes `ahead-N` and `behind-N`.
const SHADES: f64 = 6.0;

/// Shows the ratings with their intervals, the best at the top.
fn rating_plot(bots: &[&BotReport], round_robin: &RoundRobin) -> Result<Html, ReportError> {
    let zero = match round_robin.ratings.anchor {
        Anchor::Random => "random play",
        Anchor::Mean => "the mean of all bots",
    };
    let ratings = &round_robin.ratings;
    let rows: Vec<_> = bots.iter().filter_map(|bot| Some((bot.name.clone(), bot.rating?))).collect();
    let mut html = Html::default();
    html.element("h3", "Ratings");
    html.element(
        "p",
        format!(
            "0 is {zero}. Means over {} of the deals; the order alone changes a rating by {:.1} (standard deviation). 95 % \
             confidence intervals from {}.",
            counted(ratings.orders, "order", "orders"),
            ratings.order_noise,
            counted(ratings.resamples, "resample of the deals", "resamples of the deals"),
        ),
    );
    let label = "Rating of each bot with its 95 % confidence interval, best first";
    figure(&mut html, "Rating", &whiskers(label, "rating", 0, &rows)?);
    Ok(html)
}

/// Shows as a heat map how often each bot was placed ahead of each other bot. `order` has the index of each bot in the
/// report.
fn cross_play(bots: &[&BotReport], order: &[usize], round_robin: &RoundRobin) -> Html {
    let numbers: Vec<String> = (1..=bots.len()).map(|number| number.to_string()).collect();
    let heads: Vec<&str> = ["bot"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = HtmlTable::new(
        "Cross-play: how often the bot of the row was placed ahead of the bot of the column",
        &heads,
    );
    for (number, (bot, &row)) in bots.iter().zip(order).enumerate() {
        let mut cells = Html::default();
        for &column in order {
            match &round_robin.cross_play[row][column] {
                Some(meeting) => meets(&mut cells, meeting),
                None if row == column => {
                    cells.raw("<td class=\"self\">·</td>");
                }
                None => {
                    cells.raw("<td class=\"self\">never met</td>");
                }
            }
        }
        table.row_of(&format!("{} {}", number + 1, bot.name), &cells);
    }
    let mut html = Html::default();
    html.element("h3", "Cross-play");
    let line = "1: the bot of the row was always placed ahead of the bot of the column; −1: always behind. \
                Columns are numbered as the rows. Figures in grey have an interval that holds 0.";
    html.element("p", line);
    html.raw("<div class=\"heat\">\n").add(&table.finish()).raw("</div>\n");
    html
}

fn meets(cells: &mut Html, meeting: &Meeting) {
    let ahead = meeting.ahead;
    let shade = (ahead.mean.abs() * SHADES).round().clamp(0.0, SHADES) as u32;
    let side = if ahead.mean < 0.0 { "behind" } else { "ahead" };
    let doubt = if ahead.low <= 0.0 && ahead.high >= 0.0 { " doubt" } else { "" };
    let tip = format!("{}; {}", range(ahead, 3), counted(meeting.deals, "deal", "deals"));
    cells
        .raw("<td class=\"")
        .text(side)
        .raw("-")
        .text(shade)
        .text(doubt)
        .raw("\" title=\"")
        .text(tip)
        .raw("\">");
    let half = format!("±{:.2}", (ahead.high - ahead.low) / 2.0);
    cells.raw("<b>").text(signed(ahead.mean, 2)).raw("</b> <small>").text(half).raw("</small></td>");
}

/// Returns a table with a link for each stored game, or nothing if there are none. `at` is the page that shows games.
fn games(report: &Report, at: &str) -> Html {
    let mut html = Html::default();
    let Some(first) = report.bots.first().filter(|_| !report.games.is_empty()) else { return html };
    html.element("h3", "Games");
    html.element("p", format!("Each link contains a whole session and opens it step by step at {at}."));
    let place = format!("mean place of {}", first.name);
    let heads = ["", "seats", place.as_str(), "points", "game"];
    let mut table = HtmlTable::new("Games of the first deals, from every seat", &heads);
    for RecordedSession { deal, turn, bots, places, points, trace } in &report.games {
        let its = || (0..bots.len()).filter(|&seat| bots[seat] == first.name && places[seat] > 0.0);
        let mean = its().map(|seat| places[seat]).sum::<f64>() / its().count().max(1) as f64;
        let points: i64 = its().map(|seat| points[seat]).sum();
        let mut watch = Html::default();
        watch.raw("<a href=\"").text(link::replay(at, trace)).raw("\">watch</a>");
        let figures = match its().next() {
            Some(_) => [text(format!("{mean:.2}")), text(signed(points as f64, 0))],
            None => [text(""), text("")],
        };
        let [place, points] = figures;
        let mut sat = Html::default();
        sat.name(&bots.join(", "));
        table.row(&format!("deal {}, game {}", deal + 1, turn + 1), &[sat, place, points, watch]);
    }
    html.add(&table.finish());
    html
}
