use std::path::Path;
use std::sync::Arc;

use cardsharp_bot::Advice;
use cardsharp_bot::beliefs::{Beliefs, Believed, Chance, DealWeights, beliefs};
use cardsharp_bot::bots::levels::at_level;
use cardsharp_bot::bots::{has_model, model, path_of, resolved};
use cardsharp_bot::stats::counted_percent;
use cardsharp_env::{ActionId, Seat};
use serde::Serialize;

use crate::args::{GameArg, ThinkingArgs};
use crate::bots::{self, AdviceJson};
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::position_input::{PositionError, PositionInput};
use crate::tables;

/// Ask a bot for a move (reads a view or an event log from stdin, prints ranked moves).
///
/// The input is a view as JSON, or a seat's event log up to its decision. A JSON line with a field `view` works as well:
/// a line of `cardsharp play --json` or of a bundle's test vectors. Impossible views and event logs are refused.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp advise dalmuti < view.json
  cardsharp advise scripted --json < view.json
  cardsharp advise search:20000 < view.json
  cardsharp advise tachtigen --beliefs < view.json
  cardsharp advise scripted < events.jsonl
  gzip -dc checkpoints/dalmuti/bot/vectors.jsonl.gz | head -n 1 | cardsharp advise dalmuti --temperature 0.5
  gzip -dc checkpoints/dalmuti/bot/vectors.jsonl.gz | head -n 1 | cardsharp advise dalmuti --level 4

More: ", docs!("protocol.html")))]
pub(crate) struct Advise {
    /// The bot: `random`, `scripted`, `cautious`, `aggressive`, `search` (also `search:N`, `search:Nms`,
    /// `search:N+BOT`), `trained` or a game's name for the bot that ships for the game, a bundle or a checkpoint
    bot: String,
    /// The game of the view [default: the bot's game, otherwise the game that the view names]
    #[arg(long, value_parser = GameArg::parser())]
    game: Option<GameArg>,
    /// Sampling temperature of a network, 0.01 to 100: below 1 sharpens its policy, above 1 flattens it
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: f32,
    /// Level of play, for a bot with measured levels
    #[arg(long, value_name = "1..10", value_parser = clap::value_parser!(u8).range(1..=10), conflicts_with = "temperature")]
    level: Option<u8>,
    /// Also estimate the other seats' cards, from DEALS deals that are consistent with the view; the bot's belief model
    /// weights the deals if it has one (`cardsharp beliefs`)
    #[arg(long, value_name = "DEALS", num_args = 0..=1, default_missing_value = "2000", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    beliefs: Option<u32>,
    #[command(flatten)]
    thinking: ThinkingArgs,
}

impl Advise {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if !(0.01..=100.0).contains(&self.temperature) {
            let expected = "expected 0.01 to 100".to_owned();
            return Err(CliError::Option {
                option: "--temperature",
                given: self.temperature.to_string(),
                expected,
            });
        }
        let game = match self.game {
            Some(game) => Some(game.0),
            None => bots::game_of(&self.bot),
        };
        let name = match self.level {
            Some(level) => at_level(&self.bot, level)?,
            None => self.bot.clone(),
        };
        let input = PositionInput::read_from(Path::new("-"))?;
        if let Some(game) = game {
            input.expect(game, || match self.game {
                Some(_) => format!("--game is {}", game.title()),
                None => format!("the bot plays {}", game.title()),
            })?;
        }
        let game = game.map_or_else(|| input.game(), Ok)?;
        let mut bot = cardsharp_bot::open_with(&name, game, &self.thinking.means(self.temperature, 0)?, 0)?;
        let played = resolved(&self.bot, game.name()).into_owned();
        let mut position = input.read(game)?;
        let view = position.view()?;
        let seat = view.seat();
        if view.legal(&mut vec![0; view.words()]) == 0 {
            return Err(PositionError::NoDecision { seat: seat.index() }.into());
        }
        if let Ok(rules) = game.rules(&view.json()["table"]["rules"]) {
            bots::warn_of_strange_rules([&played], &rules);
        }
        let advice = bot.advise(view);
        bots::check(bot.as_mut())?;
        let believed = match self.beliefs {
            None => None,
            Some(deals) => {
                let learned = path_of(&played).filter(|path| has_model(path));
                let learned = learned.map(|path| model(path, game)).transpose()?.map(Arc::new);
                let asked = learned.map(|learned| learned.asked(view));
                let weights = asked.as_ref().map(|asked| DealWeights::new(asked));
                let believed = beliefs(view, deals, 0, weights);
                Some(believed.ok_or(NoBeliefs { game: game.name() })?)
            }
        };
        let label = |action: ActionId| view.label(action);
        if out.json {
            let advice = AdviceJson::new(label, &advice);
            let beliefs = believed.as_ref();
            return out.json_page(&Reply { game: game.name(), bot: &self.bot, seat, advice, beliefs });
        }
        let Advice { moves, value } = advice;
        let valued = moves.iter().any(|m| m.value.is_some());
        let rows = moves.iter().map(|m| {
            let percent = 100.0 * m.probability;
            let mut row = vec![label(m.action), format!("{percent:.1} %"), tables::bar(m.probability, 20)];
            row.extend(valued.then(|| m.value.map_or_else(String::new, |value| format!("{value:+.3}"))));
            row
        });
        let header = ["move", "probability", "", "expected reward"];
        out.line(tables::table(&header[..if valued { 4 } else { 3 }], &[1], rows))?;
        match value {
            Some(value) => out.line(format!("Expected reward: {value:+.3}"))?,
            None => out.line(format!("{} does not estimate the expected reward.", self.bot))?,
        }
        believed.map_or(Ok(()), |beliefs| show_beliefs(out, &beliefs))
    }
}

/// A game has no hidden hands to estimate.
#[derive(Debug, thiserror::Error)]
#[error("--beliefs is not available for `{game}`: its views have no hidden hands of cards")]
struct NoBeliefs {
    game: &'static str,
}

impl Failure for NoBeliefs {
    fn code(&self) -> u8 {
        2
    }
}

/// Prints beliefs as a table with a row for each card and a column for each seat, then the possible partners.
fn show_beliefs(out: &mut Output, beliefs: &Beliefs) -> Result<(), CliError> {
    let chance = |share: f64| counted_percent(share, 0);
    let mut cards: Vec<&str> = Vec::new();
    for chance in beliefs.seats.iter().flat_map(|believed| &believed.cards) {
        if !cards.contains(&chance.card.as_str()) {
            cards.push(&chance.card);
        }
    }
    let rows = cards.iter().map(|card| {
        let of = |believed: &Believed| match believed.cards.iter().find(|chance| chance.card == *card) {
            Some(Chance { any, mean, .. }) if mean - any > 0.005 => format!("{} ({mean:.1})", chance(*any)),
            Some(Chance { any, .. }) => chance(*any),
            None => String::new(),
        };
        std::iter::once((*card).to_owned()).chain(beliefs.seats.iter().map(of)).collect()
    });
    let seats: Vec<String> =
        beliefs.seats.iter().map(|believed| format!("seat {}", believed.seat.index())).collect();
    let header: Vec<&str> = std::iter::once("holds").chain(seats.iter().map(String::as_str)).collect();
    let numbers: Vec<usize> = (1..header.len()).collect();
    out.line(tables::table(&header, &numbers, rows))?;
    for Believed { seat, partner, .. } in &beliefs.seats {
        if let Some(partner) = partner.filter(|&partner| partner > 0.0) {
            out.line(match partner {
                1.0 => format!("Seat {} is the partner.", seat.index()),
                partner => {
                    format!("Seat {} is the partner with a probability of {}.", seat.index(), chance(partner))
                }
            })?;
        }
    }
    let how = match beliefs.weighed {
        false => "all equally likely; moves of the other seats are not taken as evidence",
        true => "weighted by the bot's belief model",
    };
    out.line(format!(
        "Probability that a seat holds the card, and in parentheses the expected number of copies if it can hold several. \
         Estimated from {} deals that are consistent with the view, {how}.",
        beliefs.deals
    ))
}

/// The output of `--json`.
#[derive(Serialize)]
struct Reply<'a> {
    game: &'a str,
    bot: &'a str,
    seat: Seat,
    #[serde(flatten)]
    advice: AdviceJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    beliefs: Option<&'a Beliefs>,
}
