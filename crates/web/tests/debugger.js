// A debugger of the browser over its pipes (`--remote-debugging-pipe`), which leaves nothing in the pages that it looks at.

/** What asks the browser: `ask(method, parameters, session)` gives the result. */
export function debuggerOf(browser) {
    const [, , , to, from] = browser.stdio;
    const waiting = new Map();
    let last = 0;
    let begun = "";
    from.setEncoding("utf8");
    from.on("data", (text) => {
        // Each message ends with a zero.
        const messages = (begun + text).split("\0");
        begun = messages.pop();
        for (const message of messages) {
            const { id, result, error } = JSON.parse(message);
            const asked = waiting.get(id);
            waiting.delete(id);
            if (error) asked?.reject(new Error(error.message));
            else asked?.resolve(result);
        }
    });
    return (method, params = {}, sessionId = undefined) =>
        new Promise((resolve, reject) => {
            waiting.set(++last, { resolve, reject });
            to.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
        });
}
