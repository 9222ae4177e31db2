// The page in one file. The engine is ready before any module that may ask it is evaluated.
import { initSync } from "cardsharp";
import { engine } from "./parts";
import { shownRules } from "./rules";

async function begin(): Promise<void> {
    if (shownRules()) return;
    initSync({ module: await engine() });
    await import("../main");
}

void begin();
