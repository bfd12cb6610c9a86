// What is being worked on: the status line, and the button that stops it.

import { find } from "./dom.js";
import { Refused } from "./protocol.js";

let open = [];

/** Says something in the status line. */
export function say(text, isFault = false) {
  const status = find("status");
  status.textContent = text;
  status.classList.toggle("fault", isFault);
}

/** Does some work that may fail; what fails is said, and gives undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof Refused)) {
      throw fault;
    }
    say(fault.message, true);
    return undefined;
  }
}

/** Asks a session; while it takes, says how far it is, and can be stopped. */
export async function ask(session, request) {
  const entry = { session, id: 0 };
  open.push(entry);
  const timer = setTimeout(() => {
    find("stop").hidden = false;
    document.body.classList.add("busy");
  }, 300);
  try {
    return await session.ask(request, {
      started: (id) => {
        entry.id = id;
      },
      progress: ({ stage, done, unit, total, best }) => {
        const of = total === null ? "" : ` of ${total}`;
        const so = best === null ? "" : `, best so far ${best}`;
        say(`${stage}: ${done}${of} ${unit}${so}`);
      },
    });
  } finally {
    clearTimeout(timer);
    open = open.filter((other) => other !== entry);
    if (open.length === 0) {
      find("stop").hidden = true;
      document.body.classList.remove("busy");
    }
  }
}

/** Stops everything that is being worked on. */
export function stop() {
  for (const { session, id } of open) {
    session.ask({ request: "cancel", target: id });
  }
}
