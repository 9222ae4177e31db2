// The check of the deals of a session at a server.
export { verifyDeal } from "cardsharp";
