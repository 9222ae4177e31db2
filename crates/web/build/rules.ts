// Renders the rules of each game (`crates/games/GAME/rules.md`) as HTML pages.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { marked } from "marked";
import { project } from "./places.ts";

/** The style of a rules page: its source in the Content-Security-Policy, and the element that loads it. */
export interface Style {
    source: string;
    element: string;
}

/** The rules of a game as a complete HTML document. */
export async function rules(game: string, style: Style): Promise<string> {
    const text = await readFile(join(project, "crates/games", game, "rules.md"), "utf8");
    // Other pages of the repository are not served here, so links to them become plain text.
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
