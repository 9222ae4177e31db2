//! Writes the model card of a bundle: the network, its training, its strength and its limits, in words.

use std::fmt::Write;

use cardsharp_env::AnyGame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Extras;
use super::cost::Cost;
use super::onnx::{MASKED, OPSET};
use super::vectors::VECTORS;
use crate::arena::{Interval, Report};
use crate::file::{Header, Outputs, START};
use crate::net::Net;

/// Results of a contest, and the command that ran it. The bot of the bundle is the first bot in the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardContest {
    /// Name of the rules, if they are those of a table in `[[evaluate.tables]]`; missing otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The command that ran the contest, as typed.
    pub command: String,
    /// The report of the contest.
    pub report: Report,
}

/// Returns the text of `card.md`.
pub fn card(game: &dyn AnyGame, header: &Header, net: &Net, extras: &Extras) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, game, header, net, extras);
    text
}

fn write(
    text: &mut String,
    game: &dyn AnyGame,
    header: &Header,
    net: &Net,
    extras: &Extras,
) -> std::fmt::Result {
    heading(text, game.title(), header, net, extras)?;
    rules(text, header)?;
    training(text, header)?;
    writeln!(text, "\n## Strength\n")?;
    if extras.contests.is_empty() {
        writeln!(
            text,
            "Not measured for this bundle; `cardsharp arena {} --bots .,scripted` does.",
            header.game
        )?;
    } else {
        strength(text, &extras.contests)?;
    }
    if let Some(cost) = &extras.cost {
        worth(text, cost, &extras.contests)?;
    }
    limits(text, header)?;
    files(text, extras)
}

/// Writes the table of what the network is.
fn heading(text: &mut String, title: &str, header: &Header, net: &Net, extras: &Extras) -> std::fmt::Result {
    let weights: usize =
        net.trunk.iter().chain([&net.policy, &net.value]).map(|l| l.weight.len() + l.bias.len()).sum();
    let layers: Vec<String> = header.layers.iter().map(usize::to_string).collect();
    writeln!(text, "# A bot for {title}\n")?;
    writeln!(
        text,
        "A neural network that plays {title} for any one seat. It reads what that seat may know, as a row of \
         {} cells, and the legal moves; it answers with {} for each legal move and with the reward it \
         expects. {}\n",
        net.scale.len(),
        match header.outputs {
            Outputs::Logits => "a preference",
            Outputs::ActionValues => "the reward it expects if it plays that",
        },
        learned(header)
    )?;
    writeln!(text, "| | |\n|---|---|")?;
    if let Some(identity) = &extras.identity {
        writeln!(text, "| name | `{identity}` |\n| license | {} |", identity.license)?;
    }
    writeln!(text, "| game | `{}`, encoding {} |", header.game, header.encoding)?;
    let heads = match header.outputs {
        Outputs::Logits => "policy and value heads",
        Outputs::ActionValues => "heads for action values and the value",
    };
    writeln!(text, "| layers | {} ({} between), {heads} |", layers.join(" → "), header.activation)?;
    if header.outputs == Outputs::ActionValues {
        writeln!(
            text,
            "| outputs | action values: the expected reward of each move, in files called `logits`; the largest is \
             played, and there are no probabilities |"
        )?;
    }
    writeln!(text, "| weights | {weights} |")?;
    writeln!(
        text,
        "| cost of a decision | {} multiplications at most, without a search |\n",
        header.multiplications()
    )
}

fn rules(text: &mut String, header: &Header) -> std::fmt::Result {
    writeln!(text, "## Rules it was trained on\n")?;
    writeln!(text, "One line for each set of rules.\n\n```json")?;
    for rules in &header.rules {
        writeln!(text, "{rules}")?;
    }
    writeln!(text, "```\n")?;
    if header.random_rules > 0.0 {
        writeln!(
            text,
            "In {:.0} % of the sessions the rules were others, drawn anew each time over all options and numbers of players.\n",
            100.0 * header.random_rules
        )?;
    }
    Ok(())
}

fn training(text: &mut String, header: &Header) -> std::fmt::Result {
    writeln!(text, "## Training\n\n| | |\n|---|---|")?;
    match &header.training {
        Value::Object(facts) => {
            for (name, fact) in facts.iter().filter(|(name, _)| *name != START) {
                writeln!(text, "| {} | {} |", name.replace('_', " "), cell(fact))?;
            }
        }
        other => writeln!(text, "| facts | {} |", cell(other))?,
    }
    for before in stages(&header.training).skip(1) {
        writeln!(text, "\nIt began with the weights of a bot{}.", describe_training(before))?;
    }
    Ok(())
}

fn limits(text: &mut String, header: &Header) -> std::fmt::Result {
    writeln!(text, "\n## Limits\n")?;
    writeln!(
        text,
        "- The figures hold for the rules and opponents they were measured with. {}\n\
         - The network plays each decision from the view alone, without search (the highest of its levels may look \
         ahead), and keeps no record of an opponent from one session to the next.\n\
         - The value is the expected reward in training, against opponents like those of training; it is no \
         forecast against others.\n\
         - It still plays after its game's encoding got more cells. After any other change of the encoding, every reader \
         refuses it.\n",
        match header.random_rules > 0.0 {
            true => "`cardsharp arena --random-rules` measures it by others.",
            false => "It was not trained for other rules and may play them badly.",
        }
    )
}

fn files(text: &mut String, extras: &Extras) -> std::fmt::Result {
    writeln!(text, "## Files\n\n| file | what it is |\n|---|---|")?;
    writeln!(
        text,
        "| `bot.safetensors` | the weights, with game, encoding, rules and training in the header |"
    )?;
    writeln!(
        text,
        "| `model.onnx` | the same network for other runtimes: opset {OPSET}, inputs `row` and `legal`, outputs \
         `logits` ({MASKED:e} where not legal) and `value` |"
    )?;
    writeln!(text, "| `encoding.json` | what every cell of a row means |")?;
    writeln!(text, "| `actions.json` | what every action id means |")?;
    writeln!(
        text,
        "| `vectors.jsonl.gz` | {VECTORS} positions with row, legal moves, logits, value and move |"
    )?;
    writeln!(text, "| `arena.json` | the figures above, in full |")?;
    writeln!(text, "| `levels.json` | once they were measured: how it plays at levels 1 to 10 |")?;
    writeln!(
        text,
        "| `beliefs.safetensors` | once it was learned: a model of what its moves tell of its cards |"
    )?;
    if extras.cost.is_some() {
        writeln!(text, "| `cost.json` | what training cost |")?;
    }
    if extras.identity.is_some() {
        writeln!(text, "| `identity.json` | its name, version and license |")?;
    }
    writeln!(text, "| `card.md` | this page |")?;
    writeln!(text, "| `manifest.json` | length and BLAKE3 sum of every file |\n")?;
    writeln!(text, "`cardsharp verify .` in this folder checks them against each other and against the game.")
}

fn strength(text: &mut String, contests: &[CardContest]) -> std::fmt::Result {
    writeln!(
        text,
        "Place score is the mean of 1 − 2(place − 1)/(players of the round − 1): 1 is always first, −1 always \
         last, 0 the average of all seats. Intervals are 95 %, resampled by deal; every deal is played from every \
         seat. Points ahead are those of a round less the mean of the other seats'.\n"
    )?;
    writeln!(
        text,
        "| | table | against | players | rounds per session | deals | place score | first | points per round | points ahead |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|")?;
    for (number, CardContest { table, report, .. }) in contests.iter().enumerate() {
        let Some((own, others)) = report.bots.split_first() else { continue };
        let mut names: Vec<&str> = others.iter().map(|bot| bot.name.as_str()).collect();
        names.dedup();
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            number + 1,
            table.as_deref().unwrap_or("main").replace('|', "\\|"),
            names.join(", "),
            report.players,
            report.rounds,
            report.deals,
            interval(&own.place_score, true),
            interval(&own.first_rate, false),
            interval(&own.points, false),
            own.points_ahead
                .as_ref()
                .map_or_else(|| "not measured".to_owned(), |ahead| interval(ahead, true)),
        )?;
    }
    faults(text, contests)?;
    contracts(text, contests)?;
    writeln!(text, "\nIn this folder:\n\n```sh")?;
    for (number, contest) in contests.iter().enumerate() {
        writeln!(text, "{}  # {}", contest.command, number + 1)?;
    }
    writeln!(text, "```")
}

/// Describes the faults of programs in the contests.
fn faults(text: &mut String, contests: &[CardContest]) -> std::fmt::Result {
    for (number, CardContest { report, .. }) in contests.iter().enumerate() {
        for summary in report.faults_summaries() {
            // As a code block, because a program's output may contain Markdown.
            let summary: Vec<String> = summary.lines().map(|line| format!("    {line}")).collect();
            writeln!(text, "\nIn contest {} a program failed:\n\n{}", number + 1, summary.join("\n"))?;
        }
    }
    Ok(())
}

/// Writes the cost of training, and the strength per core hour.
fn worth(text: &mut String, cost: &Cost, contests: &[CardContest]) -> std::fmt::Result {
    let hours = cost.core_hours();
    let processor = cost.processor.as_deref().map(|name| format!(" of {}", name.replace('\n', " ")));
    writeln!(
        text,
        "\n### Cost\n\nTraining took {hours:.2} core hours{}: seconds of playing and learning times the cores that they were \
         given, measuring left out.",
        processor.unwrap_or_default()
    )?;
    let Some(own) = contests.first().and_then(|contest| contest.report.bots.first()) else { return Ok(()) };
    writeln!(
        text,
        "In contest 1 that is a place score of {:+.3} for each core hour.",
        own.place_score.mean / hours
    )
}

/// Writes the contracts of the first contest, in games with contracts.
fn contracts(text: &mut String, contests: &[CardContest]) -> std::fmt::Result {
    let Some(CardContest { report, .. }) = contests.first() else { return Ok(()) };
    if report.bots.iter().all(|bot| bot.contracts.is_empty()) {
        return Ok(());
    }
    writeln!(text, "\n### Contracts\n\nIn contest 1; shares are of the rounds that the bot sat in.\n")?;
    writeln!(
        text,
        "| contract | bot | undertaken | share | made | mean points |\n|---|---|---|---|---|---|"
    )?;
    for bot in &report.bots {
        for kind in bot.contracts.iter().filter(|kind| kind.count > 0) {
            writeln!(
                text,
                "| {} | {} | {} | {:.1} % | {:.1} % | {:+.1} |",
                kind.name,
                bot.name,
                kind.count,
                100.0 * kind.share,
                100.0 * kind.made,
                kind.points
            )?;
        }
    }
    Ok(())
}

/// Formats `+0.123 (+0.101 … +0.145)`, with or without plus signs.
fn interval(of: &Interval, signed: bool) -> String {
    let Interval { mean, low, high } = of;
    if signed {
        format!("{mean:+.3} ({low:+.3} … {high:+.3})")
    } else {
        format!("{mean:.3} ({low:.3} … {high:.3})")
    }
}

/// Returns the training facts of a network, then those of the bot that it was initialized from, and so on.
fn stages(training: &Value) -> impl Iterator<Item = &Value> {
    std::iter::successors(Some(training), |training| training.get(START))
}

/// Describes how a bot was trained, as the end of a sentence about it. Empty without an algorithm on record.
fn describe_training(training: &Value) -> String {
    let Some(by) = training["algorithm"].as_str() else { return String::new() };
    let [seed, iterations, decisions] = ["seed", "iterations", "decisions"].map(|name| &training[name]);
    format!(
        " that had learned from {decisions} decisions before ({by}, seed {seed}, {iterations} iterations)"
    )
}

/// Formats a JSON value as a cell of a table.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('|', "\\|").replace('\n', " "),
        other => format!("`{}`", other.to_string().replace('|', "\\|")),
    }
}

/// Describes where the weights come from.
fn learned(header: &Header) -> String {
    if let Some(by) = header.training["by"].as_str() {
        return format!("It was not trained by cardsharp; its weights came by `{by}`.");
    }
    let imitated = stages(&header.training)
        .any(|training| training["imitated_iterations"].as_u64().is_some_and(|iterations| iterations > 0));
    let how =
        if imitated { "It first imitated the scripted player, then learned from" } else { "It learned from" };
    // The run folder records the opponents. No run includes people.
    format!("{how} games between bots, and has seen none of people.")
}
