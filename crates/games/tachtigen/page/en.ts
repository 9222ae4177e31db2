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
    "tachtigen.misere": "misère",
    "tachtigen.zwabber": "zwabber",
    "tachtigen.ouverte": "ouverte",
    "tachtigen.praatje": "praatje",
    "tachtigen.prive": "privé",
    "tachtigen.praatjeHand": "praatje uit de hand",
    "tachtigen.priveHand": "privé uit de hand",
    "tachtigen.noTrump": "none",
    "tachtigen.highest": "Highest bid: {bid}, {who}.",
    "tachtigen.askedFor": "Asked for: {card}",
    "tachtigen.alone": "Alone, without a partner.",
    "tachtigen.kittyWas": "The kitty was the {card}.",
    "tachtigen.bid": "Bid {bid}",
    "tachtigen.hold": "Hold",
    "tachtigen.solo": "Play alone",
    "tachtigen.call": "Call the asked card",
    "tachtigen.ask": "Ask for the {card}",
    "tachtigen.discard": "Put the {card} aside",
    "tachtigen.claim": "Claim {points}",
    "tachtigen.lastTrick": "Last trick: {who}",
    "tachtigen.total": "The bidder’s side reached {total} points.",
};
