// Plays one session after another on the page with clicks, and reports the result of each to the server.
//
// The script is a part of the page, because a debugger would store what it observes in the page's own memory.
(async () => {
    const { tables, sessions } = await (await fetch("soak/tables")).json();
    const all = (selector) => [...document.querySelectorAll(selector)];
    const tick = () => new Promise((done) => setTimeout(done, 0));
    const button = (text) => all("button").find((button) => button.innerText.includes(text));

    /** Milliseconds after which the page counts as hanging, even on a busy machine. */
    const PATIENCE = 600_000;

    const complaints = [];
    addEventListener("error", ({ message }) => complaints.push(`error: ${message}`));
    addEventListener("unhandledrejection", ({ reason }) => complaints.push(`refused: ${reason}`));
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        complaints.push(`${violatedDirective}: ${blockedURI}`),
    );
    for (const kind of ["error", "warn"]) console[kind] = (...words) => complaints.push(`${kind}: ${words.join(" ")}`);

    /** Waits until `find` returns something, and returns it. */
    async function until(find) {
        const end = Date.now() + PATIENCE;
        for (;;) {
            const found = find();
            if (found) return found;
            if (Date.now() > end) throw new Error(`there is nothing like ${find}`);
            await tick();
        }
    }

    // Catches the saved file, so that nothing is downloaded.
    let saved;
    const address = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
        saved = blob;
        return address(blob);
    };
    addEventListener("click", (event) => event.target.closest?.("a[download]") && event.preventDefault(), true);

    /** Plays the session on the page to its end; returns the number of clicks. */
    async function played(seed) {
        let state = seed >>> 0;
        const draw = () => {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            return state / 2 ** 32;
        };
        const drawn = (list) => list[Math.floor(draw() * list.length)];
        const table = () => document.querySelector("[data-state]")?.dataset.state;
        const end = Date.now() + PATIENCE;
        let clicks = 0;
        while (table() !== "over") {
            if (Date.now() > end) throw new Error("the session does not end");
            if (document.querySelector("[role=alert].failed"))
                throw new Error(document.querySelector(".failed").innerText);
            const now = table();
            if (now === "between") {
                document.querySelector(".result button.main").click();
                clicks++;
            } else if (now === "asked") {
                const ready = all(".choices button.main[data-move]");
                const cards = all('.place.fits button.card[aria-pressed="false"]');
                if (draw() < 0.1) document.querySelector('.choices button.more[aria-expanded="false"]')?.click();
                await tick();
                const plain = all(".choices button[data-move]:not(.main)");
                const pick = ready.length
                    ? drawn(ready)
                    : plain.length && (!cards.length || draw() < 0.3)
                      ? drawn(plain)
                      : drawn(cards);
                pick.click();
                clicks++;
                // Some moves are taken back.
                if (ready.length && draw() < 0.03) {
                    await tick();
                    all(".tools button")
                        .find((button) => button.innerText.includes("Take back"))
                        ?.click();
                }
            }
            await tick();
        }
        return clicks;
    }

    async function session(number) {
        location.hash = tables[number % tables.length]
            .replace("SEED", number)
            .replace("BOT", number % 3 ? "scripted" : "best");
        await until(() => document.querySelector('input[inputmode="numeric"]')?.value === String(number));
        (await until(() => document.querySelector("form.setup button.main"))).click();
        await until(() => document.querySelector("[data-state]"));
        const clicks = await played(number);
        saved = undefined;
        button("Save this game").click();
        const trace = await (await until(() => saved)).text();
        button("Leave the table").click();
        await until(() => document.querySelector("form.setup"));
        return { clicks, trace };
    }

    const tell = (what) =>
        fetch("soak/told", { method: "POST", body: JSON.stringify({ ...what, complaints: complaints.splice(0) }) });
    localStorage.setItem("cardsharp.speed", "instant");
    try {
        await until(() => document.querySelector("form.setup"));
        for (let number = 0; number < sessions; number++) {
            const { clicks, trace } = await session(number);
            await tell({ number, clicks, trace });
        }
    } catch (error) {
        await tell({ broken: String(error.stack ?? error) });
    }
})();
