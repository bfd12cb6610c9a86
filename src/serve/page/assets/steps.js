// Steps: to the start, back, forth, at random; and how a play ended.

import { button, fill, find, make } from "./dom.js";
import { game, move, on } from "./game.js";

/** Where the last step back came from, so that forth leads there again. */
const forth = new Map();

export function back() {
  const { at, before } = game.position;
  if (before !== null) {
    forth.set(before, at);
    return move({ request: "go", at: before });
  }
  return undefined;
}

export function onward() {
  const { at, after } = game.position;
  // Where no step back was made, the newest branch.
  const next = forth.get(at) ?? after.at(-1)?.at;
  return next === undefined ? undefined : move({ request: "go", at: next });
}

export function restart() {
  return move({ request: "go", at: 0 });
}

export function random() {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  return game.position.terminal ? undefined : move({ request: "random", at: game.position.at, seed });
}

function draw() {
  const { before, after, terminal, step } = game.position;
  fill(
    find("steps"),
    button("⇤ start", restart, { disabled: step === 0, title: "to the initial state (Home)" }),
    button("◀ back", back, { disabled: before === null, title: "back (b)" }),
    button("▶ forth", onward, { disabled: after.length === 0, title: "forth again (f)" }),
    button("⚄ random", random, { disabled: terminal, title: "a random move (r)" }),
  );
}

function outcome() {
  const { step, terminal, goals } = game.position;
  const values = Object.entries(goals ?? {}).map(([role, value]) => `${role} ${value ?? "no value"}`);
  fill(
    find("outcome"),
    make("span", { class: "step" }, `step ${step}`),
    terminal ? make("strong", {}, ` over: ${values.join(", ")}`) : null,
  );
}

on("position", () => {
  draw();
  outcome();
});
on("loaded", () => forth.clear());
