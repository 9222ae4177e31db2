// Views occupy memory of the engine until they are freed.
import type { View } from "cardsharp";

/** Reads a view and frees it. */
export function reading<T>(view: View, read: (view: View) => T): T {
    try {
        return read(view);
    } finally {
        view.free();
    }
}
