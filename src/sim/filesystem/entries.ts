// The entries of a directory. Most directories have few, and there are dozens for each Pod: a list of names and what they lead to
// takes a quarter of a map's room and is searched as fast. Both keep the order in which names came.

/** Name, value, name, value …, exactly as long as needed; beyond a few entries a map. */
export type Entries<T> = readonly (string | T)[] | Map<string, T>;

/** Beyond it entries are kept in a map. */
const mostListed = 8;

export const noEntries: Entries<never> = [];

export function entryOf<T>(entries: Entries<T>, name: string): T | undefined {
  if (entries instanceof Map) return entries.get(name);
  const at = indexOf(entries, name);
  return at < 0 ? undefined : (entries[at + 1] as T);
}

/** The entries from now on, in place of those before. A name that is there keeps its place in the order. */
export function withEntry<T>(entries: Entries<T>, name: string, value: T): Entries<T> {
  if (entries instanceof Map) return entries.set(name, value);
  const at = indexOf(entries, name);
  if (at >= 0) return entries.with(at + 1, value);
  if (entries.length < 2 * mostListed) return entries.concat(name, value); // A spread would leave room for more.
  return new Map(eachEntry(entries)).set(name, value);
}

/** As `withEntry`, of what is left. */
export function withoutEntry<T>(entries: Entries<T>, name: string): Entries<T> {
  if (entries instanceof Map) {
    entries.delete(name);
    return entries;
  }
  const at = indexOf(entries, name);
  return at < 0 ? entries : entries.toSpliced(at, 2);
}

export function* eachEntry<T>(entries: Entries<T>): Generator<[string, T], void, undefined> {
  if (entries instanceof Map) yield* entries;
  else for (let at = 0; at < entries.length; at += 2) yield [entries[at] as string, entries[at + 1] as T];
}

/** Where a listed name stands. Not `Array.indexOf`: a value can be a text too. */
function indexOf(entries: readonly unknown[], name: string): number {
  for (let at = 0; at < entries.length; at += 2) if (entries[at] === name) return at;
  return -1;
}
