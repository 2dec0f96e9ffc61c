// /healthz and its like of a component: `ok`, or with ?verbose a line a check (apiserver, pkg/server/healthz).

import type { HttpRequest } from "#sim/http.ts";
import { type Page, pathOf, plainText, queryOf } from "./page.ts";

export interface HealthEndpoint {
  /** `/healthz` */
  readonly path: string;
  readonly checks: readonly string[];
  /** Each check has a path of its own below. */
  readonly hasSingleChecks: boolean;
}

/** Undefined: the path is none of these. All checks hold. */
export function healthPage(endpoints: readonly HealthEndpoint[], request: HttpRequest): Page | undefined {
  const path = pathOf(request);
  for (const endpoint of endpoints) {
    if (path === endpoint.path) return wholePage(endpoint, queryOf(request));
    const isCheck = endpoint.hasSingleChecks && endpoint.checks.some((check) => path === `${endpoint.path}/${check}`);
    if (isCheck) return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, text: "ok" };
  }
  return undefined;
}

function wholePage({ path, checks }: HealthEndpoint, query: URLSearchParams): Page {
  if (!query.has("verbose")) return { status: 200, headers: plainText, text: "ok" };
  const excluded = query.getAll("exclude");
  const lines = checks.map((check) => `[+]${check} ${excluded.includes(check) ? "excluded: " : ""}ok\n`);
  const text = `${lines.join("")}${unmatchedText(excluded, checks)}${path.slice(1)} check passed\n`;
  return { status: 200, headers: plainText, text };
}

/** The line about names to exclude that no check has. */
export function unmatchedText(excluded: readonly string[], checks: readonly string[]): string {
  const unmatched = [...new Set(excluded)].filter((name) => !checks.includes(name)).sort();
  if (unmatched.length === 0) return "";
  return `warn: some health checks cannot be excluded: no matches for ${unmatched.map((name) => JSON.stringify(name)).join(",")}\n`;
}
