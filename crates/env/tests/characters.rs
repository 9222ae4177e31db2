//! How the characters differ: all of them are asked in the same positions.

use cardsharp_env::Play as _;
use cardsharp_env::games::tahimi::Jokers;
use cardsharp_env::games::taki::{Move, Stage};
use cardsharp_env::games::{dalmuti, tachtigen, tahimi, taki};
use cardsharp_env::mask::{self, Mask};
use cardsharp_env::rules::read_sized;
use cardsharp_env::{ActionId, Character, Draw, Game, Rules, Seat, Session, Size, Turn, View};
use serde_json::json;

/// Cautious, without a character, aggressive.
const WHO: [Option<Character>; 3] = [Some(Character::Cautious), None, Some(Character::Aggressive)];

fn choice<G: Game>(view: View<'_, G>, who: Option<Character>) -> ActionId {
    who.map_or_else(|| G::scripted(view), |character| G::character(view, character))
}

/// Returns the same rules for sessions of a single round.
fn one_round<G: Game>(rules: G::Rules) -> G::Rules {
    let size = Size { rounds: Some(1), ..Size::AS_GIVEN };
    read_sized(&json!(rules), size).expect("every game can be played for one round")
}

/// Returns how often each of [`WHO`] makes moves of some kind, in rounds that the scripted player plays. `kind`
/// says whether a move in a position is of that kind; `None` for positions that do not count.
fn shares<G: Game>(
    rules: G::Rules,
    rounds: u64,
    kind: impl Fn(View<'_, G>, ActionId) -> Option<bool>,
) -> [f64; 3] {
    let (mut counted, mut made) = (0, [0; 3]);
    for seed in 0..rounds {
        let mut session = Session::<G>::new(one_round::<G>(rules), seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            let answers = WHO.map(|who| kind(view, choice(view, who)));
            if let [Some(cautious), Some(plain), Some(aggressive)] = answers {
                counted += 1;
                for (made, does) in made.iter_mut().zip([cautious, plain, aggressive]) {
                    *made += u32::from(does);
                }
            }
            let action = G::scripted(view);
            session.round_mut().play(action);
        }
    }
    assert!(counted > 500, "{counted} positions");
    made.map(|made| f64::from(made) / f64::from(counted))
}

fn legal<G: Game>(view: View<'_, G>) -> Vec<ActionId> {
    mask::actions(G::legal(view).words()).collect()
}

/// Asserts for climbing games: bolder characters pass less often when a set can be played, and play wild cards more
/// often when one can be played.
#[track_caller]
fn assert_climbs<G: Game>(rules: G::Rules, pass: ActionId, wilds: impl Fn(ActionId) -> Option<u8>) {
    let passes = shares::<G>(rules, 150, |view, action| {
        let legal = legal(view);
        (legal.contains(&pass) && legal.len() > 1).then_some(action == pass)
    });
    assert!(passes[0] > passes[1] + 0.1 && passes[1] > passes[2] + 0.1, "passes: {passes:?}");
    let spends = shares::<G>(rules, 600, |view, action| {
        let any = legal(view).into_iter().any(|action| wilds(action).is_some_and(|n| n > 0));
        any.then_some(wilds(action).is_some_and(|n| n > 0))
    });
    assert!(spends[0] < spends[1] && spends[1] + 0.1 < spends[2], "wild cards: {spends:?}");
}

#[test]
fn in_the_great_dalmuti_caution_passes_and_keeps_jesters() {
    use dalmuti::Move;
    assert_climbs::<dalmuti::Round>(Default::default(), Move::Pass.id(), |action| match Move::of(action) {
        Some(Move::Play(set)) => Some(set.set().wilds),
        _ => None,
    });
}

#[test]
fn in_tahimi_caution_passes_and_keeps_jokers() {
    use tahimi::Move;
    let rules = tahimi::Rules { jokers: Jokers::Wild, ..Default::default() };
    assert_climbs::<tahimi::Round>(rules, Move::Pass.id(), |action| match Move::of(action) {
        Some(Move::Play(set)) => Some(set.set().wilds),
        _ => None,
    });
}

#[test]
fn in_taki_caution_keeps_action_cards() {
    let acts = |action: ActionId| {
        let chosen = Move::of(action).filter(|chosen| chosen.card().is_some())?;
        Some(!matches!(chosen, Move::Colored(_, symbol) if symbol.is_number()))
    };
    let plays = shares::<taki::Round>(Default::default(), 300, |view, action| {
        let kinds: Vec<Option<bool>> = legal(view).into_iter().map(acts).collect();
        let both = kinds.contains(&Some(true)) && kinds.contains(&Some(false));
        (view.table.stage == Stage::Turn && both).then_some(acts(action) == Some(true))
    });
    assert!(plays[0] + 0.1 < plays[1] && plays[1] + 0.1 < plays[2], "action cards: {plays:?}");
}

#[test]
fn in_tachtigen_caution_bids_less_and_plays_alone_less() {
    use tachtigen::{Move, Stage};
    let bids = shares::<tachtigen::Round>(Default::default(), 400, |view, action| {
        let asked = matches!(view.table.stage, Stage::Opening | Stage::Auction);
        asked.then_some(matches!(Move::of(action), Some(Move::Bid(_))))
    });
    assert!(bids[0] + 0.1 < bids[1] && bids[1] + 0.05 < bids[2], "bids: {bids:?}");
    let alone = shares::<tachtigen::Round>(Default::default(), 2000, |view, action| {
        (view.table.stage == Stage::Ask).then_some(Move::of(action) == Some(Move::Solo))
    });
    assert!(alone[0] < alone[1] && alone[1] < alone[2], "alone: {alone:?}");
    // All four seats play alike: how often a contract is made.
    let made = WHO.map(|who| {
        let (mut bid, mut made) = (0, 0);
        for seed in 0..1500 {
            let mut session = Session::<tachtigen::Round>::new(Default::default(), seed);
            while let Turn::Decide(seat) = session.round().turn() {
                let action = choice(session.round().view(seat), who);
                session.round_mut().play(action);
            }
            if let Some(contract) = session.round().contract() {
                (bid, made) = (bid + 1, made + u32::from(contract.made));
            }
        }
        f64::from(made) / f64::from(bid)
    });
    assert!(made[0] > made[1] + 0.02 && made[1] > made[2] + 0.02, "made: {made:?}");
}

/// Returns the mean score of a character among random players, with each deal once from every seat.
fn among_random<G: Game>(
    character: Character,
    deals: u64,
    score: impl Fn(&cardsharp_env::Payoff, usize) -> f64,
) -> f64 {
    let rules = one_round::<G>(G::Rules::default());
    let mut sum = 0.0;
    for deal in 0..deals {
        for me in (0..rules.players()).map(Seat) {
            let mut session = Session::<G>::new(rules, deal);
            let mut draw = Draw::new(deal, 100 + u64::from(me.0));
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let random = G::legal(view).random(&mut draw).expect("there is a legal action");
                let action = if seat == me { G::character(view, character) } else { random };
                session.round_mut().play(action);
            }
            sum += score(&session.settle(), me.index());
        }
    }
    sum / (deals * u64::from(rules.players())) as f64
}

#[test]
fn characters_are_far_above_random_players() {
    let place = |payoff: &cardsharp_env::Payoff, seat: usize| {
        let (margin, rivals) = payoff.margin(seat).expect("everybody plays");
        f64::from(margin) / f64::from(rivals)
    };
    for character in Character::ALL {
        // `docs/results/characters.md` has measurements on more deals.
        let dalmuti = among_random::<dalmuti::Round>(character, 60, place);
        assert!(dalmuti > 0.65, "dalmuti, {character:?}: {dalmuti}");
        let tahimi = among_random::<tahimi::Round>(character, 60, place);
        assert!(tahimi > 0.65, "tahimi, {character:?}: {tahimi}");
        // Chance alone wins one game in four.
        let taki = among_random::<taki::Round>(character, 150, |payoff, seat| f64::from(payoff.points[seat]));
        assert!(taki > 0.33, "taki, {character:?}: {taki}");
        let tachtigen = among_random::<tachtigen::Round>(character, 60, |payoff, seat| {
            let all: i32 = payoff.points.iter().sum();
            f64::from(4 * payoff.points[seat] - all) / 3.0
        });
        assert!(tachtigen > 20.0, "tachtigen, {character:?}: {tachtigen}");
    }
}
