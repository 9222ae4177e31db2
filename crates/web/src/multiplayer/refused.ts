/** A refused request, with the error code from the server. */
export class Refused extends Error {
    constructor(
        readonly code: string,
        message: string,
    ) {
        super(message);
    }
}
