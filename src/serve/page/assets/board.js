// Boards as tables whose cells can be clicked, and everything else that holds as tables.

import { button, fill, find, make, short } from "./dom.js";
import { game, on } from "./game.js";
import { piece } from "./pieces.js";
import { choose, chosenCell } from "./moves.js";

/** Boards of so many columns have room for large cells. */
const FEW = 5;

/** Names of pieces of so many letters take more room than a square, which there is in so many columns. */
const LONG = 4;
const MANY = 8;

/** How boards are turned, by game and board; a person may like rows where the rules have columns. */
const turns = JSON.parse(localStorage.getItem("flux-turns") ?? "{}");

function turnOf(name) {
  return turns[`${game.loaded.name} ${name}`] ?? { swapped: false, upward: true };
}

function turn(name, change) {
  turns[`${game.loaded.name} ${name}`] = { ...turnOf(name), ...change };
  localStorage.setItem("flux-turns", JSON.stringify(turns));
  draw();
}

export function draw() {
  const { boards, tables } = game.boards;
  fill(find("boards"), boards.map(drawBoard));
  fill(find("facts"), tables.map(drawTable));
}

function drawBoard(board, number) {
  const { swapped, upward } = turnOf(board.name);
  const across = swapped ? board.rows : board.columns;
  const down = swapped ? board.columns : board.rows;
  const cells = new Map(board.cells.map((cell) => [`${cell.column} ${cell.row}`, cell]));
  const clickable = movesByCell(number);
  const lines = [...down.keys()];
  // The first row is drawn at the bottom, as on a chessboard.
  if (upward) {
    lines.reverse();
  }
  const rows = lines.map((line) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, down[line]),
      across.map((_, place) => {
        const [column, row] = swapped ? [line, place] : [place, line];
        return drawCell(board, number, [column, row], cells.get(`${column} ${row}`), clickable);
      }),
    ),
  );
  const head = make("tr", {}, make("td"), across.map((name) => make("th", { scope: "col" }, name)));
  return make(
    "figure",
    { class: ["board", ...sizes(board, across.length)].join(" ") },
    make(
      "div",
      { class: "scroll" },
      make(
        "table",
        { "aria-label": `board ${board.name}`, onkeydown: walk },
        make("tbody", {}, upward ? [...rows, head] : [head, ...rows]),
      ),
    ),
    make(
      "figcaption",
      {},
      make("span", {}, board.name),
      button("turn", () => turn(board.name, { swapped: !swapped }), { title: "swap rows and columns" }),
      button("flip", () => turn(board.name, { upward: !upward }), { title: "turn upside down" }),
    ),
  );
}

/** How large cells are: the same for all columns, so that what stands in one does not make it wider than the others. */
function sizes(board, columns) {
  const shown = board.pieces.filter((name) => name !== board.background);
  const longest = Math.max(0, ...shown.map((name) => name.length));
  return [...(columns <= FEW ? ["few"] : []), ...(longest >= LONG && columns <= MANY ? ["wide"] : [])];
}

/** The legal moves that name a cell, by the text of the cell. */
function movesByCell(number) {
  const moves = new Map();
  for (const move of game.boards.moves) {
    for (const place of move.cells) {
      if (place.board === number) {
        const name = `${place.column ?? "*"} ${place.row ?? "*"}`;
        moves.set(name, [...(moves.get(name) ?? []), move]);
      }
    }
  }
  return moves;
}

function drawCell(board, number, [column, row], cell, clickable) {
  // A move may name a whole column or row, which has a star in place of the other coordinate.
  const keys = [`${column} ${row}`, `${column} *`, `* ${row}`];
  const moves = keys.flatMap((key) => clickable.get(key) ?? []);
  const contents = cell?.contents ?? [];
  const where = `${board.columns[column]} ${board.rows[row]}`;
  const isNew = cell?.fluents.some((fluent) => game.position.changes?.come.includes(fluent));
  const classes = [isNew ? "changed" : "", chosenCell(number, column, row) ? "chosen" : ""];
  const label = contents.length === 0 ? `${where}: nothing` : `${where}: ${contents.join(", ")}`;
  const pieces = contents.map((name) => piece(board, name));
  const inner =
    moves.length === 0
      ? make("div", { class: "cell" }, pieces)
      : button(pieces, () => choose(moves, { board: number, column, row }), {
          class: "cell",
          "aria-label": `${label}; ${moves.length} moves`,
        });
  return make(
    "td",
    { class: classes.join(" ").trim() || null, title: label, "data-cell": where, "data-fluent": cell ? cell.fluents.join("\n") : null, tabindex: moves.length ? null : "-1" },
    inner,
  );
}

/** Arrow keys go from cell to cell. */
function walk(event) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const step = steps[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell) {
    return;
  }
  const rows = [...event.currentTarget.rows];
  const row = rows.indexOf(cell.parentElement) + step[0];
  const next = rows[row]?.cells[cell.cellIndex + step[1]];
  if (next?.dataset.cell) {
    (next.querySelector("button") ?? next).focus();
    event.preventDefault();
  }
}

function drawTable(table) {
  const come = new Set(game.position.changes?.come ?? []);
  const rows = table.rows.map(({ fluent, values }) =>
    make(
      "tr",
      { class: come.has(fluent) ? "changed" : null, title: short(fluent, 2000), "data-fluent": fluent },
      (values.length ? values : [table.name]).map((value) => make("td", {}, short(value))),
    ),
  );
  const isTrue = table.arity === 0;
  return make(
    "figure",
    { class: "table" },
    make("figcaption", {}, isTrue ? "holds" : table.name),
    make("div", { class: "scroll" }, make("table", { "aria-label": table.name }, make("tbody", {}, rows))),
  );
}

on("position", draw);
