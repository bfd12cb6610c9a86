// Clicks through every feature of the page, as a person does. An argument is a folder for screenshots.

import assert from "node:assert/strict";
import { browse, elsewhere, explore } from "./browser.mjs";

const folder = process.argv[2];
const { context, page, requests, faults, close } = await browse();

async function shot(name) {
  if (folder) {
    await page.screenshot({ path: `${folder}/${name}.png` });
  }
}

async function step(name, work) {
  try {
    await work();
  } catch (fault) {
    await shot("fault");
    throw new Error(`${name}: ${fault.message}; the page says: ${await page.textContent("#status")}`);
  }
  console.log(`ok ${name}`);
}

/** Waits until an element has a text. */
async function says(selector, text) {
  await page.locator(selector, { hasText: text }).first().waitFor({ timeout: 30000 });
}

const cell = (name) => page.locator(`td[data-cell="${name}"] button`);
const tab = (name) => page.getByRole("tab", { name, exact: true }).click();

const server = await explore("kb/games/tic_tac_toe.gdl");
await step("the page shows the game, and hides the key", async () => {
  await page.goto(server);
  await says("#name", "tic_tac_toe");
  await says("#outcome", "step 0");
  assert.equal(page.url().includes("key"), false);
  assert.equal(await page.locator("button.cell").count(), 9);
});
await step("a click on the board makes the move", async () => {
  await cell("2 2").click();
  await says("#outcome", "step 1");
  await says('td[data-cell="2 2"]', "x");
});
await step("a click in the list makes a move", async () => {
  await page.getByRole("button", { name: "(mark 1 1)", exact: true }).click();
  await says("#outcome", "step 2");
});
await step("what it changed, and by which rules", async () => {
  await says("#changes", "(cell 1 1 o)");
  await page.click("#by-rules");
  await says("#changes .rule", "next(cell(");
});
await step("what a move would change", async () => {
  await page.locator(".what").first().click();
  await says("#changes", "What xplayer");
  await shot("changes");
});
await step("why a change: down to a line of the sheet", async () => {
  await page.getByRole("button", { name: /^why \(next/ }).first().click();
  await says("#why", "hold");
  await page.locator("#why .line").first().click();
  assert.equal(await page.locator("#sheet").isVisible(), true);
  const selected = await page.$eval("#sheet-text", (text) => text.value.slice(text.selectionStart, text.selectionEnd));
  assert.match(selected, /next/);
});
await step("why not, as a tree", async () => {
  await tab("Why");
  await page.fill("#why-goal", "(legal xplayer (mark 1 1))");
  await page.press("#why-goal", "Enter");
  await says("#why", "does not hold");
  await page.locator("#why summary").first().click();
  await says("#why details", "It is not in this state");
  await shot("why");
});
await step("back, forth, another branch", async () => {
  await page.locator("#steps button", { hasText: "back" }).click();
  await says("#outcome", "step 1");
  await page.locator("#steps button", { hasText: "forth" }).click();
  await says("#outcome", "step 2");
  await page.locator("#steps button", { hasText: "back" }).click();
  await says("#outcome", "step 1");
  await cell("3 3").click();
  await says("#outcome", "step 2");
  assert.equal(await page.locator("#history .branch").count(), 2);
});
await step("keys: back, random, the arrows", async () => {
  await page.locator("h2").first().click();
  await page.keyboard.press("b");
  await says("#outcome", "step 1");
  await page.keyboard.press("r");
  await says("#outcome", "step 2");
  await page.locator("button.cell").first().focus();
  const before = await page.evaluate(() => document.activeElement.closest("td").dataset.cell);
  await page.keyboard.press("ArrowRight");
  const after = await page.evaluate(() => document.activeElement.closest("td").dataset.cell);
  assert.notEqual(before, after);
});
await step("a link leads to the state", async () => {
  const link = page.url();
  const other = await context.newPage();
  await other.goto(link);
  await other.locator("#outcome", { hasText: "step 2" }).waitFor({ timeout: 30000 });
  assert.equal(await other.locator("#boards").textContent(), await page.locator("#boards").textContent());
  await other.close();
});
await step("a question", async () => {
  await tab("Ask");
  await page.fill("#query-condition", "(true (cell ?x ?y x))");
  await page.press("#query-condition", "Enter");
  await says("#ask", "1 answers");
});
await step("best play, played", async () => {
  await tab("Best play");
  await page.click("#solve");
  await says("#best", "Proved");
  await page.click("#play-line");
  await says("#outcome", "over");
  await tab("Best play");
  await page.click("#playout");
  await says("#best", "1000 random plays");
});
await step("graphs: each view, zoom, filter", async () => {
  await tab("Structure");
  for (const view of ["dependency", "subgames", "effects", "concepts", "calls", "domains"]) {
    await page.selectOption("#view", view);
    await page.locator(`.picture[aria-label="${await page.$eval("#view", (v) => v.selectedOptions[0].label)}"] svg`).waitFor();
    assert.ok((await page.locator(".picture svg text").count()) > 0, view);
  }
  const width = () => page.$eval(".picture svg", (svg) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.getByRole("button", { name: "larger" }).click();
  assert.ok((await width()) > before);
  const all = await page.locator(".picture .node").count();
  await page.fill("#only", "cell");
  await page.press("#only", "Enter");
  await page.waitForFunction((all) => document.querySelectorAll(".picture .node").length < all, all);
  await shot("structure");
});
await step("the sheet, with errors while it is typed, and loaded", async () => {
  await tab("Sheet");
  const text = await page.inputValue("#sheet-text");
  await page.fill("#sheet-text", `${text}\nlegal(P, fly(X)) :- role(P).\n`);
  await says(".faults .error", "line");
  await says("#verdict", "cannot be played");
  await shot("sheet");
  await page.fill("#sheet-text", `${text}\ninit(cell(9, 9, "<b>")).\n`.replace('"<b>"', "z"));
  await says("#verdict", "can be played");
  await page.click("#apply");
  await says("#facts, #boards", "z");
});
await step("at 400 % zoom nothing is cut off, and it works in the dark", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 256 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  await shot("narrow");
  await page.setViewportSize({ width: 1500, height: 950 });
  await shot("dark");
  await page.emulateMedia({ colorScheme: "light" });
});
await step("hostile names are text", async () => {
  const evil = "<img/src=x/onerror=alert\u00601\u0060>";
  const rules = `(role r) (init (cell 1 1 ${evil})) (init (cell 2 2 ${evil})) (legal r ${evil})
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c))) (<= terminal (true (cell 5 5 b))) (<= (goal r 0) (role r))`;
  await page.fill("#sheet-text", rules);
  await page.click("#apply");
  await says("#moves", evil);
  await tab("Structure");
  await page.locator(".picture svg").waitFor();
  assert.equal(await page.locator("img, script:not([src])").count(), 0);
});

const joint = await explore("kb/games/roshambo.gdl");
await step("several roles choose, then the moves are made", async () => {
  await page.goto(joint);
  await says("#outcome", "step 0");
  const roles = page.locator(".role");
  for (let number = 0; number < (await roles.count()); number++) {
    await roles.nth(number).locator(".move").first().click();
  }
  await page.click("#make");
  await says("#outcome", "step 1");
});

const connect = await explore("kb/games/connect_four.gdl");
await step("a move that names a column is made by any of its cells", async () => {
  await page.goto(connect);
  await says("#outcome", "step 0");
  await cell("3 4").click();
  await says('td[data-cell="3 1"]', "red");
  for (const column of [4, 3, 4, 3]) {
    const before = await page.locator("#outcome").textContent();
    await cell(`${column} 6`).click();
    await page.waitForFunction((text) => document.querySelector("#outcome").textContent !== text, before);
  }
  await shot("board");
});

await close();
assert.deepEqual(elsewhere(requests), [], "requests left the machine");
assert.deepEqual(faults, [], "the page has faults");
console.log(`${requests.length} requests, all to this machine`);
