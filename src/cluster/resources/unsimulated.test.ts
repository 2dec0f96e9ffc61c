import { describe, expect, it } from "vitest";
import { field } from "./field-errors.ts";
import { unsimulated, unsimulatedWarnings } from "./unsimulated.ts";

const end = ": accepted, but nothing in this simulated cluster acts on it";

describe("fields that nothing acts on", () => {
  it.each<[string, string, object, readonly string[]]>([
    ["nothing of the kind", "pods", { containers: [{ name: "a", securityContext: { procMount: "Default" } }] }, []],
    ["an empty list", "pods", { securityContext: { sysctls: [] }, containers: [] }, []],
    ["a list", "pods", { securityContext: { sysctls: [{ name: "a", value: "b" }] } }, ["spec.securityContext.sysctls"]],
    [
      "a value in some containers",
      "pods",
      {
        initContainers: [{ securityContext: { seccompProfile: { type: "Localhost" } } }],
        containers: [
          { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
          { volumeMounts: [{ mountPropagation: "None" }, { mountPropagation: "Bidirectional" }] },
        ],
      },
      ["spec.initContainers[0].securityContext.seccompProfile.type", "spec.containers[1].volumeMounts[1].mountPropagation"],
    ],
    ["a whole kind", "networkpolicies", {}, ["networkpolicies"]],
  ])("are told where they are set: %s", (_case, resource, spec, places) => {
    expect(unsimulatedWarnings(resource, spec, field("spec"))).toEqual(places.map((place) => `${place}${end}`));
  });

  it("are named once each", () => {
    const ids = unsimulated.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
