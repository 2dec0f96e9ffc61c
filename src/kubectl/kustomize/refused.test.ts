import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

// Not of the real kubectl, which acts on them.
describe("what kustomize could do and nothing here does", () => {
  it.each([
    ...["vars", "configurations", "crds", "generators", "transformers", "validators", "buildMetadata", "helmCharts"],
    ...["helmChartInflationGenerator", "helmGlobals", "openapi"],
  ])("%s is refused by name", (field) => {
    const kustomization = `% kustomization.yaml\n${field}: {}\n`;
    expect(built(kustomization)).toBe(`error: invalid Kustomization: ${field}: not simulated\n(exit 1)\n`);
  });

  it.each(["https://example.com/base.yaml", "github.com/example/base?ref=v1", "git@example.com:base"])(
    "%s is refused as remote",
    (address) => {
      const remote = `remote resources are not simulated: '${address}'`;
      const file = `accumulating resources from '${address}': ${remote}`;
      expect(built(`% kustomization.yaml\nresources: ["${address}"]\n`)).toBe(
        `error: accumulating resources: accumulation err='${file}': ${remote}\n(exit 1)\n`,
      );
    },
  );
});
