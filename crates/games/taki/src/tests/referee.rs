//! A second engine that knows only a trace: the deal, the labels, and the events. It checks every hand, every
//! draw, and every action mask.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Narrate, Play, Turn};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use serde_json::Value;

use super::super::deck::{self, to_text};
use super::super::rules::Rules;
use super::super::state::Stage;
use super::super::{Round, narrate};
use super::situation::{label, random_move};

struct Referee {
    hands: Vec<Vec<String>>,
    /// From the top down.
    pile: Vec<String>,
    /// The top one last.
    discards: Vec<String>,
}

fn words(value: &Value) -> Vec<String> {
    value.as_str().unwrap().split_whitespace().map(str::to_owned).collect()
}

impl Referee {
    fn new(deal: &Value) -> Self {
        let hands = deal["hands"].as_array().unwrap().iter().map(words).collect();
        let discards = vec![words(&deal["turned"]).pop().unwrap()];
        Self { hands, pile: words(&deal["pile"]), discards }
    }

    fn moved(&mut self, seat: usize, choice: &str) {
        let card = choice.split(' ').next().unwrap();
        let is_card = deck::card_from(card).is_ok() && choice != "draw";
        if is_card {
            let place = self.hands[seat].iter().position(|held| held.eq_ignore_ascii_case(card));
            let card = self.hands[seat].remove(place.expect("a card that is held"));
            self.discards.push(card);
        }
    }

    fn event(&mut self, event: &Value) {
        match event["event"].as_str().unwrap() {
            "draw" => {
                let seat = event["seat"].as_u64().unwrap() as usize;
                for card in words(&event["cards"]) {
                    assert_eq!(self.pile.remove(0), card, "cards are drawn from the top");
                    self.hands[seat].push(card);
                }
            }
            "recycle" => {
                assert!(self.pile.is_empty(), "only an empty draw pile is made anew");
                let top = self.discards.pop().unwrap();
                let mut old = std::mem::replace(&mut self.discards, vec![top]);
                self.pile = words(&event["pile"]);
                let mut new = self.pile.clone();
                old.sort();
                new.sort();
                assert_eq!(old, new, "the same cards");
            }
            _ => {}
        }
    }

    fn agrees(&self, round: &Round) {
        for (seat, hand) in self.hands.iter().enumerate() {
            let text = to_text(&round.own[seat].hand);
            let mut expected: Vec<&str> = text.split_whitespace().collect();
            let mut hand: Vec<&str> = hand.iter().map(String::as_str).collect();
            expected.sort_unstable();
            hand.sort_unstable();
            assert_eq!(hand, expected, "seat {seat}");
        }
        assert_eq!(self.pile.len(), usize::from(round.table.pile));
        assert_eq!(self.discards.last().map(String::as_str), Some(deck::card_name(round.table.top)));
        assert_eq!(self.discards.len() as u32, round.table.discards.total());
    }
}

#[test]
fn a_trace_tells_where_every_card_is() {
    let mut draw = Draw::new(3, 3);
    let (mut recycled, mut stages) = (0, 0);
    for seed in 0..150 {
        let rules = Rules::random(&mut draw);
        let mut round = *Session::<Round>::new(rules, seed).round();
        let mut referee = Referee::new(&narrate::describe_deal(&round));
        assert!(Round::events(None, &round).is_empty());
        for _ in 0..400 {
            let Turn::Decide(seat) = round.turn() else { break };
            let before = round;
            let mut probe = draw.clone();
            random_move(&mut round, &mut draw);
            // Find the same random action again from a copy of the random stream.
            let legal = Round::legal(before.view(seat));
            let words = cardsharp_engine::mask::Mask::words(&legal);
            let action =
                cardsharp_engine::mask::nth(words, probe.below(cardsharp_engine::mask::count(words)))
                    .unwrap();
            referee.moved(seat.index(), &label(action));
            for event in Round::events(Some(&before), &round) {
                recycled += u32::from(event["event"] == "recycle");
                stages += u32::from(event["event"] == "stage");
                referee.event(&event);
            }
            referee.agrees(&round);
        }
    }
    assert!(recycled > 20 && stages > 20, "{recycled} {stages}");
}

#[test]
fn the_end_is_told() {
    let mut draw = Draw::new(3, 4);
    for seed in 0..40 {
        let mut round = *Session::<Round>::new(Rules::random(&mut draw), seed).round();
        let mut before = round;
        while random_move(&mut round, &mut draw) {
            if round.turn() == Turn::RoundOver {
                break;
            }
            before = round;
        }
        let last = Round::events(Some(&before), &round).pop().unwrap();
        let kind = last["event"].as_str().unwrap().to_owned();
        let expected = match round.table.stage {
            Stage::Over(super::super::state::GameEnd::Won(Seat(seat))) => {
                assert_eq!(last["seat"], seat);
                "won"
            }
            Stage::Over(super::super::state::GameEnd::Stalemate) => "stalemate",
            _ => "cut_off",
        };
        assert_eq!(kind, expected);
    }
}
