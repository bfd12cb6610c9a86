// Pictures of graphs: copied from what the server drew, element by element from a list of those that are known to be
// harmless, so that a text of the game can never become anything else. This is the one place that reads markup.

const ELEMENTS = new Set(["svg", "g", "path", "rect", "ellipse", "polygon", "circle", "line", "text", "tspan", "title", "defs", "marker"]);

const ATTRIBUTES = new Set([
  "viewBox", "width", "height", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "points", "transform",
  "class", "id", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "font-size", "font-weight",
  "font-family", "text-anchor", "dominant-baseline", "marker-end", "refX", "refY", "markerWidth", "markerHeight",
  "markerUnits", "orient", "dy", "dx",
]);

const SVG = "http://www.w3.org/2000/svg";

const policy = globalThis.trustedTypes?.createPolicy("drawing", { createHTML: (text) => text });

/** A picture as an element of the page. */
export function picture(text) {
  // Its own styles are those of panels.css; the policy of the page would refuse them here.
  const plain = text.replace(/<style[^>]*>[^<]*<\/style>/, "").replaceAll(/ style="fill:(#[0-9a-f]{3,6})"/g, ' fill="$1"');
  const markup = policy ? policy.createHTML(plain) : plain;
  const source = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  const root = document.createElementNS(SVG, "svg");
  const pending = [[source, root]];
  while (pending.length > 0) {
    const [from, into] = pending.pop();
    for (const { name, value } of from.attributes) {
      // A reference may only lead into the picture itself: `url(#arrow)`.
      if (ATTRIBUTES.has(name) && !(value.includes("url(") && !/^url\(#[\w-]+\)$/.test(value))) {
        into.setAttribute(name, value);
      }
    }
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        into.append(child.data);
      } else if (child.nodeType === Node.ELEMENT_NODE && ELEMENTS.has(child.localName)) {
        const copy = document.createElementNS(SVG, child.localName);
        into.append(copy);
        pending.push([child, copy]);
      }
    }
  }
  return root;
}
