// Paths of files: in the project, or in the folder of the build (WEB) for names that start with `web/`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const project = fileURLToPath(new URL("../../..", import.meta.url));
export const web = process.env.WEB ?? join(project, "target/web");

/** The path of a file, from its name in the checks. */
export const path = (name) =>
    name.startsWith("web/") ? join(web, name.slice(4)) : join(project, name);
