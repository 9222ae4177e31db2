//! Writes shell commands: those that reproduce a report, and quoted words for other commands.

use cardsharp_env::{Games, RulesError, Size};
use serde_json::Value;

use super::report::Report;
pub use crate::shell::{path, word};

/// Returns the words of the arena command that reproduces a report, for the bot at path `bot`.
///
/// # Errors
/// The game refuses the rules of the report.
pub fn measuring(games: &Games, report: &Report, bot: &str) -> Result<String, RulesError> {
    let Report { game, deals, seed, .. } = report;
    let opponent = report.bots.get(1).map_or("scripted", |bot| bot.name.as_str());
    let bots = word(&format!("{bot},{opponent}"));
    let seats: Vec<String> = report.seats.iter().map(usize::to_string).collect();
    let seats = if seats.is_empty() { String::new() } else { format!(" --seats {}", seats.join(",")) };
    Ok(format!("arena {game} --bots {bots}{seats}{} --deals {deals} --seed {seed}", by(games, report)?))
}

/// Returns the arena command that reproduces a report, with the bots' names from the report. A report does not record
/// the temperature or the budgets of searching bots, so these are the defaults.
///
/// # Errors
/// As [`measuring`].
pub fn again(games: &Games, report: &Report) -> Result<String, RulesError> {
    let Report { game, seed, .. } = report;
    let names: Vec<&str> = report.bots.iter().map(|bot| bot.name.as_str()).collect();
    let seats: Vec<String> = report.seats.iter().map(usize::to_string).collect();
    let mut how = String::new();
    if report.round_robin.is_some() {
        how += " --round-robin";
    }
    if !seats.is_empty() {
        how += &format!(" --seats {}", seats.join(","));
    }
    if let Some(known) = &report.sprt {
        how += &format!(" --sprt {}", known.delta);
    }
    let deals = report.sprt.as_ref().map_or(report.deals, |known| known.most_deals);
    let (bots, by) = (word(&names.join(",")), by(games, report)?);
    Ok(format!("cardsharp arena {game} --bots {bots}{how}{by} --deals {deals} --seed {seed}"))
}

/// Returns the options that select the rules of a report. That is the number of players if all other options are the
/// game's defaults, else every option that differs.
fn by(games: &Games, report: &Report) -> Result<String, RulesError> {
    let Some(game) = games.named(&report.game) else { return Ok(String::new()) };
    // Rules written by an earlier version lack newer options; the game fills them in.
    let given = game.rules(&report.rules)?;
    let rules = given.json();
    // Use the rounds of the rules, because a session may end before its last round.
    let rounds = rules[game.rounds_option()].as_u64().and_then(|rounds| u32::try_from(rounds).ok());
    let plain = |players| game.sized_rules(&Value::Null, Size { players, rounds });
    let (rounds, players) = (rounds.map_or(report.rounds, u64::from), given.players());
    if plain(Some(players as u8)).is_ok_and(|plain| plain.json() == rules) {
        return Ok(format!(" --players {players} --rounds {rounds}"));
    }
    let (mut words, plain) = (format!(" --rounds {rounds}"), plain(None)?);
    let options = rules.as_object().into_iter().flatten();
    for (option, value) in options.filter(|(option, value)| plain.json()[option.as_str()] != **value) {
        words += &format!(" --set {}", word(&format!("{option}={}", toml(value))));
    }
    Ok(words)
}

/// Returns a value as TOML on one line. The keys of its tables must be bare.
pub fn toml(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::toml;

    #[test]
    fn values_are_written_as_in_toml() {
        assert_eq!(toml(&json!([1, ["a b", true], []])), "[1, [\"a b\", true], []]");
        assert_eq!(toml(&json!([{}, {"join": 4, "round": 3}])), "[{}, { join = 4, round = 3 }]");
    }
}
