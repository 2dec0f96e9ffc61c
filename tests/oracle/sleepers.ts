// Whether a running line waits or works. On a busy machine a program that is about to ask something may stand in the queue for a
// processor for seconds, and a world that moved on meanwhile would not be the one that it asks about: only who sleeps waits.

import { readdirSync, readFileSync } from "node:fs";

/** The processes of a group, looked at again and again. */
export class Sleepers {
  readonly #group: number;
  /** Processes of the group, and of others. */
  #members: readonly string[];
  readonly #others = new Set<string>();
  #ran = "";

  constructor(group: number) {
    this.#group = group;
    this.#members = [String(group)];
  }

  /** All of them sleep, and none has run since the last look. Where the machine does not tell (no /proc), it is taken to be so. */
  asleep(): boolean {
    const ran = this.#look();
    // Only a group that is quiet is searched for whoever has joined it.
    if (ran === this.#ran) this.#search();
    const stood = ran === this.#look();
    const sleeps = ran !== undefined && ran === this.#ran && stood;
    this.#ran = ran ?? "";
    return sleeps;
  }

  /** How long each thread has run; undefined as soon as one works, or waits for a disk. */
  #look(): string | undefined {
    let ran = "";
    for (const process of this.#members) {
      for (const thread of threadsOf(process)) {
        const [state = "X"] = statOf(thread);
        if ("RD".includes(state)) return undefined;
        ran += ` ${read(`${thread}/schedstat`)}`;
      }
    }
    return ran;
  }

  #search(): void {
    const all = list("/proc").filter((name) => /^\d+$/.test(name) && !this.#others.has(name));
    const members: string[] = [];
    for (const process of all) {
      const group = statOf(`/proc/${process}`)[2];
      if (group === String(this.#group)) members.push(process);
      else if (group !== undefined) this.#others.add(process);
    }
    this.#members = members;
  }
}

/** State, parent and group of a process or thread, and more; nothing when it has just ended. */
function statOf(path: string): readonly string[] {
  const text = read(`${path}/stat`);
  // The name before may hold blanks and brackets.
  return text === "" ? [] : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function threadsOf(process: string): readonly string[] {
  return list(`/proc/${process}/task`).map((thread) => `/proc/${process}/task/${thread}`);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
