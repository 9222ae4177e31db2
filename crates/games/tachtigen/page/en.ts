// The texts of Tachtigen, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "tachtigen.tag.held": "held",
    "tachtigen.tag.dealer": "dealer",
    "tachtigen.tag.bidder": "bidder",
    "tachtigen.tag.partner": "partner",
    "tachtigen.tag.secret": "secret partner",
    "tachtigen.tag.tricks": "{count|# trick|# tricks}, {points|# point|# points}",
    "tachtigen.highest": "Highest bid: {bid}, {who}.",
    "tachtigen.askedFor": "Asked for: {card}",
    "tachtigen.alone": "Alone, without a partner.",
    "tachtigen.kittyWas": "The kitty was the {card}.",
    "tachtigen.lastTrick": "Last trick: {who}",
    "tachtigen.total": "The bidder’s side reached {total} points.",
};
