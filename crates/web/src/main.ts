import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { language } from "./words/words.svelte";

document.documentElement.lang = language.now;

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no element `app`");

target.replaceChildren();
mount(App, { target });
