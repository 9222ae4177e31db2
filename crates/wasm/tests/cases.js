// Sessions that the native program and the package both play. Their traces must be equal line by line.

// The trained bots that ship with the project.
export const BOTS = ["dalmuti", "tachtigen", "tahimi", "taki"];

const bot = (game) => `checkpoints/${game}/bot`;

// The arguments of `cardsharp trace`. The bots use no random numbers, because only the native program derives their
// seeds this way.
export const SESSIONS = [
    [
        "dalmuti",
        "--players",
        "5",
        "--rounds",
        "4",
        "--seed",
        "7",
        "--bots",
        `${bot("dalmuti")},scripted`,
    ],
    [
        "dalmuti",
        "--players",
        "8",
        "--rounds",
        "3",
        "--seed",
        "8",
        "--bots",
        "cautious,aggressive,scripted",
    ],
    ["dalmuti", "--rules", "house", "--rounds", "3", "--bots", bot("dalmuti")],
    [
        "tahimi",
        "--players",
        "4",
        "--rounds",
        "4",
        "--seed",
        "9",
        "--bots",
        `${bot("tahimi")},scripted`,
    ],
    [
        "tahimi",
        "--rules",
        "house",
        "--rounds",
        "4",
        "--bots",
        `${bot("tahimi")},cautious`,
    ],
    ["tahimi", "--rules", "evening", "--rounds", "6", "--bots", "scripted"],
    [
        "taki",
        "--players",
        "4",
        "--rounds",
        "3",
        "--seed",
        "9007199254740991",
        "--bots",
        `${bot("taki")},scripted`,
    ],
    ["taki", "--rules", "tournament", "--bots", bot("taki")],
    [
        "tachtigen",
        "--rounds",
        "8",
        "--seed",
        "11",
        "--bots",
        `${bot("tachtigen")},scripted`,
    ],
    [
        "tachtigen",
        "--rules",
        "house",
        "--rounds",
        "4",
        "--bots",
        bot("tachtigen"),
    ],
    ["leduc", "--rounds", "10", "--bots", "scripted"],
];

// The path of a session's trace, by the number of the session.
export const trace = (number) => `sessions/${number}.jsonl`;
