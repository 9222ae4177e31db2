mod ladder;
mod taki;

use cardsharp_env::enumerate::AnyTree;
use cardsharp_env::{ActionId, Draw, Seat, SeatView, game};

use super::*;
use crate::bot::{Advice, Ranked};
use crate::bots::Player;

/// Enumerates the first round of a game.
fn solved(name: &str) -> Box<dyn AnyTree> {
    game(name).unwrap().default_rules().enumerate(1_000_000).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// A bot that plays the moves of Kuhn poker with fixed probabilities.
struct Mixed {
    /// The probability of a bet, a raise or a call, by card and earlier moves.
    bold: fn(char, &[&str]) -> f64,
}

impl Bot for Mixed {
    fn name(&self) -> &str {
        "mixed"
    }

    fn pick(&mut self, _: SeatView<'_>) -> ActionId {
        unreachable!("only its distribution is looked at");
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let json = view.json();
        let acts: Vec<&str> =
            json["table"]["acts"].as_array().unwrap().iter().map(|act| act.as_str().unwrap()).collect();
        let card = json["own"]["card"].as_str().unwrap().chars().next().unwrap();
        let words = view.legal_words();
        let legal: Vec<ActionId> = cardsharp_env::mask::actions(&words).collect();
        let bold = (self.bold)(card, &acts);
        let [timid, brave] = legal[..] else { panic!("two moves in every decision") };
        let moves = [(timid, 1.0 - bold), (brave, bold)];
        Advice::new(
            None,
            moves.map(|(action, probability)| Ranked { action, probability, value: None }).into(),
        )
    }
}

#[test]
fn random_play_gives_away_what_is_known() {
    for (name, conv, values) in
        [("kuhn", 0.916_666_7, [0.125, -0.125]), ("leduc", 4.747_222_2, [-0.078_125, 0.078_125])]
    {
        let any = solved(name);
        let strategy = Strategy::of(Player::random().bot(1).as_mut(), any.as_ref());
        assert_eq!(strategy, Strategy::uniform(any.tree()));
        let measured = measure(any.tree(), &strategy);
        assert!(close(measured.nash_conv(), conv) && close(measured.exploitability(), conv / 2.0));
        assert!(close(measured.value[0], values[0]) && close(measured.value[1], values[1]), "{measured:?}");
    }
    let kuhn = solved("kuhn");
    let measured = measure(kuhn.tree(), &Strategy::uniform(kuhn.tree()));
    assert!(close(measured.best_response[0], 0.5) && close(measured.best_response[1], 5.0 / 12.0));
}

/// Kuhn's solutions: the first player bets a king three times as often as a jack, whose probability can be up to one
/// third.
#[test]
fn the_known_solutions_of_kuhn_poker_give_nothing_away() {
    fn second(card: char, acts: &[&str]) -> f64 {
        match (card, acts) {
            ('J', ["call"]) | ('Q', ["raise"]) => 1.0 / 3.0,
            ('K', _) => 1.0,
            _ => 0.0,
        }
    }
    fn first(card: char, acts: &[&str], jack: f64) -> f64 {
        match (card, acts) {
            ('J', []) => jack,
            ('Q', ["call", "raise"]) => jack + 1.0 / 3.0,
            ('K', []) => 3.0 * jack,
            ('K', _) => 1.0,
            _ => 0.0,
        }
    }
    fn of(card: char, acts: &[&str], jack: f64) -> f64 {
        if acts.len() == 1 { second(card, acts) } else { first(card, acts, jack) }
    }
    let solutions: [fn(char, &[&str]) -> f64; 3] =
        [|c, a| of(c, a, 0.0), |c, a| of(c, a, 0.2), |c, a| of(c, a, 1.0 / 3.0)];
    let any = solved("kuhn");
    for bold in solutions {
        let strategy = Strategy::of(&mut Mixed { bold }, any.as_ref());
        let measured = measure(any.tree(), &strategy);
        assert!((measured.value[0] + 1.0 / 18.0).abs() < 1e-12 && measured.nash_conv().abs() < 1e-12);
    }
    // Strategies outside of that family are exploitable.
    let bold = |c: char, a: &[&str]| of(c, a, 0.5);
    let measured = measure(any.tree(), &Strategy::of(&mut Mixed { bold }, any.as_ref()));
    assert!(measured.nash_conv() > 0.01, "{measured:?}");
}

#[test]
fn cfr_plus_converges_as_published() {
    let any = solved("leduc");
    let mut solver = CfrPlus::new(any.tree()).unwrap();
    for (iterations, most) in [(100, 0.0135), (1000, 0.0003)] {
        while solver.iterations() < iterations {
            solver.step();
        }
        let measured = measure(any.tree(), &solver.average());
        assert!(measured.exploitability() < most, "{iterations} iterations: {measured:?}");
        // The value of the game is between the bounds of the two best responses.
        assert!(-measured.best_response[1] < -0.0856 && -0.0856 < measured.best_response[0], "{measured:?}");
    }
    let any = solved("kuhn");
    let mut solver = CfrPlus::new(any.tree()).unwrap();
    (0..10_000).for_each(|_| solver.step());
    let measured = measure(any.tree(), &solver.average());
    assert!(close(measured.value[0], -1.0 / 18.0) && measured.exploitability() < 1e-5, "{measured:?}");
}

/// A best response achieves its value, and no other strategy of the seat does better.
#[test]
fn best_responses_are_best() {
    let mut draw = Draw::new(3, 0);
    for name in ["kuhn", "leduc"] {
        let any = solved(name);
        let tree = any.tree();
        let scripted = Strategy::of(Player::scripted().bot(0).as_mut(), any.as_ref());
        for strategy in [Strategy::uniform(tree), scripted] {
            for seat in [Seat(0), Seat(1)] {
                let best = best_response(tree, &strategy, seat);
                let played = measure(tree, &best.strategy).value[seat.index()];
                assert!((played - best.value).abs() < 1e-12, "{name}");
                for _ in 0..200 {
                    // Another pure strategy: the best response with one decision changed, or a random one.
                    let mut other = best.strategy.clone();
                    let own: Vec<_> = tree.decisions.iter().filter(|d| d.seat == seat).collect();
                    let changed = own[draw.below(own.len() as u32) as usize];
                    let all = draw.below(2) == 0;
                    for decision in own.iter().filter(|d| all || d.first == changed.first) {
                        let pick = draw.below(decision.actions.len() as u32) as usize;
                        other.0[decision.moves()].fill(0.0);
                        other.0[decision.moves().start + pick] = 1.0;
                    }
                    assert!(measure(tree, &other).value[seat.index()] < best.value + 1e-12, "{name}");
                }
            }
        }
    }
}

/// Also estimates the value of random play by playing.
#[test]
fn values_are_what_games_come_to() {
    let any = solved("leduc");
    let measured = measure(any.tree(), &Strategy::uniform(any.tree()));
    let rules = game("leduc").unwrap().default_rules();
    let mut draw = Draw::new(5, 0);
    let (mut sum, rounds) = (0.0, 40_000);
    for seed in 0..rounds {
        let mut table = rules.table(seed);
        while table.turn().is_some() {
            let legal = table.legal();
            table.try_play(legal[draw.below(legal.len() as u32) as usize]).unwrap();
        }
        sum += f64::from(table.payoff().unwrap().reward[0]);
    }
    // The standard deviation of a hand is about 4.
    assert!((sum / rounds as f64 - measured.value[0]).abs() < 0.08, "{}", sum / rounds as f64);
}

#[test]
fn the_same_iterations_give_the_same_bits() {
    let any = solved("leduc");
    let after = || {
        let mut solver = CfrPlus::new(any.tree()).unwrap();
        (0..30).for_each(|_| solver.step());
        solver.average()
    };
    let (first, second) = (after(), after());
    assert!(first.0.iter().zip(&second.0).all(|(a, b)| a.to_bits() == b.to_bits()));
    // These bits are the same on every machine.
    assert_eq!(measure(any.tree(), &first).exploitability().to_bits(), 4_590_556_516_379_142_418);
}

#[test]
fn a_scripted_player_can_be_exploited() {
    for name in ["kuhn", "leduc"] {
        let any = solved(name);
        let strategy = Strategy::of(Player::scripted().bot(0).as_mut(), any.as_ref());
        assert!(strategy.probabilities().iter().all(|&p| p == 0.0 || p == 1.0));
        let scripted = measure(any.tree(), &strategy).exploitability();
        let random = measure(any.tree(), &Strategy::uniform(any.tree())).exploitability();
        assert!(0.05 < scripted && scripted < random, "{name}: {scripted} of {random}");
    }
}
