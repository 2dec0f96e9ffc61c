// The reference solutions played from a lab's start, and a learner's world held against them.

import { describe, expect, it } from "vitest";
import { labFromSources } from "#lab/catalog.ts";
import { storedObjects } from "#world/stored-objects.ts";
import { Typist } from "../../tests/typist.ts";
import { readLabSources } from "../server/lab-files.ts";
import { comparedObjects } from "./compared-objects.ts";
import { startWorld } from "./lab-world.ts";
import { playReference } from "./reference-run.ts";
import { differencesBetween } from "./review.ts";

const sources = readLabSources();
const at = { startMs: Date.UTC(2026, 0, 15, 9), seed: 41 };

/** Types something into a lab's world until it has settled, and compares. */
function differences(id: string, script: (lab: ReturnType<typeof labFromSources>) => string) {
  const lab = labFromSources(sources, id);
  const world = startWorld(lab, at);
  new Typist(world).runScript(script(lab));
  world.simulation.advance(120_000);
  return differencesBetween(comparedObjects(storedObjects(world)), playReference(lab, at).objects);
}

describe("a learner's cluster beside the reference's", () => {
  it.each(["deployment-create", "labels", "finalizers", "cluster-components"])(
    "%s: the same commands at another pace leave no difference",
    (id) => {
      expect(differences(id, (lab) => lab.steps.map(({ solution }) => `sleep 7\n${solution}`).join("\n"))).toEqual([]);
    },
  );

  it("shows fields and objects that differ, and nothing that the cluster chose", () => {
    const found = differences("deployment-create", (lab) =>
      [
        ...lab.steps.map(({ solution }) => solution),
        "kubectl scale deployment nginx-deployment --replicas=4",
        "kubectl run extra --image=busybox -- sleep 1000",
        "kubectl delete configmap answers",
      ].join("\n"),
    );
    expect(found.map(({ ref, mine, reference }) => [ref.name, mine === "", reference === ""])).toEqual([
      ["answers", true, false],
      ["nginx-deployment", false, false],
      ["extra", false, true],
    ]);
    const [, deployment, extra] = found;
    const changed = deployment?.mine.split("\n").filter((line) => !deployment.reference.includes(line));
    expect(changed).toEqual(["  replicas: 4"]);
    expect(extra?.mine).not.toMatch(/status:|uid:|nodeName|kube-api-access/);
  });
});
