// Entry point of the page in one file. It initializes the engine before it imports any module that uses the engine.
import { initSync } from "cardsharp";
import { engine } from "./parts";
import { shownRules } from "./rules";

async function begin(): Promise<void> {
    if (shownRules()) return;
    initSync({ module: await engine() });
    await import("../main");
}

void begin();
