// A client of the browser's debugger over pipes (`--remote-debugging-pipe`). It leaves nothing in the pages that it
// inspects.

/** Returns `ask(method, parameters, session)`, which sends a command to the browser and resolves to its result. */
export function debuggerOf(browser) {
    const [, , , to, from] = browser.stdio;
    const waiting = new Map();
    let last = 0;
    let begun = "";
    from.setEncoding("utf8");
    from.on("data", (text) => {
        // Each message ends with a zero byte.
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
