// `node record.js PROGRAM FOLDER`: writes the native program's traces of all sessions.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SESSIONS, trace } from "./cases.js";

const [program, folder] = process.argv.slice(2);
mkdirSync(join(folder, "sessions"), { recursive: true });
SESSIONS.forEach((session, number) => {
    const lines = execFileSync(program, ["trace", ...session], {
        maxBuffer: 1 << 28,
    });
    writeFileSync(join(folder, trace(number)), lines);
});
