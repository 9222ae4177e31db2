//! Endless lanes, compared with tables that play the same sessions.

use std::ops::Range;

use cardsharp_env::endless::{Endless, LaneSource, RestoreError, SavedSession};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, AnyTable, GAMES, GameRules, Size, mask};

const LANES: usize = 6;

/// Returns three random rules of a game, with short sessions.
fn rules(game: &dyn AnyGame, seed: u64) -> Vec<(GameRules, f64)> {
    let short = |n| {
        let rules = game.random_rules(derive(seed, &[n]));
        let rounds = Some(1 + (n as u32));
        rules.sized(Size { players: None, rounds }).unwrap_or(rules)
    };
    vec![(short(0), 1.0), (short(1), 0.0), (short(2), 2.5)]
}

fn stream(game: &dyn AnyGame, seed: u64, skip_forced: bool) -> LaneSource {
    let seeds = (0..LANES as u64).map(|lane| derive(seed, &[lane])).collect();
    LaneSource { rules: rules(game, seed), seeds, restart: true, skip_forced, reveal: false }
}

/// Advances a table to its next decision: deals rounds, and plays forced moves if they are skipped. False at the
/// end of the session.
fn go_on(table: &mut dyn AnyTable, skip_forced: bool, mut paid: impl FnMut(&dyn AnyTable)) -> bool {
    loop {
        match table.legal().as_slice() {
            [] => {
                paid(table);
                if !table.deal_next() {
                    return false;
                }
            }
            [only] if skip_forced => table.try_play(*only).expect("the only legal move"),
            _ => return true,
        }
    }
}

#[test]
fn lanes_play_what_tables_play() {
    for (number, game) in GAMES.iter().enumerate() {
        for skip_forced in [false, true] {
            let stream = stream(*game, number as u64, skip_forced);
            let mut endless = Endless::new(stream.clone());
            let table = |saved: &SavedSession| {
                let mut table = stream.rules[saved.rules].0.table(saved.seed);
                go_on(table.as_mut(), skip_forced, |_| ());
                table
            };
            let mut tables: Vec<Box<dyn AnyTable>> =
                (0..LANES).map(|lane| table(endless.saved(lane))).collect();
            let mut returns = vec![vec![0.0; endless.seats()]; LANES];
            let (mut done, mut used) = (0, [0; 3]);
            let mut step = 0;
            while done < 12 && step < 4000 {
                step += 1;
                // Every third step moves only some of the lanes.
                let lanes: Vec<usize> =
                    (0..LANES).filter(|lane| step % 3 != 0 || (lane + step / 3) % 2 == 0).collect();
                let picks: Vec<ActionId> = (0..LANES).map(|lane| endless.random(lane)).collect();
                endless.step(&lanes, &picks);
                for lane in 0..LANES {
                    let mut reward = vec![0.0; endless.seats()];
                    let mut rounds = 0;
                    let mut over = false;
                    if lanes.contains(&lane) {
                        let table = tables[lane].as_mut();
                        table.try_play(picks[lane]).expect("a legal pick");
                        over = !go_on(table, skip_forced, |table| {
                            rounds += 1;
                            let payoff = table.payoff().expect("the round is over");
                            (0..table.seats()).for_each(|seat| reward[seat] += payoff.reward[seat]);
                        });
                        reward.iter().zip(&mut returns[lane]).for_each(|(reward, sum)| *sum += reward);
                    }
                    let outcomes = endless.outcomes();
                    assert_eq!(outcomes.reward.row(lane).to_vec(), reward, "{} lane {lane}", game.name());
                    assert_eq!(
                        outcomes.returns.row(lane).to_vec(),
                        returns[lane],
                        "{} lane {lane}",
                        game.name()
                    );
                    assert_eq!((outcomes.round_over[lane], outcomes.done[lane]), (rounds > 0, over));
                    if over {
                        done += 1;
                        used[endless.saved(lane).rules] += 1;
                        returns[lane].fill(0.0);
                        tables[lane] = table(endless.saved(lane));
                    }
                    let view = tables[lane].asked().expect("a decision");
                    let mut row = vec![0; view.cells()];
                    view.row(&mut row);
                    assert_eq!(endless.batch().row.row(lane).to_vec(), row);
                    assert_eq!(endless.batch().legal.row(lane).to_vec(), view.legal_words());
                    assert_eq!(endless.batch().seat[lane], view.seat());
                    assert_eq!(endless.view(lane).map(|view| view.json()), Some(view.json()));
                }
            }
            assert!(done >= 12, "{}: {done} sessions ended", game.name());
            assert_eq!(used[1], 0, "{}: rules of weight 0", game.name());
        }
    }
}

#[test]
fn a_lane_plays_the_same_wherever_it_stands() {
    for game in GAMES.iter() {
        let whole = stream(*game, 5, true);
        let part = |lanes: Range<usize>| LaneSource { seeds: whole.seeds[lanes].to_vec(), ..whole.clone() };
        let mut all = Endless::new(whole.clone());
        let mut parts = [Endless::new(part(0..2)), Endless::new(part(2..LANES))];
        for _ in 0..200 {
            let random = |endless: &Endless| -> Vec<ActionId> {
                (0..endless.lanes()).map(|lane| endless.random(lane)).collect()
            };
            for endless in std::iter::once(&mut all).chain(&mut parts) {
                let (picks, lanes) = (random(endless), (0..endless.lanes()).collect::<Vec<_>>());
                endless.step(&lanes, &picks);
            }
            let sessions = parts.iter().flat_map(|part| (0..part.lanes()).map(|lane| part.saved(lane)));
            assert!(sessions.eq((0..LANES).map(|lane| all.saved(lane))), "{}", game.name());
        }
    }
}

#[test]
fn lanes_go_on_where_others_stood() {
    for game in GAMES.iter() {
        let mut first = Endless::new(stream(*game, 9, false));
        let lanes: Vec<usize> = (0..LANES).collect();
        let step = |endless: &mut Endless| {
            let picks: Vec<ActionId> = (0..LANES).map(|lane| endless.random(lane)).collect();
            endless.step(&lanes, &picks);
        };
        (0..150).for_each(|_| step(&mut first));
        let sessions: Vec<SavedSession> = lanes.iter().map(|&lane| first.saved(lane).clone()).collect();
        let resume = |sessions: &[SavedSession]| {
            Endless::resumed(first.stream().clone(), sessions, first.outcomes().clone())
        };
        let mut second = resume(&sessions).expect("sessions that led somewhere");
        assert_eq!(first.outcomes(), second.outcomes(), "{}", game.name());
        let mut wrong = sessions.clone();
        wrong[2].picks.push(ActionId(u16::MAX));
        let number = wrong[2].picks.len() - 1;
        assert_eq!(resume(&wrong).err(), Some(RestoreError::Pick { lane: 2, number }));
        wrong[2] = SavedSession { seed: 1, ..sessions[2].clone() };
        assert_eq!(resume(&wrong).err(), Some(RestoreError::SavedSession { lane: 2 }));
        assert!(matches!(resume(&sessions[1..]).err(), Some(RestoreError::Shape { lanes: LANES, .. })));
        for _ in 150..300 {
            step(&mut first);
            step(&mut second);
            assert_eq!(first.outcomes(), second.outcomes(), "{}", game.name());
            assert_eq!(first.batch().row, second.batch().row, "{}", game.name());
        }
    }
}

#[test]
fn lanes_that_begin_anew_play_their_next_sessions_or_those_of_given_seeds() {
    let game = GAMES[0];
    let mut endless = Endless::new(stream(game, 2, true));
    let before: Vec<SavedSession> = (0..LANES).map(|lane| endless.saved(lane).clone()).collect();
    endless.begin(&[1, 4], None);
    for (lane, saved) in before.iter().enumerate() {
        let number = saved.session + u64::from(lane == 1 || lane == 4);
        assert_eq!(endless.saved(lane).session, number);
        assert_eq!(endless.saved(lane).seed == saved.seed, number == saved.session);
    }
    endless.begin(&[4], Some(&[77; LANES]));
    let saved = endless.saved(4);
    assert_eq!((saved.session, saved.seed), (0, 77));
    let table = endless.stream().rules[saved.rules].0.table(77);
    assert_eq!(table.asked().map(|view| view.seat()), Some(endless.batch().seat[4]));
}

#[test]
fn lanes_wait_where_nothing_follows() {
    for game in GAMES.iter() {
        let mut endless = Endless::new(LaneSource { restart: false, ..stream(*game, 4, true) });
        let lanes: Vec<usize> = (0..LANES).collect();
        for _ in 0..20_000 {
            if !lanes.iter().any(|&lane| endless.decides(lane)) {
                break;
            }
            let picks: Vec<ActionId> = (0..LANES).map(|lane| endless.random(lane)).collect();
            endless.step(&lanes, &picks);
            for lane in 0..LANES {
                assert_eq!(endless.outcomes().done[lane], !endless.decides(lane), "{}", game.name());
            }
        }
        assert_eq!(endless.outcomes().done, [true; LANES], "{}", game.name());
        let returns = endless.outcomes().returns.clone();
        endless.step(&lanes, &[ActionId::default(); LANES]);
        assert_eq!(endless.outcomes().returns, returns, "{}", game.name());
        assert!(endless.batch().legal.iter().all(|&word| word == 0));
        let sessions: Vec<SavedSession> = lanes.iter().map(|&lane| endless.saved(lane).clone()).collect();
        let outcomes = endless.outcomes().clone();
        let resumed = Endless::resumed(endless.stream().clone(), &sessions, outcomes);
        assert_eq!(resumed.expect("sessions that led somewhere").outcomes(), endless.outcomes());
        endless.begin(&[3], None);
        assert!(endless.decides(3) && !endless.decides(2));
        assert!(!endless.outcomes().done[3] && endless.outcomes().done[2]);
    }
}

#[test]
fn random_picks_are_legal_and_uniform() {
    let mut endless = Endless::new(stream(GAMES[0], 3, true));
    let mut draws = [0u32; 4];
    for seed in 0..20_000 {
        endless.begin(&[0], Some(&[seed; LANES]));
        let legal: Vec<ActionId> =
            mask::actions(endless.batch().legal.row(0).as_slice().expect("in one piece")).collect();
        let place = legal.iter().position(|&action| action == endless.random(0)).expect("a legal pick");
        // Count the quarter of the list that has the pick, where there are whole quarters.
        let length = legal.len() / 4 * 4;
        if place < length {
            draws[4 * place / length] += 1;
        }
    }
    let sum: u32 = draws.iter().sum();
    assert!(sum > 10_000 && draws.iter().all(|&count| count.abs_diff(sum / 4) < sum / 40), "{draws:?}");
}

#[test]
fn an_imagined_table_shows_the_seat_nothing_new() {
    for game in GAMES.iter() {
        for seed in 0..20 {
            let mut table = game.random_rules(seed).table(seed);
            for _ in 0..seed {
                let Some(view) = table.asked() else { break };
                let action = view.scripted();
                table.try_play(action).expect("a legal move");
            }
            let Some(view) = table.asked() else { continue };
            let (seat, seen) = (view.seat(), view.json());
            let mut imagined = table.imagined(seat, derive(seed, &[7])).expect("a round that is allowed");
            assert_eq!(imagined.view(seat).map(|view| view.json()), Some(seen.clone()), "{}", game.name());
            assert_eq!((imagined.steps(), imagined.undo()), (table.steps(), None));
            // The imagined table can be played to its end, and the original table stays unchanged.
            while let Some(view) = imagined.asked() {
                let action = view.scripted();
                imagined.try_play(action).expect("a legal move");
            }
            let copied = table.copied();
            assert_eq!(copied.view(seat).map(|view| view.json()), Some(seen), "{}", game.name());
            assert_eq!(copied.steps(), table.steps());
        }
    }
}
