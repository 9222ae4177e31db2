// The texts of Tahimi, in Dutch.
import type { en } from "./en";

export const nl: Record<keyof typeof en, string> = {
    "tahimi.lesson":
        "Wees je kaarten het eerst kwijt. Kleuren tellen niet; de rangen gaan van de 2, de laagste, tot het aas, als de huisregels niets anders zeggen. Iemand komt uit met kaarten van één rang; om de beurt gaan de anderen eroverheen, met precies evenveel van een hogere rang, of passen. Heeft iedereen gepast, dan komt uit wie het laatst speelde. Wie het eerst uit is, is de Tahimi van de volgende ronde; wie het laatst is, is de lijfeigene en betaalt hem zijn beste kaarten als belasting.",
    "tahimi.title.tahimi": "Tahimi",
    "tahimi.title.vice": "Vice-Tahimi",
    "tahimi.title.senior": "Senior Vice-Tahimi",
    "tahimi.title.junior": "Junior Vice-Tahimi",
    "tahimi.title.merchant": "koopman",
    "tahimi.title.masterSerf": "meesterlijfeigene",
    "tahimi.title.assistant": "juniorassistent van de meesterlijfeigene",
    "tahimi.title.serf": "lijfeigene",
    "tahimi.deucesHigh": "Tweeën zijn hoog.",
    "tahimi.jokersWild": "Jokers zijn wild, ook alleen.",
    "tahimi.jokersLow": "Jokers passen bij elke set; alleen zijn ze het laagst.",
    "tahimi.decree": "Decreet {number}",
    "tahimi.decreeIs": "Decreet {number}: {what}",
    "tahimi.asItIs": "geen verandering",
    "tahimi.pay": "Betaal met {count} jokers",
    "tahimi.phase.decree": "Jij bent de Tahimi: bepaal bij decreet wat er deze ronde gespeeld wordt.",
    "tahimi.phase.jokers": "Je betaalt belasting: hoeveel jokers zitten erbij?",
    "tahimi.phase.tax": "Je krijgt belasting: kies een kaart om terug te geven.",
};
