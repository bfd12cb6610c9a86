// How contents of cells look: their own names, on colours that are told apart by everyone.
//
// The colours are those of Okabe and Ito; since there are seven of them, and not everyone sees them, a colour never says
// what the name does not.

import { make, short } from "./dom.js";

const COLOURS = 7;

/** A piece as the game names it. */
export function piece(board, name) {
  if (name === board.background) {
    return make("span", { class: "background" }, short(name, 12));
  }
  const number = board.pieces.indexOf(name);
  const colour = number < 0 ? COLOURS : number % COLOURS;
  return make("span", { class: `piece colour-${colour}` }, short(name, 24));
}
