//! Trains the residual network and exports it.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

const USAGE: &str = "usage: own-network RUNDIR [--set FIELD=VALUE]...";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("Error: {problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into()).collect();
    let (folder, options) = words.split_first().ok_or("expected a folder for the run")?;
    let overrides = options.chunks(2).map(|option| match option {
        [set, value] if set == "--set" => Ok(value.clone()),
        _ => Err(format!("expected `--set FIELD=VALUE`, got `{}`", option.join(" "))),
    });
    let config = own_network::config(&overrides.collect::<Result<Vec<_>, _>>()?)?;
    let folder = Path::new(folder);
    let mut show = |step: &cardsharp_trainer::train::Progress<'_>| {
        for report in step.reports {
            let (score, other) = (report.bots[0].place_score, &report.bots[1].name);
            let (mean, low, high) = (score.mean, score.low, score.high);
            println!(
                "iteration {}: place score {mean:+.3} ({low:+.3} … {high:+.3}) against {other}",
                step.iteration
            );
        }
    };
    let (config, outcome) = own_network::run(folder, config, &mut show, &AtomicBool::new(false))?;
    let model = folder.join("model");
    own_network::export(&config, &outcome, &model)?;
    println!("{} decisions; exported to {}", outcome.decisions, model.display());
    Ok(())
}
