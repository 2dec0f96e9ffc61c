// Listeners of one thing, one beside the other.

import { describe, expect, it } from "vitest";
import { Listeners } from "./listeners.ts";

describe("listeners", () => {
  it("are all told, in the order in which they came", () => {
    const told: string[] = [];
    const writes = new Listeners<string, number>();
    writes.add((key, revision) => told.push(`first ${key} ${revision}`));
    writes.add((key) => told.push(`second ${key}`));
    writes.tell("web", 7);
    expect(told).toEqual(["first web 7", "second web"]);
  });

  it("are not told any more once they are removed, and removing twice takes nobody else away", () => {
    let told = 0;
    const listener = (): void => {
      told += 1;
    };
    const changes = new Listeners();
    const remove = changes.add(listener);
    changes.add(listener);
    remove();
    remove();
    changes.tell();
    expect([told, changes.isEmpty]).toEqual([1, false]);
  });

  it("may come and go while they are told: it counts from the next time on", () => {
    const told: string[] = [];
    const changes = new Listeners<string>();
    const remove = changes.add((what) => {
      told.push(`one ${what}`);
      remove();
      changes.add((later) => told.push(`three ${later}`));
    });
    changes.add((what) => told.push(`two ${what}`));
    changes.tell("a");
    changes.tell("b");
    expect(told).toEqual(["one a", "two a", "two b", "three b"]);
  });

  it("know whether there are any", () => {
    const changes = new Listeners();
    expect(changes.isEmpty).toBe(true);
    const remove = changes.add(() => {});
    expect(changes.isEmpty).toBe(false);
    remove();
    expect(changes.isEmpty).toBe(true);
  });
});
