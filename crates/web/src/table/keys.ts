// Keys that are the page's, and not those of a field.

/** Whether what has the focus takes keys itself: text is typed, a list is gone through. */
export function typing(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return true;
    return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}
