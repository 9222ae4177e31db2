//! What a bot was measured by, and the commands that measure it again.

use cardsharp_bot::Report;
#[cfg(feature = "train")]
use cardsharp_bot::bundle::card::Contest;
use cardsharp_env::{RulesError, Size};
#[cfg(feature = "train")]
use cardsharp_trainer::evaluate::Findings;
use serde_json::Value;

/// Why no command can be told.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeasuredError {
    /// The game refuses the rules of the report.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Rules have no TOML form.
    #[error("cannot write TOML: {0}")]
    Toml(#[from] toml::ser::Error),
}

/// The findings with their commands, as they are typed in the bundle's own folder, wherever that has
/// gone.
#[cfg(feature = "train")]
pub(crate) fn contests(findings: &Findings) -> Result<Vec<Contest>, MeasuredError> {
    let main = findings.reports.iter().map(|report| (None, report));
    let tables = findings.tables.iter().map(|measured| (Some(measured.table.clone()), &measured.report));
    let contest = |(table, report): (Option<String>, &Report)| {
        let command = format!("cardsharp {}", arena(report, ".")?);
        Ok(Contest { table, command, report: report.clone() })
    };
    main.chain(tables).map(contest).collect()
}

/// The words of the arena command that finds a report again, for the bot at path `bot`.
#[cfg(feature = "train")]
pub(crate) fn arena(report: &Report, bot: &str) -> Result<String, MeasuredError> {
    let Report { game, deals, seed, .. } = report;
    let opponent = report.bots.get(1).map_or("scripted", |bot| bot.name.as_str());
    let bots = quoted(&format!("{bot},{opponent}"));
    let seats: Vec<String> = report.seats.iter().map(usize::to_string).collect();
    let seats = if seats.is_empty() { String::new() } else { format!(" --seats {}", seats.join(",")) };
    Ok(format!("arena {game} --bots {bots}{seats}{} --deals {deals} --seed {seed}", by(report)?))
}

/// The arena command that finds a report again, its bots called as they are in it. What a report does not
/// tell, temperature and budgets of bots that search, is as by default.
pub(crate) fn again(report: &Report) -> Result<String, MeasuredError> {
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
    if let Some(known) = &report.until_known {
        how += &format!(" --until-known {}", known.delta);
    }
    if report.luck.is_some() {
        how += " --adjust-luck";
    }
    let deals = report.until_known.as_ref().map_or(report.deals, |known| known.most_deals);
    let (bots, by) = (quoted(&names.join(",")), by(report)?);
    Ok(format!("cardsharp arena {game} --bots {bots}{how}{by} --deals {deals} --seed {seed}"))
}

/// The words for the rules of a report: the number of players where nothing else differs from the
/// game's defaults, else every option that does.
fn by(report: &Report) -> Result<String, MeasuredError> {
    let rules = &report.rules;
    let Some(game) = crate::list::game(&report.game) else { return Ok(String::new()) };
    // What the rules say and not what was played: a session may end before its last round.
    let rounds = rules[game.rounds_option()].as_u64().and_then(|rounds| u32::try_from(rounds).ok());
    let plain = |players| game.sized_rules(&Value::Null, Size { players, rounds });
    let (rounds, players) = (rounds.map_or(report.rounds, u64::from), game.rules(rules)?.players());
    if plain(Some(players as u8)).is_ok_and(|plain| plain.json() == rules) {
        return Ok(format!(" --players {players} --rounds {rounds}"));
    }
    let (mut words, plain) = (format!(" --rounds {rounds}"), plain(None)?);
    let options = rules.as_object().into_iter().flatten();
    for (option, value) in options.filter(|(option, value)| plain.json()[option.as_str()] != **value) {
        let value = toml::Value::try_from(value)?;
        words += &format!(" --set {}", quoted(&format!("{option}={value}")));
    }
    Ok(words)
}

/// A word as it is typed in a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("hands=5"), "hands=5");
        assert_eq!(quoted("strip=\"recommended\""), "'strip=\"recommended\"'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
