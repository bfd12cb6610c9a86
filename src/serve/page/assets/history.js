// The tree of the states that were visited; each can be gone to, and the way to the shown one is marked.

import { button, fill, find, make, short } from "./dom.js";
import { game, move, on } from "./game.js";

/** States by number: the joint move that led there, the state before, those after. */
let states = new Map();

function note(position) {
  const known = states.get(position.at) ?? { after: [] };
  states.set(position.at, { ...known, before: position.before, moves: position.moves, after: known.after });
  for (const { at, moves } of position.after) {
    link(position.at, at, moves);
  }
  if (position.before !== null) {
    link(position.before, position.at, position.moves);
  }
}

function link(before, at, moves) {
  const parent = states.get(before) ?? { before: null, moves: null, after: [] };
  if (!parent.after.includes(at)) {
    parent.after.push(at);
  }
  states.set(before, parent);
  const known = states.get(at) ?? { after: [] };
  states.set(at, { ...known, before, moves });
}

/** What of a joint move says something: the moves of those who had a choice cannot be told here, so all but `noop`-like
 * repetitions are shown. */
function label(moves) {
  const texts = Object.values(moves);
  const said = texts.length > 1 ? texts.filter((text) => text.startsWith("(")) : texts;
  return short((said.length ? said : texts).join(" "), 60);
}

/** The tree as lists: a state with one successor continues the list, one with several has a list for each. */
function lines(start) {
  const items = [];
  // A stack in place of recursion: a play may have thousands of moves.
  const pending = [{ at: start, items }];
  while (pending.length > 0) {
    const { at, items: into } = pending.pop();
    const { moves, after } = states.get(at);
    const isHere = at === game.position.at;
    const text = moves ? label(moves) : "start";
    const item = make(
      "li",
      {},
      button(text, () => move({ request: "go", at }), {
        "aria-current": isHere ? "step" : null,
        title: moves ? short(Object.entries(moves).map((pair) => pair.join(": ")).join(", "), 2000) : "the initial state",
      }),
    );
    into.push(item);
    if (after.length === 1) {
      pending.push({ at: after[0], items: into });
    } else {
      for (const next of [...after].reverse()) {
        const branch = [];
        item.branches = [[next, branch], ...(item.branches ?? [])];
        pending.push({ at: next, items: branch });
      }
    }
  }
  return items;
}

/** Puts branches into their states, once all are made. */
function assemble(items) {
  const list = make("ol", {});
  const pending = [[list, items]];
  while (pending.length > 0) {
    const [into, parts] = pending.pop();
    for (const item of parts) {
      into.append(item);
      for (const [, branch] of item.branches ?? []) {
        const inner = make("ol", { class: "branch" });
        item.append(inner);
        pending.push([inner, branch]);
      }
    }
  }
  return list;
}

function draw() {
  const list = assemble(lines(0));
  list.setAttribute("aria-labelledby", "history-title");
  fill(find("history"), list);
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

on("loaded", () => {
  states = new Map();
});
on("position", ({ position }) => {
  note(position);
  draw();
});
