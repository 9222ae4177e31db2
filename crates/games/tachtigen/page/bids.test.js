// A test of the bids of Tachtigen on the served page in Chromium.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, settled } from "../../../web/tests/clicks.js";
import { open, serious, table, visit } from "../../../web/tests/page.js";

let world;
before(async () => (world = await open()));
after(() => world?.close());

test("the next of many bids are offered, the others behind a button", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("tachtigen", { rules: { deals: 1 }, seed: 2, players: ["you", "best"] }),
    );
    await begin(page);
    assert.equal(await settled(page), "asked");
    const bids = page.locator('.choices button[data-move^="bid "]');
    const few = await bids.count();
    assert.ok(few <= 13, `${few} bids at once`);
    await page.locator(".choices button.more").focus();
    await page.keyboard.press("Enter");
    assert.ok((await bids.count()) > 40);
    assert.deepEqual(await serious(page), [], "all bids");
    await page.getByRole("button", { name: "Bid 700" }).click();
    assert.match(await page.locator(".log").innerText(), /You: Bid 700/);
    assert.deepEqual(complaints, []);
    await context.close();
});
