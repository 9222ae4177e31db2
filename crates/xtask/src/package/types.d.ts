/** The audience of a line: a seat number, spectators ("everybody"), or the referee, who sees all cards. */
export type Audience = number | "everybody" | "referee";

/** The files of a bundle by name. Other files are ignored. */
export interface Bundle {
    "bot.safetensors": Uint8Array;
    "levels.json"?: Uint8Array;
    "beliefs.safetensors"?: Uint8Array;
}
