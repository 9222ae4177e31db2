// Views live in the engine's memory until they are let go.
import type { View } from "cardsharp";

/** Reads a view and lets it go. */
export function reading<T>(view: View, read: (view: View) => T): T {
    try {
        return read(view);
    } finally {
        view.free();
    }
}
