/** What was refused, with the code that the server gives it. */
export class Refused extends Error {
    constructor(
        readonly code: string,
        message: string,
    ) {
        super(message);
    }
}
