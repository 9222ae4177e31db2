// Which keys belong to the page, and not to a form field.

/**
 * Whether the focused element handles the key itself: a text field or a list. Also true for keys with Ctrl, Alt or
 * Meta.
 */
export function typing(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return true;
    return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}
