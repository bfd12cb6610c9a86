// Walks games at random by clicks in the page, and holds each state, its legal moves and what changed against `flux trace`.
// Arguments: a folder with games, and how many of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, elsewhere, explore } from "./browser.mjs";

const [folder, count] = [process.argv[2], Number(process.argv[3] ?? 50)];
/** Moves of a walk, and bytes of a game: a walk is about the page, not about large games. */
const [LONGEST, LARGEST] = [12, 40_000];
const program = process.env.FLUX_PROGRAM ?? "target/release/flux";

/** Evenly chosen games of the folder. */
function games() {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".kif"))
    .map((name) => join(folder, name))
    .filter((name) => statSync(name).size < LARGEST)
    .sort();
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor((at * all.length) / count)]);
}

/** A generator of numbers below a bound, the same at every run. */
function numbers(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** What the page shows, read off the page alone. */
const shown = (page) =>
  page.evaluate(() => ({
    step: Number(document.querySelector(".step").textContent.replace("step ", "")),
    state: [...document.querySelectorAll("[data-fluent]")].flatMap((e) => e.dataset.fluent.split("\n")).sort(),
    legal: Object.fromEntries(
      [...document.querySelectorAll(".role")].map((role) => [
        role.dataset.role,
        [...role.querySelectorAll(".move")].map((move) => move.dataset.move),
      ]),
    ),
    terminal: document.querySelector("#outcome strong") !== null,
    changes: [...document.querySelectorAll("#changes [data-sign]")].map((e) => e.dataset.sign + e.dataset.change).sort(),
  }));

/** Clicks a move of every role that has a choice; gives the joint move. */
async function act(page, state, random) {
  const moves = {};
  const open = Object.entries(state.legal).filter(([, legal]) => legal.length > 1);
  for (const [role, legal] of Object.entries(state.legal)) {
    moves[role] = legal[random(legal.length)];
  }
  const click = (selector, name, text) =>
    page.evaluate(
      ([selector, name, text]) =>
        [...document.querySelectorAll(selector)].find((e) => e.closest(".role").dataset.role === name && e.dataset.move === text).click(),
      [selector, name, text],
    );
  const clicked = open.length > 0 ? open : [Object.entries(state.legal)[0]];
  for (const [role] of clicked) {
    await click(".move", role, moves[role]);
  }
  if (open.length > 1) {
    await page.click("#make");
  }
  await page.waitForFunction((step) => document.querySelector(".step").textContent === `step ${step}`, state.step + 1, { timeout: 60000 });
  return moves;
}

const scratch = mkdtempSync(join(tmpdir(), "walks-"));
const { page, requests, faults, close } = await browse();
let states = 0;
for (const [number, game] of games().entries()) {
  const link = await explore(game);
  const random = numbers(number + 1);
  await page.goto(link);
  await page.waitForSelector(".step", { timeout: 60000 });
  const [visited, made] = [[await shown(page)], []];
  while (made.length < LONGEST && !visited.at(-1).terminal) {
    const last = visited.at(-1);
    // A state that shows more than can be clicked is left for the list of moves to be filtered.
    if (Object.values(last.legal).some((legal) => legal.length === 0 || legal.length >= 400)) {
      break;
    }
    made.push(await act(page, last, random));
    visited.push(await shown(page));
  }
  const file = join(scratch, "moves");
  writeFileSync(file, made.map((moves) => `${JSON.stringify(moves)}\n`).join(""));
  const traced = execFileSync(program, ["trace", game, "--moves", file], { encoding: "utf8", maxBuffer: 1 << 28 });
  const lines = traced.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, visited.length, game);
  for (const [step, { state, legal, terminal }] of lines.entries()) {
    const seen = visited[step];
    assert.deepEqual(seen.state, [...state].sort(), `${game}, step ${step}: state`);
    assert.equal(seen.terminal, terminal, `${game}, step ${step}: end`);
    for (const [role, moves] of Object.entries(legal)) {
      assert.deepEqual(seen.legal[role], moves.slice(0, 400), `${game}, step ${step}: moves of ${role}`);
    }
    if (step > 0) {
      const before = new Set(lines[step - 1].state);
      const now = new Set(state);
      const changes = [
        ...state.filter((fluent) => !before.has(fluent)).map((fluent) => `+${fluent}`),
        ...lines[step - 1].state.filter((fluent) => !now.has(fluent)).map((fluent) => `-${fluent}`),
      ];
      assert.deepEqual(seen.changes, changes.sort(), `${game}, step ${step}: changes`);
    }
    states += 1;
  }
}
await close();
rmSync(scratch, { recursive: true });
assert.deepEqual(elsewhere(requests), [], "requests left the machine");
assert.deepEqual(faults, [], "the page has faults");
console.log(`${games().length} games, ${states} states as flux trace has them; ${requests.length} requests, all to this machine`);
