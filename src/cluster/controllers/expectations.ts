// What a controller has asked for and not yet seen in its cache; until then it does not act again on the same key. A lost
// event must not stop it for ever: expectations are dropped after five minutes.

interface Expectation {
  creations: number;
  readonly deletions: Set<string>;
  readonly sinceMs: number;
}

const expiryMs = 300_000;

export class Expectations {
  readonly #byKey = new Map<string, Expectation>();

  satisfied(key: string, nowMs: number): boolean {
    const expectation = this.#byKey.get(key);
    if (expectation === undefined) return true;
    return (expectation.creations <= 0 && expectation.deletions.size === 0) || nowMs - expectation.sinceMs > expiryMs;
  }

  /** `deletions`: uids of the objects that are being deleted. */
  expect(key: string, creations: number, deletions: readonly string[], nowMs: number): void {
    this.#byKey.set(key, { creations, deletions: new Set(deletions), sinceMs: nowMs });
  }

  /** Also for creations that failed or were not tried. */
  creationSeen(key: string, count = 1): void {
    const expectation = this.#byKey.get(key);
    if (expectation !== undefined) expectation.creations -= count;
  }

  deletionSeen(key: string, uid: string): void {
    this.#byKey.get(key)?.deletions.delete(uid);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}
