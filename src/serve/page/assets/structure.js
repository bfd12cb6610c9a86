// What the game is made of, as graphs: with zoom, with a filter, and with alike nodes as one.

import { button, fill, make } from "./dom.js";
import { on, question } from "./game.js";
import { picture } from "./picture.js";
import { panel } from "./tabs.js";
import { attempt, say } from "./work.js";

const VIEWS = {
  dependency: "dependency graph",
  subgames: "subgames",
  effects: "effects",
  concepts: "concepts of goal and end",
  calls: "call graphs",
  domains: "domains",
};

const view = make("select", { id: "view", onchange: draw }, Object.entries(VIEWS).map(([value, name]) => make("option", { value }, name)));
const only = make("input", { id: "only", type: "search", size: 14, onchange: draw });
const most = make("input", { id: "most", type: "number", min: 1, max: 5000, value: 80, onchange: draw });
const depth = make("input", { id: "depth", type: "number", min: 0, max: 1000, onchange: draw });
const note = make("p", { class: "soft" });
const frame = make("div", { class: "picture scroll", tabindex: "0", role: "img", "aria-label": "graph" });
let zoom = 1;
let isDrawn = false;

panel("structure", "Structure", () => isDrawn || draw()).append(
  make(
    "div",
    { class: "controls" },
    make("label", {}, "graph ", view),
    make("label", {}, "only around ", only),
    make("label", {}, "nodes at most ", most),
    make("label", {}, "steps from the start ", depth),
    button("−", () => scale(0.8), { "aria-label": "smaller" }),
    button("100 %", () => scale(1 / zoom), { "aria-label": "original size" }),
    button("+", () => scale(1.25), { "aria-label": "larger" }),
  ),
  note,
  frame,
);

function number(field) {
  return field.value === "" ? undefined : Number(field.value);
}

async function draw() {
  isDrawn = true;
  const request = { request: "picture", view: view.value, only: only.value || undefined, most: number(most), depth: number(depth) };
  const found = await attempt(() => question(request));
  if (found) {
    say("");
    note.textContent = found.note ?? "";
    fill(frame, picture(found.svg));
    frame.setAttribute("aria-label", VIEWS[view.value]);
    scale(1);
  }
}

function scale(factor) {
  zoom = Math.min(8, Math.max(0.1, zoom * factor));
  const svg = frame.querySelector("svg");
  if (svg) {
    svg.style.width = `${svg.viewBox.baseVal.width * zoom}px`;
    svg.style.height = `${svg.viewBox.baseVal.height * zoom}px`;
  }
}

frame.addEventListener("keydown", (event) => {
  const factor = { "+": 1.25, "-": 0.8, 0: 1 / zoom }[event.key];
  if (factor) {
    scale(factor);
    event.preventDefault();
  }
});

on("loaded", () => {
  isDrawn = false;
  fill(frame);
  note.textContent = "";
});
