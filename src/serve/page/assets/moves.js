// The legal moves of each role, to be clicked: in the list, or on the board.

import { button, fill, find, make, short } from "./dom.js";
import { game, move, on } from "./game.js";

/** Moves of a role that are listed at once. */
const MOST = 400;

/** What was chosen in this state so far: by role a move; a cell; the moves that it leaves. */
const choice = { moves: {}, cell: null, left: null, filter: "" };

const effectListeners = [];

/** Has a function called with a joint move whose effects somebody wants to see. */
export function onEffects(listener) {
  effectListeners.push(listener);
}

/** Whether a cell is the one that was clicked first. */
export function chosenCell(board, column, row) {
  const cell = choice.cell;
  return cell !== null && cell.board === board && cell.column === column && cell.row === row;
}

/** The roles that have more than one move. */
function choosers() {
  return Object.entries(game.position.legal).filter(([, moves]) => moves.length > 1);
}

/** A move of a role is chosen; it is made if nobody else has a choice. */
export function take(role, text) {
  const open = choosers().map(([name]) => name);
  if (open.length <= 1) {
    return move({ request: "do", at: game.position.at, moves: { [role]: text } });
  }
  choice.moves[role] = text;
  choice.cell = choice.left = null;
  draw();
  return undefined;
}

/** The joint move that is chosen, without those who have one move; null if somebody has not chosen. */
function joint(extra = {}) {
  const moves = { ...choice.moves, ...extra };
  return choosers().every(([role]) => moves[role]) ? moves : null;
}

/** A cell was clicked: the one move that names it is made, of several one is to be chosen, or a second cell. */
export function choose(moves, cell) {
  const seen = choice.left ?? moves;
  // A second cell leaves the moves that name both cells; if there are none, it counts as the first one.
  const both = seen.filter((one) => moves.some((other) => other.role === one.role && other.move === one.move));
  const left = choice.left !== null && both.length > 0 ? both : moves;
  if (left.length === 1) {
    return take(left[0].role, left[0].move);
  }
  if (choice.cell !== null && chosenCell(cell.board, cell.column, cell.row)) {
    choice.cell = choice.left = null;
  } else {
    choice.cell = cell;
    choice.left = left;
  }
  draw();
  find("moves").querySelector("button")?.focus({ preventScroll: true });
  return undefined;
}

function draw() {
  const roles = Object.entries(game.position.legal);
  const several = choosers().length > 1;
  const parts = roles.map(([role, moves]) => drawRole(role, moves));
  if (several && !game.position.terminal) {
    const chosen = joint();
    parts.push(
      button("Make these moves", () => move({ request: "do", at: game.position.at, moves: chosen }), {
        id: "make",
        disabled: chosen === null,
      }),
    );
  }
  const left = choice.left && make("p", {}, "at the cell that was clicked ", button("all moves", forget));
  fill(find("moves"), filterField(roles), left, parts);
}

function forget() {
  choice.cell = choice.left = null;
  draw();
}

function filterField(roles) {
  if (roles.every(([, moves]) => moves.length < 12)) {
    return null;
  }
  return make(
    "label",
    { class: "field" },
    "only with ",
    make("input", {
      type: "search",
      value: choice.filter,
      oninput: (event) => {
        choice.filter = event.target.value;
        draw();
        // The field was drawn anew with the list, so that focus and cursor are put back.
        const field = find("moves").querySelector("input");
        field.focus();
        field.setSelectionRange(choice.filter.length, choice.filter.length);
      },
    }),
  );
}

function drawRole(role, moves) {
  const isOver = game.position.terminal;
  const left = choice.left?.filter((one) => one.role === role).map((one) => one.move);
  const shown = (left ?? moves).filter((text) => text.includes(choice.filter.trim()));
  const items = shown.slice(0, MOST).map((text) => drawMove(role, text, isOver));
  const more = shown.length - items.length;
  return make(
    "section",
    { class: "role", "data-role": role, "aria-label": `moves of ${role}` },
    make("h3", {}, role, make("span", { class: "count" }, ` ${moves.length}`)),
    make("ul", {}, items),
    more > 0 ? make("p", {}, `and ${more} more: write above what they have in them`) : null,
  );
}

function drawMove(role, text, isOver) {
  const isChosen = choice.moves[role] === text;
  return make(
    "li",
    {},
    button(short(text), () => take(role, text), {
      class: "move",
      "data-move": text,
      disabled: isOver,
      "aria-pressed": choosers().length > 1 ? String(isChosen) : null,
      title: short(text, 2000),
    }),
    isOver
      ? null
      : button("?", () => showEffects(role, text), {
          class: "what",
          "aria-label": `what ${short(text)} of ${role} would change`,
          title: "what this would change, and why",
        }),
  );
}

function showEffects(role, text) {
  const moves = joint({ [role]: text }) ?? { ...firstOfOthers(role), ...choice.moves, [role]: text };
  for (const listener of effectListeners) {
    listener(moves);
  }
}

/** For roles that have not chosen, the first of their moves, so that there is a joint move at all. */
function firstOfOthers(role) {
  return Object.fromEntries(
    choosers()
      .filter(([other]) => other !== role)
      .map(([other, moves]) => [other, moves[0]]),
  );
}

on("position", () => {
  choice.moves = {};
  choice.cell = choice.left = null;
  choice.filter = "";
  draw();
});
