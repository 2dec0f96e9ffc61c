// /flagz: all flags of a component with their values, given or not (apiserver, pkg/server/flagz).

import { compareBytes } from "#cluster/api/json-write.ts";
import { flagValuesOf } from "./flag-values.ts";
import { formattedPage } from "./formats.ts";
import type { Component, Page } from "./page.ts";

/** `flagsOf`: whose flags they are, where the component calls itself otherwise. Throws ApiError 406. */
export function flagzPage({ name, nowMs, argv }: Component, accept: string, flagsOf = name): Page {
  const flags = [...flagValuesOf(flagsOf, argv)].sort(([a], [b]) => compareBytes(a, b));
  const lines = (between: string): readonly string[] => flags.map(([flag, value]) => `${flag}${between}${value}`);
  const fields = () => ({ flags: Object.fromEntries(flags) });
  return formattedPage({ kind: "Flagz", component: name, nowMs, lines, fields }, accept);
}
