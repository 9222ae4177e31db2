// All texts in each language: those of the page, and those in the folders of the games.
import { en } from "./en";
import { nl } from "./nl";

type Texts = Record<string, string>;

const withGames = (page: Texts, games: Record<string, Texts>): Texts =>
    Object.assign({}, page, ...Object.values(games));

export const LANGUAGES: Record<string, { name: string; texts: Texts }> = {
    en: {
        name: "English",
        texts: withGames(
            en,
            import.meta.glob<Texts>("../../../games/*/page/{,house.}en.ts", { eager: true, import: "en" }),
        ),
    },
    nl: {
        name: "Nederlands",
        texts: withGames(
            nl,
            import.meta.glob<Texts>("../../../games/*/page/{,house.}nl.ts", { eager: true, import: "nl" }),
        ),
    },
};
