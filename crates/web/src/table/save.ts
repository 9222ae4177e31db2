// A trace as a file.
import type { Playing } from "../session/playing";

/** Lets the browser save what was played. */
export async function save(session: Playing): Promise<void> {
    const address = URL.createObjectURL(new Blob([await session.trace()], { type: "application/x-ndjson" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${session.file}.jsonl`;
    link.click();
    URL.revokeObjectURL(address);
}
