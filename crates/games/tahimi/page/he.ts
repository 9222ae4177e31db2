// The texts of Tahimi, in Hebrew.
import type { en } from "./en";

export const he: Record<keyof typeof en | "tahimi.title", string> = {
    "tahimi.title": "טהימי",
    "tahimi.lesson":
        "היפטרו ראשונים מכל הקלפים. הצורות לא חשובות; הדרגות הולכות מ־2, הנמוך ביותר, עד האס, אלא אם כללי הבית קובעים אחרת. שחקן מוביל קלפים מדרגה אחת; האחרים לפי התור מניחים בדיוק אותו מספר קלפים מדרגה גבוהה יותר, או עושים פאס. כשכולם עשו פאס, מי ששיחק אחרון מוביל שוב. הראשון שמסיים הוא הטהימי של הסיבוב הבא. האחרון הוא הצמית, ומשלם לטהימי את הקלפים הטובים שלו כמס.",
    "tahimi.title.tahimi": "הטהימי",
    "tahimi.title.vice": "סגן הטהימי",
    "tahimi.title.senior": "סגן הטהימי הבכיר",
    "tahimi.title.junior": "סגן הטהימי הזוטר",
    "tahimi.title.merchant": "סוחר",
    "tahimi.title.masterSerf": "ראש הצמיתים",
    "tahimi.title.assistant": "עוזר זוטר לראש הצמיתים",
    "tahimi.title.serf": "צמית",
    "tahimi.deucesHigh": "הקלפים 2 הם הגבוהים ביותר.",
    "tahimi.jokersWild": "ג'וקר הוא כל קלף, גם לבדו.",
    "tahimi.jokersLow": "ג'וקר מצטרף לכל קבוצה; לבדו הוא הנמוך ביותר.",
    "tahimi.decree": "צו {number}",
    "tahimi.decreeIs": "צו {number}: {what}",
    "tahimi.asItIs": "בלי שינוי",
    "tahimi.pay": "לשלם {count|ג'וקר אחד|שני ג'וקרים|# ג'וקרים}",
    "tahimi.phase.decree": "אתם הטהימי: קבעו בצו את כללי הסיבוב.",
    "tahimi.phase.jokers": "אתם משלמים מס: בחרו כמה ג'וקרים לשלם.",
    "tahimi.phase.tax": "אתם מקבלים מס: בחרו קלף להחזיר.",
};
