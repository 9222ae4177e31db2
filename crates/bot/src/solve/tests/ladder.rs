//! A climbing game that is small enough to solve: five ranks of two cards, three cards for each of two players, and
//! four hidden cards. It uses [`cardsharp_env::games::climbing`]: lead one card or a pair, beat it or pass. The first
//! player without cards wins a point from the other.

use std::collections::BTreeSet;
use std::fmt;

use cardsharp_env::enumerate::{AnyTree, Explored};
use cardsharp_env::game::{
    Actions, Check, Deals, Determinize, EventLog, Foresee, Habits, ImaginedRound, Narrate, Observe, Play,
    PossibleDeal, Scripted, Update, ViewError,
};
use cardsharp_env::games::climbing::{Memory, Trick, TrickRules};
use cardsharp_env::hands::{Positions, RankCounts};
use cardsharp_env::mask::{Mask, Words};
use cardsharp_env::rules::{OptionDoc, RulesError};
use cardsharp_env::{ActionId, Block, Character, DealRng, Draw, Payoff, Seat, Turn, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{CfrPlus, measure};

const RANKS: usize = 5;
const COPIES: u8 = 2;
const HAND: u32 = 3;
const PASS: u16 = 2 * RANKS as u16;
const TRICK_RULES: TrickRules = TrickRules::PLAIN;

type Cards = RankCounts<RANKS>;

#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rules;

impl cardsharp_env::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[];
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=2;
    const ROUNDS_OPTION: &'static str = "rounds";
    fn check(&self) -> Result<(), RulesError> {
        Ok(())
    }
    fn players(&self) -> u8 {
        2
    }
    fn rounds(&self) -> u32 {
        1
    }
    fn random(_: &mut Draw) -> Self {
        Self
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PublicState {
    trick: Trick,
    memory: Memory<RANKS>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct Ladder {
    table: PublicState,
    hands: [Cards; 2],
}

/// Returns all hands of `size` cards from `from`, with the number of ways to draw each.
fn hands(from: &Cards, size: u32) -> Vec<(Cards, f64)> {
    let mut found = vec![(Cards::NONE, 1.0)];
    for rank in 0..RANKS {
        let have = from.0[rank];
        found = found
            .iter()
            .flat_map(|&(hand, ways)| {
                (0..=have).map(move |n| {
                    let mut hand = hand;
                    hand.0[rank] = n;
                    (hand, if have == 2 && n == 1 { 2.0 * ways } else { ways })
                })
            })
            .collect();
    }
    found.retain(|(hand, _)| hand.total() == size);
    found
}

impl Play for Ladder {
    const NAME: &'static str = "ladder";
    const TITLE: &'static str = "Ladder";
    const VIEW: u32 = 1;
    type Rules = Rules;
    type SessionState = u32;
    type PublicState = PublicState;
    type PrivateState = Cards;
    fn seating(_: &Rules, _: &mut Draw) -> u32 {
        0
    }
    fn deal(rules: &Rules, _: &u32, mut rng: DealRng) -> Self {
        let deals = Self::deals(rules).unwrap_or_default();
        deals[rng.draw(|draw| draw.below(deals.len() as u32)) as usize].round
    }
    fn present(&self) -> Positions {
        Positions::first(2)
    }
    fn turn(&self) -> Turn {
        let trick = &self.table.trick;
        if trick.is_over() { Turn::RoundOver } else { Turn::Decide(Seat(trick.turn)) }
    }
    fn table(&self) -> &PublicState {
        &self.table
    }
    fn own(&self, seat: Seat) -> &Cards {
        &self.hands[seat.index()]
    }
    fn play(&mut self, action: ActionId) {
        let PublicState { trick, memory } = &mut self.table;
        let position = trick.turn;
        if action.0 == PASS {
            memory.record_pass(position, trick.size, trick.strength);
            trick.pass(TRICK_RULES);
            return;
        }
        let (rank, size) = (action.0 as usize / 2, action.0 as u8 % 2 + 1);
        let hand = &mut self.hands[usize::from(position)];
        hand.0[rank] -= size;
        memory.record_play(position, rank, size);
        trick.play(strength(rank), size, 0, hand.total() == 0, TRICK_RULES);
    }
    fn settle(&self, _: &mut u32) -> Payoff {
        let mut payoff = Payoff { seats: 2, ..Payoff::default() };
        for seat in 0..2 {
            payoff.place[seat] = self.table.trick.place(seat as u8);
            payoff.reward[seat] = if payoff.place[seat] == 1 { 1.0 } else { -1.0 };
        }
        payoff
    }
}

impl Actions for Ladder {
    const ACTIONS: &'static [Block] = &[Block::first("play", PASS as usize + 1, 1, "Play a set, or pass.")];
    type Legal = Words<1>;
    fn legal(view: View<'_, Self>) -> Words<1> {
        let mut legal = Words::EMPTY;
        (0..=PASS)
            .map(ActionId)
            .filter(|&id| Self::is_legal(view, id))
            .for_each(|id| legal.insert(id.0.into()));
        legal
    }
    fn is_legal(view: View<'_, Self>, action: ActionId) -> bool {
        let trick = &view.table.trick;
        if trick.is_over() || trick.turn != view.seat.0 {
            return false;
        }
        if action.0 == PASS {
            return trick.may_pass(TRICK_RULES);
        }
        let (rank, size) = (action.0 as usize / 2, action.0 as u8 % 2 + 1);
        let beats = trick.size == 0 || trick.size == size && strength(rank) > trick.strength;
        view.own.0[rank] >= size && beats
    }
    fn is_public(_: ActionId) -> bool {
        true
    }
    fn phase(&self) -> &'static str {
        "play"
    }
    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", action.0)
    }
}

impl Observe for Ladder {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = &[Block::first("hand", RANKS, COPIES, "The hand.")];
    const HIDDEN: &'static [Block] = &[Block::first("other", RANKS, COPIES, "The other hand.")];
    fn observe(view: View<'_, Self>, row: &mut [u8]) {
        row.copy_from_slice(&view.own.0);
    }
    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        row.copy_from_slice(&self.hands[1 - seat.index()].0);
    }
}

impl Determinize for Ladder {
    fn determinize(_: View<'_, Self>, _: DealRng) -> Option<Self> {
        None
    }
}

impl Check for Ladder {
    fn check_view(_: View<'_, Self>) -> Result<(), ViewError> {
        Ok(())
    }
    fn audit(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Scripted for Ladder {
    fn scripted(view: View<'_, Self>) -> ActionId {
        cardsharp_env::mask::nth(Self::legal(view).words(), 0).unwrap_or_default()
    }
    fn character(view: View<'_, Self>, _: Character) -> ActionId {
        Self::scripted(view)
    }
}

impl Foresee for Ladder {}

impl Habits for Ladder {}

impl Narrate for Ladder {
    fn describe_deal(&self) -> Option<Value> {
        Some(json!({ "hands": self.hands }))
    }
    fn events(_: Option<&Self>, _: &Self) -> Vec<Value> {
        Vec::new()
    }
    fn picture(view: View<'_, Self>) -> String {
        format!("{:?}\n", view.own)
    }
}

/// A stub, because only the solver plays this game.
impl EventLog for Ladder {
    fn conceal_deal(&self, _: Value, _: Option<Seat>) -> Value {
        Value::Null
    }
    fn conceal_event(_: Value, _: Option<Seat>) -> Option<Value> {
        None
    }
    fn imagine(
        _: &Rules,
        _: &u32,
        _: Seat,
        _: &Update<'_>,
        _: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        Err("the ladder is not recorded".to_owned())
    }
    fn follow(_: &mut ImaginedRound<Self>, _: &Update<'_>) -> Result<(), String> {
        Err("the ladder is not recorded".to_owned())
    }
}

impl Deals for Ladder {
    fn deals(_: &Rules) -> Option<Vec<PossibleDeal<Self>>> {
        let deck = RankCounts([COPIES; RANKS]);
        let table = PublicState { trick: Trick::new(2), memory: Memory::EMPTY };
        let mut deals = Vec::new();
        for (first, ways) in hands(&deck, HAND) {
            let mut left = deck;
            left.remove(&first);
            for (second, more) in hands(&left, HAND) {
                deals.push(PossibleDeal {
                    probability: ways * more,
                    round: Self { table, hands: [first, second] },
                });
            }
        }
        let all: f64 = deals.iter().map(|deal| deal.probability).sum();
        deals.iter_mut().for_each(|deal| deal.probability /= all);
        Some(deals)
    }
}

/// Rank index 0 is the best rank.
fn strength(rank: usize) -> u8 {
    (RANKS - rank) as u8
}

#[test]
fn a_climbing_game_is_solved() {
    let explored = Explored::<Ladder>::new(Rules, 1_000_000).unwrap();
    let tree = explored.tree();
    // Views store the played cards without their order, so they cannot replace decisions.
    let views: BTreeSet<String> = explored.views().map(|view| json!(view.to_owned()).to_string()).collect();
    assert_eq!((views.len(), tree.decisions.len()), (5490, 5810));
    let mut solver = CfrPlus::new(tree).unwrap();
    for (iterations, most) in [(10, 0.02), (100, 0.0002), (1000, 0.000_002)] {
        while solver.iterations() < iterations {
            solver.step();
        }
        let measured = measure(tree, &solver.average());
        assert!(measured.exploitability() < most, "{iterations}: {measured:?}");
        let gains = measured.best_response.iter().zip(&measured.value).map(|(best, value)| best - value);
        assert!(gains.into_iter().all(|gain| gain > -1e-12), "{measured:?}");
    }
}
