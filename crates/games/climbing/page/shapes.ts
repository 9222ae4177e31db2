/** The emblem of the wild card, in a square of 24 units. */
export const JESTER = "M3 18h18v3H3zM4 17C2 12 1 9 3 6c2 0 4 2 5 5 0-4 1-7 4-9 3 2 4 5 4 9 1-3 3-5 5-5 2 3 1 6-1 11z";
