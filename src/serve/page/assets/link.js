// The state that is shown as a link: the moves that lead there, behind the `#`, so that they are sent to nobody.

import { button, find } from "./dom.js";
import { game, made, on, replay } from "./game.js";
import { attempt, say } from "./work.js";

/** A number for a text, so that a link to another sheet is noticed (FNV-1a). */
function fingerprint(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

let isReplaying = false;

/** Writes the way to the state into the address. */
function write() {
  const parts = new URLSearchParams({ sheet: fingerprint(game.text), moves: JSON.stringify(made()) });
  const hash = game.position.step === 0 ? location.pathname : `#${parts}`;
  // While a link is followed, the address is that link.
  if (!isReplaying) {
    history.replaceState(null, "", hash);
  }
}

/** Goes where the address leads. */
export async function follow() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const text = parts.get("moves");
  if (!text) {
    return;
  }
  isReplaying = true;
  await attempt(async () => {
    if (parts.get("sheet") !== fingerprint(game.text)) {
      say("this link is to a state of another sheet", true);
      return;
    }
    let play;
    try {
      play = JSON.parse(text);
    } catch {
      play = null;
    }
    if (!Array.isArray(play)) {
      say("this link has no moves that can be read", true);
      return;
    }
    await replay(play);
  });
  isReplaying = false;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("the link is copied");
  } catch {
    say("the link is in the address bar");
  }
}

find("share").append(button("Copy a link to this state", copy, { id: "copy-link" }));
on("position", write);
addEventListener("hashchange", follow);
