import { describe, expect, it } from "vitest";
import type { Tie } from "#lab/picture-view.ts";
import { layoutPicture } from "./layout.ts";
import { drawnTies } from "./ties.ts";
import { clusterOf, layoutOptions, objectView, podView } from "./views.test-kit.ts";

const nodes = [{ name: "node-1", address: "", ready: true, unschedulable: false, zone: "", controlPlane: false }];

function tiesOf(ties: readonly Tie[], highlight?: Parameters<typeof drawnTies>[2], podCount = 1) {
  const pods = Array.from({ length: podCount }, (_, index) => podView(`p${index}`, "node-1"));
  const view = clusterOf({ nodes, pods, objects: [objectView("child"), objectView("parent")], ties });
  const picture = layoutPicture(view, layoutOptions());
  return { picture, drawn: drawnTies(picture, view, highlight) };
}

describe("lines between the objects of a lab", () => {
  it("lead from the dependent to its owner and from a Pod to what it uses", () => {
    const { picture, drawn } = tiesOf([
      { kind: "owner", from: "child", to: "parent" },
      { kind: "bond", from: "p0", to: "child" },
      { kind: "owner", from: "child", to: "not in the picture" },
    ]);
    const plate = (name: string) => picture.objects.find(({ object }) => object.name === name);
    expect(drawn.map(({ kind, start }) => [kind, start.y])).toEqual([
      ["owner", plate("child")?.y],
      ["bond", (picture.pods[0]?.y ?? 0) - 14],
    ]);
    const parent = plate("parent");
    if (parent === undefined) throw new Error("nothing there");
    // Short of the edge by the arrow's head.
    expect(drawn[0]?.path).toMatch(new RegExp(` ${parent.y + parent.height + 5}$`));
  });

  it("of Pods are those of the object that is pointed at where they are too many", () => {
    const bonds = Array.from({ length: 61 }, (_, index): Tie => ({ kind: "bond", from: `p${index}`, to: "child" }));
    const all = [...bonds, { kind: "owner", from: "child", to: "parent" } as const];
    expect(tiesOf(all, undefined, 61).drawn.map(({ kind }) => kind)).toEqual(["owner"]);
    expect(tiesOf(all, { kind: "object", uid: "child" }, 61).drawn).toHaveLength(62);
  });
});
