// The texts that Tahimi and The Great Dalmuti share, in Dutch.
import type { en } from "./en";

export const nl: Record<keyof typeof en | "climbing.aim", string> = {
    "climbing.aim": "niemand gaat er overheen",
    "climbing.phase.play":
        "Kaarten die oplichten kun je spelen: op een lege tafel kaarten van één rang naar keuze, anders evenveel als er liggen, van één betere rang.",
    "climbing.means.pass":
        "Pas: je houdt je kaarten nog even, en mag weer meedoen als een ander gespeeld heeft. Hebben alle anderen gepast, dan komt uit wie het laatst speelde.",
    "climbing.means.passFinal": "Pas: je houdt je kaarten, en doet weer mee bij de volgende uitkomst.",
    "climbing.means.skips": "Dezelfde rang: de volgende die nog mag antwoorden, slaat een beurt over.",
    "climbing.means.burns": "Dezelfde rang: de slag is voorbij, en jij komt uit.",
    "climbing.give": "Geef {cards}",
    "climbing.set.as": "{set}, als {name}",
    "climbing.set.wild": "{set} met een {name}",
    "climbing.set.wilds": "{set} met twee keer {name}",
    "climbing.pile.empty": "Niets op tafel: kom uit met wat je wilt",
    "climbing.pile.beat": "Te kloppen",
    "climbing.tag.out": "uit, plaats {place}",
    "climbing.tag.led": "hoogste tot nu toe",
    "climbing.tag.skipped": "overgeslagen",
    "climbing.event.tribute": "Belasting van {from} aan {to}: {cards}.",
    "climbing.event.return": "Terug van {from} aan {to}: {cards}.",
    "climbing.event.exchange": "Van {from} naar {to}: {cards}.",
    "climbing.event.oneCard": "{who}: nog één kaart!",
    "climbing.event.skipped": "{who} wordt overgeslagen.",
    "climbing.event.burned": "Dezelfde rang: de slag is voorbij.",
    "climbing.why.combination": "Deze kaarten zijn geen set: alle kaarten van een set hebben dezelfde rang.",
    "climbing.why.low": "Deze set klopt die op tafel niet.",
    "climbing.why.lower": "Deze rang is lager dan die op tafel.",
    "climbing.why.few": "Je hebt {count} kaarten van deze rang nodig, en hebt er minder.",
    "climbing.why.size": "Neem er evenveel als er liggen: {count}.",
    "climbing.why.lead": "Jij komt uit, dus je moet spelen.",
    "climbing.why.gift": "Je hebt geen kaart van deze rang om te geven.",
};
