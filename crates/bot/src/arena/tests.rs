use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cardsharp_env::rules::RosterChange;
use cardsharp_env::{ActionId, AnyGame, AnyTable, Draw, GAMES, GameRules, Seat, SeatView, Size, mask};
use serde_json::{Value, json};

use super::*;
use crate::bot::Bot;
use crate::bots::Player;
use crate::net::{Dense, Net, Weights};

/// Plays the first legal action, or the one in the middle.
struct ByNumber {
    middle: bool,
}

impl Bot for ByNumber {
    fn name(&self) -> &str {
        "by number"
    }
    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        let legal = view.legal_words();
        let at = if self.middle { mask::count(&legal) / 2 } else { 0 };
        mask::nth(&legal, at).unwrap()
    }
}

fn by_number(middle: bool) -> Player {
    Player::new(if middle { "middle" } else { "first" }, move |_| Box::new(ByNumber { middle }))
}

/// Creates a greedy bot with a random network.
fn network(game: &dyn AnyGame) -> Player {
    let draw = &mut Draw::new(8, 0);
    let mut dense = |inputs, outputs| {
        let weight = (0..inputs * outputs).map(|_| draw.unit() - 0.5).collect();
        Dense { inputs, outputs, weight, bias: vec![0.0; outputs] }
    };
    let width = cardsharp_env::blocks::width;
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let weights = Weights {
        scale: vec![1.0; cells],
        trunk: vec![dense(cells, 16)],
        policy: dense(16, actions),
        value: dense(16, 1),
    };
    Player::policy("network", std::sync::Arc::new(Net::new(weights).unwrap()), 0.0)
}

fn dalmuti() -> &'static dyn AnyGame {
    cardsharp_env::game("dalmuti").unwrap()
}

/// Plays the current round to its end, always with the first legal move.
fn play_out(table: &mut dyn AnyTable) {
    while table.turn().is_some() {
        let first = table.legal()[0];
        table.try_play(first).unwrap();
    }
}

/// Returns rules of five rounds in which a player joins, a player leaves and comes back, and another one leaves.
/// Returns `None` for games without roster changes.
fn changing(game: &dyn AnyGame) -> Option<GameRules> {
    let rules = game.default_rules().sized(Size { players: None, rounds: Some(5) }).unwrap();
    let mut table = rules.table(0);
    let newcomer = Seat(table.seats() as u8);
    use RosterChange::{Join, Leave};
    for changes in [&[Join(newcomer)][..], &[Leave(Seat(1))], &[Join(Seat(1)), Leave(Seat(0))]] {
        play_out(table.as_mut());
        for &change in changes {
            table.change_roster(change).ok()?;
        }
        table.deal_next();
    }
    Some(game.rules(&table.rules()).unwrap())
}

/// Returns the number of players in each round.
fn sizes(rules: &GameRules) -> Vec<usize> {
    let mut table = rules.table(0);
    let mut sizes = Vec::new();
    loop {
        sizes.push(table.present().len() as usize);
        play_out(table.as_mut());
        if !table.deal_next() {
            return sizes;
        }
    }
}

/// A clock that does not advance.
fn still() -> Duration {
    Duration::ZERO
}

#[test]
fn bots_that_play_alike_score_exactly_nothing() {
    let zero = Interval { mean: 0.0, low: 0.0, high: 0.0 };
    for game in GAMES.iter() {
        let random = (0..6).map(|seed| game.random_rules(seed));
        for rules in random.chain(changing(*game)) {
            let sizes = sizes(&rules);
            let players = rules.seats();
            for bot in [by_number(false), Player::scripted(), network(*game)] {
                for count in [2, players] {
                    let contest = Contest::new(&rules, vec![bot.clone(); count], 3, 5).unwrap();
                    let report = contest.run(&mut still);
                    assert_eq!(report.bots.len(), count);
                    for own in &report.bots {
                        assert_eq!(
                            (own.place_score, own.points_ahead),
                            (zero, Some(zero)),
                            "{rules:?} {own:?}"
                        );
                        // Every place up to the number of players occurs in each round. Players with a shared place get
                        // the best of the places that they share.
                        let (mut found, mut least) = (0.0, 0.0);
                        for (place, share) in own.places.iter().enumerate() {
                            let with = sizes.iter().filter(|&&size| size > place).count();
                            least += with as f64 / sizes.iter().sum::<usize>() as f64;
                            found += share;
                            let right = found > least - 1e-12;
                            assert!(right, "{rules:?} {own:?}");
                        }
                        assert!((found - 1.0).abs() < 1e-12, "{rules:?} {own:?}");
                    }
                }
            }
        }
    }
}

/// Plays a contest of the two [`by_number`] bots at tables, one session at a time. Sums the first bot's place scores,
/// first places, points and points ahead.
fn at_tables(contest: &Contest, players: usize) -> ([f64; 4], f64) {
    let (mut sums, mut samples) = ([0.0; 4], 0.0);
    for deal in 0..contest.deals {
        for own in 0..players {
            let mut table = contest.rules.table(contest.deal_seed(deal));
            loop {
                while let Some(seat) = table.turn() {
                    let legal = table.legal();
                    let pick = if seat.index() == own { 0 } else { legal.len() / 2 };
                    table.try_play(legal[pick]).unwrap();
                }
                let payoff = table.payoff().unwrap();
                if table.present().has(own as u8) {
                    let (place, size) = (f64::from(payoff.place[own]), f64::from(table.present().len()));
                    let sharing = payoff.place.iter().filter(|&&other| f64::from(other) == place).count();
                    let mean = place + (sharing as f64 - 1.0) / 2.0;
                    sums[0] += 1.0 - 2.0 * (mean - 1.0) / (size - 1.0);
                    sums[1] += if place == 1.0 { 1.0 } else { 0.0 };
                    sums[2] += f64::from(payoff.points[own]);
                    let others = (0..players).filter(|&seat| seat != own && payoff.place[seat] != 0);
                    let theirs = others.map(|seat| f64::from(payoff.points[seat])).sum::<f64>();
                    sums[3] += f64::from(payoff.points[own]) - theirs / (size - 1.0);
                    samples += 1.0;
                }
                if !table.deal_next() {
                    break;
                }
            }
        }
    }
    (sums.map(|sum| sum / samples), samples)
}

#[test]
fn the_report_is_what_the_same_games_give_at_tables() {
    let tables = GAMES.iter().flat_map(|game| {
        let stays = [(4, 1), (5, 3), (7, 2)].into_iter().filter(|(n, _)| game.players().contains(n));
        let sized = |(n, rounds)| Size { players: Some(n), rounds: Some(rounds) };
        let stays = stays.map(|size| game.sized_rules(&Value::Null, sized(size)).unwrap());
        stays.chain(changing(*game)).collect::<Vec<_>>()
    });
    for rules in tables {
        let sizes = sizes(&rules);
        let contest = Contest::new(&rules, vec![by_number(false), by_number(true)], 20, 3).unwrap();
        let report = contest.run(&mut still);
        let ([score, first, points, ahead], samples) = at_tables(&contest, report.players);
        let own = &report.bots[0];
        assert_eq!(samples as usize, 20 * sizes.iter().sum::<usize>());
        assert_eq!((report.players, report.rounds), (contest.players, sizes.len() as u64));
        let lead = own.points_ahead.unwrap();
        let pairs = [(own.place_score, score), (own.first_rate, first), (own.points, points), (lead, ahead)];
        for (interval, right) in pairs {
            assert!((interval.mean - right).abs() < 1e-11, "{interval:?} {right}");
            assert!(interval.low < right && right < interval.high, "{interval:?} {right}");
        }
        assert!(
            (own.places[0] - first).abs() < 1e-12 && (own.places.iter().sum::<f64>() - 1.0).abs() < 1e-12
        );
        // One bot's gains are the losses of the others.
        let others = report.bots[1].place_score.mean * samples * (report.players - 1) as f64;
        assert!((own.place_score.mean * samples + others).abs() < 1e-9);
    }
}

#[test]
fn units_may_be_played_in_any_order() {
    let rules = dalmuti().rules(&json!({"players": 5, "hands": 2})).unwrap();
    let contest = Contest::new(&rules, vec![Player::random(), Player::scripted()], 40, 7).unwrap();
    assert_eq!((contest.units(), contest.sessions()), (3, 200));
    let backwards: Vec<ContestUnit> = (0..3).rev().map(|unit| contest.play(unit, &mut still)).collect();
    let units: Vec<ContestUnit> = backwards.into_iter().rev().collect();
    let cut_short = contest.play_until(0, &mut still, &AtomicBool::new(true));
    assert_eq!(cut_short.rounds_played(), 0);
    let mut report = contest.report(&units);
    assert_eq!(report, contest.run(&mut still));
    // The clock advances by a millisecond at every reading.
    let mut now = Duration::ZERO;
    let mut clock = || {
        now += Duration::from_millis(1);
        now
    };
    let timed = contest.run(&mut clock);
    for (still, timed) in report.bots.iter_mut().zip(&timed.bots) {
        let time = timed.ms_per_move.unwrap();
        assert!(0.0 < time.p50 && time.p50 <= time.p99 && time.p99 < 1.05);
        still.ms_per_move = timed.ms_per_move;
    }
    assert_eq!(report, timed, "nothing but the times depends on the clock");
    let other = Contest::new(&rules, vec![Player::random(), Player::scripted()], 40, 8).unwrap();
    assert_ne!(other.run(&mut still).bots[0].place_score, report.bots[0].place_score);
}

#[test]
fn every_bot_gets_every_seat() {
    let rules = dalmuti().rules(&json!({"players": 6})).unwrap();
    let contest = |bots| Contest::new(&rules, vec![Player::random(); bots], 1, 0).unwrap();
    let (two, six) = (contest(2), contest(6));
    for turn in 0..6 {
        let seats: Vec<usize> = (0..6).map(|seat| two.seated(0, turn, seat)).collect();
        assert_eq!(seats.iter().position(|&bot| bot == 0), Some(turn));
        assert_eq!(seats.iter().sum::<usize>(), 5, "the second bot has the other five seats");
    }
    for seat in 0..6 {
        let mut bots: Vec<usize> = (0..6).map(|turn| six.seated(0, turn, seat)).collect();
        assert_eq!(six.seated(0, 0, seat), seat);
        bots.sort_unstable();
        assert_eq!(bots, [0, 1, 2, 3, 4, 5]);
    }
}

/// Two bots with two seats each: next to each other, and opposite.
#[test]
fn bots_may_hold_several_seats() {
    let rules = cardsharp_env::game("tachtigen").unwrap().default_rules();
    let contest = |seats: &[usize]| {
        let bots = vec![Player::scripted(), Player::random()];
        Contest::new(&rules, bots, 30, 5).unwrap().seated_as(seats.to_vec())
    };
    for seats in [[0, 0, 1, 1], [0, 1, 0, 1]] {
        let contest = contest(&seats).unwrap();
        let taken = (0..4).map(|turn| (0..4).map(|seat| contest.seated(0, turn, seat)).collect::<Vec<_>>());
        assert!(taken.enumerate().all(|(turn, mut taken)| {
            taken.rotate_left(turn);
            taken == seats
        }));
        let report = contest.run(&mut still);
        assert_eq!(report.seats, seats);
        let ahead = |bot: usize| report.bots[bot].points_ahead.unwrap();
        assert!(ahead(0).low > 0.0 && (ahead(0).mean + ahead(1).mean).abs() < 1e-9, "{report:?}");
        assert_eq!(serde_json::from_value::<Report>(json!(report)).unwrap(), report);
    }
    assert_eq!(contest(&[0, 1, 1, 1]).unwrap().run(&mut still).seats, [0; 0]);
    for wrong in [&[0, 1, 1][..], &[0, 0, 0, 0], &[0, 1, 2, 1]] {
        let error = contest(wrong).err();
        assert_eq!(error, Some(ArenaError::Seats { players: 4, bots: 2 }));
        assert!(error.unwrap().to_string().starts_with("expected 4 numbers from 0 to 1"));
    }
}

/// One player against copies of itself: in every round, one of them undertakes a contract, and that bot counts it.
#[test]
fn contracts_are_counted_for_who_undertook_them() {
    let rules = cardsharp_env::game("tachtigen").unwrap().default_rules();
    let contest = Contest::new(&rules, vec![Player::scripted(); 2], 40, 5).unwrap();
    let report = contest.run(&mut still);
    for (own, held) in report.bots.iter().zip([1.0, 3.0]) {
        let rounds = 40.0 * 4.0 * held;
        assert_eq!(own.contracts.len(), 8);
        let scores = own.contracts.iter().map(|kind| kind.count as f64 * kind.points).sum::<f64>();
        let undertaken = own.contracts.iter().map(|kind| kind.count).sum::<u64>();
        assert!((undertaken as f64 - 40.0 * held).abs() <= 8.0 * held, "{own:?}");
        for kind in &own.contracts {
            assert!((kind.share * rounds - kind.count as f64).abs() < 1e-9, "{kind:?}");
            assert!((0.0..=1.0).contains(&kind.made), "{kind:?}");
        }
        // The sums of contract points are whole numbers.
        assert!((scores - scores.round()).abs() < 1e-6, "{own:?}");
    }
    let all = |bot: usize| report.bots[bot].contracts.iter();
    let undertaken: u64 = (0..2).flat_map(all).map(|kind| kind.count).sum();
    let kept: f64 = (0..2).flat_map(all).map(|kind| kind.made * kind.count as f64).sum();
    assert_eq!(undertaken, 160, "nobody holds four times in these deals");
    assert!(kept > 0.8 * 160.0 && kept < 160.0, "{kept}");
}

#[test]
fn contests_that_cannot_be_held_are_refused() {
    let contest = |rules: Value, bots, deals| {
        let rules = dalmuti().rules(&rules).unwrap();
        Contest::new(&rules, vec![Player::random(); bots], deals, 0).err()
    };
    assert_eq!(contest(json!({"players": 5}), 5, 1), None);
    for bots in [0, 1, 3, 4, 6] {
        let error = contest(json!({"players": 5}), bots, 1);
        assert_eq!(error, Some(ArenaError::Bots { given: bots, players: 5 }));
    }
    assert_eq!(
        ArenaError::Bots { given: 3, players: 5 }.to_string(),
        "3 bots cannot fill 5 seats: name two (the first takes one seat, copies of the second the others) or 5 \
         (each takes every seat in turn), or play a round robin"
    );
    assert_eq!(contest(json!({}), 2, 0), Some(ArenaError::NoDeals));
}

#[test]
fn the_json_is_the_contract() {
    let rules = dalmuti().rules(&json!({"players": 4, "hands": 1})).unwrap();
    let bots = vec![Player::scripted(), Player::random()];
    let report = Contest::new(&rules, bots, 50, 2).unwrap().run(&mut still);
    let json = serde_json::to_value(&report).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "bots deals game players rounds rules seed");
    let figures = "first_rate ms_per_move name place_score places points points_ahead";
    assert_eq!(keys(&json["bots"][0]), figures);
    assert_eq!(keys(&json["bots"][0]["points"]), "high low mean");
    assert_eq!(keys(&json["bots"][0]["ms_per_move"]), "p50 p99");
    assert_eq!(json["bots"][0]["places"].as_array().unwrap().len(), 4);
    assert_eq!((json["game"].as_str(), json["bots"][1]["name"].as_str()), (Some("dalmuti"), Some("random")));
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
    assert!(report.bots[0].place_score.low > 0.3, "{:?}", report.bots[0].place_score);
}

/// A round robin of four bots at tables of five. The units must agree with the same games at tables.
#[test]
fn a_round_robin_is_what_the_same_games_give_at_tables() {
    let game = cardsharp_env::game("tahimi").unwrap();
    let rules = game.rules(&json!({"players": 5, "rounds": 2})).unwrap();
    let bots = vec![by_number(false), by_number(true), Player::scripted(), by_number(true)];
    let contest = Contest::round_robin(&rules, bots, 9, 3).unwrap().with_habits();
    let report = contest.run(&mut still);
    let round_robin = report.round_robin.as_ref().unwrap();
    assert_eq!((report.deals, report.rounds, round_robin.tables), (9, 2, 4));
    let (mut ahead, mut met, mut scores) = ([[0.0; 4]; 4], [[0.0; 4]; 4], [(0.0, 0.0); 4]);
    let mut decisions = [0.0; 4];
    for deal in 0..9 {
        for turn in 0..5 {
            let bot = |seat| contest.seated(deal, turn, seat);
            let mut table = rules.table(contest.deal_seed(deal));
            loop {
                while let Some(seat) = table.turn() {
                    let legal = table.legal();
                    let pick = match bot(seat.index()) {
                        0 => legal[0],
                        2 => table.asked().unwrap().scripted(),
                        _ => legal[legal.len() / 2],
                    };
                    decisions[bot(seat.index())] += f64::from(u8::from(legal.len() > 1));
                    table.try_play(pick).unwrap();
                }
                let place = table.payoff().unwrap().place;
                for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
                    let (better, worse) = (place[a] < place[b], place[a] > place[b]);
                    ahead[bot(a)][bot(b)] += f64::from(i8::from(better) - i8::from(worse));
                    met[bot(a)][bot(b)] += 1.0;
                }
                for seat in 0..5 {
                    let (sum, count) = scores[bot(seat)];
                    scores[bot(seat)] = (sum + 1.0 - 2.0 * (f64::from(place[seat]) - 1.0) / 4.0, count + 1.0);
                }
                if !table.deal_next() {
                    break;
                }
            }
        }
    }
    for (own, bot) in report.bots.iter().enumerate() {
        assert!((bot.place_score.mean - scores[own].0 / scores[own].1).abs() < 1e-12);
        assert_eq!(bot.deals, Some(9), "nobody sits out");
        let habits = bot.habits.as_ref().unwrap();
        assert_eq!(habits.decisions as f64, decisions[own]);
        assert_eq!(habits.kinds.len(), game.habits().len());
        assert!((habits.per_round - decisions[own] / scores[own].1).abs() < 1e-12);
        for other in 0..4 {
            let meeting = round_robin.cross_play[own][other];
            assert_eq!(meeting.is_none(), own == other);
            let Some(meeting) = meeting else { continue };
            assert_eq!(meeting.deals, 9);
            assert!((meeting.ahead.mean - ahead[own][other] / met[own][other]).abs() < 1e-12);
            let back = round_robin.cross_play[other][own].unwrap().ahead;
            assert_eq!((meeting.ahead.mean, meeting.ahead.low), (0.0 - back.mean, 0.0 - back.high));
        }
    }
    assert_eq!(serde_json::from_value::<Report>(json!(report)).unwrap(), report);
    // The order in which the units are played does not matter.
    let last_first: Vec<ContestUnit> =
        (0..contest.units()).rev().map(|unit| contest.play(unit, &mut still)).collect();
    assert_eq!(contest.report(&last_first.into_iter().rev().collect::<Vec<_>>()), report);
}

/// With more bots than seats, the deals of a table do not count for absent bots.
#[test]
fn a_round_robin_ranks_the_bots() {
    let rules = dalmuti().rules(&json!({"players": 4, "hands": 1})).unwrap();
    let names = [
        Player::random(),
        by_number(false),
        Player::scripted(),
        by_number(true),
        Player::scripted(),
        Player::random(),
    ];
    let contest = Contest::round_robin(&rules, names.to_vec(), 60, 3).unwrap();
    let report = contest.run(&mut still);
    let round_robin = report.round_robin.unwrap();
    assert_eq!(round_robin.tables, 15);
    assert_eq!(round_robin.ratings.anchor, super::report::Anchor::Random);
    assert!(report.bots.iter().all(|bot| bot.deals == Some(40) && bot.habits.is_none()));
    let rating = |bot: usize| report.bots[bot].rating.unwrap();
    assert_eq!(rating(0).mean, 0.0);
    assert!(rating(5).low < 0.0 && rating(5).high > 0.0, "{:?}", rating(5));
    assert!(rating(2).low > rating(5).high && rating(4).low > rating(3).high);
    let meeting = round_robin.cross_play[2][0].unwrap();
    // In 6 of the 15 sets of four bots.
    assert!(meeting.deals == 24 && meeting.ahead.low > 0.5, "{meeting:?}");
    let mean: f64 = report.bots.iter().map(|bot| bot.place_score.mean).sum();
    assert!(mean.abs() < 1e-9, "what one wins the others lose: {mean}");
    let one = Contest::round_robin(&rules, vec![Player::random()], 5, 1).err();
    assert_eq!(one, Some(ArenaError::RoundRobin { given: 1 }));
    let none = Contest::round_robin(&rules, vec![Player::random(); 3], 0, 1).err();
    assert_eq!(none, Some(ArenaError::NoDeals));
    let many = |deals| Contest::round_robin(&rules, vec![Player::random(); 13], deals, 1);
    assert_eq!(many(3).err(), Some(ArenaError::FewDeals { bots: 13, players: 4 }));
    assert!(many(3).err().unwrap().to_string().contains("at least 4 deals"));
    let report = many(4).unwrap().run(&mut still);
    assert!(report.bots.iter().all(|bot| bot.deals >= Some(1)));
}

/// The reports that ship with the bots were written by older programs.
#[test]
fn reports_of_older_programs_are_read() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints");
    for game in ["dalmuti", "tahimi", "taki", "tachtigen"] {
        let text = std::fs::read_to_string(format!("{shipped}/{game}/bot/arena.json")).unwrap();
        let contests: Vec<Value> = serde_json::from_str(&text).unwrap();
        for contest in contests {
            let report: Report = serde_json::from_value(contest["report"].clone()).unwrap();
            assert_eq!(json!(report), contest["report"], "and written as they were");
        }
    }
}

#[test]
fn recorded_games_are_those_that_were_played() {
    let sessions =
        [("dalmuti", json!({"players": 4, "hands": 2})), ("taki", json!({"players": 3, "games": 1}))];
    for (name, rules) in sessions {
        let rules = cardsharp_env::game(name).unwrap().rules(&rules).unwrap();
        // For random bots, the record must hold the moves they made, because they would not repeat them.
        let bots = vec![by_number(true), Player::random()];
        let contest = |kept| Contest::new(&rules, bots.clone(), 20, 9).unwrap().keeping_games(kept);
        let (plain, report) = (contest(0).run(&mut still), contest(18).run(&mut still));
        assert_eq!(plain, Report { games: Vec::new(), ..report.clone() }, "{name}: the same contest");
        let players = rules.seats();
        assert_eq!(report.games.len(), 18 * players);
        let all = contest(20).run(&mut still).games;
        let mut points = 0;
        for (number, game) in all.iter().enumerate() {
            let RecordedSession { deal, turn, bots, trace, .. } = game;
            assert_eq!((*deal as usize, *turn), (number / players, number % players));
            assert_eq!(bots.iter().position(|bot| bot == "middle"), Some(*turn));
            let table = cardsharp_env::trace::replay(trace).unwrap();
            assert!(table.over(), "{name}: {deal} {turn}");
            let last: Value = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
            assert_eq!(last["line"], "payoff");
            points += game.points[*turn];
        }
        assert_eq!(report.games, all[..18 * players]);
        let rounds = report.rounds as f64 * all.len() as f64;
        let found = report.bots[0].points.mean;
        assert!((points as f64 / rounds - found).abs() < 1e-9, "{name}: {points} {rounds} {found}");
    }
}
