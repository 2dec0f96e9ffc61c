import { describe, expect, it } from "vitest";
import { CallDropped, Calls } from "./calls.ts";
import type { PageMessage } from "./protocol.ts";

function callsTo(posted: PageMessage[], open = true): Calls {
  return new Calls((message) => {
    if (open) posted.push(message);
    return open;
  });
}

describe("calls to a lab", () => {
  it("are answered by number, whatever the order", async () => {
    const posted: PageMessage[] = [];
    const calls = callsTo(posted);
    const [files, text] = [calls.ask("files", {}), calls.ask("file", { path: "a" })];
    const [first, second] = posted.map((message) => (message.kind === "ask" ? message.id : 0));
    calls.receive({ kind: "answer", id: second ?? 0, answer: "x" });
    calls.receive({ kind: "answer", id: first ?? 0, answer: ["a"] });
    expect(await Promise.all([files, text])).toEqual([["a"], "x"]);
  });

  it("tell each save of one file what became of it, in order", async () => {
    const calls = callsTo([]);
    const saves = [calls.saveFile("a", "1"), calls.saveFile("a", "2")];
    calls.receive({ kind: "outcome", outcome: { kind: "saved", path: "a", refused: "No space left on device" } });
    calls.receive({ kind: "outcome", outcome: { kind: "saved", path: "a", refused: undefined } });
    expect(await Promise.all(saves)).toEqual(["No space left on device", undefined]);
  });

  it("are refused when nobody is there, when the world cannot answer, and when it ends", async () => {
    await expect(callsTo([], false).browse("node-1")).rejects.toThrow(CallDropped);
    const posted: PageMessage[] = [];
    const calls = callsTo(posted);
    const [failing, dropped] = [calls.ask("kinds", {}), calls.browse("node-1")];
    const [asked] = posted;
    calls.receive({ kind: "unanswered", id: asked?.kind === "ask" ? asked.id : 0, detail: "broken" });
    calls.drop();
    await expect(failing).rejects.toThrow("broken");
    await expect(dropped).rejects.toThrow(CallDropped);
  });
});
