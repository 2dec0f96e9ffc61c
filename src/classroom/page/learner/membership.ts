// Whether this browser belongs to a class, and what it keeps of that beside the reader's own progress.

import { readStored, writeStored } from "../../../course/storage.ts";
import type { Plan, Work } from "../../wire.ts";

/** Kept under the name `classroom` by whoever joined; the session itself is in a cookie that scripts cannot read. */
export interface Membership {
  /** Path of the API, with a slash at its end. */
  readonly api: string;
  readonly role: "learner";
  readonly id: string;
  readonly name: string;
  readonly className: string;
}

/** What the server had when it last answered: what differs from it is still to be sent. */
export type Acknowledged = Pick<Work, "lessons" | "last">;

const flag = "classroom";

export function readMembership(): Membership | undefined {
  const kept = readStored(flag) as Partial<Membership> | null | undefined;
  const { api, role, id, name, className } = kept ?? {};
  if (role !== "learner" || api === undefined || id === undefined || name === undefined || className === undefined)
    return undefined;
  return { api, role, id, name, className };
}

export function writeMembership(membership: Membership): void {
  writeStored(flag, membership);
}

/** The browser is nobody's; the reader's own progress and what was sent of it stay. */
export function forgetMembership(): void {
  writeStored(flag, null);
}

/** Whether what this browser holds was last sent for another learner. */
export function hasAnothersWork(learner: string): boolean {
  const kept = readStored(`${flag}.work`) as { readonly learner?: unknown } | null | undefined;
  return typeof kept?.learner === "string" && kept.learner !== learner;
}

/** Progress, labs, and what was noted of sending them; how the reader likes the page stays. */
export function forgetWork(): void {
  try {
    const isWork = (key: string): boolean => /^pilothouse\.(progress$|lab\.|classroom\.)/.test(key);
    for (const key of Object.keys(localStorage).filter(isWork)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** What is kept for one learner, under a name of its own; of another learner it is not read. */
export class LearnerStore<T> {
  readonly #name: string;
  readonly #learner: string;

  constructor(name: string, learner: string) {
    this.#name = `${flag}.${name}`;
    this.#learner = learner;
  }

  read(): T | undefined {
    const kept = readStored(this.#name) as { readonly learner?: unknown; readonly value: T } | null | undefined;
    return kept?.learner === this.#learner ? kept.value : undefined;
  }

  write(value: T): void {
    writeStored(this.#name, { learner: this.#learner, value });
  }
}

export const keptWork = (learner: string) => new LearnerStore<Acknowledged>("work", learner);
export const keptPlan = (learner: string) => new LearnerStore<Plan>("plan", learner);
/** What this browser is called where runs say which browser has sent them. */
export const keptWriter = (learner: string) => new LearnerStore<string>("writer", learner);
/** Ids of messages that were read. */
export const keptRead = (learner: string) => new LearnerStore<readonly string[]>("read", learner);
