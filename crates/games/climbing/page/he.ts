// The texts that Tahimi and The Great Dalmuti share, in Hebrew.
import type { en } from "./en";

export const he: Record<keyof typeof en | "climbing.aim", string> = {
    "climbing.aim": "אף אחד לא מניח קלפים גבוהים יותר",
    "climbing.phase.play":
        "על שולחן ריק אפשר לשחק קלפים כלשהם מדרגה אחת. אחרת משחקים אותו מספר קלפים שעל השולחן, מדרגה אחת טובה יותר, או פאס.",
    "climbing.means.pass":
        "פאס: הקלפים נשארים אצלכם בינתיים, ואפשר לשחק שוב אחרי ששחקן אחר שיחק. כשכל האחרים עשו פאס, מי ששיחק אחרון מוביל.",
    "climbing.means.passFinal": "פאס: הקלפים נשארים אצלכם, ואתם מחוץ ללקיחה הזאת עד ההובלה הבאה.",
    "climbing.means.skips": "אותה דרגה: השחקן הבא שעוד יכול לענות מפסיד את תורו.",
    "climbing.means.burns": "אותה דרגה: הלקיחה נגמרת, ואתם מובילים.",
    "climbing.give": "לתת {cards}",
    "climbing.set.as": "{set} בתור {name}",
    "climbing.set.wild": "{set} עם {name}",
    "climbing.set.wilds": "{set} עם 2 × {name}",
    "climbing.pile.empty": "השולחן ריק: הובילו קלפים כלשהם מדרגה אחת",
    "climbing.pile.beat": "צריך לעלות על",
    "climbing.tag.out": "סיים במקום {place}",
    "climbing.tag.led": "הגבוה ביותר עד כה",
    "climbing.tag.skipped": "דילגו עליו",
    "climbing.event.tribute": "מס מ־{from} אל {to}: {cards}.",
    "climbing.event.return": "החזרה מ־{from} אל {to}: {cards}.",
    "climbing.event.exchange": "העברה מ־{from} אל {to}: {cards}.",
    "climbing.event.oneCard": "{who}: נשאר קלף אחד!",
    "climbing.event.skipped": "{who}: דילוג על התור.",
    "climbing.event.burned": "אותה דרגה: הלקיחה נגמרה.",
    "climbing.why.combination": "זו אינה קבוצה: כל הקלפים בקבוצה הם מאותה דרגה.",
    "climbing.why.low": "זה לא טוב יותר ממה שעל השולחן.",
    "climbing.why.lower": "הדרגה נמוכה מזו שעל השולחן.",
    "climbing.why.few": "צריך {count} קלפים מהדרגה הזאת, ויש לכם פחות.",
    "climbing.why.size": "שחקו אותו מספר קלפים שעל השולחן: {count}.",
    "climbing.why.lead": "אתם מובילים את הלקיחה הזאת, ולכן חייבים לשחק.",
    "climbing.why.gift": "אין לכם קלף מהדרגה הזאת לתת.",
};
