declare module "virtual:presets" {
    /** The rule sets by game. */
    const presets: Record<string, { name: string; about: string; rules: Record<string, unknown> }[]>;
    export default presets;
}
