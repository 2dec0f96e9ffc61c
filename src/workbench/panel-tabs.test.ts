import { beforeEach, describe, expect, it } from "vitest";
import { createPanelTabs } from "./panel-tabs.ts";

const known = (id: string): boolean => ["timeline", "inspector", "editor"].includes(id);

const tabsOf = (isKnown: (id: string) => boolean, labId = "one") => createPanelTabs({ labId, isKnown });

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
    const tabs = tabsOf(known);
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
    const tabs = tabsOf(known);
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
    const before = tabsOf(known);
    before.show("timeline");
    before.show("editor");
    const after = tabsOf((id) => id !== "timeline");
    expect([after.open.value, after.front.value]).toEqual([[{ id: "editor", argument: "" }], "editor"]);
    expect(tabsOf((id) => id !== "editor").front.value).toBe("");
  });

  it("is remembered for its lab alone: another lab begins with its terminal", () => {
    tabsOf(known).show("timeline");
    const other = tabsOf(known, "two");
    expect([other.open.value, other.front.value]).toEqual([[], ""]);
    other.show("editor");
    expect(tabsOf(known).open.value).toEqual([]);
    expect(tabsOf(known, "two").front.value).toBe("editor");
  });

  it("stands beside the terminal once the reader wants it so, and the next one does too", () => {
    const tabs = tabsOf(known);
    tabs.show("timeline");
    tabs.toggleBeside("timeline");
    expect([tabs.front.value, tabs.beside.value]).toEqual(["", "timeline"]);
    tabs.show("inspector");
    expect([tabs.front.value, tabs.beside.value]).toEqual(["", "inspector"]);
    expect(tabsOf(known).beside.value).toBe("inspector");
    expect(tabsOf(known, "two").beside.value).toBe("");
    const other = tabsOf(known, "two");
    other.show("editor");
    expect(other.beside.value).toBe("editor");
    other.toggleBeside("editor");
    expect([other.front.value, other.beside.value]).toEqual(["editor", ""]);
    other.show("timeline");
    expect([other.front.value, other.beside.value]).toEqual(["timeline", ""]);
  });

  it("is in front where there is no room beside, and leaves nothing behind when it closes", () => {
    const tabs = createPanelTabs({ labId: "one", isKnown: known, hasRoom: () => false });
    tabs.toggleBeside("7");
    tabs.show("timeline");
    expect([tabs.front.value, tabs.beside.value]).toEqual(["timeline", "7"]);
    tabs.terminalClosed("7");
    expect(tabs.beside.value).toBe("");
    tabs.toggleBeside("timeline");
    tabs.close("timeline");
    expect([tabs.front.value, tabs.beside.value]).toEqual(["", ""]);
  });

  it("refuses a panel that does not exist", () => {
    expect(() => tabsOf(known).show("nothing")).toThrow('there is no panel "nothing"');
  });
});
