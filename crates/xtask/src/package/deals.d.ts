/** A text that a person added to the secret of the server. */
export interface Salt {
    seat: number;
    salt: string;
}

/** `deals` in the event `table` of a server, and in its answer to `GET /v1/tables/ID`. */
export interface Deals {
    /** The SHA-256 hash of the secret. */
    commitment: string;
    /** Null until the session is over, like the other values. */
    secret: string | null;
    salts: Salt[] | null;
    seed: number | null;
}

/** What you noted during the session, and its trace. */
export interface DealsNoted {
    /** The commitment when the table opened. */
    commitment?: string;
    /** The salt that you added. */
    salt?: Salt;
    /** The trace of the session, to check its cards as well. */
    trace?: string;
}

/**
 * Checks that a server dealt the cards to which it was committed. Throws an `Error` that says what differs. Browsers have
 * the hash only on pages that were opened over https or from localhost.
 */
export function verifyDeal(
    deals: Deals,
    noted?: DealsNoted,
): Promise<{ seed: number; salts: Salt[] }>;
