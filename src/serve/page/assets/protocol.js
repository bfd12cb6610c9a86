// The protocol of `flux serve` over HTTP: a request is posted, its messages are the lines of the answer.

import { takeKey } from "./key.js";

const key = takeKey();

/** Why a request was not carried out: the failure of the protocol, or what became of the connection. */
export class Refused extends Error {
  constructor({ code, message, diagnostics = [] }) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

async function post(path, body, session) {
  const headers = { "content-type": "application/json", "x-flux-key": key ?? "" };
  if (session) {
    headers["x-flux-session"] = session;
  }
  try {
    // The request that ends a session is sent while the page closes, and must survive it.
    return await fetch(path, { method: "POST", headers, body, keepalive: path === "api/close" });
  } catch {
    throw new Refused({ code: "gone", message: "flux does not answer: it may have been ended" });
  }
}

async function refusal(response) {
  const text = await response.text();
  if (response.status === 404) {
    return new Refused({ code: "no-session", message: text });
  }
  try {
    return new Refused(JSON.parse(text).error);
  } catch {
    return new Refused({ code: "refused", message: text });
  }
}

/** A session of the server. `opened` has the sheet that the program was started with. */
export class Session {
  #name;
  #last = 0;

  static async open() {
    const response = await post("api/open", "");
    if (!response.ok) {
      throw await refusal(response);
    }
    const session = new Session();
    session.opened = await response.json();
    session.#name = session.opened.session;
    addEventListener("pagehide", () => post("api/close", "", session.#name).catch(() => {}));
    return session;
  }

  /** Asks, and gives the result. `progress` is told how far the work is; `started` gets the id. */
  async ask(request, { progress = () => {}, started = () => {} } = {}) {
    const id = ++this.#last;
    started(id);
    const response = await post("api/ask", JSON.stringify({ id, ...request }), this.#name);
    if (!response.ok) {
      throw await refusal(response);
    }
    for await (const message of messages(response)) {
      if (message.result) {
        return message.result;
      }
      if (message.error) {
        throw new Refused(message.error);
      }
      progress(message.progress);
    }
    throw new Refused({ code: "gone", message: "flux ended before it answered" });
  }
}

/** The lines of an answer as they come. */
async function* messages(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    // Only what is new is looked through, so that a long line costs what it is long.
    const parts = value.split("\n");
    while (parts.length > 1) {
      text.push(parts.shift());
      yield JSON.parse(text.join(""));
      text = [];
    }
    text.push(parts[0]);
  }
}
