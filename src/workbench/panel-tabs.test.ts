import { beforeEach, describe, expect, it } from "vitest";
import { createPanelTabs } from "./panel-tabs.ts";

const known = (id: string): boolean => ["timeline", "inspector", "editor"].includes(id);

describe("panels as tabs", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    };
    Object.assign(globalThis, { localStorage: storage, document: new EventTarget() });
  });

  it("opens beside the others, keeps what a panel shows unless told otherwise", () => {
    const tabs = createPanelTabs(known);
    tabs.show("timeline");
    tabs.show("inspector", "Pod/default/web");
    tabs.show("timeline");
    tabs.show("inspector");
    expect(tabs.open.value).toEqual([
      { id: "timeline", argument: "" },
      { id: "inspector", argument: "Pod/default/web" },
    ]);
    expect(tabs.front.value).toBe("inspector");
    tabs.show("inspector", "Node//node-1");
    expect(tabs.open.value[1]).toEqual({ id: "inspector", argument: "Node//node-1" });
  });

  it("gives the front to a neighbour when the front panel closes, and to the terminals after the last", () => {
    const tabs = createPanelTabs(known);
    for (const id of ["timeline", "inspector", "editor"]) tabs.show(id);
    tabs.show("inspector");
    tabs.close("inspector");
    expect(tabs.front.value).toBe("editor");
    tabs.close("editor");
    expect(tabs.front.value).toBe("timeline");
    tabs.close("timeline");
    expect(tabs.front.value).toBe("");
  });

  it("is remembered, and forgets panels that are no more", () => {
    const before = createPanelTabs(known);
    before.show("timeline");
    before.show("editor");
    const after = createPanelTabs((id) => id !== "timeline");
    expect([after.open.value, after.front.value]).toEqual([[{ id: "editor", argument: "" }], "editor"]);
    expect(createPanelTabs((id) => id !== "editor").front.value).toBe("");
  });

  it("refuses a panel that does not exist", () => {
    expect(() => createPanelTabs(known).show("nothing")).toThrow('there is no panel "nothing"');
  });
});
