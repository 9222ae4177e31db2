// The shapes on cards. Each suit fits into a square of 22 units.

export const SUITS: Record<string, { path: string; ink: string }> = {
    S: {
        path: "M11 1C14 6 20 8.5 20 13.5a4.5 4.5 0 0 1-7.8 3L14 21H8l1.8-4.5a4.5 4.5 0 0 1-7.8-3C2 8.5 8 6 11 1z",
        ink: "#1b1f27",
    },
    H: {
        path: "M11 20.5C7 16 1.5 12.5 1.5 7.5a5 5 0 0 1 9.5-2.2 5 5 0 0 1 9.5 2.2c0 5-5.5 8.5-9.5 13z",
        ink: "#b3202c",
    },
    D: { path: "M11 1l8 10-8 10-8-10z", ink: "#b3202c" },
    C: {
        path: "M11 1a4.7 4.7 0 0 1 3.9 7.3A4.7 4.7 0 1 1 12.4 16L14 21H8l1.6-5a4.7 4.7 0 1 1-2.5-7.7A4.7 4.7 0 0 1 11 1z",
        ink: "#1b1f27",
    },
};

/** Emblems of the ranks of The Great Dalmuti, each in a square of 24 units; `J` is the Jester. */
export const EMBLEMS: Record<string, string> = {
    "1": "M3 19h18v2H3zM3 17L2 6l5 4 5-7 5 7 5-4-1 11z",
    "2": "M12 2c5 4 6 9 5 14H7C6 11 7 6 12 2zM7 17h10v4H7zM11 6v3H8v2h3v4h2v-4h3V9h-3V6z",
    "3": "M4 3h16v8c0 5-4 9-8 11-4-2-8-6-8-11zM11 6v4H7v2h4v6h2v-6h4v-2h-4V6z",
    "4": "M12 9a3 3 0 1 1 0-.1zM12 3a4 4 0 0 1 4 4 4 4 0 0 1 1 7 4 4 0 0 1-5 3 4 4 0 0 1-5-3 4 4 0 0 1 1-7 4 4 0 0 1 4-4zM11 18h2v4h-2z",
    "5": "M4 4h7l1 1 1-1h7v16h-7l-1 1-1-1H4zM6 6v12h5V6zM13 6v12h5V6zM15 8h1v2h1v1h-1v3h-1v-3h-1v-1h1z",
    "6": "M11 2h2v12h-2zM6 13h12v2H6zM11 15h2v6h-2zM10 20h4v2h-4z",
    "7": "M19 3l2 2-9 9-2-2zM4 20c0-4 3-6 6-7l1 1c-1 3-3 6-7 6zM5 4c4 0 4 4 8 4v1C8 9 9 5 5 5z",
    "8": "M2 6h9v5H2zM13 6h9v5h-9zM6 13h12v5H6zM2 13h3v5H2zM19 13h3v5h-3z",
    "9": "M3 10h18v2h-1c0 5-2 8-4 9H8c-2-1-4-4-4-9H3zM8 3c2 2-1 3 1 5H8C6 6 9 5 7 3zM13 3c2 2-1 3 1 5h-1c-2-2 1-3-1-5z",
    "10": "M12 2a5 5 0 0 1 5 5c0 3-3 3-3 1h2a3 3 0 1 0-6 0v14H8V7a5 5 0 0 1 4-5z",
    "11": "M4 6l6-3 4 4-2 2 9 9-3 3-9-9-2 2-4-4z",
    "12": "M11 22V9h2v13zM6 3h2v6h3v2H6zM16 3h2v8h-5V9h3zM11 2h2v8h-2z",
    J: "M3 18h18v3H3zM4 17C2 12 1 9 3 6c2 0 4 2 5 5 0-4 1-7 4-9 3 2 4 5 4 9 1-3 3-5 5-5 2 3 1 6-1 11z",
};
