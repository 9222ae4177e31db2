//! An HTML page about contests and training runs, without scripts, external files or times of creation.

mod asked;
mod contest;
pub(crate) mod error;
mod figures;
#[cfg(feature = "serve")]
pub(crate) mod going;
mod html;
mod link;
mod plot;
mod record;
mod review;
mod run;
mod seeds;
mod settings;
mod source;
mod sweep;
mod swept;
mod timed;

use std::path::{Path, PathBuf};

use cardsharp_bot::disk;

use error::ReportError;
use html::Html;

pub(crate) use review::page as review;
#[cfg(feature = "train")]
pub(crate) use seeds::Met;
#[cfg(feature = "train")]
pub(crate) use source::SEED;
#[cfg(feature = "serve")]
pub(crate) use source::config;
pub(crate) use source::{Source, contests_of, read, run_of};

/// Explains the terms for contests and runs.
const READING: &str = include_str!("reading.html");

/// A part of the page with its own heading.
struct Section {
    title: String,
    body: Html,
}

/// Returns the page. The default title names its games. `at` is the page to which links to games lead.
pub(crate) fn page(sources: &[Source], title: Option<&str>, at: &str) -> Result<String, ReportError> {
    let mut sections = Vec::new();
    for source in sources {
        match source {
            Source::Contests(contests) => sections.extend(contest::sections(contests, at)?),
            Source::Run(run) => sections.extend(of_run(run, at)?),
            Source::Seeds(seeds) => sections.push(seeds::section(seeds)?),
            Source::Sweep(swept) => sections.push(sweep::section(swept)?),
        }
    }
    let runs: Vec<&source::Run> = sources.iter().filter_map(Source::run).collect();
    sections.extend(across(&runs)?);
    let title = title.map_or_else(|| games(sources.iter().map(Source::game)), str::to_owned);
    Ok(assembled(&title, &sections, "report", READING).into_string())
}

/// Returns the sections of a run: its training, and the contests of its bot.
fn of_run(run: &source::Run, at: &str) -> Result<Vec<Section>, ReportError> {
    let mut sections = vec![run::section(run)?];
    if let Some(contests) = &run.contests {
        sections.extend(contest::sections(contests, at)?);
    }
    Ok(sections)
}

/// Compares several runs: their settings and their curves.
fn across(runs: &[&source::Run]) -> Result<Vec<Section>, ReportError> {
    let mut sections = settings::sections(runs);
    sections.extend(run::comparisons(runs)?);
    Ok(sections)
}

/// Returns the titles of games, without repetition.
fn games<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut titles: Vec<String> = Vec::new();
    for name in names {
        let title = title_of(name);
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles.join(", ")
}

/// Returns the title of a game, or its name if this program does not know the game.
fn title_of(game: &str) -> String {
    crate::list::game(game).map_or(game, |game| game.title()).to_owned()
}

/// Assembles a page of this command; `reading` explains its terms.
fn assembled(title: &str, sections: &[Section], command: &'static str, reading: &'static str) -> Html {
    let mut style = Html::default();
    style.raw("<style>\n").raw(STYLE).raw("</style>\n");
    let mut html = head(title, &style);
    html.raw("<header>\n").element("h1", title).add(&contents(sections)).raw("</header>\n<main>\n");
    html.add(&parts(sections)).raw("</main>\n").add(&foot(command, reading));
    html
}

const STYLE: &str = include_str!("style.css");

/// Starts a page, up to its heading. `more` is added to the head.
fn head(title: &str, more: &Html) -> Html {
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    html.raw("<meta name=\"generator\" content=\"cardsharp ").raw(env!("CARGO_PKG_VERSION")).raw("\"/>\n");
    html.raw("<title>").text(title).raw("</title>\n").add(more).raw("</head>\n<body>\n");
    html
}

/// Returns links to the sections, if there are several.
fn contents(sections: &[Section]) -> Html {
    let mut html = Html::default();
    if sections.len() > 1 {
        html.raw("<nav aria-label=\"Contents\">\n<ol>\n");
        for (number, section) in sections.iter().enumerate() {
            html.raw("<li><a href=\"#part-")
                .text(number + 1)
                .raw("\">")
                .text(&section.title)
                .raw("</a></li>\n");
        }
        html.raw("</ol>\n</nav>\n");
    }
    html
}

fn parts(sections: &[Section]) -> Html {
    let mut html = Html::default();
    for (number, section) in sections.iter().enumerate() {
        html.raw("<section id=\"part-").text(number + 1).raw("\">\n");
        html.element("h2", &section.title).add(&section.body).raw("</section>\n");
    }
    html
}

/// Ends a page of this command; `reading` explains its terms.
fn foot(command: &'static str, reading: &'static str) -> Html {
    let mut html = Html::default();
    html.raw("<footer>\n").raw(reading);
    html.raw("<p>Made by <code>cardsharp ").raw(command).raw("</code> ").raw(env!("CARGO_PKG_VERSION"));
    html.raw(".</p>\n</footer>\n</body>\n</html>\n");
    html
}

/// Refuses a page that would replace one of its sources or a folder, before anything is read.
pub(crate) fn check_target(to: &Path, sources: &[PathBuf]) -> Result<(), ReportError> {
    let refuse = |expected| Err(ReportError::To { path: to.to_owned(), expected });
    if disk::is_stdout(to) {
        return Ok(());
    }
    if to.is_dir() || to.file_name().is_none() {
        return refuse("expected the name of a file, like report.html");
    }
    if !disk::parent(to).is_dir() {
        return refuse("expected a file in an existing folder");
    }
    let same = |source: &PathBuf| match (source.canonicalize(), to.canonicalize()) {
        (Ok(source), Ok(to)) => source == to,
        // A file that does not exist cannot be replaced.
        _ => false,
    };
    if sources.iter().any(same) {
        return refuse("it is one of the input files");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
