//! What each option does, and which values it takes.

use super::{MOST_POINTS, PLAYERS, Rules};
use crate::ground::rules::{OptionDoc, Rules as _, RulesError, option};

const TRUMP: &str = "\"named\", \"named_or_none\" or \"none\" (default \"named\")";
const YES_NO_NO: &str = "true or false (default false)";
const YES_NO_YES: &str = "true or false (default true)";

/// Every option, in reading order.
pub const OPTIONS: &[OptionDoc] = &[
    option("players", "4", "Number of players; Tachtigen is a game for four."),
    option(
        "opening_order",
        "\"forehand\" or \"random\" (default \"forehand\")",
        "In which order players may make the first bid: from the dealer's left, or in an order drawn for each deal.",
    ),
    option(
        "all_hold",
        "\"end_zero\" or \"redeal\" (default \"end_zero\")",
        "If nobody makes a first bid the deal ends and is worth nothing, or the next dealer deals again (at most 20 \
         times).",
    ),
    option(
        "max_point_bid",
        "a multiple of 10, 220 to 710 (default 710)",
        "The most points that can be bid. With the usual bonus no side can ever score more than 710.",
    ),
    option(
        "trump_points",
        TRUMP,
        "Whether points contracts have trump, and whether the bidder may do without.",
    ),
    option("trump_zwabber", TRUMP, "The same for a zwabber."),
    option("trump_misere", TRUMP, "The same for misere, ouverte and both praatjes."),
    option("trump_prive", TRUMP, "The same for both prives."),
    option(
        "ask_scope",
        "\"any_held_suit\" or \"aces_first\" (default \"any_held_suit\")",
        "Which cards the bidder may ask for: any of a suit he holds, or only aces; kings if no ace can be asked for, \
         and so on down.",
    ),
    option(
        "ask_discard",
        YES_NO_NO,
        "Whether the bidder may ask for the card he put aside: then nobody is his partner.",
    ),
    option(
        "first_leader",
        "\"bidder\" or \"forehand\" (default \"bidder\")",
        "Who leads to the first trick: the bidder, or the player on the dealer's left.",
    ),
    option("ruff_while_able", YES_NO_YES, "Whether a plain suit may be trumped by who could follow it."),
    option(
        "must_ruff_when_void",
        YES_NO_YES,
        "Whether who cannot follow must trump, and overtrump, if he can.",
    ),
    option(
        "undertrump",
        "\"only_if_forced\", \"compulsory_if_only_lower\" or \"free\" (default \"only_if_forced\")",
        "Whether a trump lower than one in the trick may be played: only by who has nothing else; it must be, by who is \
         void and must ruff; or always.",
    ),
    option("must_overtake_trump_lead", YES_NO_NO, "Whether a trump lead must be beaten by who can."),
    option(
        "jack_exempt_count",
        "a whole number, 0 to 99 (default 2)",
        "On how many trump leads a player may keep the trump jack if it is his only trump.",
    ),
    option(
        "jack_exempt_ruff",
        YES_NO_NO,
        "Whether a trump jack that is a player's only trump may also be kept when he would have to trump a plain suit.",
    ),
    option(
        "forced_trump_wins_called",
        YES_NO_NO,
        "Whether a trump wins a trick in which the asked card was called, when its player had nothing else.",
    ),
    option(
        "roem_overlap",
        "\"full\" or \"exclusive\" (default \"full\")",
        "Whether runs and sets may share cards, or every card counts in one of them.",
    ),
    option("honour_tens", YES_NO_NO, "Whether three or four tens count as roem like aces, kings and queens."),
    option(
        "partner_roem_basis",
        "\"initial_hand\" or \"current_hand\" (default \"initial_hand\")",
        "Whether the partner's roem is counted in the cards he was dealt, or in those he holds when he plays the asked \
         card.",
    ),
    option(
        "roem_claims",
        "\"auto\", \"truthful_choice\" or \"free_claim\" (default \"auto\")",
        "Roem is announced by itself; or the player chooses between the truth and nothing; or he claims what he likes.",
    ),
    option(
        "overclaim",
        "\"void\", \"correct\" or \"undetected\" (default \"void\")",
        "What a claim beyond the truth counts under free_claim: nothing, the truth, or what was claimed.",
    ),
    option(
        "round_half",
        "\"down\" or \"up\" (default \"down\")",
        "Where points that end in 5 are rounded to.",
    ),
    option(
        "discard_points",
        "\"none\" or \"side\" (default \"none\")",
        "Whether the card put aside counts for nobody or for the bidder's side.",
    ),
    option(
        "all_tricks_bonus",
        "a multiple of 10, 0 to 500 (default 50)",
        "What all eight tricks are worth beyond their points.",
    ),
    option(
        "bonus_scope",
        "\"points_only\" or \"any_won\" (default \"points_only\")",
        "Whether that bonus belongs to points contracts, or is added to every contract made with all tricks.",
    ),
    option(
        "solo_double_scope",
        "\"points_only\" or \"zwabber_too\" (default \"points_only\")",
        "Whether playing alone counts double in points contracts only, or in a zwabber that ends without a partner too.",
    ),
    option(
        "point_score",
        "\"difference\" or \"bid\" (default \"difference\")",
        "Whether a points contract is worth the difference to the bid, or the bid.",
    ),
    option(
        "partner_share",
        "\"full\" or \"split\" (default \"full\")",
        "Whether bidder and partner each get the whole score, or half of it.",
    ),
    option("early_stop", YES_NO_YES, "Whether play stops as soon as a contract other than points is lost."),
    option("deals", "a whole number, 1 to 1000 (default 1)", "Deals in a session."),
    option(
        "reward",
        "\"relative\" or \"points\" (default \"relative\")",
        "What a learner maximises per deal, in hundreds: its points less the mean of the other three's, or its points.",
    ),
];

/// Refuses values out of range.
pub(super) fn check(rules: &Rules) -> Result<(), RulesError> {
    let ranges: [(&str, u16, bool); 5] = [
        ("players", rules.players.into(), rules.players == PLAYERS),
        ("max_point_bid", rules.max_point_bid, in_tens(rules.max_point_bid, 220, MOST_POINTS)),
        ("jack_exempt_count", rules.jack_exempt_count.into(), rules.jack_exempt_count <= 99),
        ("all_tricks_bonus", rules.all_tricks_bonus, in_tens(rules.all_tricks_bonus, 0, 500)),
        ("deals", rules.deals, (1..=1000).contains(&rules.deals)),
    ];
    match ranges.iter().find(|(_, _, right)| !right) {
        None => Ok(()),
        Some((name, given, _)) => Err(Rules::refused(name, given)),
    }
}

fn in_tens(value: u16, least: u16, most: u16) -> bool {
    (least..=most).contains(&value) && value.is_multiple_of(10)
}
