declare module "virtual:presets" {
    /** The rules files of the project, by game. */
    const presets: Record<string, { name: string; about: string; rules: Record<string, unknown> }[]>;
    export default presets;
}
