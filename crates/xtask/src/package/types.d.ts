/** Who is told: a seat, everybody who watches, or the referee, who may know all. */
export type Audience = number | "everybody" | "referee";

/** The files of a bundle by name, of which these are read. */
export interface Bundle {
    "bot.safetensors": Uint8Array;
    "levels.json"?: Uint8Array;
    "beliefs.safetensors"?: Uint8Array;
}
