// What the last joint move changed, or what another one would change, and by which rules.

import { button, fill, make, short } from "./dom.js";
import { game, on, question } from "./game.js";
import { onEffects } from "./moves.js";
import { ruleLink } from "./rule.js";
import { open, panel } from "./tabs.js";
import { attempt } from "./work.js";
import { explain } from "./why.js";

const body = panel("changes", "Changes");

function said(moves) {
  return short(Object.entries(moves).map(([role, text]) => `${role}: ${text}`).join(", "));
}

function plain() {
  const { changes, moves, before, at } = game.position;
  if (changes === null) {
    return fill(body, make("p", {}, "No move was made yet. The ? beside a move shows what it would change, and why."));
  }
  const list = [...changes.gone.map((fluent) => ["-", fluent]), ...changes.come.map((fluent) => ["+", fluent])];
  return fill(
    body,
    make("h3", {}, `What ${said(moves)} changed`),
    make("ul", { class: "changes" }, list.map(([sign, fluent]) => make("li", { "data-sign": sign, "data-change": fluent }, signed(sign), make("code", {}, short(fluent))))),
    button("by which rules?", () => effects(moves, before), { id: "by-rules" }),
    make("p", { class: "soft" }, `state ${at}`),
  );
}

function signed(sign) {
  const isNew = sign === "+";
  return make("span", { class: isNew ? "come" : "gone", "aria-label": isNew ? "comes" : "goes" }, isNew ? "+ " : "− ");
}

async function effects(moves, at) {
  open("changes");
  const found = await attempt(() => question({ request: "effects", moves, at }));
  if (found) {
    fill(
      body,
      make("h3", {}, `What ${said(found.moves)} changes`),
      found.changes.length === 0 ? make("p", {}, "nothing") : null,
      make("ul", { class: "changes" }, found.changes.map((change) => effect(change, moves, at))),
    );
  }
}

function effect(change, moves, at) {
  const goal = `(next ${change.fluent})`;
  return make(
    "li",
    {},
    signed(change.sign),
    make("code", {}, short(change.fluent)),
    change.roles.length > 0 ? make("span", { class: "soft" }, ` by ${change.roles.join(", ")} `) : " ",
    button("why?", () => explain(goal, { at, moves }), { "aria-label": `why ${short(goal)}` }),
    make(
      "details",
      { open: true },
      make("summary", {}, "rules"),
      make("ul", {}, change.rules.map((rule) => make("li", {}, ruleLink(rule)))),
      change.conditions.length > 0 ? make("p", {}, "since ", make("code", {}, short(change.conditions.join(" ")))) : null,
    ),
  );
}

on("position", plain);
onEffects((moves) => effects(moves, game.position.at));
