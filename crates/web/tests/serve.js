// Runs `cardsharp serve` with the built page; `CARDSHARP` names the program.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { built } from "./page.js";

/** Starts a server; returns its address and origin, and a function that stops it. */
export async function serve(args = [], listen = "127.0.0.1:0") {
    const child = spawn(process.env.CARDSHARP, ["serve", "--listen", listen, "--page", built, "--json", ...args], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await Promise.race([
        new Promise((said) => createInterface({ input: child.stdout }).once("line", (line) => said([line]))),
        new Promise((_, failed) => child.once("exit", (code) => failed(new Error(`the server ended with ${code}`)))),
    ]);
    const { address } = JSON.parse(line);
    const ended = new Promise((done) => child.once("exit", done));
    return { address, origin: `http://${address}`, stop: async () => (child.kill(), await ended) };
}
