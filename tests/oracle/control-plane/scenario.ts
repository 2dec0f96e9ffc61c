// A scenario: what a person does with a cluster, and how it is read from YAML.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";

/** One of its fields is given. Objects are named `apps/v1 Deployment web`. */
export interface Step {
  readonly create?: JsonObject;
  /** Server-side, by the manager `applier` unless `manager` is given. */
  readonly apply?: JsonObject;
  readonly manager?: string;
  readonly force?: boolean;
  /** With `with`, and `type` (`merge`, the default; `strategic`, `json`). */
  readonly patch?: string;
  readonly type?: "merge" | "strategic" | "json";
  readonly with?: JsonValue;
  /** A subresource of what is created, patched or read. */
  readonly subresource?: string;
  /** With `options`. */
  readonly delete?: string;
  readonly options?: JsonObject;
  readonly get?: string;
  /** As whom a step is done; the administrator unless stated. */
  readonly as?: string;
  /** Of its request, by their names in small letters: `accept`, `impersonate-group`, `content-type`. */
  readonly headers?: { readonly [name: string]: string };
  /** Waits until nothing is written any more, and this many seconds at least. */
  readonly settle?: number;
  /** A request in full: `POST /api/v1/…`, with `with` as its body. */
  readonly call?: string;
}

export interface Scenario {
  readonly title: string;
  /**
   * Beside which others the real side may play it: `nodes`, it has nodes of its own, which others would count; `nobody`, it needs the
   * nodes as they are. Beside all unless stated.
   */
  readonly beside?: "nodes" | "nobody";
  /** What node a Pod comes to is compared too. */
  readonly places?: boolean;
  readonly steps: readonly Step[];
}

const folder = join(import.meta.dirname, "scenarios");

/** Those whose file or title has one of the words; all without words. */
export function readScenarios(words: readonly string[]): readonly Scenario[] {
  const all = readdirSync(folder).flatMap((file) => {
    const scenarios = parse(readFileSync(join(folder, file), "utf8"), { merge: true, maxAliasCount: -1 }) as readonly (Scenario & {
      readonly parts?: unknown;
    })[];
    const subject = file.replace(/\.yaml$/, "");
    return scenarios
      .filter(({ parts }) => parts === undefined)
      .map((scenario) => ({ ...scenario, title: `${subject} | ${scenario.title}` }));
  });
  return all.filter(({ title }) => words.length === 0 || words.some((word) => title.includes(word)));
}
