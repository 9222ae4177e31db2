// Starts Firefox. Playwright drives it by WebDriver BiDi, because only a changed Firefox has Playwright's own protocol.
// Three parts are missing there, and are added here: a command and the ids of downloads in Firefox, and taps in Playwright.
import { firefox } from "playwright-core";

const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

/** The pointer input of one tap. */
const finger = (x, y) => ({
    type: "pointer",
    id: "finger",
    parameters: { pointerType: "touch" },
    actions: [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
    ],
});

/** Starts Firefox, which prefers dark colors if `dark` is true. */
export async function launch({ dark = false } = {}) {
    const browser = await firefox.launch({
        channel: "moz-firefox",
        executablePath,
        firefoxUserPrefs: { "ui.systemUsesDarkTheme": Number(dark) },
    });
    const within = (object) => object._connection.toImpl(object);
    const session = Object.getPrototypeOf(within(browser)._browserSession);
    const { send, dispatchMessage } = session;
    session.send = function (command, values) {
        // Firefox has no such command. Its settings choose the colors.
        if (command === "emulation.setMediaFeaturesOverride") return Promise.resolve({});
        return send.call(this, command, values);
    };
    session.dispatchMessage = function (message) {
        if (/^browsingContext\.download/.test(message.method)) message.params.navigation ??= message.params.url;
        dispatchMessage.call(this, message);
    };
    const page = await browser.newPage();
    Object.getPrototypeOf(within(page).touchscreen._raw).tap = function (_progress, x, y) {
        const context = this._session.sessionId;
        return this._session.send("input.performActions", { context, actions: [finger(x, y)] });
    };
    await page.close();
    return browser;
}
