// The key of the link that the program printed. It is kept for this address, so that links to states, which do not have
// it, open in other tabs; it leaves the address bar at once, so that it is in no picture and no copied link.

const NAME = "flux-key";

/** Takes the key from the link, or remembers it; null if there is none. */
export function takeKey() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const key = parts.get("key");
  if (key) {
    localStorage.setItem(NAME, key);
    parts.delete("key");
    const rest = parts.toString();
    history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  }
  return key ?? localStorage.getItem(NAME);
}
