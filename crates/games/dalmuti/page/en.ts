// The texts of The Great Dalmuti, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "dalmuti.title.greater": "Greater Dalmuti",
    "dalmuti.title.lesser": "Lesser Dalmuti",
    "dalmuti.title.merchant": "Merchant",
    "dalmuti.title.lesserPeon": "Lesser Peon",
    "dalmuti.title.greaterPeon": "Greater Peon",
    "dalmuti.exposed": "Exposed while dealing: {card}.",
};
