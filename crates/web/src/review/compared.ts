// What the package tells of two moves in the same deals.
import type { Reviewed } from "cardsharp";

type Reviewing = NonNullable<NonNullable<Reviewed["decision"]>["compared"]>;

export interface Aimed {
    /** In which share of the deals a move reached what it is played for. */
    reached: number;
    /** Who could prevent it and did, the likeliest first, and with which moves. */
    rivals: { seat: number; could: number; did: number }[];
    by: { choice: string; share: number }[];
}

export interface Compared extends Reviewing {
    /** The cards that the seat still holds after each move. */
    left?: string[];
    aim?: (Aimed | null)[];
}
