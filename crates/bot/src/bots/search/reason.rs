//! Reasons for the difference between two moves.

use std::borrow::Cow;
use std::sync::LazyLock;

use cardsharp_env::Seat;
use cardsharp_env::game::Texts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aim::{Aimed, CounterMove};
use crate::stats::percent;

/// The English sentences. The page of the browser reads the same file.
static SENTENCES: LazyLock<Texts> =
    LazyLock::new(|| Texts::read(&[include_str!("reasons.json")]).unwrap_or_default());

/// The smallest share of the deals in which a seat must have an answer, to be named.
const SELDOM: f64 = 0.02;

/// A fact about two compared moves. `of` is the number of its move, 0 or 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// Only this move leaves these cards in the hand.
    Keeps {
        /// The number of the move, 0 or 1.
        of: usize,
        /// The cards, in card notation.
        cards: Vec<String>,
    },
    /// How often the move reached its aim.
    Aim {
        /// The number of the move, 0 or 1.
        of: usize,
        /// The name of the aim.
        name: Cow<'static, str>,
        /// The aim in words.
        purpose: Cow<'static, str>,
        /// The share of the deals in which the move reached it.
        share: f64,
    },
    /// The seat that could most often prevent the aim of the move.
    Answer {
        /// The number of the move, 0 or 1.
        of: usize,
        /// The seat that could prevent the aim most often.
        seat: Seat,
        /// The share of the deals in which it had an answer at its turn.
        could: f64,
        /// The share of the deals in which it played one.
        did: f64,
        /// The answers of all seats, most often first.
        by: Vec<CounterMove>,
    },
    /// How often the seat finishes first after each move.
    Wins {
        /// The share of the deals, for each move.
        shares: [f64; 2],
    },
}

impl Reason {
    /// Returns the reasons for a difference, those of the second move first. `clear` says whether places or points differ
    /// significantly. `left` has the cards that each move leaves in the hand, and `first` how often the seat finishes
    /// first.
    pub(super) fn all(
        clear: bool,
        first: [f64; 2],
        left: &[String; 2],
        aim: &[Option<Aimed>; 2],
    ) -> Vec<Self> {
        let moves = [1, 0];
        let kept = moves.map(|of| (of, without(&left[of], &left[1 - of])));
        let kept = kept.into_iter().filter(|(_, cards)| !cards.is_empty());
        let mut reasons: Vec<Self> = kept.map(|(of, cards)| Self::Keeps { of, cards }).collect();
        for (of, aimed) in moves.into_iter().filter_map(|of| Some((of, aim[of].as_ref()?))) {
            let &Aimed { name, purpose, reached, .. } = aimed;
            let [name, purpose] = [name, purpose].map(Cow::Borrowed);
            reasons.push(Self::Aim { of, name, purpose, share: reached });
            let rival = aimed.rivals.first().filter(|rival| rival.could >= SELDOM);
            reasons.extend(rival.map(|rival| Self::Answer {
                of,
                seat: rival.seat,
                could: rival.could,
                did: rival.did,
                by: aimed.by.clone(),
            }));
        }
        if clear && percent(first[0], 0) != percent(first[1], 0) {
            reasons.push(Self::Wins { shares: first });
        }
        reasons
    }

    /// Returns the reason as an English sentence. `moves` are the labels of the two moves.
    pub fn sentence(&self, moves: [&str; 2]) -> String {
        let text = match self {
            Self::Keeps { of, cards } => {
                SENTENCES.say("reason.keeps", &[("move", moves[*of]), ("cards", &cards.join(" "))])
            }
            Self::Aim { of, purpose, share, .. } => SENTENCES
                .say("reason.aim", &[("move", moves[*of]), ("aim", purpose), ("share", &percent(*share, 0))]),
            Self::Answer { of, seat, could, did, by } => {
                let by: Vec<String> = by
                    .iter()
                    .map(|CounterMove { choice, share }| format!("{choice} ({})", percent(*share, 0)))
                    .collect();
                let values = [
                    ("move", moves[*of]),
                    ("who", &format!("seat {}", seat.0)),
                    ("could", &percent(*could, 0)),
                    ("did", &percent(*did, 0)),
                    ("moves", &by.join(", ")),
                ];
                SENTENCES.say("reason.answer", &values)
            }
            Self::Wins { shares } => {
                let [otherwise, share] = shares.map(|share| percent(share, 0));
                let values =
                    [("share", &*share), ("move", moves[1]), ("otherwise", &*otherwise), ("other", moves[0])];
                SENTENCES.say("reason.wins", &values)
            }
        };
        capital(&text)
    }
}

/// Returns the cards of one hand that are not in another.
fn without(hand: &str, other: &str) -> Vec<String> {
    let mut others: Vec<&str> = other.split_whitespace().collect();
    let more = hand.split_whitespace().filter(|card| match others.iter().position(|other| other == card) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    more.map(str::to_owned).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::super::aim::Rival;
    use super::*;

    fn reasons(clear: bool, left: [&str; 2], aim: &[Option<Aimed>; 2]) -> Vec<String> {
        let left = left.map(str::to_owned);
        let reasons = Reason::all(clear, [0.1, 0.3], &left, aim);
        reasons.iter().map(|reason| reason.sentence(["7", "12x2"])).collect()
    }

    fn aimed(reached: f64, rivals: Vec<Rival>, by: Vec<CounterMove>) -> Option<Aimed> {
        Some(Aimed { name: "climbing.aim", purpose: "no player tops it", reached, rivals, by })
    }

    #[test]
    fn reasons_name_what_each_move_keeps_its_aim_and_the_answer_to_it() {
        let rivals = vec![
            Rival { seat: Seat(3), could: 0.5, did: 0.45 },
            Rival { seat: Seat(1), could: 0.2, did: 0.2 },
        ];
        let by =
            [("6", 0.4), ("5", 0.3)].map(|(choice, share)| CounterMove { choice: choice.to_owned(), share });
        let aim = [aimed(0.25, rivals, by.to_vec()), aimed(1.0, Vec::new(), Vec::new())];
        assert_eq!(
            reasons(true, ["3 12 12", "3 7 J"], &aim),
            [
                "Only 12x2 keeps these cards: 7 J.",
                "Only 7 keeps these cards: 12 12.",
                "12x2: no player tops it in more than 99 % of the deals.",
                "7: no player tops it in 25 % of the deals.",
                "Most often, seat 3 can answer 7: in 50 % of the deals, and does so in 45 %. \
                 Answers: 6 (40 %), 5 (30 %).",
                "The round is won in 30 % of the deals after 12x2, and in 10 % after 7.",
            ]
        );
    }

    #[test]
    fn a_small_difference_and_a_rare_answer_are_no_reasons() {
        let rare = vec![Rival { seat: Seat(0), could: 0.01, did: 0.0 }];
        let aim = [None, aimed(0.8, rare, Vec::new())];
        let found = reasons(false, ["3", "3"], &aim);
        assert_eq!(found, ["12x2: no player tops it in 80 % of the deals."]);
    }
}
