// The texts that Tahimi and The Great Dalmuti share, in English. The texts about the rules are also shown in terminals.
import words from "../src/words.json";

export const en = {
    ...words,

    "climbing.pile.empty": "The table is empty: lead any cards of one rank",
    "climbing.pile.beat": "To beat",
    "climbing.tag.out": "out, place {place}",
    "climbing.tag.led": "highest so far",
    "climbing.tag.skipped": "skipped",
};
