//! The conformance suite finds faults: games with one fault each.

mod coin;

use std::cell::Cell;
use std::fmt;

use cardsharp_env::blocks::width;
use cardsharp_env::conformance::{Finding, Suite, Violation};
use cardsharp_env::game::{
    Actions, Check, Chosen, DealError, Deals, Determinize, EventLog, Foresee, Foresight, Habits,
    ImaginedRound, Key, Narrate, Observe, Play, Scripted, Update, ViewError,
};
use cardsharp_env::games::dalmuti::{Move, PrivateState, PublicState, Round, Rules, SessionState, Stage};
use cardsharp_env::hands::Positions;
use cardsharp_env::{ActionId, Block, Character, DealRng, Draw, Payoff, Seat, Turn, View, mask};
use serde_json::Value;

/// The faults that the game can have.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Fault {
    None,
    Mask,
    Empty,
    Unwritten,
    TooLarge,
    Determinize,
    FickleDeterminization,
    Labels,
    Marked,
    Scripted,
    Rewards,
    Deal,
    Refused,
    Panic,
    Audit,
    OutOfTurn,
    Endless,
    Leak,
    Silent,
    Chosen,
    Foresight,
    Surprise,
    Stakes,
}

/// The bit of a pass in masks.
const PASS: usize = Move::Pass.id().0 as usize;

thread_local! {
    /// The fault of the games played by this test.
    static FAULT: Cell<Fault> = const { Cell::new(Fault::None) };
}

fn fault() -> Fault {
    FAULT.get()
}

/// The Great Dalmuti with a fault.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Faulty<const BLOCKS: bool>(Round);

fn true_view<const BLOCKS: bool>(view: View<'_, Faulty<BLOCKS>>) -> View<'_, Round> {
    View { seat: view.seat, table: view.table, own: view.own }
}

impl<const BLOCKS: bool> Play for Faulty<BLOCKS> {
    const NAME: &'static str = "faulty";
    const TITLE: &'static str = "Faulty";
    const VIEW: u32 = 1;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;
    fn seating(rules: &Rules, draw: &mut Draw) -> SessionState {
        Round::seating(rules, draw)
    }
    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
        let standing =
            if fault() == Fault::Deal { SessionState { hands: 0, ..*standing } } else { *standing };
        Self(Round::deal(rules, &standing, rng))
    }
    fn present(&self) -> Positions {
        self.0.present()
    }
    fn turn(&self) -> Turn {
        match self.0.turn() {
            Turn::RoundOver if fault() == Fault::Endless => Turn::Decide(self.0.table().order[0]),
            turn => turn,
        }
    }
    fn table(&self) -> &PublicState {
        self.0.table()
    }
    fn own(&self, seat: Seat) -> &PrivateState {
        self.0.own(seat)
    }
    fn play(&mut self, action: ActionId) {
        assert!(fault() != Fault::Panic || self.0.table().trick.out_count == 0, "nobody goes out");
        if self.0.turn() != Turn::RoundOver {
            self.0.play(action);
        }
    }
    fn settle(&self, standing: &mut SessionState) -> Payoff {
        let mut payoff = self.0.settle(standing);
        if fault() == Fault::Rewards {
            payoff.reward[0] += 0.5;
        }
        payoff
    }
}

impl<const BLOCKS: bool> Actions for Faulty<BLOCKS> {
    const ACTIONS: &'static [Block] = Round::ACTIONS;
    type Legal = <Round as Actions>::Legal;
    fn legal(view: View<'_, Self>) -> Self::Legal {
        let mut legal = Round::legal(true_view(view));
        match fault() {
            Fault::Mask if mask::count(&legal.0) > 2 => legal.0[PASS / 64] &= !(1 << (PASS % 64)),
            Fault::Empty if view.table.memory.gone.total() > 30 => legal = Self::Legal::EMPTY,
            Fault::OutOfTurn if legal == Self::Legal::EMPTY => legal.insert(PASS),
            Fault::Endless if view.table.trick.is_over() && view.seat == view.table.order[0] => {
                legal.insert(PASS)
            }
            _ => {}
        }
        legal
    }
    fn is_legal(view: View<'_, Self>, action: ActionId) -> bool {
        if fault() == Fault::Endless && view.table.trick.is_over() {
            return view.seat == view.table.order[0] && action == Move::Pass.id();
        }
        Round::is_legal(true_view(view), action)
    }
    fn is_public(action: ActionId) -> bool {
        Round::is_public(action)
    }
    fn phase(&self) -> &'static str {
        self.0.phase()
    }
    fn label(table: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if fault() == Fault::Marked && action.0 == 7 {
            f.write_str("/")?;
        }
        Round::label(table, if fault() == Fault::Labels && action.0 == 7 { ActionId(8) } else { action }, f)
    }
}

impl<const BLOCKS: bool> Observe for Faulty<BLOCKS> {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = if BLOCKS {
        &[Block::first("a", 2, 1, "two cells"), Block::first("b", 2, 1, "the same two cells")]
    } else {
        Round::OBSERVATION
    };
    const HIDDEN: &'static [Block] = Round::HIDDEN;
    fn observe(view: View<'_, Self>, row: &mut [u8]) {
        let kept = row[40];
        Round::observe(true_view(view), row);
        match fault() {
            Fault::Unwritten if row[40] == 0 && view.table.memory.gone.total() > 30 => row[40] = kept & 1,
            Fault::TooLarge if row[40] == 1 => row[40] = 2,
            _ => {}
        }
    }
    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        self.0.reveal(seat, row);
    }
}

impl<const BLOCKS: bool> Determinize for Faulty<BLOCKS> {
    fn determinize(view: View<'_, Self>, rng: DealRng) -> Option<Self> {
        let mut round = Round::determinize(true_view(view), rng)?;
        if fault() == Fault::Determinize && round.turn() == Turn::Decide(view.seat) {
            let legal = Round::legal(round.view(view.seat));
            round.play(mask::nth(&legal.0, 0).unwrap_or_default());
        }
        if fault() == Fault::FickleDeterminization {
            // Another random stream in every call.
            static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            let call = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            round = Round::determinize(true_view(view), DealRng::new(call, 1))?;
        }
        Some(Self(round))
    }
}

impl<const BLOCKS: bool> Check for Faulty<BLOCKS> {
    fn check_view(view: View<'_, Self>) -> Result<(), ViewError> {
        if fault() == Fault::Refused && view.table.trick.passed.len() > 2 {
            return Err(ViewError::Impossible("three passes".to_owned()));
        }
        Round::check_view(true_view(view))
    }
    fn audit(&self) -> Result<(), String> {
        if fault() == Fault::Audit && self.0.table().memory.gone.total() == 40 {
            return Err("half the deck is gone".to_owned());
        }
        self.0.audit()
    }
}

impl<const BLOCKS: bool> Scripted for Faulty<BLOCKS> {
    fn scripted(view: View<'_, Self>) -> ActionId {
        if fault() == Fault::Scripted { ActionId(0) } else { Round::scripted(true_view(view)) }
    }
    fn character(view: View<'_, Self>, character: Character) -> ActionId {
        Round::character(true_view(view), character)
    }
}

impl<const BLOCKS: bool> Foresee for Faulty<BLOCKS> {
    fn foresight(view: View<'_, Self>) -> Foresight {
        match fault() {
            Fault::Foresight => Foresight::Round,
            Fault::Surprise if view.table.stage == Stage::Play => Foresight::OwnTurn,
            _ => Round::foresight(true_view(view)),
        }
    }
    fn is_foreseen(&self, before: &Self, seat: Seat) -> bool {
        match fault() {
            // This depends on whether the next player holds a Dalmuti, which only that player can know.
            Fault::Surprise => {
                self.own(self.table().order[usize::from(self.table().trick.turn)]).hand.0[0] == 0
            }
            _ => self.0.is_foreseen(&before.0, seat),
        }
    }
    fn stakes(&self, seat: Seat) -> [f32; 2] {
        match fault() {
            Fault::Stakes => [1.5, 2.0],
            _ => self.0.stakes(seat),
        }
    }
    fn key(&self) -> Option<Key> {
        if fault() == Fault::Surprise { None } else { self.0.key() }
    }
}

impl<const BLOCKS: bool> Habits for Faulty<BLOCKS> {}

impl<const BLOCKS: bool> Narrate for Faulty<BLOCKS> {
    fn describe_deal(&self) -> Option<Value> {
        self.0.describe_deal()
    }
    fn events(before: Option<&Self>, after: &Self) -> Vec<Value> {
        Round::events(before.map(|before| &before.0), &after.0)
    }
    fn picture(view: View<'_, Self>) -> String {
        Round::picture(true_view(view))
    }
}

impl<const BLOCKS: bool> EventLog for Faulty<BLOCKS> {
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let hands = deal["hands"].clone();
        let mut shown = self.0.conceal_deal(deal, to);
        if fault() == Fault::Leak {
            shown["hands"] = hands;
        }
        shown
    }
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value> {
        Round::conceal_event(event, to)
            .filter(|event| fault() != Fault::Silent || event["event"] != "tribute")
    }
    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let ImaginedRound { round, seat, lines } = Round::imagine(rules, standing, seat, update, rng)?;
        Ok(ImaginedRound { round: Self(round), seat, lines })
    }
    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        let mut inner = ImaginedRound { round: imagined.round.0, seat: imagined.seat, lines: Vec::new() };
        Round::follow(&mut inner, update)?;
        imagined.round = Self(inner.round);
        imagined.lines.extend(inner.lines);
        Ok(())
    }
}

impl<const BLOCKS: bool> Deals for Faulty<BLOCKS> {
    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let rng = if fault() == Fault::Chosen { rng.beside() } else { rng };
        Round::dealt(rules, standing, deal, rng).map(Self)
    }
}

fn finding(fault: Fault) -> Finding {
    FAULT.set(fault);
    Suite::<Faulty<false>>::whole().run(40_000, 2).expect_err("the fault is found")
}

#[test]
fn a_game_without_a_fault_passes() {
    assert_eq!(Suite::<Faulty<false>>::whole().run(5_000, 2).map(|report| report.decisions), Ok(5_000));
}

#[test]
fn every_fault_is_found() {
    assert!(
        matches!(finding(Fault::Mask).violation, Violation::Legality { mask: false, ref label, .. } if label == "pass")
    );
    assert!(matches!(finding(Fault::Empty).violation, Violation::Turn { count: 0, turn: true, .. }));
    assert!(matches!(finding(Fault::OutOfTurn).violation, Violation::Turn { count: 1, turn: false, .. }));
    assert!(matches!(finding(Fault::Unwritten).violation, Violation::Cell { block: "hand", cell: 40, .. }));
    assert!(matches!(finding(Fault::TooLarge).violation, Violation::Cell { block: "hand", cell: 40, .. }));
    assert!(matches!(finding(Fault::Determinize).violation, Violation::Determinize { .. }));
    assert!(matches!(finding(Fault::FickleDeterminization).violation, Violation::Determinize { .. }));
    assert!(matches!(finding(Fault::Labels).violation, Violation::Labels(_)));
    assert!(
        matches!(finding(Fault::Marked).violation, Violation::Labels(wrong) if wrong.contains("begins with a mark"))
    );
    assert!(matches!(finding(Fault::Scripted).violation, Violation::Scripted { .. }));
    assert!(matches!(finding(Fault::Rewards).violation, Violation::Payoff(_)));
    assert!(matches!(finding(Fault::Deal).violation, Violation::Invariant(_)));
    assert!(matches!(finding(Fault::Refused).violation, Violation::Json { .. }));
    assert!(matches!(
        Suite::<Faulty<true>>::whole().run(1, 2),
        Err(Finding { violation: Violation::Blocks(_), .. })
    ));
    assert!(matches!(finding(Fault::Audit).violation, Violation::Invariant(_)));
    assert!(matches!(finding(Fault::Endless).violation, Violation::Endless(_)));
    assert!(matches!(finding(Fault::Leak).violation, Violation::EventLog { .. }));
    assert!(matches!(finding(Fault::Silent).violation, Violation::EventLog { .. }));
    assert!(matches!(finding(Fault::Chosen).violation, Violation::Chosen(_)));
    let foreseen = |fault| match finding(fault).violation {
        Violation::Foresight { problem, .. } => problem,
        other => panic!("{other}"),
    };
    let too_early = foreseen(Fault::Foresight);
    assert!(too_early.contains("different keys") || too_early.contains("foreseen"), "{too_early}");
    let surprise = foreseen(Fault::Surprise);
    assert!(surprise.contains("in one round and not in the other"), "{surprise}");
    assert!(foreseen(Fault::Stakes).contains("was not at stake"));
}

#[test]
fn a_panic_is_found_with_the_moves_that_lead_to_it() {
    let found = finding(Fault::Panic);
    assert_eq!(found.violation, Violation::Panic("nobody goes out".to_owned()));
    // The moves before the panic can be replayed; the last move causes the panic.
    let rules: Rules = serde_json::from_value(found.rules.clone()).expect("rules");
    let (last, before) = found.actions.split_last().expect("some moves");
    let replay = cardsharp_env::replay::Replay::<Round> {
        rules,
        seed: found.seed,
        deal: None,
        actions: before.to_vec(),
    };
    let table = replay.table().expect("all legal");
    assert!(table.session().round().table().trick.out_count == 1);
    assert!(Round::is_legal(
        {
            let Turn::Decide(seat) = table.session().round().turn() else { panic!("nobody decides") };
            table.session().round().view(seat)
        },
        *last
    ));
    assert!(width(Round::ACTIONS) > usize::from(last.0));
    let text = found.to_string();
    assert!(text.contains("seed") && text.contains("players"), "{text}");
}
