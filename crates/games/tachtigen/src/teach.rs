//! Texts that explain Tachtigen to people who learn it.

mod ended;

use cardsharp_engine::game::{Happened, Teach, Words};
use cardsharp_engine::{ActionId, Seat};
use serde_json::Value;

use super::deck::{Card, Suit};
use super::ladder::{Bid, Kind};
use super::moves::Move;
use super::rules::Rules;
use super::scripted;
use super::table::{Asked, Round, Stage, View};

/// Bids of points to list first: up to `NEXT[0]` points above the lowest bid always, up to `NEXT[1]` if the
/// hand promises to make them.
const NEXT: [u16; 2] = [40, 100];

impl Teach for Round {
    const RULES: &'static str = include_str!("../../../../docs/rules/tachtigen.md");
    const WORDS: &'static [&'static str] = &[include_str!("words.json")];

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
                Kind::Points(_) => "tachtigen.means.points",
                Kind::Misere => "tachtigen.means.misere",
                Kind::Zwabber => "tachtigen.means.zwabber",
                Kind::Ouverte => "tachtigen.means.ouverte",
                Kind::Praatje => "tachtigen.means.praatje",
                Kind::Prive => "tachtigen.means.prive",
                Kind::PraatjeHand | Kind::PriveHand => "tachtigen.means.hand",
            },
            Move::Play(_) | Move::Discard(_) | Move::Ask(_) | Move::Trump(_) | Move::Claim(_) => return None,
        })
    }

    fn why_not(words: &Words, view: View<'_>, action: ActionId) -> Option<String> {
        let (table, own) = (view.table, view.own);
        let bids = matches!(table.stage, Stage::Opening | Stage::Auction);
        match (Move::of(action)?, table.stage) {
            (Move::Bid(bid), _) if bids => Some(why_no_bid(&table.rules, table.high(), bid)),
            (Move::Pass, Stage::Opening) => Some("No player has bid yet: `hold`, or bid.".to_owned()),
            (Move::Hold, Stage::Auction) => Some("A player has bid: bid higher, or `pass`.".to_owned()),
            (Move::Play(card) | Move::Discard(card), Stage::Play | Stage::Discard) if !own.hand.has(card) => {
                Some(format!("You do not hold {card}."))
            }
            (Move::Play(card), Stage::Play) => Some(why_not_card(words, view, card)),
            (Move::Call, Stage::Play) => Some(
                "Only the bidder may call, before leading the suit of the asked card, if that card has not been played."
                    .to_owned(),
            ),
            (Move::Ask(card), Stage::Ask) => Some(match () {
                () if own.hand.has(card) => format!("You hold {card} yourself."),
                () if own.discard == Some(card) => format!("You put {card} aside."),
                () if !own.hand.meets(card.suit().cards()) => {
                    format!("You hold no {}: ask in a suit of which you hold a card.", suit(card.suit()))
                }
                () => "You must ask for a higher card, because you can (ask_scope).".to_owned(),
            }),
            (Move::Trump(_), Stage::Trump) => {
                Some("This contract is played with a suit as trump.".to_owned())
            }
            (Move::Claim(_), Stage::Claim) => {
                Some("You may claim your true roem, or none.".to_owned())
            }
            _ => None,
        }
    }

    fn is_likely(view: View<'_>, action: ActionId) -> bool {
        let Some(Move::Bid(bid)) = Move::of(action) else { return true };
        let Kind::Points(points) = bid.kind() else { return scripted::promise(view, bid) > 0.0 };
        let open = Bid::all().filter(|&bid| view.table.high().is_none_or(|high| bid > high));
        let lowest = open
            .map(Bid::kind)
            .find_map(|kind| if let Kind::Points(points) = kind { Some(points) } else { None });
        let above = points - lowest.unwrap_or(points).min(points);
        above <= NEXT[0] || above <= NEXT[1] && scripted::promise(view, bid) > 0.0
    }

    fn told(words: &Words, happened: Happened<'_, Self>) -> Vec<String> {
        happened.events.iter().filter_map(|event| told(words, &happened, event)).collect()
    }
}

fn told(words: &Words, happened: &Happened<'_, Round>, event: &Value) -> Option<String> {
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
        "result" => Some(ended::ended(words, happened, event)),
        _ => None,
    }
}

fn suit(suit: Suit) -> &'static str {
    match suit.letter() {
        'S' => "spades",
        'H' => "hearts",
        'D' => "diamonds",
        _ => "clubs",
    }
}

fn why_no_bid(rules: &Rules, high: Option<Bid>, bid: Bid) -> String {
    match high {
        Some(high) if bid <= high => format!("A bid must be higher than {high}, the highest so far."),
        _ => format!("At this table no bid may be higher than {} points.", rules.max_point_bid),
    }
}

/// Explains why a card in hand is not legal.
fn why_not_card(words: &Words, view: View<'_>, card: Card) -> String {
    let (table, hand) = (view.table, view.own.hand);
    let asked = if let Asked::Card(asked) = table.asked { Some(asked) } else { None };
    let called = asked.filter(|_| table.play.is_called());
    let Some(led) = table.play.led() else { return words.say("tachtigen.why.lead", &[]) };
    if let Some(asked) = called.filter(|&asked| hand.has(asked)) {
        return format!("{asked} was called: you must play it.");
    }
    let (led, trump) = (led.suit(), table.trump());
    let follows = hand.meets(led.cards());
    match () {
        () if called.is_some() && !trump.is(led) && trump.is(card.suit()) => {
            "The asked card was called: no player may trump in this trick.".to_owned()
        }
        () if trump.is(led) && !trump.is(card.suit()) => "Trump is led: you must play trump.".to_owned(),
        () if trump.is(card.suit()) && (!follows || table.rules.ruff_while_able || trump.is(led)) => {
            words.say("tachtigen.why.higher", &[])
        }
        () if follows && table.rules.ruff_while_able && called.is_none() => {
            words.say("tachtigen.why.follow", &[("suit", suit(led))])
        }
        () if follows => format!("You must follow with {}.", suit(led)),
        () => words.say("tachtigen.why.trump", &[("suit", suit(led))]),
    }
}
