/** Lets the browser save a file, as if a person had clicked a link to it. */
export function saveFile(file: File): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    URL.revokeObjectURL(link.href);
}
