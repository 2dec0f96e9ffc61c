import { expect, it } from "vitest";
import { podTemplateHash } from "./pod-template-hash.ts";

it("hashes equal templates alike, in 8 to 10 safe characters", () => {
  const hash = podTemplateHash({ metadata: { labels: { a: "1", b: "2" } } }, undefined);
  expect(hash).toBe(podTemplateHash({ metadata: { labels: { b: "2", a: "1" } } }, undefined));
  expect(hash).toMatch(/^[bcdf-hj-np-tv-xz2456789]{8,10}$/);
  expect(podTemplateHash({ metadata: { labels: { a: "1", b: "2" } } }, 1)).not.toBe(hash);
});
