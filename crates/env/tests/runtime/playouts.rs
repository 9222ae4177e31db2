//! Rounds that are determinized from a view, and views that are stored.

use cardsharp_env::games::played;
use cardsharp_env::rng::derive;
use cardsharp_env::{AnyGame, BatchOptions, DealRng, GAMES, LaneState, Playout, SeatView};

/// Plays `moves` steps of a session with the scripted player, then continues to the next decision and calls
/// `look`. Starts the same session again if it is over.
fn at(game: &dyn AnyGame, seed: u64, moves: usize, look: &mut dyn FnMut(SeatView<'_>, &[u8])) {
    let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
    let mut env = game.default_rules().batch(options);
    let mut batch = env.batch();
    env.start(0, 0, seed, &mut batch);
    for _ in 0..moves {
        let pick = env.view(0).map(SeatView::scripted).unwrap_or_default();
        env.step(&[pick], &mut batch);
    }
    while batch.state[0] != LaneState::Decide {
        match batch.state[0] {
            LaneState::Idle => env.start(0, 0, seed, &mut batch),
            _ => env.step(&[Default::default()], &mut batch),
        }
    }
    let row = batch.row.row(0).to_vec();
    look(env.view(0).unwrap(), &row);
}

#[test]
fn imagined_rounds_look_alike_to_the_viewer_play_on_and_rewind() {
    let (mut held, mut differ) = (None, 0);
    for game in GAMES.iter() {
        let mut words = [vec![0; game.words()], vec![0; game.words()]];
        for moves in [0, 5, 20] {
            at(*game, 3, moves, &mut |view, row| {
                let mut worth = Vec::new();
                for n in 0..20 {
                    let round = view.determinize(DealRng::new(derive(7, &[n]), 0), &mut held).unwrap();
                    let mut seen = vec![0; row.len()];
                    round.row(&mut seen);
                    assert_eq!((round.turn(), seen.as_slice()), (Some(view.seat()), row));
                    let own = round.view(view.seat()).unwrap();
                    assert_eq!(own.json(), view.json(), "its view of the viewer's seat is the viewer's");
                    assert_eq!(round.legal(&mut words[0]), view.legal(&mut words[1]));
                    assert_eq!((&words[0], round.scripted()), (&words[1], view.scripted()));
                    assert!(round.finish() > 0 && round.turn().is_none());
                    assert_eq!(round.legal(&mut words[0]), 0);
                    let payoff = round.payoff();
                    round.rewind();
                    let mut again = vec![0; row.len()];
                    round.row(&mut again);
                    assert_eq!(again, seen);
                    round.play(round.scripted());
                    round.finish();
                    assert_eq!(round.payoff(), payoff, "the same moves are worth the same");
                    worth.push(payoff);
                }
                differ += usize::from(worth.iter().any(|payoff| payoff != &worth[0]));
            });
        }
    }
    assert!(differ > GAMES.len(), "deals differ: {differ}");
}

#[test]
fn a_round_is_worth_what_its_session_pays() {
    // Without poker: there, cards that no player has seen decide even after the last move.
    for game in played() {
        let options = BatchOptions { lanes: 1, skip_forced: false, rows: true, reveal: false };
        let mut env = game.default_rules().batch(options);
        let (mut batch, mut held) = (env.batch(), None::<Box<dyn Playout>>);
        env.start(0, 0, 11, &mut batch);
        let mut last = None;
        let mut rounds = 0;
        while batch.state[0] != LaneState::Idle && rounds < 5 {
            let mut pick = Default::default();
            match batch.state[0] {
                LaneState::Decide => {
                    let view = env.view(0).unwrap();
                    pick = view.scripted();
                    let round = view.determinize(DealRng::new(1, 0), &mut held).unwrap();
                    round.play(pick);
                    last = round.turn().is_none().then(|| round.payoff());
                }
                _ => {
                    rounds += 1;
                    // Nothing is open to the player of the last move: a determinization has the payoff of the
                    // real round.
                    if let Some(last) = last {
                        assert_eq!(last.place, batch.payoff[0].place, "{}", game.name());
                        assert_eq!(last.seats, batch.payoff[0].seats);
                    }
                }
            }
            env.step(&[pick], &mut batch);
        }
    }
}

#[test]
fn a_kept_view_is_the_view_it_was() {
    for game in GAMES.iter() {
        let mut table = game.default_rules().table(3);
        let seat = table.turn().expect("a round that was just dealt");
        let view = table.view(seat).expect("everybody plays this round");
        let (kept, json) = (view.kept(), view.json());
        table.try_play(table.legal()[0]).expect("a legal move");
        assert_eq!(kept.view().json(), json, "{}", game.name());
        assert_eq!(kept.view().legal_words().len(), game.words(), "{}", game.name());
    }
}
