// Runs the same checks in a worker.
import * as cardsharp from "/web/cardsharp/index.js";
import { check } from "/crates/wasm/tests/checks.js";

const read = async (name) =>
    new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
try {
    postMessage({ seen: await check(cardsharp, read) });
} catch (error) {
    postMessage({ error: String(error.stack ?? error) });
}
