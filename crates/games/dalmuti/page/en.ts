// The texts of The Great Dalmuti, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "dalmuti.jester": "Jester",
    "dalmuti.rank.1": "Dalmuti (1)",
    "dalmuti.rank.2": "Archbishop (2)",
    "dalmuti.rank.3": "Earl Marshal (3)",
    "dalmuti.rank.4": "Baroness (4)",
    "dalmuti.rank.5": "Abbess (5)",
    "dalmuti.rank.6": "Knight (6)",
    "dalmuti.rank.7": "Seamstress (7)",
    "dalmuti.rank.8": "Mason (8)",
    "dalmuti.rank.9": "Cook (9)",
    "dalmuti.rank.10": "Shepherdess (10)",
    "dalmuti.rank.11": "Stonecutter (11)",
    "dalmuti.rank.12": "Peasant (12)",
    "dalmuti.title.greater": "Greater Dalmuti",
    "dalmuti.title.lesser": "Lesser Dalmuti",
    "dalmuti.title.merchant": "Merchant",
    "dalmuti.title.lesserPeon": "Lesser Peon",
    "dalmuti.title.greaterPeon": "Greater Peon",
    "dalmuti.exposed": "Exposed while dealing: {card}.",
    "dalmuti.exchangeWith": "Exchange with the player at place {position}",
    "dalmuti.callRevolution": "Call a revolution",
    "dalmuti.declineRevolution": "No revolution",
    "dalmuti.noExchange": "No exchange",
    "dalmuti.keepMisdeal": "Leave it with its owner",
    "dalmuti.misdealToPeon": "Give it to the Greater Peon",
};
