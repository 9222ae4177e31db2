import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { language } from "./words/words.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no element `app`");

void language.start().then(() => {
    target.replaceChildren();
    mount(App, { target });
});
