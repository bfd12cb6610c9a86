// Why something holds, or why not: trees that unfold down to the lines of the sheet.

import { button, fill, make, short } from "./dom.js";
import { game, on, question } from "./game.js";
import { ruleLink } from "./rule.js";
import { open, panel } from "./tabs.js";
import { attempt } from "./work.js";

const WORDS = {
  state: "it is so in this state",
  builtin: "built in",
  negation: "no rule gives it",
  undefined: "neither true nor false",
  omitted: "not looked into",
};

const field = make("input", { id: "why-goal", size: 40, spellcheck: "false", autocapitalize: "off" });
const answer = make("div", { "aria-live": "polite" });
const body = panel("why", "Why");

body.append(
  make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        explain(field.value);
      },
    },
    make("label", { for: "why-goal" }, "Why, or why not, "),
    field,
    " ",
    make("button", {}, "Explain"),
  ),
  answer,
);

/** Shows why a goal holds or not, in the state that is shown if no other is said. */
export async function explain(goal, where = {}) {
  open("why");
  field.value = goal;
  const context = { at: where.at ?? game.position.at, moves: where.moves };
  const tree = await reasons(goal, context);
  if (tree) {
    fill(answer, tree);
  }
}

async function reasons(goal, context) {
  const found = await attempt(() => question({ request: "why", goal, ...context }));
  if (!found) {
    return null;
  }
  const verdict = make("p", {}, make("code", {}, short(goal)), found.holds ? " holds" : " does not hold");
  return [verdict, found.holds ? proof(found.proof, context) : failure(found.failure, goal, context)];
}

/** A proof as nested lists, made as they are unfolded, so that a large one costs nothing before. */
function proof(steps, context) {
  return make("ul", { class: "tree" }, step(steps, 0, context, true));
}

function step(steps, number, context, isOpen = false) {
  const { goal, reason, rule, children } = steps[number];
  const because = rule ? ruleLink(rule) : make("span", { class: "soft" }, WORDS[reason] ?? "");
  const line = [make("code", {}, short(goal)), " ", because];
  if (reason === "negation") {
    // A negation unfolds into why its goal does not hold, asked for when it is opened.
    const inner = goal.replace(/^\(not (.*)\)$/s, "$1");
    return make("li", {}, unfolding(line, () => reasons(inner, context)));
  }
  if (children.length === 0) {
    return make("li", {}, line);
  }
  const parts = async () => make("ul", {}, children.map((child) => step(steps, child, context)));
  return make("li", {}, unfolding(line, parts, isOpen));
}

/** The rules that do not give a goal, each with the condition that fails, which unfolds in its turn. */
function failure(rules, goal, context) {
  if (rules.length === 0) {
    const isFluent = goal.startsWith("(true ");
    return make("p", {}, isFluent ? "It is not in this state." : "No rule gives it.");
  }
  return make("ul", { class: "tree" }, rules.map(({ rule, condition }) => {
    const where = rule ? ruleLink(rule) : make("span", { class: "soft" }, "it is not in the state");
    if (condition === null) {
      return make("li", {}, where);
    }
    const fails = ["fails at ", make("code", {}, short(condition))];
    // A condition that is the goal itself would unfold for ever.
    const inner = condition === goal ? null : () => reasons(condition, context);
    return make("li", {}, where, make("div", {}, inner ? unfolding(fails, inner) : fails));
  }));
}

function unfolding(line, content, isOpen = false) {
  const details = make("details", {}, make("summary", {}, line));
  let isFilled = false;
  details.addEventListener("toggle", async () => {
    if (details.open && !isFilled) {
      isFilled = true;
      details.append(...[await content()].flat().filter(Boolean));
    }
  });
  details.open = isOpen;
  return details;
}

on("loaded", () => fill(answer, make("p", { class: "soft" }, "Such as ", example())));

function example() {
  const [role] = game.loaded.roles;
  const goal = game.loaded.position.terminal ? "terminal" : `(legal ${role} ${game.loaded.position.legal[role][0]})`;
  return button(short(goal), () => explain(goal), { id: "why-example" });
}
