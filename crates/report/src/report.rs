//! The page of a report: the sections of its sources.

use std::path::{Path, PathBuf};

use cardsharp_bot::disk;

use crate::error::ReportError;
use crate::page::{Context, PageSection, READING, assembled};
use crate::source::{Source, SourceRun};
use crate::{contest, run, seeds, sweep};

/// Returns the page of these sources. The default title names their games.
///
/// # Errors
/// A plot cannot be drawn.
pub fn page(sources: &[Source], title: Option<&str>, context: Context<'_>) -> Result<String, ReportError> {
    let mut sections = Vec::new();
    for source in sources {
        match source {
            Source::Contests(contests) => sections.extend(contest::sections(contests, context)?),
            Source::Run(run) => sections.extend(of_run(run, context)?),
            Source::Seeds(seeds) => sections.push(seeds::section(seeds, context)?),
            Source::Sweep(sweep) => sections.push(sweep::section(sweep, context)?),
        }
    }
    let runs: Vec<&SourceRun> = sources.iter().filter_map(Source::run).collect();
    sections.extend(across(&runs, context)?);
    let title = title.map_or_else(|| context.titles_of(sources.iter().map(Source::game)), str::to_owned);
    Ok(assembled(&title, &sections, "report", READING).into_string())
}

/// Returns the sections of a run: its training, and the contests of its bot.
pub(crate) fn of_run(run: &SourceRun, context: Context<'_>) -> Result<Vec<PageSection>, ReportError> {
    let mut sections = vec![run::section(run, context)?];
    if let Some(contests) = &run.contests {
        sections.extend(contest::sections(contests, context)?);
    }
    Ok(sections)
}

/// Compares several runs: their settings and their curves.
pub(crate) fn across(runs: &[&SourceRun], context: Context<'_>) -> Result<Vec<PageSection>, ReportError> {
    let mut sections = run::differing_settings(runs, context);
    sections.extend(run::comparisons(runs, context)?);
    Ok(sections)
}

/// Refuses a page that would replace one of its sources or a folder, before anything is read.
///
/// # Errors
/// The page cannot be written there.
pub fn check_target(to: &Path, sources: &[PathBuf]) -> Result<(), ReportError> {
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
