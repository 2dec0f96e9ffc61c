import { expect, it } from "vitest";
import { stringsFor } from "../../../i18n/build.ts";
import { locales } from "../../../i18n/locales.ts";
import type { Result } from "../../wire.ts";
import { refusalSentence, refusedLabs } from "./refused-runs.ts";

const result = (lab: string, refusal: string | null): Result => ({ lab, steps: [], points: 0, refusal });

it("labs whose last run was not counted, whole or in part, with the reason", () => {
  const results = [result("pods", "outdated"), result("labels", null), result("jobs", "a word of a newer server")];
  const parts = new Map([
    ["labels", "too-large"],
    ["probes", "over"],
    ["quotas", "elsewhere"],
  ] as const);
  expect([...refusedLabs(results, parts)]).toEqual([
    ["pods", "outdated"],
    ["jobs", "failed"],
    ["labels", "tooMany"],
    ["quotas", "elsewhere"],
  ]);
});

it.each(locales)("what to do names the button of the lab, in %s", (locale) => {
  const t = stringsFor(locale);
  expect(refusalSentence(t, "outdated")).toContain(t("workbench.status.reset"));
  expect(refusalSentence(t, "no such word")).toBe(refusalSentence(t, "failed"));
});
