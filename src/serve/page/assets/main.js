// The page: loads the sheet that the program was started with, and puts the parts together.

import "./board.js";
import "./steps.js";
import "./history.js";
import "./changes.js";
import "./why.js";
import "./query.js";
import "./best.js";
import "./structure.js";
import "./keys.js";
import { find } from "./dom.js";
import { begin, load, on } from "./game.js";
import { follow } from "./link.js";
import { setSheet } from "./sheet.js";
import { open } from "./tabs.js";
import { attempt, say, stop } from "./work.js";

on("loaded", ({ loaded }) => {
  document.title = `${loaded.name} – flux`;
  find("name").textContent = loaded.name;
  find("about").textContent = `${loaded.roles.join(", ")} · ${loaded.rules} rules`;
});

find("stop").addEventListener("click", stop);
open("changes");

const address = location.hash;
await attempt(async () => {
  const { name, text } = await begin();
  if (text === null) {
    open("sheet");
    say("no game yet: write or paste one into the sheet, and load it");
    return;
  }
  try {
    await load(text, name);
  } catch (fault) {
    open("sheet");
    setSheet(text);
    throw fault;
  }
  // Loading shows the initial state, which takes the moves out of the address.
  if (address.includes("moves=")) {
    history.replaceState(null, "", address);
    await follow();
  }
});
