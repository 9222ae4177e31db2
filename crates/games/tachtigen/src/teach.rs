//! Texts that explain Tachtigen to people who learn it.

use cardsharp_engine::game::{COMMON_WORDS, Happened, KeyedText, Teach, Texts, Tint};
use cardsharp_engine::{ActionId, Seat};
use serde_json::Value;

use super::actions::Move;
use super::bids::{Bid, BidKind};
use super::deck::{Card, Suit};
use super::rules::Rules;
use super::score::rounded;
use super::scripted;
use super::state::{AskedCard, HAND, Round, Stage, View};

/// Bids of points to list first: up to `NEXT[0]` points above the lowest bid always, up to `NEXT[1]` if the
/// hand promises to make them.
const NEXT: [u16; 2] = [40, 100];

impl Teach for Round {
    const RULES: &'static str = include_str!("../rules.md");
    const WORDS: &'static [&'static str] = &[COMMON_WORDS, include_str!("words.json")];
    const LEGEND: &'static [&'static str] =
        &["♠ spades, ♥ hearts, ♦ diamonds, ♣ clubs. To type cards: S7 for ♠7, ST for ♠10"];

    fn asks(phase: &str) -> Option<&'static str> {
        Some(match phase {
            "opening" => "tachtigen.phase.opening",
            "auction" => "tachtigen.phase.auction",
            "discard" => "tachtigen.phase.discard",
            "trump" => "tachtigen.phase.trump",
            "ask" => "tachtigen.phase.ask",
            "play" => "tachtigen.phase.play",
            "claim" => "tachtigen.phase.claim",
            _ => return None,
        })
    }

    fn means(_: View<'_>, action: ActionId) -> Option<&'static str> {
        Some(match Move::of(action)? {
            Move::Pass => "tachtigen.means.pass",
            Move::Hold => "tachtigen.means.hold",
            Move::Solo => "tachtigen.means.solo",
            Move::Call => "tachtigen.means.call",
            Move::Bid(bid) => match bid.kind() {
                BidKind::Points(_) => "tachtigen.means.points",
                BidKind::Misere => "tachtigen.means.misere",
                BidKind::Zwabber => "tachtigen.means.zwabber",
                BidKind::Ouverte => "tachtigen.means.ouverte",
                BidKind::Praatje => "tachtigen.means.praatje",
                BidKind::Prive => "tachtigen.means.prive",
                BidKind::PraatjeHand | BidKind::PriveHand => "tachtigen.means.hand",
            },
            Move::Play(_) | Move::Discard(_) | Move::Ask(_) | Move::Trump(_) | Move::Claim(_) => return None,
        })
    }

    fn why_not(view: View<'_>, action: ActionId) -> Option<KeyedText> {
        let (table, own) = (view.table, view.own);
        let bids = matches!(table.stage, Stage::Opening | Stage::Auction);
        match (Move::of(action)?, table.stage) {
            (Move::Bid(bid), _) if bids => Some(why_no_bid(&table.rules, table.high(), bid)),
            (Move::Pass, Stage::Opening) => Some(KeyedText::new("tachtigen.why.pass")),
            (Move::Hold, Stage::Auction) => Some(KeyedText::new("tachtigen.why.hold")),
            (Move::Play(card) | Move::Discard(card), Stage::Play | Stage::Discard) if !own.hand.has(card) => {
                Some(KeyedText::new("tachtigen.why.holds").with("card", card))
            }
            (Move::Play(card), Stage::Play) => Some(why_not_card(view, card)),
            (Move::Call, Stage::Play) => Some(KeyedText::new("tachtigen.why.call")),
            (Move::Ask(card), Stage::Ask) => Some(match () {
                () if own.hand.has(card) => KeyedText::new("tachtigen.why.own").with("card", card),
                () if own.discard == Some(card) => KeyedText::new("tachtigen.why.aside").with("card", card),
                () if !own.hand.meets(card.suit().cards()) => {
                    KeyedText::new("tachtigen.why.askSuit").with("suit", suit(card.suit()))
                }
                () => KeyedText::new("tachtigen.why.askHigher"),
            }),
            (Move::Trump(_), Stage::Trump) => Some(KeyedText::new("tachtigen.why.noTrump")),
            (Move::Claim(_), Stage::Claim) => Some(KeyedText::new("tachtigen.why.claim")),
            _ => None,
        }
    }

    fn is_likely(view: View<'_>, action: ActionId) -> bool {
        let Some(Move::Bid(bid)) = Move::of(action) else { return true };
        let BidKind::Points(points) = bid.kind() else { return scripted::promise(view, bid) > 0.0 };
        let open = Bid::all().filter(|&bid| view.table.high().is_none_or(|high| bid > high));
        let lowest = open
            .map(Bid::kind)
            .find_map(|kind| if let BidKind::Points(points) = kind { Some(points) } else { None });
        let above = points - lowest.unwrap_or(points).min(points);
        above <= NEXT[0] || above <= NEXT[1] && scripted::promise(view, bid) > 0.0
    }

    fn named_move(words: &Texts, label: &str) -> String {
        let text = |name: &str| words.say(name, &[]);
        let card = |noted: &str| card_in_words(noted).unwrap_or_else(|| noted.to_owned());
        match label.split_once(' ') {
            None if label == "pass" => text("move.pass"),
            None if label == "hold" => text("tachtigen.hold"),
            None if label == "solo" => text("tachtigen.solo"),
            None if label == "call" => text("tachtigen.call"),
            Some(("bid", bid)) => words.say("tachtigen.bid", &[("bid", &bid_in_words(words, bid))]),
            Some(("trump", trump)) => {
                words.say("tachtigen.trumpIs", &[("trump", &trump_in_words(words, trump))])
            }
            Some(("ask", asked)) => words.say("tachtigen.ask", &[("card", &card(asked))]),
            Some(("discard", put)) => words.say("tachtigen.discard", &[("card", &card(put))]),
            Some(("claim", points)) => words.say("tachtigen.claim", &[("points", points)]),
            _ => card(label),
        }
    }

    fn named_card(_: &Texts, word: &str) -> Option<String> {
        suit_of(word).map(|suit| symbol(suit).to_string()).or_else(|| card_in_words(word))
    }

    fn tint(word: &str) -> Option<Tint> {
        let suit = suit_of(word).or_else(|| Some(word.parse::<Card>().ok()?.suit()))?;
        matches!(suit, Suit::Hearts | Suit::Diamonds).then_some(Tint::Red)
    }

    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String> {
        happened.events.iter().filter_map(|event| sentence(words, &happened, event)).collect()
    }
}

fn sentence(words: &Texts, happened: &Happened<'_, Round>, event: &Value) -> Option<String> {
    let name = || event["seat"].as_u64().map(|seat| (happened.who)(Seat(seat as u8)));
    let points = event["points"].to_string();
    match event["event"].as_str()? {
        "redeal" => Some(words.say("tachtigen.redeal", &[])),
        "contract" => {
            Some(words.say("tachtigen.plays", &[("who", &name()?), ("bid", event["bid"].as_str()?)]))
        }
        "kitty" => {
            Some(words.say("tachtigen.kitty", &[("who", &name()?), ("card", event["card"].as_str()?)]))
        }
        "trump" => Some(words.say("tachtigen.trumpIs", &[("trump", event["trump"].as_str()?)])),
        "partner" => Some(words.say("tachtigen.partnerIs", &[("who", &name()?)])),
        "roem" if points != "0" => {
            Some(words.say("tachtigen.roem", &[("who", &name()?), ("points", &points)]))
        }
        "open" => Some(words.say("tachtigen.opens", &[("who", &name()?)])),
        "trick" => Some(words.say("tachtigen.tookTrick", &[("who", &name()?), ("points", &points)])),
        "result" => Some(ended(words, happened, event)),
        _ => None,
    }
}

/// Returns the suit of this letter.
fn suit_of(letter: &str) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| letter.chars().eq([suit.letter()]))
}

fn symbol(suit: Suit) -> char {
    ['♠', '♥', '♦', '♣'][suit as usize]
}

/// Returns a card with the symbol of its suit; `None` if `noted` is no card.
fn card_in_words(noted: &str) -> Option<String> {
    let suit = noted.parse::<Card>().ok()?.suit();
    let rank = if noted.ends_with('T') { "10" } else { &noted[1..] };
    Some(format!("{}{rank}", symbol(suit)))
}

fn trump_in_words(words: &Texts, noted: &str) -> String {
    match suit_of(noted) {
        Some(named) => format!("{} {}", symbol(named), words.say(&format!("suit.{}", suit(named)), &[])),
        None => words.say("tachtigen.noTrump", &[]),
    }
}

fn bid_in_words(words: &Texts, bid: &str) -> String {
    let name = match bid {
        "misere" => "tachtigen.misere",
        "zwabber" => "tachtigen.zwabber",
        "ouverte" => "tachtigen.ouverte",
        "praatje" => "tachtigen.praatje",
        "prive" => "tachtigen.prive",
        "praatje uit de hand" => "tachtigen.praatjeHand",
        "prive uit de hand" => "tachtigen.priveHand",
        points => return points.to_owned(),
    };
    words.say(name, &[])
}

fn suit(suit: Suit) -> &'static str {
    match suit.letter() {
        'S' => "spades",
        'H' => "hearts",
        'D' => "diamonds",
        _ => "clubs",
    }
}

fn why_no_bid(rules: &Rules, high: Option<Bid>, bid: Bid) -> KeyedText {
    match high {
        Some(high) if bid <= high => KeyedText::new("tachtigen.why.bid").with("bid", high),
        _ => KeyedText::new("tachtigen.why.mostPoints").with("points", rules.max_point_bid),
    }
}

/// Explains why a card in hand is not legal.
fn why_not_card(view: View<'_>, card: Card) -> KeyedText {
    let (table, hand) = (view.table, view.own.hand);
    let asked = if let AskedCard::Card(asked) = table.asked { Some(asked) } else { None };
    let called = asked.filter(|_| table.play.is_called());
    let Some(led) = table.play.led() else { return KeyedText::new("tachtigen.why.lead") };
    if let Some(asked) = called.filter(|&asked| hand.has(asked)) {
        return KeyedText::new("tachtigen.why.called").with("card", asked);
    }
    let (led, trump) = (led.suit(), table.trump());
    let follows = hand.meets(led.cards());
    match () {
        () if called.is_some() && !trump.is(led) && trump.is(card.suit()) => {
            KeyedText::new("tachtigen.why.calledTrick")
        }
        () if trump.is(led) && !trump.is(card.suit()) => KeyedText::new("tachtigen.why.trumpLed"),
        () if trump.is(card.suit()) && (!follows || table.rules.ruff_while_able || trump.is(led)) => {
            KeyedText::new("tachtigen.why.higher")
        }
        () if follows && table.rules.ruff_while_able && called.is_none() => {
            KeyedText::new("tachtigen.why.followOrTrump").with("suit", suit(led))
        }
        () if follows => KeyedText::new("tachtigen.why.follow").with("suit", suit(led)),
        () => KeyedText::new("tachtigen.why.trump").with("suit", suit(led)),
    }
}

// Explaining whether a contract was made.

/// Returns the result of a deal in words, with what was needed and what was reached.
fn ended(words: &Texts, happened: &Happened<'_, Round>, result: &Value) -> String {
    let table = happened.after;
    let (Some(bidder), Some(kind), Some(bid)) = (table.bidder(), table.contract(), table.high()) else {
        return words.say("tachtigen.nobody", &[]);
    };
    let name = if result["made"] == true { "tachtigen.made" } else { "tachtigen.lost" };
    let verdict = words.say(name, &[("who", &(happened.who)(bidder)), ("bid", &bid.to_string())]);
    let why = match kind {
        BidKind::Points(bid) => points(happened, result, i64::from(bid)),
        fixed => tricks(happened, bidder, fixed),
    };
    format!("{verdict} {why}")
}

fn points(happened: &Happened<'_, Round>, result: &Value, bid: i64) -> String {
    let table = happened.after;
    let (raw, total) = (result["raw"].as_u64().unwrap_or(0) as u16, result["total"].as_i64().unwrap_or(0));
    let round = i64::from(rounded(raw, table.rules.round_half));
    let side = [table.bidder(), table.partner];
    let won: usize = side.iter().flatten().map(|seat| usize::from(table.play.won[seat.index()])).sum();
    let bonus = if won == HAND { i64::from(table.rules.all_tricks_bonus) } else { 0 };
    let mut parts = vec![format!("{raw} in tricks, rounded {round}")];
    if total - round - bonus != 0 {
        parts.push(format!("{} roem", total - round - bonus));
    }
    if bonus != 0 {
        parts.push(format!("{bonus} for all tricks"));
    }
    let partner = match (table.partner, table.asked) {
        (Some(seat), _) => format!(" with {}", (happened.who)(seat)),
        (None, AskedCard::Solo) => " alone, which counts double".to_owned(),
        (None, _) => " without a partner".to_owned(),
    };
    let difference = match total - bid {
        0 => "just that".to_owned(),
        more @ 1.. => format!("{more} more"),
        less => format!("{} too few", -less),
    };
    format!("{bid} were needed and {total} were reached{partner}: {}; {difference}.", parts.join(", "))
}

/// Explains the result of a fixed contract, which counts tricks.
fn tricks(happened: &Happened<'_, Round>, bidder: Seat, kind: BidKind) -> String {
    let play = &happened.after.play;
    let winners = &play.leaders[1..=play.trick()];
    let won = usize::from(play.won[bidder.index()]);
    let lost = winners.iter().position(|&seat| seat != bidder).map(|at| at + 1);
    if kind.is_misere() {
        return match winners.iter().position(|&seat| seat == bidder) {
            Some(at) => format!("The bidder had to take no trick, and took trick {}.", at + 1),
            None => "The bidder had to take no trick, and took none.".to_owned(),
        };
    }
    match (kind, lost) {
        (BidKind::Zwabber, Some(first)) if first <= 5 => {
            format!("The bidder had to take the first five tricks, and did not take trick {first}.")
        }
        (BidKind::Zwabber, Some(first)) => {
            let partner = (happened.who)(winners[first - 1]);
            let rest = winners[first..].iter().position(|&seat| seat != winners[first - 1]);
            match rest {
                None => format!("{won} tricks in a row, and {partner} took all the others."),
                Some(at) => {
                    format!(
                        "{won} tricks in a row; {partner} took the next one and had to take the rest, but not trick {}.",
                        first + at + 1
                    )
                }
            }
        }
        (_, Some(first)) => {
            format!("The bidder had to take all eight tricks, and did not take trick {first}.")
        }
        (_, None) => "The bidder took all eight tricks.".to_owned(),
    }
}
