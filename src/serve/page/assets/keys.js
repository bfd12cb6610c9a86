// Keys that work wherever nothing is typed.

import { back, onward, random, restart } from "./steps.js";

const KEYS = { b: back, f: onward, r: random, Home: restart };

addEventListener("keydown", (event) => {
  const isTyped = event.target.closest?.("input, textarea, select, [contenteditable]");
  const action = KEYS[event.key];
  if (action && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    action();
  }
});
