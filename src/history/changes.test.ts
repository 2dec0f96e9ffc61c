import { describe, expect, it } from "vitest";
import { changesBetween } from "./changes.ts";

describe("what a write changed", () => {
  it("names the fields with their values before and after", () => {
    const before = { spec: { replicas: 1, paused: true }, metadata: { resourceVersion: "1" } };
    const after = { spec: { replicas: 3 }, metadata: { resourceVersion: "2" } };
    expect(changesBetween(before, after, 5).changes).toEqual([
      { path: "spec.replicas", before: "1", after: "3" },
      { path: "spec.paused", before: "true", after: "" },
    ]);
  });

  it("tells entries of a list apart by their type or name, wherever they stand", () => {
    const before = { status: { conditions: [{ type: "Ready", status: "False" }] } };
    const after = {
      status: {
        conditions: [
          { type: "Initialized", status: "True" },
          { type: "Ready", status: "True" },
        ],
      },
    };
    expect(changesBetween(before, after, 5).changes).toEqual([
      { path: "status.conditions[Initialized]", before: "", after: '{"type":"Initialized","status":"True"}' },
      { path: "status.conditions[Ready].status", before: "False", after: "True" },
    ]);
  });

  it("counts what it leaves out, and looks at nothing that both share", () => {
    const shared = {
      get never(): string {
        throw new Error("looked into");
      },
    };
    const many = (value: number) => ({ shared, list: [value, value, value, value] });
    expect(changesBetween(many(1), many(2), 3)).toMatchObject({ moreChanges: 1 });
  });
});
