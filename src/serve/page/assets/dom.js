// Elements. Texts of games come in as text nodes and attribute values alone: nothing here, and nothing on the page, reads
// markup from a text.

/** An element with attributes, listeners (`onclick: f`) and children, which are nodes or texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Puts children in place of those that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element with an id. */
export function find(id) {
  return document.getElementById(id);
}

/** A text cut to a length that can be shown in a line; the whole is in `title`. */
export function short(text, most = 300) {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A button. */
export function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, label);
}
