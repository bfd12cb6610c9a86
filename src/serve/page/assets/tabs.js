// Panels behind tabs, as the pattern of WAI-ARIA has them: arrow keys go from tab to tab.

import { find, make } from "./dom.js";

const tabs = [];

/** Adds a panel; gives its element. `shown` is called whenever it comes to the front. */
export function panel(id, label, shown = () => {}) {
  const tab = make("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id, onclick: () => open(id) }, label);
  const body = make("div", { role: "tabpanel", id, "aria-labelledby": tab.id, hidden: true });
  tabs.push({ id, tab, body, shown });
  find("tabs").append(tab);
  find("panels").append(body);
  return body;
}

/** Brings a panel to the front. */
export function open(id) {
  for (const { id: own, tab, body, shown } of tabs) {
    const isFront = own === id;
    tab.setAttribute("aria-selected", String(isFront));
    tab.tabIndex = isFront ? 0 : -1;
    body.hidden = !isFront;
    if (isFront) {
      shown();
    }
  }
}

/** Whether a panel is in front. */
export function isOpen(id) {
  return !find(id).hidden;
}

find("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = tabs.findIndex(({ tab }) => tab === event.target);
  if (step && at >= 0) {
    const next = tabs[(at + step + tabs.length) % tabs.length];
    open(next.id);
    next.tab.focus();
    event.preventDefault();
  }
});
