import { describe, expect, it } from "vitest";
import { ChangeWriter, readChange } from "./picture-changes.ts";
import { emptyCluster, type PodView } from "./picture-view.ts";

const pod = (name: string) => ({ uid: name, name }) as PodView;
const view = (pods: readonly PodView[]) => ({ ...emptyCluster, pods });

describe("changes of the picture", () => {
  it("carry the Pods that changed, and make the same picture on the other side", () => {
    const writer = new ChangeWriter();
    const [a, b, c, d] = [pod("a"), pod("b"), pod("c"), pod("d")];
    let shown = emptyCluster;
    const sent: unknown[] = [];
    for (const pods of [[a, b, c], [b, { ...c, ip: "10.244.1.2" }], [d, b], [], [b]]) {
      const change = structuredClone(writer.write(view(pods)));
      const before = shown;
      shown = readChange(change, before);
      sent.push(change.pods.map((one) => (typeof one === "number" ? one : one.name)));
      expect(shown).toEqual(view(pods));
      for (const [place, one] of change.pods.entries())
        if (typeof one === "number") expect(shown.pods[place]).toBe(before.pods[one]);
    }
    expect(sent).toEqual([["a", "b", "c"], [1, "c"], ["d", 0], [], ["b"]]);
  });

  it("are refused where the picture before is not there", () => {
    expect(() => readChange({ ...emptyCluster, pods: [3] }, emptyCluster)).toThrow("a change of a picture that was never shown");
  });
});
