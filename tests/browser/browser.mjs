// A running `flux explore` and a Chromium that shows its page. FLUX_PROGRAM is the program, CHROMIUM the browser.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const program = process.env.FLUX_PROGRAM ?? "target/release/flux";

/** The programs that were started. A page that is left still asks its program to close the session, so that none of
 * them ends before all pages are closed. */
const started = [];

/** Starts the program; gives the link that it prints. */
export async function explore(game) {
  const child = spawn(program, ["explore", ...(game ? [game] : [])], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const link = await new Promise((found, failed) => {
    child.stdout.once("data", (data) => found(String(data).trim()));
    child.once("exit", (code) => failed(new Error(`flux ended with ${code}`)));
  });
  return link;
}

/** A browser of which every request is noted, and every fault of the page. */
export async function browse() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const context = await browser.newContext({ viewport: { width: 1500, height: 950 } });
  const [requests, faults] = [[], []];
  context.on("request", (request) => requests.push(request.url()));
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const close = async () => {
    await page.goto("about:blank");
    await browser.close();
    started.forEach((child) => child.kill());
  };
  return { context, page, requests, faults, close };
}

/** The requests that did not go to this machine. */
export function elsewhere(requests) {
  return requests.filter((url) => !url.startsWith("http://127.0.0.1:") && !url.startsWith("blob:"));
}
