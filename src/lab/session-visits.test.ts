// A lab left and opened again: what comes back, what is kept, and what is not taken up.

import { describe, expect, it } from "vitest";
import type { KeyValueStorage } from "./saved-labs.ts";
import { bundle, memoryStorage, passed, pods, visit } from "./session.test-kit.ts";

describe("a lab that was left", () => {
  it("comes back with the same Pods, steps, screens, hints and solutions", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.type(id, "kubectl create deployment web --image=nginx --replicas=2", "deployment.apps/web created");
    first.wall.pass(20_000);
    first.session.help.showHint("b");
    first.session.help.showHint("b");
    first.session.help.showSolution("b");
    first.session.close();

    const second = visit({ storage });
    const again = second.open();
    await second.begin();
    second.wall.pass(500);
    expect(second.session.state.value).toEqual({ kind: "ready", resumed: true, lost: undefined });
    expect(again.id).toBe(id);
    expect(second.screen(id)).toBe(first.screen(id));
    expect(pods(second)).toEqual(pods(first));
    expect(pods(second).filter(({ namespace }) => namespace === "default")).toHaveLength(2);
    expect(passed(second)).toEqual(["a"]);
    expect(second.session.steps.value[1]).toMatchObject({ hintsLeft: 1, solution: { commands: "kubectl create configmap b" } });
  });

  it("brings its other terminals back too", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    first.open();
    await first.begin();
    first.open();
    first.wall.pass(1000);
    first.session.close();
    const second = visit({ storage });
    second.open();
    await second.begin();
    expect(second.session.leftTerminals.value).toBe(1);
    expect(second.open().id).toBe("2");
    expect(second.session.leftTerminals.value).toBe(0);
  });

  it.each([
    ["unreadable", "{"],
    ["unreadable", '{"format":1,"entries":[null]}'],
    ["outdated", '{"format":0}'],
  ])("starts afresh and says that what was kept is %s (%s)", async (lost, text) => {
    const storage = memoryStorage();
    storage.setItem("pilothouse.lab.four", text);
    const page = visit({ storage });
    page.open();
    await page.begin();
    expect(page.session.state.value).toEqual({ kind: "ready", resumed: false, lost });
  });
});

describe("a lab whose world has changed since the last visit", () => {
  it("starts afresh and says so; other words of its texts and checks do not matter", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.session.close();
    const changed = (change: object) => () => Promise.resolve({ ...bundle, definition: { ...bundle.definition, ...change } });
    const same = visit({ storage, load: changed({ exam: { minutes: 5, pass: 50 } }) });
    same.open();
    await same.begin();
    expect(same.session.state.value).toMatchObject({ resumed: true, lost: undefined });
    same.session.close();
    const other = visit({ storage, load: changed({ setup: "kubectl create namespace shop" }) });
    other.open();
    await other.begin();
    expect(other.session.state.value).toEqual({ kind: "ready", resumed: false, lost: "outdated" });
    expect(passed(other)).toEqual([]);
  });
});

describe("keeping a lab", () => {
  it("is refused by a storage without room, and said", async () => {
    const full: KeyValueStorage = {
      ...memoryStorage(),
      setItem: () => {
        throw new Error("full");
      },
    };
    const page = visit({ storage: full });
    const { id } = page.open();
    await page.begin();
    page.type(id, "echo hello", "\nhello");
    expect(page.session.keeping.value).toBe("refused");
  });

  it("is left to the other tab that has the lab, also through a reset", async () => {
    const storage = memoryStorage();
    storage.setItem("pilothouse.lab.four", "theirs");
    const page = visit({ storage, claim: false });
    const { id } = page.open();
    await page.begin();
    page.type(id, "echo hello", "\nhello");
    page.session.reset();
    await page.begin();
    page.session.close();
    expect(page.session.keeping.value).toBe("elsewhere");
    expect(storage.kept.get("pilothouse.lab.four")).toBe("theirs");
  });
});
