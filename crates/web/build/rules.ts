// The rules of each game, as the project tells them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { marked } from "marked";
import { project } from "./places.ts";

/** What its policy lets a page of rules have, and the element that brings it. */
export interface Style {
    source: string;
    element: string;
}

/** The rules of a game as a page of its own. */
export async function rules(game: string, style: Style): Promise<string> {
    const text = await readFile(join(project, "docs/rules", `${game}.md`), "utf8");
    // Links to other pages of the repository lead nowhere from here.
    const here = text.replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, "$1");
    const renderer = new marked.Renderer();
    renderer.heading = function ({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        const id = words.toLowerCase().replace(/<[^>]+>|[^\w\- ]/g, "").replace(/ /g, "-");
        return `<h${depth} id="${id}">${words}</h${depth}>\n`;
    };
    const title = /^# (.+)$/m.exec(text)?.[1] ?? game;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${style.source}">
<title>${title}: rules</title>
${style.element}
</head>
<body><main>
${await marked.parse(here, { renderer })}
</main></body>
</html>
`;
}
