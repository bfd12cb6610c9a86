// The game that is shown: its session, where it stands, and who wants to know.

import { Session } from "./protocol.js";
import { ask, attempt, say } from "./work.js";

const listeners = { loaded: [], position: [] };

/** What is known: what `load` said, the position and the boards of the state that is shown. */
export const game = { session: null, loaded: null, position: null, boards: null, text: "" };

/** Has a function called with the game after it was loaded, or whenever another state is shown. */
export function on(event, listener) {
  listeners[event].push(listener);
}

function tell(event) {
  for (const listener of listeners[event]) {
    listener(game);
  }
}

/** Begins; gives the sheet that the program was started with, if there is one. */
export async function begin() {
  game.session = await Session.open();
  return game.session.opened;
}

/** Asks about the game. A session that ended, since other tabs needed the room, begins again where it was. */
export async function question(request) {
  try {
    return await ask(game.session, request);
  } catch (fault) {
    if (fault.code !== "no-session" || game.loaded === null) {
      throw fault;
    }
    const play = made();
    game.session = await Session.open();
    await load(game.text, game.loaded.name);
    await replay(play);
    // Not asked again: requests name states by number, and the new session numbers them anew.
    throw fault;
  }
}

/** Takes a sheet in place of the one before. */
export async function load(text, name) {
  game.loaded = await ask(game.session, { request: "load", text, name });
  game.text = text;
  parents.clear();
  say("");
  tell("loaded");
  await show(game.loaded.position);
}

/** The states that were seen, with the way to each. */
const parents = new Map();

/** Shows a state. */
export async function show(position) {
  parents.set(position.at, { before: position.before, moves: position.moves });
  const boards = await question({ request: "board", at: position.at });
  game.position = position;
  game.boards = boards;
  tell("position");
}

/** The joint moves from the initial state to one that was seen. */
export function made(at = game.position.at) {
  const moves = [];
  for (let state = at; parents.get(state)?.moves; state = parents.get(state).before) {
    moves.unshift(parents.get(state).moves);
  }
  return moves;
}

/** Sends a request that leads to a state, and shows it. */
export async function move(request) {
  return attempt(async () => {
    const position = await question(request);
    say("");
    await show(position);
    return position;
  });
}

/** Makes joint moves from the initial state on. */
export async function replay(play) {
  let position = await question({ request: "go", at: 0 });
  for (const moves of play) {
    position = await question({ request: "do", at: position.at, moves });
    parents.set(position.at, { before: position.before, moves: position.moves });
  }
  await show(position);
}
