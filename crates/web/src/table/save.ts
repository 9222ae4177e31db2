// A trace as a file.
import type { Session } from "../session/session.svelte";

/** Lets the browser save what was played. */
export function save(session: Session): void {
    const address = URL.createObjectURL(new Blob([session.trace], { type: "application/x-ndjson" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${session.setup.game}-${session.setup.seed}.jsonl`;
    link.click();
    URL.revokeObjectURL(address);
}
