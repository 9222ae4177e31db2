//! The smallest game that the suite runs: rules of play, actions, rows, and options without the macro.

use std::fmt;

use cardsharp_env::conformance::{Suite, SuiteReport, Violation};
use cardsharp_env::game::{Actions, Check, Observe, Play, ViewError};
use cardsharp_env::hands::Positions;
use cardsharp_env::mask::Words;
use cardsharp_env::rules::{OptionDoc, RulesError, ValidValues};
use cardsharp_env::{ActionId, Block, DealRng, Draw, Payoff, Seat, Turn, View};
use serde::{Deserialize, Serialize};

/// The faults that the game can have.
mod fault {
    pub const NONE: u8 = 0;
    pub const MASK: u8 = 1;
    pub const AUDIT: u8 = 2;
    pub const DEFAULTS: u8 = 3;
    pub const DRAWN: u8 = 4;
    pub const UNLISTED: u8 = 5;
    pub const ORDER: u8 = 6;
    pub const ROUNDS: u8 = 7;
    pub const PLAYERS: u8 = 8;
    pub const PANIC: u8 = 9;
    pub const TWICE: u8 = 10;
    pub const CHECK: u8 = 11;
}

/// Players say heads or tails in turn.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Coin<const FAULT: u8>(PublicState<FAULT>);

#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct PublicState<const FAULT: u8> {
    rules: Rules<FAULT>,
    said: u8,
}

#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Rules<const FAULT: u8> {
    players: u8,
    coins: u8,
}

impl<const FAULT: u8> Default for Rules<FAULT> {
    fn default() -> Self {
        Self { players: if FAULT == fault::DEFAULTS { 9 } else { 2 }, coins: 1 }
    }
}

const fn option(name: &'static str) -> OptionDoc {
    let values = ValidValues::Whole { least: 2, most: 4, step: 1, default: 2 };
    OptionDoc { name, values, meaning: "How many.", shaping: false }
}

impl<const FAULT: u8> cardsharp_env::Rules for Rules<FAULT> {
    const OPTIONS: &'static [OptionDoc] = match FAULT {
        fault::UNLISTED => &[option("players"), option("coins"), option("sides")],
        fault::ORDER => &[option("coins"), option("players")],
        fault::TWICE => &[option("players"), option("coins"), option("coins")],
        _ => &[option("players"), option("coins")],
    };
    const ROUNDS_OPTION: &'static str = if FAULT == fault::ROUNDS { "games" } else { "coins" };

    fn check(&self) -> Result<(), RulesError> {
        assert!(FAULT != fault::CHECK, "nothing can be asked");
        // With this fault the rules accept more players than the options allow.
        if self.players > 4 && FAULT != fault::PLAYERS {
            return Err(Self::refused("players", self.players));
        }
        Ok(())
    }
    fn players(&self) -> u8 {
        self.players
    }
    fn rounds(&self) -> u32 {
        1
    }
    fn random(draw: &mut Draw) -> Self {
        assert!(FAULT != fault::PANIC, "nothing can be drawn");
        let most = if matches!(FAULT, fault::DRAWN | fault::PLAYERS) { 4 } else { 3 };
        Self { players: 2 + draw.below(most) as u8, coins: 1 }
    }
}

impl<const FAULT: u8> Play for Coin<FAULT> {
    const NAME: &'static str = "coin";
    const TITLE: &'static str = "Coin";
    const VIEW: u32 = 1;
    type Rules = Rules<FAULT>;
    type SessionState = ();
    type PublicState = PublicState<FAULT>;
    type PrivateState = ();
    fn seating(_: &Self::Rules, _: &mut Draw) {}
    fn deal(rules: &Self::Rules, (): &(), _: DealRng) -> Self {
        Self(PublicState { rules: *rules, said: 0 })
    }
    fn present(&self) -> Positions {
        Positions::first(self.0.rules.players)
    }
    fn turn(&self) -> Turn {
        if self.0.said == self.0.rules.players { Turn::RoundOver } else { Turn::Decide(Seat(self.0.said)) }
    }
    fn table(&self) -> &Self::PublicState {
        &self.0
    }
    fn own(&self, _: Seat) -> &() {
        &()
    }
    fn play(&mut self, _: ActionId) {
        self.0.said += 1;
    }
    fn settle(&self, (): &mut ()) -> Payoff {
        let mut payoff = Payoff { seats: self.0.rules.players, ..Payoff::default() };
        payoff.place[..usize::from(self.0.rules.players)].fill(1);
        payoff
    }
}

impl<const FAULT: u8> Actions for Coin<FAULT> {
    const ACTIONS: &'static [Block] = &[Block::first("say", 2, 1, "Heads; tails.")];
    type Legal = Words<1>;
    fn legal(view: View<'_, Self>) -> Words<1> {
        let mut legal = Words::EMPTY;
        if view.seat.0 == view.table.said {
            legal.insert_run(0, if FAULT == fault::MASK && view.seat.0 == 1 { 0b01 } else { 0b11 });
        }
        legal
    }
    fn is_legal(view: View<'_, Self>, action: ActionId) -> bool {
        view.seat.0 == view.table.said && action.0 < 2
    }
    fn is_public(_: ActionId) -> bool {
        true
    }
    fn phase(&self) -> &'static str {
        "say"
    }
    fn label(_: Option<&Self::PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if action.0 == 0 { "heads" } else { "tails" })
    }
}

impl<const FAULT: u8> Observe for Coin<FAULT> {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = &[Block::first("said", 1, 4, "Players who have said something.")];
    const HIDDEN: &'static [Block] = &[Block::first("nothing", 1, 1, "Nothing is hidden.")];
    fn observe(view: View<'_, Self>, row: &mut [u8]) {
        row[0] = view.table.said;
    }
    fn reveal(&self, _: Seat, row: &mut [u8]) {
        row[0] = 0;
    }
}

impl<const FAULT: u8> Check for Coin<FAULT> {
    fn check_view(_: View<'_, Self>) -> Result<(), ViewError> {
        Ok(())
    }
    fn audit(&self) -> Result<(), String> {
        if FAULT == fault::AUDIT && self.0.said == 2 { Err("the coin is lost".to_owned()) } else { Ok(()) }
    }
}

fn run<const FAULT: u8>(suite: &Suite<Coin<FAULT>>) -> Result<SuiteReport, Violation> {
    suite.run(1_000, 3).map_err(|finding| finding.violation)
}

/// Returns the problem that the suite finds in the options.
#[track_caller]
fn options<const FAULT: u8>() -> String {
    match run(&Suite::<Coin<FAULT>>::new()) {
        Err(Violation::Options(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn three_traits_are_enough() {
    let report = run(&Suite::<Coin<{ fault::NONE }>>::new()).expect("no fault");
    assert!(report.thorough > 50 && report.rounds > 200 && report.whole == 0, "{report:?}");
    assert!(matches!(
        run(&Suite::<Coin<{ fault::MASK }>>::new()),
        Err(Violation::Legality { seat: 1, mask: false, ref label, .. }) if label == "tails"
    ));
}

#[test]
fn a_further_trait_adds_its_checks() {
    let new = Suite::<Coin<{ fault::AUDIT }>>::new;
    assert!(run(&new()).is_ok());
    assert_eq!(run(&new().with_checks()).unwrap_err(), Violation::Invariant("the coin is lost".to_owned()));
}

#[test]
fn options_that_do_not_fit_the_rules_are_found() {
    assert!(options::<{ fault::UNLISTED }>().contains("sides"));
    assert!(options::<{ fault::ORDER }>().contains("not `players`"));
    assert!(options::<{ fault::ROUNDS }>().contains("`games`, the number of rounds"));
    assert!(options::<{ fault::TWICE }>().contains("two have one name"));
}

#[test]
fn rules_that_the_game_makes_itself_are_checked() {
    let nine = "rules option `players` cannot be 9: expected a whole number, 2 to 4 (default 2)";
    assert_eq!(options::<{ fault::DEFAULTS }>(), nine);
    assert_eq!(options::<{ fault::DRAWN }>(), nine.replace('9', "5"));
    assert_eq!(options::<{ fault::PLAYERS }>(), "5 players, not 2 to 4");
    for (found, text) in [
        (run(&Suite::<Coin<{ fault::PANIC }>>::new()), "nothing can be drawn"),
        (run(&Suite::<Coin<{ fault::CHECK }>>::new()), "nothing can be asked"),
    ] {
        assert_eq!(found.unwrap_err(), Violation::Panic(text.to_owned()));
    }
}
