import { describe, expect, it } from "vitest";
import { kubeletOptionsOf } from "./configuration.ts";

describe("a kubelet's configuration", () => {
  it("says when unused images go", () => {
    expect(kubeletOptionsOf({}).imageGc).toEqual({});
    const { imageGc } = kubeletOptionsOf({
      imageGCHighThresholdPercent: 70,
      imageGCLowThresholdPercent: 60,
      imageMinimumGCAge: "1m",
      imageMaximumGCAge: "12h45m",
    });
    expect(imageGc).toEqual({
      highThresholdPercent: 70,
      lowThresholdPercent: 60,
      minimumAgeSeconds: 60,
      maximumAgeSeconds: 45_900,
    });
  });

  it("takes nothing for a duration that is none", () => {
    expect(() => kubeletOptionsOf({ imageMaximumGCAge: "10 minutes" })).toThrow();
  });
});
