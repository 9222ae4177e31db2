// The texts of TAKI, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "taki.pile": "Draw pile",
    "taki.discards": "Discard pile",
    "taki.run": "A TAKI is open: {color} cards may follow.",
    "taki.open": "The TAKI stays open: the next player may continue it.",
    "taki.free": "After a King: any card may follow.",
    "taki.owe": "After a Plus, another card must follow.",
    "taki.left": "Turns go to the left.",
    "taki.right": "Turns go to the right.",
    "taki.stage": "stage {stage}",
};
