use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::games::played;
use cardsharp_env::{AnyGame, DealRng, Draw, GAMES, Playout, Seat, SeatView};

use super::*;
use crate::bot::DecisionBatch;
use crate::bots::tests::net;
use crate::net::Net;

fn simulations(number: u32) -> Budget {
    Budget::Simulations(number)
}

/// Calls `look` at every `every`-th decision of sessions between scripted players, until it returns false. Includes
/// forced decisions unless they are skipped.
fn walk(
    game: &dyn AnyGame,
    every: usize,
    skip_forced: bool,
    look: &mut dyn FnMut(DecisionBatch<'_>) -> bool,
) {
    let options = BatchOptions { lanes: 1, skip_forced, rows: false, reveal: false };
    let mut env = game.default_rules().batch(options);
    let mut batch = env.batch();
    for step in 0.. {
        let mut pick = ActionId(0);
        match batch.state[0] {
            LaneState::Idle => {
                env.start(0, 0, step as u64, &mut batch);
                continue;
            }
            LaneState::Decide => {
                let ask = DecisionBatch {
                    env: env.as_ref(),
                    batch: &batch,
                    lanes: &[0],
                    stop: &AtomicBool::new(false),
                };
                if step % every == 0 && !look(ask) {
                    return;
                }
                pick = env.view(0).map(SeatView::scripted).unwrap_or_default();
            }
            LaneState::RoundOver | LaneState::SessionOver => {}
        }
        env.step(&[pick], &mut batch);
    }
}

/// Returns the answers of a bot with these settings at `count` decisions.
fn answers(game: &dyn AnyGame, settings: &SearchSettings, seed: u64, count: usize) -> (Vec<ActionId>, Spent) {
    let mut bot = Search::new("search", settings.clone(), seed);
    let mut answers = Vec::new();
    walk(game, 7, true, &mut |ask| {
        let mut picks = [ActionId(u16::MAX)];
        bot.choose(ask, &mut picks);
        assert!(mask::contains(&ask.batch.legal.row(0).to_vec(), picks[0]));
        answers.push(picks[0]);
        answers.len() < count
    });
    (answers, bot.spent())
}

fn settings(budget: u32, net: Option<Arc<Net>>) -> SearchSettings {
    SearchSettings { caution: 0.0, ..SearchSettings::new(simulations(budget), net) }
}

#[test]
fn the_same_seed_gives_the_same_answers_on_any_number_of_threads() {
    for game in GAMES.iter() {
        let net = Arc::new(net(*game, 3));
        for (budget, net, count) in [(200, None, 12), (60, Some(net), 6)] {
            let alone = settings(budget, net);
            let first = answers(*game, &alone, 1, count);
            assert_eq!(first, answers(*game, &alone, 1, count), "{}", game.name());
            for threads in [2, 3] {
                let together = SearchSettings { threads, ..alone.clone() };
                assert_eq!(first, answers(*game, &together, 1, count), "{} on {threads}", game.name());
            }
        }
    }
    let drawn = |seed| answers(GAMES[0], &settings(20, None), seed, 60).0;
    assert_ne!(drawn(1), drawn(2), "another seed looks at other deals");
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    for game in GAMES.iter() {
        let (answers, mut at) = (answers(*game, &settings(50, None), 5, 6).0, 0);
        walk(*game, 7, true, &mut |ask| {
            let mut fresh = Search::new("search", settings(50, None), 5);
            let mut picks = [ActionId(0)];
            fresh.choose(ask, &mut picks);
            assert_eq!(picks[0], answers[at], "{}", game.name());
            let advice = fresh.advise(ask.env.view(0).unwrap());
            assert_eq!(advice.moves[0].action, picks[0], "advice is what it plays");
            assert_eq!(advice.moves.len(), mask::count(&ask.batch.legal.row(0).to_vec()) as usize);
            at += 1;
            at < answers.len()
        });
    }
}

#[test]
fn budgets_are_respected_and_forced_moves_cost_nothing() {
    for game in GAMES.iter() {
        for budget in [1, 2, 3, 10, 150] {
            let (_, spent) = answers(*game, &settings(budget, None), 1, 10);
            let most = u64::from(budget) * spent.decisions;
            assert!(spent.simulations <= most && spent.decisions == 10, "{budget}: {spent:?}");
            assert!(budget < 150 || 2 * spent.simulations > most, "{budget}: {spent:?}");
        }
        let mut bot = Search::new("search", settings(50, None), 1);
        let (mut forced, mut free) = (0, 0);
        walk(*game, 1, false, &mut |ask| {
            let before = bot.spent();
            let mut picks = [ActionId(u16::MAX)];
            let legal = ask.batch.legal.row(0).to_vec();
            bot.choose(ask, &mut picks);
            match mask::single(&legal) {
                Some(only) => {
                    forced += 1;
                    assert_eq!((picks[0], bot.spent()), (only, before));
                }
                None => free += 1,
            }
            forced < 5 && free < 60
        });
        assert_eq!(bot.spent().decisions, free);
    }
}

#[test]
fn of_long_tries_there_are_fewer() {
    let game = cardsharp_env::game("taki").unwrap();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/taki/bot/bot.safetensors");
    let (_, net) = crate::file::from_bytes(&std::fs::read(shipped).unwrap()).unwrap();
    let net = Arc::new(net);
    let simulations = |mode: &str, threads| {
        let rules = game.rules(&serde_json::json!({ "players": 10, "mode": mode })).unwrap();
        let settings = settings(60, Some(Arc::clone(&net)));
        let settings = SearchSettings { threads, reach: f32::INFINITY, ..settings };
        let mut bot = Search::new("search", settings, 1);
        let picked = bot.pick(rules.table(3).asked().unwrap());
        (picked, bot.spent().simulations)
    };
    let (long, short) = (simulations("tournament", 1), simulations("single", 1));
    assert!((2..30).contains(&long.1) && short.1 > 50, "{long:?} {short:?}");
    assert_eq!(long, simulations("tournament", 3), "on any number of threads");
}

#[test]
fn a_search_by_time_ends_in_time_and_plays_legally() {
    // A clock that advances by a millisecond at every reading.
    let ticks = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&ticks);
    let clock: Clock = Arc::new(move || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed)));
    let budget = Budget::Time { each: Duration::from_millis(20), clock };
    let (_, spent) = answers(GAMES[1], &SearchSettings { budget, ..settings(1, None) }, 1, 5);
    assert!(spent.decisions == 5 && spent.simulations > 50, "{spent:?}");
    let looked = seen.load(Ordering::Relaxed);
    assert!((100..150).contains(&looked), "5 decisions of 20 ms: {looked}");
}

#[test]
fn a_search_of_boundless_caution_plays_like_its_player() {
    for game in GAMES.iter() {
        for net in [None, Some(Arc::new(net(*game, 9)))] {
            let cautious = SearchSettings { caution: f64::INFINITY, ..settings(40, net.clone()) };
            let mut own = match net {
                Some(net) => crate::Player::policy("net", net, 0.0).bot(0),
                None => crate::Player::scripted().bot(0),
            };
            let (answers, mut at) = (answers(*game, &cautious, 1, 8).0, 0);
            walk(*game, 7, true, &mut |ask| {
                let mut picks = [ActionId(0)];
                own.choose(ask, &mut picks);
                assert_eq!(picks[0], answers[at], "{}", game.name());
                at += 1;
                at < answers.len()
            });
        }
    }
}

/// Returns the least and greatest reward of `seat` over all ends of a round after `moves`. Returns `None` if there are
/// more than `left` positions.
fn ends(
    round: &mut dyn Playout,
    moves: &mut Vec<ActionId>,
    seat: Seat,
    words: usize,
    left: &mut u32,
) -> Option<(f32, f32)> {
    *left = left.checked_sub(1)?;
    round.rewind();
    moves.iter().for_each(|&action| round.play(action));
    let mut legal = vec![0; words];
    if round.legal(&mut legal) == 0 {
        let reward = round.payoff().reward[seat.index()];
        return Some((reward, reward));
    }
    let mut all = (f32::MAX, f32::MIN);
    for action in mask::actions(&legal) {
        moves.push(action);
        let (least, greatest) = ends(round, moves, seat, words, left)?;
        all = (all.0.min(least), all.1.max(greatest));
        moves.pop();
    }
    Some(all)
}

/// Does the same over 8 random continuations.
fn some_ends(
    round: &mut dyn Playout,
    action: ActionId,
    seat: Seat,
    words: usize,
    draw: &mut Draw,
) -> (f32, f32) {
    let (mut all, mut legal) = ((f32::MAX, f32::MIN), vec![0; words]);
    for _ in 0..8 {
        round.rewind();
        round.play(action);
        while let count @ 1.. = round.legal(&mut legal) {
            round.play(mask::nth(&legal, draw.below(count as u32)).unwrap());
        }
        let reward = round.payoff().reward[seat.index()];
        all = (all.0.min(reward), all.1.max(reward));
    }
    all
}

/// Returns a move that is at least as good as every other one for all hidden cards and replies, and better in some
/// deals. Uses 10 deals that fit the view.
fn surely_best(view: SeatView<'_>, legal: &[u64]) -> Option<ActionId> {
    let (mut held, mut sure, mut draw) = (None, None, Draw::new(78, 0));
    let mut worse = vec![0; 64 * legal.len()];
    for deal in 0..10 {
        let round = view.determinize(DealRng::new(77, deal), &mut held).unwrap();
        let ends: Vec<_> = mask::actions(legal)
            .map(|action| {
                let all = ends(round, &mut vec![action], view.seat(), legal.len(), &mut 60);
                let some = || some_ends(round, action, view.seat(), legal.len(), &mut draw);
                (action, all.unwrap_or_else(some))
            })
            .collect();
        let safest = || ends.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0)).map(|best| best.0);
        let best = sure.or_else(safest)?;
        let least = ends.iter().find(|end| end.0 == best)?.1.0;
        for (action, (_, greatest)) in ends.into_iter().filter(|end| end.0 != best) {
            if greatest > least {
                return None;
            }
            worse[usize::from(action.0)] += u32::from(greatest < least);
        }
        sure = Some(best);
    }
    let mut others = mask::actions(legal).filter(|&action| Some(action) != sure);
    others.all(|action| worse[usize::from(action.0)] >= 3).then_some(sure?)
}

#[test]
fn a_move_that_is_surely_best_is_found_even_by_a_player_who_would_not_play_it() {
    let mut against = 0;
    for game in played() {
        let net = Arc::new(net(game, 21));
        let everything = SearchSettings { reach: f32::INFINITY, ..settings(200, Some(Arc::clone(&net))) };
        let mut bot = Search::new("search", everything, 3);
        let mut own = crate::Player::policy("net", net.clone(), 0.0).bot(0);
        let (mut found, mut other, mut looked) = (0, 0, 0);
        walk(game, 1, true, &mut |ask| {
            looked += 1;
            let legal = ask.batch.legal.row(0).to_vec();
            let view = ask.env.view(0).unwrap();
            if let Some(best) = surely_best(view, &legal) {
                let mut picks = [ActionId(0)];
                own.choose(ask, &mut picks);
                found += 1;
                other += u32::from(picks[0] != best);
                bot.choose(ask, &mut picks);
                assert_eq!(view.label(picks[0]), view.label(best), "{}", view.picture());
            }
            other < 1 && looked < 4_000
        });
        assert!(found > 0, "{}", game.name());
        against += other;
    }
    assert!(against >= 4, "{against}");
}

#[test]
fn an_auction_may_be_left_to_the_player_and_the_play_is_searched_as_ever() {
    let (mut bids, mut other) = (0, 0);
    for game in GAMES.iter() {
        let searched = settings(300, None);
        let bot = |settings| Search::new("search", settings, 1);
        let mut left = bot(SearchSettings { play_only: true, ..searched.clone() });
        let mut own = bot(SearchSettings { caution: f64::INFINITY, ..searched.clone() });
        let mut searched = bot(searched);
        let mut looked = 0;
        walk(*game, 1, true, &mut |ask| {
            let view = ask.env.view(0).unwrap();
            let is_bid =
                ["bid", "pass", "hold"].iter().any(|word| view.label(view.scripted()).starts_with(word));
            let is_auction = game.name() == "tachtigen" && is_bid;
            assert_eq!(view.is_auction(), is_auction, "{}", view.label(view.scripted()));
            let before = left.spent().simulations;
            let picks = [&mut left, &mut searched].map(|bot| bot.pick(view));
            if is_auction {
                assert_eq!((picks[0], left.spent().simulations), (own.pick(view), before));
                assert_eq!(left.advise(view).moves[0].action, picks[0]);
                (bids, other) = (bids + 1, other + usize::from(picks[0] != picks[1]));
            } else {
                assert_eq!(picks[0], picks[1], "{}", game.name());
            }
            // It plays its choice with probability 1, even if another move is almost as good.
            let surely = left.distribution(view).into_iter().find(|ranked| ranked.probability == 1.0);
            assert_eq!(surely.map(|ranked| ranked.action), Some(left.pick(view)));
            looked += 1;
            looked < 40
        });
    }
    assert!(bids > 8 && other > 2, "{bids} bids, {other} of them others than those that are searched");
}

#[test]
fn names_say_how_to_search() {
    let plain = Spec::default();
    let read = |name| Spec::read(name).map_err(|wrong| wrong.to_string());
    assert_eq!(read("search"), Ok(plain));
    assert_eq!(read("search:200"), Ok(Spec { simulations: Some(200), ..plain }));
    assert_eq!(read("search:1000000"), Ok(Spec { simulations: Some(MOST_SIMULATIONS), ..plain }));
    assert_eq!(read("search:50ms"), Ok(Spec { time: Some(Duration::from_millis(50)), ..plain }));
    assert_eq!(read("search:9+a:b+c"), Ok(Spec { simulations: Some(9), net: Some("a:b+c"), ..plain }));
    assert_eq!(read("search+x"), Ok(Spec { net: Some("x"), ..plain }));
    assert_eq!(read("search:beliefs+x"), Ok(Spec { beliefs: true, net: Some("x"), ..plain }));
    assert_eq!(read("search:9:play"), Ok(Spec { simulations: Some(9), play_only: true, ..plain }));
    for (name, wrong) in [
        ("search:beliefs", "`search:beliefs` needs a bot with a belief model"),
        ("search:beliefs:beliefs+x", "`beliefs` repeats or contradicts an earlier option"),
        ("search:play:play", "`play` repeats or contradicts"),
        ("search:0", "a search cannot have a budget of `0`"),
        ("search:0ms", "a search cannot have a budget of `0ms`"),
        ("search:", "`` is not an option of a search"),
        (
            "search:1000001",
            "a search cannot have a budget of `1000001`: expected 1 to 1000000 playouts, or 1 to 4294967295 mill",
        ),
        (
            "search:play:4000000000",
            "a search cannot have a budget of `4000000000`: expected 1 to 1000000 playouts",
        ),
        ("search:99999999999+x", "a search cannot have a budget of `99999999999`"),
        ("search:99999999999ms", "a search cannot have a budget of `99999999999ms`"),
        ("search:many", "`many` is not an option of a search"),
        ("search:-3", "`-3` is not an option"),
        ("search:5:50ms", "`50ms` repeats or contradicts an earlier option"),
        ("search:tree", "`tree` is not an option of a search"),
    ] {
        let refused = read(name).expect_err(name);
        assert!(refused.starts_with(wrong), "{name}: {refused}");
    }
    assert!(is_search("search") && is_search("search:1") && is_search("search+x") && !is_search("searching"));
}

#[test]
fn a_search_that_is_stopped_decides_by_the_deals_it_completed() {
    for game in GAMES.iter() {
        for threads in [1, 2] {
            let settings = SearchSettings { threads, ..settings(20_000, None) };
            walk(*game, 3, true, &mut |ask| {
                let view = ask.env.view(0).unwrap();
                let stopped_after = |playouts: u64| {
                    let mut bot = Search::new("search", settings.clone(), 1);
                    let asked = AtomicU64::new(0);
                    bot.stop_when(Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) >= playouts));
                    (bot.pick(view), bot.spent())
                };
                let (own, nothing) = stopped_after(0);
                assert_eq!((own, nothing.simulations, nothing.deals), (view.scripted(), 0, 0));
                let moves = mask::count(&ask.batch.legal.row(0).to_vec()) as u64;
                let (_, some) = stopped_after(5 * moves);
                // Each thread may lose the deal that it has begun.
                assert!(some.deals <= 5 && some.deals + threads as u64 >= 5, "{}: {some:?}", game.name());
                assert_eq!(some.simulations, some.deals * moves);
                false
            });
        }
    }
    let budget = Budget::Time { each: Duration::from_secs(1), clock: Arc::new(|| Duration::ZERO) };
    let mut bot = Search::new("search", SearchSettings::new(budget, None), 1);
    bot.stop_when(Arc::new(|| true));
    let table = GAMES[0].default_rules().table(7);
    let view = table.asked().unwrap();
    assert_eq!(bot.pick(view), view.scripted(), "the time never ends");
}

#[test]
fn searches_are_loaded_by_name() {
    let game = GAMES[0];
    let refused = |spec: &str| match crate::load(spec, game, 0.0) {
        Ok(_) => panic!("{spec} must be refused"),
        Err(error) => error.to_string(),
    };
    assert_eq!(crate::load("search:20", game, 0.0).unwrap().name(), "search:20");
    assert!(
        refused("search:20ms").contains("a time limit is not available here"),
        "{}",
        refused("search:20ms")
    );
    assert!(
        refused("search:x").starts_with("cannot use the bot `search:x`: `x` is not an option of a search")
    );
    assert!(refused("search+nowhere").starts_with("there is no bot `nowhere`"));
    let means =
        crate::LoadOptions { clock: Some(Arc::new(|| Duration::ZERO)), ..crate::LoadOptions::default() };
    assert!(crate::load_with("search:20ms", game, &means).is_ok());
    assert_eq!(crate::bots::path_of("search:20+a/b"), Some("a/b"));
    assert_eq!(["search", "random"].map(crate::bots::path_of), [None, None]);
    assert_eq!(crate::bots::path_of("a+b"), Some("a+b"));
}
