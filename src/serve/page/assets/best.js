// Best play from the state that is shown, and how random plays end.

import { button, fill, make, short } from "./dom.js";
import { game, on, question, show } from "./game.js";
import { panel } from "./tabs.js";
import { attempt, say } from "./work.js";

/** Seconds that a search has; it can be asked again. */
const SECONDS = 20;

const answer = make("div", { "aria-live": "polite" });

panel("best", "Best play").append(
  make("p", {}, button("Find best play", solve, { id: "solve" }), " ", button("1000 random plays", playout, { id: "playout" })),
  answer,
);

async function solve() {
  const at = game.position.at;
  const found = await attempt(() => question({ request: "solve", at, max_seconds: SECONDS }));
  if (!found) {
    return;
  }
  say("");
  const values = Object.entries(found.values).map(([role, value]) => make("li", {}, `${role}: ${bounds(value)}`));
  const line = found.line ?? [];
  fill(
    answer,
    make("h3", {}, found.proved ? "Proved" : `Not proved${found.stopped ? `: ${found.stopped}` : ""}`),
    make("ul", {}, values),
    line.length > 0 ? button("play it", () => playLine(at, line), { id: "play-line" }) : null,
    make("ol", {}, line.map((moves) => make("li", {}, make("code", {}, short(Object.values(moves).join("  ")))))),
    make("p", { class: "soft" }, `${found.states} states, ${found.algorithm}, ${found.seconds.toFixed(2)} s`),
  );
}

function bounds({ at_least: least, at_most: most }) {
  if (least !== null && least === most) {
    return `${least}`;
  }
  return `at least ${least ?? "?"}, at most ${most ?? "?"}`;
}

async function playLine(at, line) {
  await attempt(async () => {
    let place = at;
    for (const moves of line) {
      // From the state before, and not from the one that is shown, which may be another by then.
      const position = await question({ request: "do", at: place, moves });
      place = position.at;
      await show(position);
    }
  });
}

async function playout() {
  const found = await attempt(() => question({ request: "playout", playouts: 1000, seed: 1 }));
  if (found) {
    const roles = Object.entries(found.outcomes).map(([role, { mean, win, draw, loss }]) =>
      make("li", {}, `${role}: mean ${mean?.toFixed(1) ?? "none"}; ${win} won, ${draw} drawn, ${loss} lost`),
    );
    fill(answer, make("h3", {}, `${found.playouts} random plays from the start`), make("ul", {}, roles));
  }
}

on("position", () => fill(answer));
