//! Contests with random rules, which measure a bot on rules that no person selected.

use cardsharp_env::rng::derive;
use cardsharp_env::{AnyGame, GameRules, Size, seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ArenaError;
use super::report::{Report, StrengthVerdict};

/// The most random rule sets that are drawn for each one requested. In few games, some sets do not allow every size.
const TRIES: u64 = 100;

/// Results of two bots with many rule sets. The first bot has one seat, and copies of the second have the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSets {
    /// Seed of the rule sets, the deals and the bots' randomness. All contests use the same seed, so their results are
    /// correlated. Counts over rule sets therefore vary more than counts over independent contests.
    #[serde(with = "seed::recorded")]
    #[schemars(schema_with = "seed::recorded::schema")]
    pub seed: u64,
    /// Number of rule sets in which the 95 % confidence interval of the first bot's place score is above 0. Contests
    /// with fewer than 8 deals never count.
    pub above: usize,
    /// Number of rule sets in which this interval is below 0, counted in the same way. If the bots are equally strong,
    /// this happens by chance in 1 of 40 rule sets.
    pub below: usize,
    /// Mean of the first bot's place score over all rule sets, −1 to 1.
    pub mean: f64,
    /// The contests, one for each rule set, with the worst result of the first bot first.
    pub contests: Vec<Report>,
}

impl RuleSets {
    /// Summarizes contests that were all played with this seed.
    pub fn of(seed: u64, mut contests: Vec<Report>) -> Self {
        contests.sort_by(|one, other| one.place_score().mean.total_cmp(&other.place_score().mean));
        let count = |what| contests.iter().filter(|report| report.decision() == what).count();
        let (above, below) = (count(StrengthVerdict::Stronger), count(StrengthVerdict::Weaker));
        let mean = contests.iter().map(|report| report.place_score().mean).sum::<f64>();
        let mean = mean / contests.len().max(1) as f64;
        Self { seed, above, below, mean, contests }
    }
}

/// Draws `count` random rule sets over all options and numbers of players of a game. Each of them can be played in the
/// requested `size`.
///
/// # Errors
/// Too few random rule sets allow this size.
pub fn draw(game: &dyn AnyGame, count: usize, size: Size, seed: u64) -> Result<Vec<GameRules>, ArenaError> {
    let drawn = (0..TRIES * count as u64).map(|number| game.random_rules(derive(seed, &[number])));
    let sets: Vec<GameRules> = drawn.filter_map(|rules| rules.sized(size).ok()).take(count).collect();
    if sets.len() < count || sets.is_empty() {
        return Err(ArenaError::RuleSets { wanted: count, found: sets.len() });
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use cardsharp_env::GAMES;

    use super::super::Contest;
    use super::*;
    use crate::bots::load;

    #[test]
    fn sets_are_of_the_size_that_was_asked_for_and_of_all_sizes_otherwise() {
        for game in GAMES.iter().filter(|game| game.players().contains(&4)) {
            let size = Size { players: Some(4), rounds: Some(2) };
            let sets = draw(*game, 20, size, 3).expect("every game is played by four");
            assert!(sets.len() == 20 && sets.iter().all(|rules| rules.players() == 4));
            let free = Size { players: None, rounds: Some(1) };
            let sets = draw(*game, 40, free, 3).expect("any number");
            let mut players: Vec<usize> = sets.iter().map(GameRules::players).collect();
            players.sort_unstable();
            players.dedup();
            assert_eq!(players.len() > 2, game.players().count() > 2, "{}: {players:?}", game.name());
            assert_eq!(sets, draw(*game, 40, free, 3).expect("the same"));
        }
        let nobody = Size { players: Some(40), rounds: None };
        let refused = draw(GAMES[0], 3, nobody, 1).map(|sets| sets.len());
        assert_eq!(refused, Err(ArenaError::RuleSets { wanted: 3, found: 0 }));
        assert!(draw(GAMES[0], 0, Size::AS_GIVEN, 1).is_err());
    }

    #[test]
    fn the_worst_come_first_and_are_counted() {
        let game = cardsharp_env::game("dalmuti").expect("one of the games");
        let report = |bots: [&str; 2], number: usize| {
            let sets = draw(game, 3, Size { players: Some(4), rounds: Some(1) }, 1).expect("sets");
            let bots = bots.map(|bot| load(bot, game, 0.0).expect("a built-in player")).to_vec();
            let contest = Contest::new(&sets[number], bots, 32, 1).expect("two bots");
            contest.report(
                &(0..contest.units())
                    .map(|unit| contest.play(unit, &mut Default::default))
                    .collect::<Vec<_>>(),
            )
        };
        let (good, even, bad) = (
            report(["scripted", "random"], 0),
            report(["scripted", "scripted"], 1),
            report(["random", "scripted"], 2),
        );
        let found = RuleSets::of(1, vec![good.clone(), bad.clone(), even.clone()]);
        assert_eq!((found.above, found.below), (1, 1));
        assert_eq!(found.contests, [bad.clone(), even, good.clone()]);
        let mean = (bad.bots[0].place_score.mean + good.bots[0].place_score.mean) / 3.0;
        assert!((found.mean - mean).abs() < 1e-12);
    }
}
