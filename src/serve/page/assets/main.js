// The page: loads the sheet that the program was started with, and puts the parts together.

import "./board.js";
import "./history.js";
import "./keys.js";
import "./steps.js";
import { find } from "./dom.js";
import { begin, load, on } from "./game.js";
import { attempt, say, stop } from "./work.js";

on("loaded", ({ loaded }) => {
  document.title = `${loaded.name} – flux`;
  find("name").textContent = loaded.name;
  find("about").textContent = `${loaded.roles.join(", ")} · ${loaded.rules} rules`;
});

find("stop").addEventListener("click", stop);

await attempt(async () => {
  const { name, text } = await begin();
  if (text === null) {
    say("no game yet: write or paste one into the sheet");
    return;
  }
  await load(text, name);
});
