// A rule as a link to its line of the sheet.

import { button, make, short } from "./dom.js";
import { showLine } from "./sheet.js";

/** A rule with its line; the click shows it in the sheet. */
export function ruleLink(rule) {
  return make(
    "span",
    { class: "rule" },
    button(`line ${rule.line}`, () => showLine(rule.line), { class: "line" }),
    " ",
    make("code", {}, short(rule.text)),
  );
}
