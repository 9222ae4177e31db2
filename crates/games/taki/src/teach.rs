//! Texts that explain TAKI to people who learn it.

use cardsharp_engine::game::{COMMON_WORDS, Happened, KeyedText, Teach, Texts, Tint};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::deck::{
    self, BREAKER, CHANGE, Card, Color, KING, PLUS3, SUPER, SYMBOLS, Symbol, card_from, card_name, parts,
};
use super::rules::Plus3VsPlus3;
use super::state::{PublicState, Stage};
use super::{Round, View};

impl Teach for Round {
    const RULES: &'static str = include_str!("../rules.md");
    const WORDS: &'static [&'static str] = &[COMMON_WORDS, include_str!("words.json")];
    const LEGEND: &'static [&'static str] = &[
        "To type a card: R, B, G or Y (red, blue, green, yellow), then its number, stop, +2, dir (Reverse), plus or taki: R5, Rdir",
        "Cards without a color: color, super, king, +3, breaker. Some need a color: super G",
    ];

    fn asks(phase: &str) -> Option<&'static str> {
        Some(match phase {
            "turn" => "taki.phase.turn",
            "run" => "taki.phase.run",
            "free" => "taki.phase.free",
            "owe" => "taki.phase.owe",
            "window" => "taki.phase.window",
            "last card" => "taki.phase.last",
            "catch" => "taki.phase.catch",
            _ => return None,
        })
    }

    fn means(view: View<'_>, action: ActionId) -> Option<&'static str> {
        Some(match Move::of(action)? {
            Move::Plus3 if view.table.stage == Stage::Window => "taki.means.plus3Back",
            Move::Draw => "taki.means.draw",
            Move::Colored(_, Symbol::Stop) => "taki.means.stop",
            Move::Colored(_, Symbol::Plus2) => "taki.means.plus2",
            Move::Colored(_, Symbol::Direction) => "taki.means.dir",
            Move::Colored(_, Symbol::Plus) => "taki.means.plus",
            Move::Colored(_, Symbol::Taki) | Move::Super(_) => "taki.means.taki",
            Move::Change(_) => "taki.means.color",
            Move::King => "taki.means.king",
            Move::Plus3 => "taki.means.plus3",
            Move::Breaker => "taki.means.breaker",
            Move::Close => "taki.means.close",
            Move::LeaveOpen => "taki.means.leave",
            Move::Silent => "taki.means.silent",
            Move::Colored(..) | Move::EndTurn | Move::Decline | Move::Declare | Move::Catch | Move::LetGo => {
                return None;
            }
        })
    }

    fn why_not(view: View<'_>, action: ActionId) -> Option<KeyedText> {
        let table = view.table;
        let chosen = Move::of(action)?;
        if let Some(card) = card_of(chosen)
            && !view.own.hand.has(card)
        {
            return Some(KeyedText::new("taki.why.holds").with("card", card_name(card)));
        }
        match table.stage {
            Stage::Run => Some(KeyedText::new("taki.why.run").with("color", table.color.name())),
            Stage::Window if table.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer => {
                Some(KeyedText::new("taki.why.windowPlus3"))
            }
            Stage::Window => Some(KeyedText::new("taki.why.window")),
            Stage::Turn if table.debt > 0 => Some(KeyedText::new("taki.why.debt").with("count", table.debt)),
            Stage::Turn | Stage::Owe => match chosen {
                Move::Draw => Some(KeyedText::new("taki.why.draw")),
                _ => card_of(chosen).map(|_| to_match(table)),
            },
            Stage::Free | Stage::LastCard { .. } | Stage::Catch { .. } | Stage::Over(_) => None,
        }
    }

    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String> {
        let (who, after) = (happened.who, happened.after);
        let mut sentences: Vec<String> = Vec::new();
        let owed = happened.before.map_or(0, |before| before.debt);
        if after.debt > owed {
            sentences.push(words.say("taki.debt", &[("count", &after.debt.to_string())]));
        }
        for event in happened.events {
            let seat = event["seat"].as_u64().map(|seat| Seat(seat as u8));
            let name = seat.map(who).unwrap_or_default();
            sentences.extend(match event["event"].as_str() {
                Some("draw") => {
                    let shown = event["cards"].as_str().map(|cards| -> Vec<String> {
                        cards.split_whitespace().map(|card| card_in_words(words, card)).collect()
                    });
                    let count = shown
                        .as_ref()
                        .map_or_else(|| event["count"].as_u64(), |cards| Some(cards.len() as u64));
                    let count = count.unwrap_or_default();
                    let mut cards = if count == 1 { "1 card".to_owned() } else { format!("{count} cards") };
                    cards += &shown.map(|cards| format!(" ({})", cards.join(", "))).unwrap_or_default();
                    cards += seat.and_then(|seat| reason(&happened, seat)).unwrap_or_default();
                    Some(words.say("taki.drew", &[("who", &name), ("cards", &cards)]))
                }
                Some("recycle") => Some(words.say("taki.recycle", &[("count", &event["pile"].to_string())])),
                Some("stage") => {
                    Some(words.say("taki.rose", &[("who", &name), ("stage", &event["stage"].to_string())]))
                }
                Some("settled") => Some(words.say("taki.settled", &[])),
                Some("won") => Some(words.say("taki.won", &[("who", &name)])),
                Some("stalemate") => Some(words.say("taki.stalemate", &[])),
                Some("cut_off") => Some(words.say("taki.cutOff", &[])),
                _ => None,
            });
        }
        sentences
    }

    fn named_move(words: &Texts, label: &str) -> String {
        let text = |name: &str| words.say(name, &[]);
        match label {
            "draw" => text("taki.draw"),
            "close taki" => text("taki.close"),
            "leave taki open" => text("taki.leave"),
            "end turn" => text("taki.end"),
            "decline" => text("taki.decline"),
            "last card" => text("taki.declare"),
            "silent" => text("taki.silent"),
            "catch" => text("taki.catch"),
            "let go" => text("taki.letGo"),
            _ => match label.split_once(' ') {
                Some((card, color)) => {
                    let color = Color::ALL.into_iter().find(|named| color.chars().eq([named.letter()]));
                    let color = color.map_or_else(String::new, |color| color_in_words(words, color));
                    words.say("taki.named", &[("card", &card_in_words(words, card)), ("color", &color)])
                }
                None => card_in_words(words, label),
            },
        }
    }

    /// `color` is also an English word, so it stays.
    fn named_card(words: &Texts, word: &str) -> Option<String> {
        let card = card_from(word).ok().filter(|&card| card_name(card) == word && card != CHANGE)?;
        Some(card_in_words(words, card_name(card)))
    }

    fn tint(word: &str) -> Option<Tint> {
        let named = |color: &Color| color.name() == word || word.chars().eq([color.letter()]);
        let card = || card_from(word).ok().filter(|&card| card < deck::COLORED && card_name(card) == word);
        let color = Color::ALL.into_iter().find(named);
        let color = color.or_else(|| card().map(|card| Color::ALL[usize::from(card) / SYMBOLS]))?;
        Some(match color {
            Color::Red => Tint::Red,
            Color::Blue => Tint::Blue,
            Color::Green => Tint::Green,
            Color::Yellow => Tint::Yellow,
        })
    }
}

fn color_in_words(words: &Texts, color: Color) -> String {
    words.say(["taki.red", "taki.blue", "taki.green", "taki.yellow"][color as usize], &[])
}

/// Returns a card in players' words; `noted` is its notation.
fn card_in_words(words: &Texts, noted: &str) -> String {
    let Ok(card) = card_from(noted) else { return noted.to_owned() };
    let name = match (card, parts(card)) {
        (_, Some((color, symbol))) => {
            let name = match symbol {
                Symbol::Stop => words.say("taki.stop", &[]),
                Symbol::Plus2 => words.say("taki.plus2", &[]),
                Symbol::Direction => words.say("taki.dir", &[]),
                Symbol::Plus => words.say("taki.plus", &[]),
                Symbol::Taki => words.say("taki.taki", &[]),
                number => number.name().to_owned(),
            };
            let color = color_in_words(words, color);
            return words.say("taki.colored", &[("color", &color), ("symbol", &name)]);
        }
        (SUPER, None) => "taki.super",
        (KING, None) => "taki.king",
        (PLUS3, None) => "taki.plus3",
        (BREAKER, None) => "taki.breaker",
        (_, None) => "taki.color",
    };
    words.say(name, &[])
}

/// The text about what the next card must match.
fn to_match(table: &PublicState) -> KeyedText {
    let color = table.color.name();
    match table.symbol {
        Some(symbol) => KeyedText::new("taki.match").with("color", color).with("symbol", symbol.name()),
        None => KeyedText::new("taki.matchColor").with("color", color),
    }
}

/// Returns the card that a move lays, if any.
fn card_of(chosen: Move) -> Option<Card> {
    Some(match chosen {
        Move::Colored(color, symbol) => deck::colored(color, symbol),
        Move::Change(_) => CHANGE,
        Move::Super(_) => SUPER,
        Move::King => KING,
        Move::Plus3 => PLUS3,
        Move::Breaker => BREAKER,
        _ => return None,
    })
}

/// Returns why a seat had to draw, unless it had no card to play.
fn reason(happened: &Happened<'_, Round>, seat: Seat) -> Option<&'static str> {
    let (before, (mover, action)) = (happened.before?, happened.chosen?);
    let (window, himself) = (before.stage == Stage::Window, seat == mover);
    Some(match Move::of(action)? {
        Move::Draw if himself && before.debt > 0 => ", owed for +2 cards",
        Move::Breaker if window && seat == before.turn => ", because the +3 was broken",
        Move::Breaker if !window && himself => ", which a +3 Breaker costs in one's own turn",
        Move::Plus3 if !himself => ", for the +3",
        Move::Decline if seat != before.turn => ", for the +3",
        Move::Silent | Move::Catch => ", for not saying “last card”",
        Move::Colored(_, Symbol::Plus) if himself => ", because a Plus must be followed",
        _ => return None,
    })
}
