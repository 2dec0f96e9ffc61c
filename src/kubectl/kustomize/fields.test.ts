import { describe, expect, it } from "vitest";
import { refuseUnknownFields } from "./fields.ts";

describe("fields of a kustomization", () => {
  it.each(["replacements", "components", "configurations", "helmCharts", "sortOptions"])(
    "%s is refused: it would do nothing",
    (field) => {
      expect(() => refuseUnknownFields({ [field]: [] })).toThrow(`invalid Kustomization: ${field}: not simulated`);
    },
  );

  it("what acts is let through", () => {
    refuseUnknownFields({ resources: [], patches: [{ path: "p.yaml" }], images: [{ name: "web", newTag: "2" }] });
  });
});
