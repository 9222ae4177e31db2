// De huisregels van The Great Dalmuti in het Nederlands.
import type { en } from "./house.en";

export const nl: Record<keyof typeof en, string> = {
    "dalmuti.about": "Speel als eerste je kaarten weg, stijg van Knecht tot Dalmuti, en hef belasting.",
    "dalmuti.guide.1":
        "Je doel: speel als eerste je kaarten weg. De vakken tonen de andere spelers en hoeveel kaarten ze hebben.",
    "dalmuti.guide.2":
        "Dit is je hand. Hoe lager het getal, hoe beter en zeldzamer de kaart. Een nar sluit zich bij elke rang aan.",
    "dalmuti.guide.3":
        "Een speler komt uit met kaarten van één rang. De anderen leggen er evenveel van een betere rang op, of passen. Heeft iedereen gepast, dan komt de laatste speler weer uit.",
    "dalmuti.preset.house": "Open belasting en ruil tussen kooplieden, zeven spelers",
    "dalmuti.preset.first-deal": "Eerste ronde zonder belasting",
    "dalmuti.preset.seen": "Bekijk de belasting voordat je kaarten teruggeeft",
    "dalmuti.preset.philanthropic": "Een punt voor een Knecht die stijgt",
    "dalmuti.preset.four": "Vier spelers met een kleiner spel kaarten",
    "dalmuti.preset.eight": "Acht spelers met ruil tussen kooplieden",
    "dalmuti.option.strip": "Kaarten die niet meedoen",
    "dalmuti.option.strip.none": "geen",
    "dalmuti.option.strip.recommended": "die voor dit aantal spelers worden aangeraden",
    "dalmuti.option.misdeal_prob": "Kans dat bij het geven een kaart te zien is (0 tot 1)",
    "dalmuti.option.first_deal_revolution": "Geen belasting in de eerste ronde",
    "dalmuti.option.tax_visibility": "De Dalmuti’s kiezen wat ze teruggeven",
    "dalmuti.option.tax_visibility.sealed": "voordat ze de belasting zien",
    "dalmuti.option.tax_visibility.seen": "nadat ze de belasting zien",
    "dalmuti.option.merchant_exchange": "Ruil tussen kooplieden (vanaf zes spelers)",
    "dalmuti.option.merchant_exchange.off": "nee",
    "dalmuti.option.merchant_exchange.blind_choice": "de andere koopman kiest de kaart",
    "dalmuti.option.merchant_exchange.blind_random": "een willekeurige kaart van de andere koopman",
    "dalmuti.option.pass_is_final": "Wie past, doet niet meer mee in die slag",
    "dalmuti.option.equal_rank": "Dezelfde rang op een set leggen",
    "dalmuti.option.equal_rank.forbidden": "mag niet",
    "dalmuti.option.equal_rank.skips": "mag; de volgende speler slaat een beurt over",
    "dalmuti.option.equal_rank.burns": "mag; de slag is uit, en wie dit deed komt uit",
    "dalmuti.option.scoring": "Punten per ronde",
    "dalmuti.option.scoring.none": "geen",
    "dalmuti.option.scoring.standard": "één voor elke speler die je verslaat",
    "dalmuti.option.scoring.philanthropic": "idem, en één voor een Dalmuti van wie de Knecht stijgt",
};
