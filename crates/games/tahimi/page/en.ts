// The texts of Tahimi, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "tahimi.title.tahimi": "Tahimi",
    "tahimi.title.vice": "Vice Tahimi",
    "tahimi.title.senior": "Senior Vice Tahimi",
    "tahimi.title.junior": "Junior Vice Tahimi",
    "tahimi.title.merchant": "Merchant",
    "tahimi.title.masterSerf": "master serf",
    "tahimi.title.assistant": "junior assistant to the master serf",
    "tahimi.title.serf": "serf",
    "tahimi.deucesHigh": "Twos are high.",
    "tahimi.jokersWild": "Jokers are wild, alone too.",
    "tahimi.jokersLow": "Jokers join any set; alone they are the lowest.",
    "tahimi.decreeIs": "Decree {number}: {what}",
    "tahimi.asItIs": "no change",
};
