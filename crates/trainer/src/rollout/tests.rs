use cardsharp_bot::net::Scratch;

use cardsharp_env::blocks::{scales, width};
use cardsharp_env::{Payoff, mask};

use super::actor::{greedy, sample};
use super::*;
use crate::net::{Shape, to_net};

fn payoff(rewards: &[f32]) -> Payoff {
    let mut payoff = Payoff { seats: rewards.len() as u8, ..Payoff::default() };
    payoff.reward[..rewards.len()].copy_from_slice(rewards);
    payoff
}

fn decide(decisions: &mut Decisions, links: &mut Links, seat: usize, discounts: Discounts) {
    decisions.actions.push(ActionId(0));
    decisions.rewards.push(0.0);
    decisions.next.push(NONE);
    decisions.discounts.push(0.0);
    links.decided(seat, discounts, decisions);
}

/// Two seats, three rounds: seats decide 0 1 0 | 1 | 0. Seat 0 has no decision in the second round.
#[test]
fn decisions_are_linked_to_the_same_seat_and_earn_what_came_between() {
    let discounts = Discounts { gamma: 0.9, round_gamma: 0.5 };
    let (mut decisions, mut links) = (Decisions::default(), Links::default());
    for (seats, rewards) in [(&[0, 1, 0][..], [1.0, -1.0]), (&[1], [0.25, 2.0]), (&[0], [-1.0, 4.0])] {
        seats.iter().for_each(|&seat| decide(&mut decisions, &mut links, seat, discounts));
        links.round_over(&payoff(&rewards), discounts, &mut decisions);
    }
    assert_eq!(decisions.next, [2, 3, 4, NONE, NONE]);
    // Decision 2 earns the first round and half of the second; decision 3 the second and half of the third.
    assert_eq!(decisions.rewards, [0.0, -1.0, 1.0 + 0.5 * 0.25, 2.0 + 0.5 * 4.0, -1.0]);
    assert_eq!(decisions.discounts, [0.9, 0.5, 0.25, 0.0, 0.0]);
}

/// Seat 1 plays the first and the fourth round, seat 2 from the third on. Seat 3 leaves for good after the first. A
/// seat that does not play a round has no decisions and no reward in it.
#[test]
fn who_leaves_earns_nothing_until_he_is_back() {
    let discounts = Discounts { gamma: 0.9, round_gamma: 0.5 };
    let (mut decisions, mut links) = (Decisions::default(), Links::default());
    let rounds: [(&[usize], [f32; 4]); 4] = [
        (&[0, 1, 3, 1], [1.0, 0.5, 0.0, -1.0]),
        (&[0], [-1.0, 0.0, 0.0, 0.0]),
        (&[2, 0], [0.25, 0.0, 0.5, 0.0]),
        (&[1, 2, 0], [-0.5, 1.0, -1.0, 0.0]),
    ];
    for (seats, rewards) in rounds {
        seats.iter().for_each(|&seat| decide(&mut decisions, &mut links, seat, discounts));
        links.round_over(&payoff(&rewards), discounts, &mut decisions);
    }
    // The seats that decide: 0 1 3 1 | 0 | 2 0 | 1 2 0.
    assert_eq!(decisions.next, [4, 3, NONE, 7, 6, 8, 9, NONE, NONE, NONE]);
    assert_eq!(decisions.rewards, [1.0, 0.0, -1.0, 0.5, -1.0, 0.5, 0.25, 1.0, -1.0, -0.5]);
    // Seat 1 came back after the ends of three rounds.
    assert_eq!(decisions.discounts, [0.5, 0.9, 0.0, 0.125, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0]);
    // With values of 0 and λ = 1 an advantage is the discounted sum of the seat's later rewards.
    let sums = crate::algorithms::advantages(&decisions, &[0.0; 10], 1.0);
    assert_eq!((sums[2], sums[3], sums[1]), (-1.0, 0.5 + 0.125, 0.9 * (0.5 + 0.125)));
}

/// Whole sessions whose players change: no reward is lost or counted twice.
#[test]
fn units_of_changing_players_keep_every_reward() {
    let rules = serde_json::json!({
        "players": 4, "rounds": 4, "seating": "fixed", "first_round_tax": true,
        "roster_script": [
            { "round": 2, "leave": 1 }, { "round": 2, "join": 4 }, { "round": 3, "join": 1 },
            { "round": 4, "leave": 0 },
        ],
    });
    let game = cardsharp_env::game("tahimi").expect("a game of the list");
    let rules = rules.as_object().expect("a table").clone();
    let config = RolloutConfig {
        units: 1,
        sessions: 8,
        tables: vec![TableConfig { weight: 1.0, rules }],
        ..RolloutConfig::default()
    };
    let tables = Tables::new(game, &config).expect("rules of the game");
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let shape = Shape { inputs: cells, hidden: vec![8], heads: vec![actions, 1] };
    let weights = shape.draw(&[1.0, 1.0], &mut Draw::new(2, 0));
    let policy = to_net(&shape, &weights, &scales(game.observation())).expect("a policy and value network");
    let policy: Arc<dyn PolicyNet> = Arc::new(policy);
    let setting = RolloutContext {
        game,
        tables: &tables,
        sessions: config.sessions,
        reveal: false,
        discounts: Discounts { gamma: 1.0, round_gamma: 1.0 },
        acting: Acting::Sample,
        policy: &policy,
        endgame_solver: 0.0,
        distill: false,
        league: &League::default(),
        seats: &LeagueConfig { past: 0.0, scripted: 0.0, ..LeagueConfig::default() },
        opponent: None,
        seed: 3,
        iteration: 0,
        imitate: false,
        stop: &AtomicBool::new(false),
    };
    let RolloutUnit { decisions, played, .. } = play(&setting, 0, Decisions::default());
    assert_eq!((played.sessions, played.rounds), (8, 32));
    let stopped = RolloutContext { stop: &AtomicBool::new(true), ..setting };
    assert_eq!(play(&stopped, 0, Decisions::default()).played.rounds, 0, "cut short");
    let last = decisions.next.iter().filter(|&&next| next == NONE).count();
    assert_eq!(last, 8 * 5, "each of the five seats of a session has one last decision");
    let mut first = vec![true; decisions.len()];
    decisions.next.iter().filter(|&&next| next != NONE).for_each(|&next| first[next as usize] = false);
    assert_eq!(first.iter().filter(|&&first| first).count(), 8 * 5);
    // Every player had a choice from their first round on, so every payoff is in a reward. Their sum is 0.
    let total: f32 = decisions.rewards.iter().sum();
    assert!(total.abs() < 1e-4, "{total}");
}

/// Two networks evaluate the same sessions. The scripted player chooses all actions; probabilities and values are those
/// of the networks.
#[test]
fn imitated_units_are_the_scripted_players_for_every_policy() {
    let game = cardsharp_env::game("taki").expect("a game of the list");
    let config = RolloutConfig { units: 1, sessions: 5, ..RolloutConfig::default() };
    let tables = Tables::new(game, &config).expect("rules of the game");
    let shape =
        Shape { inputs: width(game.observation()), hidden: vec![8], heads: vec![width(game.actions()), 1] };
    let watched = |seed| {
        let weights = shape.draw(&[1.0, 1.0], &mut Draw::new(seed, 0));
        let policy =
            to_net(&shape, &weights, &scales(game.observation())).expect("a policy and value network");
        let policy: Arc<dyn PolicyNet> = Arc::new(policy);
        let setting = RolloutContext {
            game,
            tables: &tables,
            sessions: config.sessions,
            reveal: false,
            discounts: Discounts { gamma: 1.0, round_gamma: 0.0 },
            acting: Acting::Sample,
            policy: &policy,
            endgame_solver: 0.0,
            distill: false,
            league: &League::default(),
            seats: &LeagueConfig { past: 0.0, scripted: 1.0, ..LeagueConfig::default() },
            opponent: None,
            seed: 3,
            iteration: 0,
            imitate: true,
            stop: &AtomicBool::new(false),
        };
        play(&setting, 0, Decisions::default())
    };
    let (RolloutUnit { decisions: one, played, .. }, other) = (watched(4), watched(5).decisions);
    assert_eq!((played.sessions, played.scripted.1), (5, 0), "nobody is an opponent");
    assert_eq!((&one.rows, &one.actions, &one.rewards), (&other.rows, &other.actions, &other.rewards));
    assert_ne!(one.log_probability, other.log_probability);
    assert_ne!(one.values, other.values);
    let last = one.next.iter().filter(|&&next| next == NONE).count();
    assert_eq!(last, 5 * 4, "the decisions of all four seats are kept");
}

#[test]
fn appended_decisions_keep_their_links() {
    let one = Decisions { actions: vec![ActionId(0); 3], next: vec![2, NONE, NONE], ..Decisions::default() };
    let mut all = one.clone();
    all.append(&one);
    assert_eq!(all.next, [2, NONE, NONE, 5, NONE, NONE]);
}

#[test]
fn samples_follow_the_softmax_of_the_legal_logits() {
    let legal = [(ActionId(3), 0.0), (ActionId(7), 2.0f32.ln()), (ActionId(9), 5.0f32.ln())];
    let mut draw = Draw::new(8, 0);
    let mut seen = [0u32; 10];
    for _ in 0..80_000 {
        let (action, log_probability) = sample(&legal, draw.unit());
        seen[usize::from(action.0)] += 1;
        let share: f32 =
            [(3, 0.125), (7, 0.25), (9, 0.625)].iter().find(|(a, _)| *a == action.0).map_or(0.0, |s| s.1);
        assert!((log_probability - share.ln()).abs() < 1e-6);
    }
    for (action, expected) in [(3, 10_000), (7, 20_000), (9, 50_000)] {
        assert!(seen[action].abs_diff(expected) < 600, "{seen:?}");
    }
    assert_eq!(sample(&legal[..1], 0.999_999_94).0, ActionId(3));
}

#[test]
fn tables_are_drawn_by_weight() {
    let tables = Tables { rules: vec![], weights: vec![1.0, 1.5, 5.0], random: RandomConfig::default() };
    let mut draw = Draw::new(2, 0);
    let mut seen = [0u32; 3];
    (0..50_000).for_each(|_| seen[tables.draw(&mut draw)] += 1);
    for (found, expected) in seen.into_iter().zip([10_000, 5_000, 35_000]) {
        assert!(found.abs_diff(expected) < 500, "{seen:?}");
    }
}

/// A third of the sessions use one table, the others random rules, hardly any two alike.
#[test]
fn rules_are_drawn_in_their_share_over_all_players_and_in_their_size() {
    for game in cardsharp_env::GAMES.iter().filter(|game| game.players().count() > 1) {
        let random = RandomConfig { share: 2.0 / 3.0, rounds: 2 };
        let config = RolloutConfig { random, ..RolloutConfig::default() };
        let tables = Tables::new(*game, &config).expect("the default rules");
        let mut draw = Draw::new(5, 0);
        let drawn: Vec<GameRules> = (0..3000).map(|_| tables.draw_rules(*game, &mut draw)).collect();
        let chosen = drawn.iter().filter(|rules| **rules == tables.rules[0]).count();
        assert!((900..1100).contains(&chosen), "{}: {chosen}", game.name());
        for players in game.players() {
            assert!(drawn.iter().any(|rules| rules.players() == usize::from(players)));
        }
        for rules in drawn.iter().filter(|rules| **rules != tables.rules[0]) {
            assert_eq!(rules.json().get("reward"), tables.rules[0].json().get("reward"));
            let sized = rules.sized(Size { players: None, rounds: Some(2) });
            assert!(sized.is_err() || sized.is_ok_and(|sized| sized == *rules), "{rules:?}");
        }
    }
}

/// A table of four and one of six, with snapshots and the scripted player among the opponents.
#[test]
fn a_unit_is_the_same_again_and_keeps_what_the_policy_saw() {
    let game = cardsharp_env::game("dalmuti").expect("a game of the list");
    let table = |players: u8| TableConfig {
        weight: 1.0,
        rules: [("players".to_owned(), players.into()), ("hands".to_owned(), 3.into())].into_iter().collect(),
    };
    let config =
        RolloutConfig { units: 2, sessions: 6, tables: vec![table(4), table(6)], ..RolloutConfig::default() };
    let tables = Tables::new(game, &config).expect("rules of the game");
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let shape = Shape { inputs: cells, hidden: vec![32], heads: vec![actions, 1] };
    let scale = scales(game.observation());
    let net = |seed| -> Arc<dyn PolicyNet> {
        let weights = shape.draw(&[1.0, 1.0], &mut Draw::new(seed, 0));
        Arc::new(to_net(&shape, &weights, &scale).expect("a policy and value network"))
    };
    let mut league = League::default();
    let seats = LeagueConfig { past: 0.5, scripted: 0.3, every: 1, ..LeagueConfig::default() };
    league.add(&seats, 1, &net(5));
    let policy = net(6);
    let setting = RolloutContext {
        game,
        tables: &tables,
        sessions: config.sessions,
        reveal: true,
        discounts: Discounts { gamma: 1.0, round_gamma: 0.0 },
        acting: Acting::Sample,
        policy: &policy,
        endgame_solver: 0.0,
        distill: false,
        league: &league,
        seats: &seats,
        opponent: None,
        seed: 3,
        iteration: 7,
        imitate: false,
        stop: &AtomicBool::new(false),
    };
    let unit = play(&setting, 0, Decisions::default());
    assert_eq!(play(&setting, 0, Decisions::default()), unit);
    let RolloutUnit { decisions, distill, played } = unit;
    assert_ne!(decisions, play(&setting, 1, Decisions::default()).decisions);
    assert!(distill.is_empty());
    assert_eq!((played.sessions, played.rounds), (6, 18));
    assert!(played.past.1 > 0 && played.scripted.1 > 0, "{played:?}");

    let n = decisions.len();
    let words = game.words();
    assert_eq!(decisions.rows.len(), n * cells);
    assert_eq!(decisions.hidden.len(), n * width(game.hidden()));
    assert_eq!(decisions.legal.len(), n * words);
    let (mut scratch, mut logits) = (Scratch::default(), vec![0.0; actions]);
    let mut followed = vec![false; n];
    for i in 0..n {
        let legal = &decisions.legal[i * words..][..words];
        assert!(mask::count(legal) > 1, "forced moves are left out");
        let value = policy.forward(&decisions.rows[i * cells..][..cells], legal, &mut scratch, &mut logits);
        assert_eq!(value, decisions.values[i]);
        let total = logits.iter().map(|logit| f64::from(*logit).exp()).sum::<f64>().ln();
        let expected = f64::from(logits[usize::from(decisions.actions[i].0)]) - total;
        assert!((expected - f64::from(decisions.log_probability[i])).abs() < 1e-5);
        if decisions.next[i] != NONE {
            let next = decisions.next[i] as usize;
            assert!(next > i && !followed[next], "a decision follows one other, later");
            followed[next] = true;
            // A reward comes at the end of a round, never within it.
            let border = decisions.discounts[i] == 0.0;
            assert!(border || (decisions.rewards[i], decisions.discounts[i]) == (0.0, 1.0));
        }
    }
    let rewards: Vec<f32> = decisions.rewards.iter().copied().filter(|&reward| reward != 0.0).collect();
    assert!(rewards.len() > 20 && rewards.iter().all(|reward| reward.abs() <= 1.0), "{rewards:?}");

    // Moves of the endgame solver are not decisions of the learner.
    let solved = play(&RolloutContext { endgame_solver: 1.0, ..setting }, 0, Decisions::default());
    assert_eq!((solved.played.sessions, solved.played.rounds), (6, 18));
    // Over several units, because a unit with the endgame solver continues with other cards.
    let decisions = |endgame_solver: f64| -> usize {
        let setting = RolloutContext { endgame_solver, ..setting };
        let unit = |unit| play(&setting, unit, Decisions::default()).decisions.len();
        (0..6).map(unit).sum()
    };
    assert!(decisions(1.0) < decisions(0.0), "{} of {}", decisions(1.0), decisions(0.0));
}

/// The endgame solver gives a target for each of its moves, apart from the decisions of the learner. It is a distribution
/// over the legal actions in which that move gains probability.
#[test]
fn moves_of_the_endgame_solver_are_distillation_targets() {
    let game = cardsharp_env::game("dalmuti").expect("a game of the list");
    let rules = [("players".to_owned(), 4.into()), ("hands".to_owned(), 2.into())].into_iter().collect();
    let config = RolloutConfig {
        units: 1,
        sessions: 6,
        tables: vec![TableConfig { weight: 1.0, rules }],
        ..RolloutConfig::default()
    };
    let tables = Tables::new(game, &config).expect("rules of the game");
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let shape = Shape { inputs: cells, hidden: vec![8], heads: vec![actions, 1] };
    let weights = shape.draw(&[1.0, 1.0], &mut Draw::new(2, 0));
    let policy: Arc<dyn PolicyNet> =
        Arc::new(to_net(&shape, &weights, &scales(game.observation())).expect("a policy and value network"));
    let setting = RolloutContext {
        game,
        tables: &tables,
        sessions: config.sessions,
        reveal: true,
        discounts: Discounts { gamma: 1.0, round_gamma: 0.0 },
        acting: Acting::Sample,
        policy: &policy,
        endgame_solver: 1.0,
        distill: true,
        league: &League::default(),
        seats: &LeagueConfig { past: 0.0, scripted: 0.0, ..LeagueConfig::default() },
        opponent: None,
        seed: 3,
        iteration: 0,
        imitate: false,
        stop: &AtomicBool::new(false),
    };
    let unit = play(&setting, 0, Decisions::default());
    assert_eq!(play(&setting, 0, Decisions::default()), unit);
    let RolloutUnit { decisions, distill, played } = unit;
    let count = distill.len();
    assert!(count > 10 && decisions.len() > 20, "{count} and {}", decisions.len());
    assert!(played.target_kl.1 == count as u64 && played.target_kl.0 > 0.0, "{played:?}");
    let of = &distill.decisions;
    assert_eq!((of.rows.len(), distill.probabilities.len()), (count * cells, count * actions));
    assert_eq!(of.hidden.len(), count * width(game.hidden()));
    let words = game.words();
    for (number, target) in distill.probabilities.chunks_exact(actions).enumerate() {
        let (legal, action) = (&of.legal[number * words..][..words], of.actions[number]);
        assert!(mask::count(legal) > 1 && mask::contains(legal, action));
        assert!(target[usize::from(action.0)] > 0.9, "{action:?}: {target:?}");
        assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let illegal = (0..actions).filter(|&a| !mask::contains(legal, ActionId(a as u16)));
        assert!(illegal.into_iter().all(|action| target[action] == 0.0));
    }
    assert!(of.rewards.iter().filter(|&&reward| reward != 0.0).count() > 5, "{:?}", of.rewards);
    // Without distillation the same sessions are played, and no targets are stored.
    let without = play(&RolloutContext { distill: false, ..setting }, 0, Decisions::default());
    assert_eq!((without.decisions, without.distill.len()), (decisions, 0));
}

#[test]
fn the_greedy_explore_all_legal_actions_alike_in_their_share() {
    let legal = [(ActionId(3), 0.5), (ActionId(7), 2.0), (ActionId(8), 2.0), (ActionId(9), -1.0)];
    let mut draw = Draw::new(9, 0);
    let mut seen = [0u32; 10];
    for _ in 0..80_000 {
        let (action, log_probability) = greedy(&legal, 0.2, draw.unit());
        seen[usize::from(action.0)] += 1;
        let expected: f32 = if action.0 == 7 { 0.85 } else { 0.05 };
        assert!((log_probability - expected.ln()).abs() < 1e-6);
    }
    for (action, expected) in [(3, 4_000), (7, 68_000), (8, 4_000), (9, 4_000)] {
        assert!(seen[action].abs_diff(expected) < 400, "{seen:?}");
    }
    assert_eq!(greedy(&legal, 0.0, 0.0), (ActionId(7), 0.0));
    assert_eq!(greedy(&legal, 1.0, 0.999_999_94).0, ActionId(9));
}
