// The emotes that people can show each other: signs from the server's fixed list, with the texts `emote.NAME`.
export const EMOTES = ["hello", "thanks", "well_played", "laugh", "wow", "oops", "hurry", "bye"] as const;

export type Emote = (typeof EMOTES)[number];
