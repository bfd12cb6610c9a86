// The sheet, edited in place: what is wrong with it is said while it is typed, by a session of its own, so that typing
// never waits for a search.

import { button, fill, find, make, short } from "./dom.js";
import { game, load, on } from "./game.js";
import { Session } from "./protocol.js";
import { open, panel } from "./tabs.js";
import { attempt, say } from "./work.js";

/** Milliseconds without a key before the text is looked at. */
const PAUSE = 250;

const lines = make("pre", { class: "lines", "aria-hidden": "true" });
const text = make("textarea", {
  id: "sheet-text",
  "aria-label": "rules",
  spellcheck: "false",
  wrap: "off",
  rows: 24,
  oninput: typed,
  onscroll: () => {
    lines.scrollTop = text.scrollTop;
  },
  onkeydown: (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      apply();
    }
  },
});
const faults = make("ul", { class: "faults", "aria-live": "polite" });
const verdict = make("span", { id: "verdict" });
let checker = null;
let timer = 0;
let asked = 0;

panel("sheet", "Sheet").append(
  make("p", {}, button("Load this sheet", apply, { id: "apply", title: "Ctrl+Enter" }), " ", verdict),
  make("div", { class: "sheet" }, lines, text),
  faults,
);

/** Puts a text into the sheet. */
export function setSheet(value) {
  text.value = value;
  number();
  check();
}

/** Shows a line of the sheet, selected. */
export function showLine(line) {
  open("sheet");
  select({ line, column: 1, end_line: line + 1, end_column: 1 });
}

function select({ line, column, end_line: endLine, end_column: endColumn }) {
  const starts = [0];
  for (let at = text.value.indexOf("\n"); at >= 0; at = text.value.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  const place = (row, offset) => (starts[row - 1] ?? text.value.length) + offset - 1;
  text.focus();
  text.setSelectionRange(place(line, column), place(endLine, endColumn));
  // All lines are equally high; three of them are shown above the one that is selected.
  const height = text.scrollHeight / starts.length;
  text.scrollTop = Math.max(0, (line - 4) * height);
}

function number() {
  const count = text.value.split("\n").length;
  lines.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
}

function typed() {
  number();
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

async function check() {
  const own = ++asked;
  await attempt(async () => {
    checker ??= await Session.open();
    const { ok, diagnostics } = await checker.ask({ request: "check", text: text.value });
    // An answer about an older text says nothing of this one.
    if (own === asked) {
      tell(ok, diagnostics);
    }
  });
}

function tell(ok, diagnostics) {
  verdict.textContent = ok ? "can be played" : "cannot be played";
  verdict.className = ok ? "" : "fault";
  fill(faults, diagnostics.map(fault));
}

function fault({ severity, code, message, help, span }) {
  const where = span ? `line ${span.line}` : "the sheet";
  return make(
    "li",
    { class: severity },
    button(where, () => span && select(span), { class: "line" }),
    ` ${severity}${code ? ` ${code}` : ""}: ${short(message, 600)}`,
    help ? make("div", { class: "soft" }, short(help, 600)) : null,
  );
}

async function apply() {
  const loaded = await attempt(async () => {
    await load(text.value, game.loaded?.name ?? "game");
    return true;
  });
  if (loaded) {
    say("loaded");
  }
}

on("loaded", () => {
  if (text.value !== game.text) {
    setSheet(game.text);
  }
});
