// One database of Redis: keys with values of several types and times to live.

export type Value =
  | { readonly type: "string"; text: string }
  | { readonly type: "list"; readonly items: string[] }
  | { readonly type: "set"; readonly members: Set<string> }
  | { readonly type: "hash"; readonly fields: Map<string, string> };

export interface Entry {
  readonly value: Value;
  /** When the key ends, ms since the epoch. */
  expiresMs: number | undefined;
  /** Grows with each use: the smallest was not used for longest. */
  usedAt: number;
}

/** What an entry costs beside its bytes: dictionary, object and string headers of the 64-bit build. */
const entryOverheadBytes = 56;

/** An estimate of the memory an entry takes. */
export function entryBytes(key: string, { value }: Entry): number {
  let bytes = entryOverheadBytes + key.length;
  if (value.type === "string") bytes += value.text.length;
  else if (value.type === "list") for (const item of value.items) bytes += item.length + 11;
  else if (value.type === "set") for (const member of value.members) bytes += member.length + 24;
  else for (const [field, text] of value.fields) bytes += field.length + text.length + 24;
  return bytes;
}

export class Keyspace {
  readonly entries = new Map<string, Entry>();
  /** How often a key was looked for, and was there or not. */
  readonly lookups = { hits: 0, misses: 0 };
  #uses = 0;

  /** The live entry of a key; an expired one is removed when somebody looks. */
  find(key: string, nowMs: number): Entry | undefined {
    const entry = this.entries.get(key);
    const isExpired = entry?.expiresMs !== undefined && entry.expiresMs <= nowMs;
    if (isExpired) this.entries.delete(key);
    if (entry === undefined || isExpired) {
      this.lookups.misses += 1;
      return undefined;
    }
    this.lookups.hits += 1;
    this.#uses += 1;
    entry.usedAt = this.#uses;
    return entry;
  }

  put(key: string, value: Value, expiresMs?: number): void {
    this.#uses += 1;
    this.entries.set(key, { value, expiresMs, usedAt: this.#uses });
  }

  /** Keys that live, in the order in which they were made. */
  keys(nowMs: number): readonly string[] {
    return [...this.entries].filter(([, { expiresMs }]) => expiresMs === undefined || expiresMs > nowMs).map(([key]) => key);
  }

  bytes(): number {
    let sum = 0;
    for (const [key, entry] of this.entries) sum += entryBytes(key, entry);
    return sum;
  }
}

/** Redis's glob: `*`, `?`, `[a-c]`, `[^a]`, backslash. */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\\(.)|\[(\^?)((?:\\.|[^\]])*)\]|[*?]|[.+^${}()|\]\\/-]/gs, (all, escaped, not, set) => {
    if (escaped !== undefined) return escaped.replace(/[^\w\s]/, "\\$&");
    if (set !== undefined) return `[${not}${set.replace(/[[\]^]/g, "\\$&")}]`;
    if (all === "*") return ".*";
    return all === "?" ? "." : `\\${all}`;
  });
  return new RegExp(`^${source}$`, "s");
}
