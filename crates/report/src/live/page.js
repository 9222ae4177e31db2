// Updates the page of runs. It replaces only sections that changed, so that the reader is not disturbed. A replaced
// section keeps its scroll position, its opened details and the keyboard focus.
"use strict";

const main = document.querySelector("main");
const heard = document.getElementById("heard");
const every = Number(heard.dataset.every) * 1000;
const calm = heard.textContent;
/** How long the server may take for an answer, in milliseconds. */
const PATIENCE = 20000;

/** The HTML of the sections as the server sent it. In the page it differs once the reader opens something. */
let shown = Array.from(main.children, (section) => section.outerHTML);
let last = new Date();
let asking = false;

const title = () => {
    document.title = main.firstElementChild?.dataset.title ?? document.title;
};

/** Records what the reader changed in a section; returns a function that applies it to another section. */
function kept(section) {
    const all = (words) => Array.from(section.querySelectorAll(words));
    const open = all("details[open] > summary").map((summary) => summary.textContent);
    const across = all(".scroll").map((region) => region.scrollLeft);
    const focus = all("a, summary, [tabindex]").indexOf(document.activeElement);
    return (other) => {
        for (const summary of other.querySelectorAll("details > summary")) {
            summary.parentElement.open ||= open.includes(summary.textContent);
        }
        other.querySelectorAll(".scroll").forEach((region, i) => (region.scrollLeft = across[i] ?? 0));
        if (focus >= 0) other.querySelectorAll("a, summary, [tabindex]")[focus]?.focus({ preventScroll: true });
    };
}

function show(text) {
    const next = Array.from(new DOMParser().parseFromString(text, "text/html").body.children);
    const written = next.map((section) => section.outerHTML);
    // The section at the upper edge of the window stays there, even if sections above it change their height.
    const at = Array.from(main.children).findIndex((section) => section.getBoundingClientRect().bottom > 0);
    const before = main.children[at]?.getBoundingClientRect().top;
    next.forEach((section, i) => {
        const old = main.children[i];
        if (!old) return main.append(section);
        if (written[i] === shown[i]) return;
        const restore = kept(old);
        old.replaceWith(section);
        restore(section);
    });
    while (main.children.length > next.length) main.lastElementChild.remove();
    shown = written;
    const after = main.children[at]?.getBoundingClientRect().top;
    if (window.scrollY > 0 && before !== undefined && after !== undefined) window.scrollBy(0, after - before);
    title();
}

async function refresh() {
    // A hidden page does not refresh, to leave the machine to other work.
    if (document.hidden || asking) return;
    asking = true;
    try {
        const answer = await fetch("/body", { signal: AbortSignal.timeout(PATIENCE) });
        const text = await answer.text();
        if (!answer.ok) throw new Error(text);
        show(text);
        last = new Date();
        heard.textContent = calm;
        heard.classList.remove("lost");
    } catch {
        heard.textContent = `The server does not answer. Last update: ${last.toLocaleTimeString()}.`;
        heard.classList.add("lost");
    } finally {
        asking = false;
    }
}

title();
setInterval(refresh, every);
document.addEventListener("visibilitychange", refresh);
