// What the browser keeps for the reader. A browser that refuses gets a page that works until it is closed.

const memory = new Map<string, string>();
let denied = false;

/** True once the browser has refused to keep something. */
export function isStorageDenied(): boolean {
  if (!denied) {
    try {
      localStorage.setItem("pilothouse.probe", "");
      localStorage.removeItem("pilothouse.probe");
    } catch {
      denied = true;
    }
  }
  return denied;
}

/** A JSON value kept under a name; undefined when there is none or it cannot be read. */
export function readStored(name: string): unknown {
  try {
    const text = memory.get(name) ?? localStorage.getItem(`pilothouse.${name}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(`pilothouse.${name}`, text);
    memory.delete(name);
  } catch {
    denied = true;
    memory.set(name, text);
  }
}

/** Everything under our names is removed when the page is next read, before anything on it runs (src/layouts/Base.astro): an open
 * lab keeps itself once more while its page goes away. */
export function askToForgetEverything(): void {
  memory.clear();
  try {
    sessionStorage.setItem("pilothouse.forget", "");
  } catch {
    // What was never kept needs no forgetting.
  }
}
