//! What the tests of all games have in common: a round that is played by label and looked at, and
//! random play.

use serde_json::{Value, json};

use crate::drive::session::Session;
use crate::game::{Character, Game, Label, Payoff, Turn, View, parse_label};
use crate::ground::blocks::{Block, width};
use crate::ground::mask::{self, Mask};
use crate::ground::rng::Draw;
use crate::ground::rules::Rules;
use crate::ground::{ActionId, Seat};

/// How the tests of a game name its players: by seat, unless the game has positions.
pub trait Placed: Game {
    /// Whether the rounds that its tests set up are such as can be dealt: then they are audited.
    const DEALT: bool = true;
    /// Who is at a place.
    fn seat_at(&self, place: u8) -> Seat {
        Seat(place)
    }
    /// The place of a seat.
    fn place_of(&self, seat: Seat) -> u8 {
        seat.0
    }
}

/// A round under way.
#[derive(Copy, Clone)]
pub struct Situation<G>(pub G);

impl<G: Placed> Situation<G> {
    /// This round.
    pub fn of(round: G) -> Self {
        Self(round)
    }

    /// The place that must act; none when the round is over.
    pub fn turn(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Decide(seat) => Some(self.0.place_of(seat)),
            Turn::RoundOver => None,
        }
    }

    /// The seat at a place.
    pub fn seat(&self, place: u8) -> Seat {
        self.0.seat_at(place)
    }

    /// What the player who must act may do, by the names at this table; empty when the round is over.
    #[track_caller]
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        self.legal_of(seat)
    }

    /// What a seat may do.
    #[track_caller]
    pub fn legal_of(&self, seat: Seat) -> Vec<String> {
        assert_words_agree(&self.0, seat);
        mask::actions(G::legal(self.0.view(seat)).words()).map(|action| self.label(action)).collect()
    }

    /// The name of an action at this table.
    pub fn label(&self, action: ActionId) -> String {
        Label::<G>::at(self.0.table(), action).to_string()
    }

    /// Whether the player who must act may do this.
    pub fn may(&self, name: &str) -> bool {
        self.legal().iter().any(|legal| legal == name)
    }

    /// Asserts who must act, and all that he may do, in the order of the ids.
    #[track_caller]
    pub fn expect(&self, place: u8, legal: &str) {
        assert_eq!(self.turn(), Some(place), "who must act");
        assert_eq!(self.legal().join(", "), legal);
    }

    /// Plays legal actions, separated by commas.
    #[track_caller]
    pub fn play(&mut self, labels: &str) {
        for name in labels.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            assert!(self.may(name), "{name} is not legal; legal: {}", self.legal().join(", "));
            self.0.play(parse_label::<G>(Some(self.0.table()), name).unwrap());
            if G::DEALT {
                self.0.audit().unwrap_or_else(|problem| panic!("after {name}: {problem}"));
            }
        }
    }

    /// The same, on a copy.
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// What an action of the player who must act tells of how he plays, if it is legal.
    #[track_caller]
    pub fn habits(&self, name: &str) -> Vec<&'static str> {
        let Turn::Decide(seat) = self.0.turn() else { panic!("the round is over") };
        assert!(self.may(name), "{name} is not legal; legal: {}", self.legal().join(", "));
        let action = parse_label::<G>(Some(self.0.table()), name).unwrap();
        let kinds = G::habits(self.0.view(seat), action);
        G::HABITS
            .iter()
            .enumerate()
            .filter(|(kind, _)| kinds >> kind & 1 == 1)
            .map(|(_, name)| *name)
            .collect()
    }

    /// Everybody plays what is legal first (the smallest id) until the round is over.
    pub fn play_out(&mut self) {
        while let Turn::Decide(seat) = self.0.turn() {
            let legal = G::legal(self.0.view(seat));
            self.0.play(mask::nth(legal.words(), 0).unwrap());
        }
    }

    /// What a place sees, as JSON.
    pub fn view_json(&self, place: u8) -> Value {
        json!(self.0.view(self.seat(place)).to_owned())
    }

    /// The observation row of a place.
    pub fn row(&self, place: u8) -> Vec<u8> {
        // Begun with junk: a row must be written completely.
        let mut row = vec![0xa5; width(G::OBSERVATION)];
        G::observe(self.0.view(self.seat(place)), &mut row);
        row
    }

    /// The cells of one block of the row of a place.
    #[track_caller]
    pub fn cells(&self, place: u8, block: &str) -> Vec<u8> {
        named(G::OBSERVATION, block).of(&self.row(place)).to_vec()
    }

    /// The places (from 0) of the cells of a block that are not 0, all of which must be 1.
    #[track_caller]
    pub fn ones(&self, place: u8, block: &str) -> Vec<usize> {
        let cells = self.cells(place, block);
        assert!(cells.iter().all(|&c| c < 2), "{block} is not made of bits: {cells:?}");
        (0..cells.len()).filter(|&i| cells[i] == 1).collect()
    }
}

/// The block of this name.
#[track_caller]
pub fn named(blocks: &'static [Block], name: &str) -> Block {
    *blocks.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no block {name}"))
}

/// One random legal move; false when the round is over.
pub fn random_move<G: Game>(round: &mut G, draw: &mut Draw) -> bool {
    let Turn::Decide(seat) = round.turn() else { return false };
    round.play(G::legal(round.view(seat)).random(draw).unwrap());
    true
}

/// Plays random sessions by random rules and calls `look` with every state before and after every
/// action, and `over` with every finished round and its number of decisions.
pub fn play<G: Game>(
    sessions: u64,
    seed: u64,
    mut look: impl FnMut(&G, Seat, ActionId, &G),
    mut over: impl FnMut(&G, u32),
) {
    let mut draw = Draw::new(seed, 0);
    for number in 0..sessions {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), number);
        let mut decisions = 0;
        loop {
            let Turn::Decide(seat) = session.round().turn() else {
                over(session.round(), decisions);
                session.settle();
                if session.is_last() {
                    break;
                }
                session.deal_next();
                decisions = 0;
                continue;
            };
            let before = *session.round();
            let action = G::legal(before.view(seat)).random(&mut draw).unwrap();
            session.round_mut().play(action);
            decisions += 1;
            look(&before, seat, action, session.round());
        }
    }
}

/// Asserts that the legal actions of a seat are those that the words of the rules allow, whatever ids
/// there are.
#[track_caller]
pub fn assert_words_agree<G: Game>(round: &G, seat: Seat) {
    let view = round.view(seat);
    let legal = G::legal(view);
    for action in (0..64 * G::Legal::WORDS as u16).map(ActionId) {
        let label = Label::<G>::at(view.table, action);
        assert_eq!(legal.contains(action), G::is_legal(view, action), "{label} in {:?}", view.to_owned());
    }
}

/// In random play, `hide` changes what the seat that must act cannot see: its row and its legal actions
/// stay the same. Returns how often anything was changed.
pub fn unseen_changes<G: Game>(sessions: u64, seed: u64, hide: impl Fn(&mut G, Seat) -> bool) -> u32 {
    let mut changes = 0;
    let look = |_: &G, _, _, round: &G| {
        let Turn::Decide(seat) = round.turn() else { return };
        let mut other = *round;
        if !hide(&mut other, seat) {
            return;
        }
        let (mut one, mut two) = (vec![1; width(G::OBSERVATION)], vec![2; width(G::OBSERVATION)]);
        G::observe(round.view(seat), &mut one);
        G::observe(other.view(seat), &mut two);
        assert_eq!(one, two);
        assert_eq!(G::legal(round.view(seat)), G::legal(other.view(seat)));
        changes += 1;
    };
    play(sessions, seed, look, |_, _| {});
    changes
}

/// Mean `score` of the rule-based player among random ones: one round, in every seat of every deal.
pub fn against_random<G: Game>(rules: G::Rules, deals: u64, score: impl Fn(&Payoff, usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for deal in 0..deals {
        for me in (0..rules.players()).map(Seat) {
            let mut session = Session::<G>::new(rules, deal);
            let mut draw = Draw::new(deal, 100 + u64::from(me.0));
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let legal = G::legal(view);
                let action = if seat == me { G::scripted(view) } else { legal.random(&mut draw).unwrap() };
                assert!(legal.contains(action), "{}", Label::<G>::of(action));
                session.round_mut().play(action);
            }
            sum += score(&session.settle(), me.index());
        }
    }
    sum / (deals * u64::from(rules.players())) as f64
}

/// The place score: 1 for the first place down to -1 for the last.
pub fn place_score(payoff: &Payoff, seat: usize) -> f64 {
    let (margin, rivals) = payoff.margin(seat).unwrap();
    f64::from(margin) / f64::from(rivals)
}

/// Under all rules the rule-based player, whatever its character, answers every question with a legal move that
/// depends on the view alone; `look` sees every view.
pub fn assert_scripted_answers<G: Game>(look: impl Fn(View<'_, G>)) {
    let mut draw = Draw::new(3, 0);
    for seed in 0..300 {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let action = G::scripted(view);
                assert!(G::is_legal(view, action), "{}", Label::<G>::of(action));
                assert_eq!(action, G::scripted(view.to_owned().view()));
                for character in Character::ALL {
                    let other = G::character(view, character);
                    assert!(G::is_legal(view, other), "{character:?}: {}", Label::<G>::of(other));
                    assert_eq!(other, G::character(view.to_owned().view(), character));
                }
                look(view);
                session.round_mut().play(action);
            }
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
}

/// Asserts that a page of rules lists every option with its default, in their order.
pub fn assert_options_are_listed<R: Rules>(page: &str) {
    let defaults = json!(R::default());
    let mut rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    for option in R::OPTIONS {
        let row: Vec<&str> = rows.next().unwrap().split('|').map(str::trim).collect();
        assert_eq!(row[1], format!("`{}`", option.name));
        assert_eq!(row[3], format!("`{}`", defaults[option.name]));
    }
    assert_eq!(rows.next(), None);
}

/// Checks that the text of the block `options` tells what its cells show: these options, in this order.
pub fn tells_options(row: &[Block], shown: &[&str]) {
    let block = row.iter().find(|block| block.name == "options").expect("a block `options`");
    let mut rest = block.meaning;
    let mut names = shown.to_vec();
    names.dedup();
    for name in names {
        rest = rest.split_once(name).unwrap_or_else(|| panic!("`{name}` is missing or out of order")).1;
    }
}
