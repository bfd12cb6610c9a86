// Any question: all instances of a condition that hold in the state that is shown.

import { button, fill, make, short } from "./dom.js";
import { game, question } from "./game.js";
import { panel } from "./tabs.js";
import { attempt } from "./work.js";
import { explain } from "./why.js";

/** Answers that are shown. */
const MOST = 500;

const field = make("input", { id: "query-condition", size: 40, spellcheck: "false", autocapitalize: "off", placeholder: "(legal ?r ?m)" });
const answer = make("div", { "aria-live": "polite" });

panel("ask", "Ask").append(
  make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        ask(field.value);
      },
    },
    make("label", { for: "query-condition" }, "What holds? "),
    field,
    " ",
    make("button", {}, "Ask"),
  ),
  answer,
);

async function ask(condition) {
  const found = await attempt(() => question({ request: "query", condition, at: game.position.at, most: MOST }));
  if (found) {
    fill(answer, shown(found, condition));
  }
}

function shown({ answers, complete, stopped }, condition) {
  const names = Object.keys(answers[0] ?? {});
  if (answers.length === 0 || names.length === 0) {
    const verdict = answers.length > 0 ? "yes" : "no";
    return [make("p", {}, verdict, " "), button("why?", () => explain(condition))];
  }
  const rows = answers.map((values) => make("tr", {}, names.map((name) => make("td", {}, short(values[name])))));
  return [
    make("p", {}, `${answers.length} answers${complete ? "" : `; there may be more: ${stopped}`}`),
    make(
      "div",
      { class: "scroll tall" },
      make(
        "table",
        { class: "answers" },
        make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, rows),
      ),
    ),
  ];
}
