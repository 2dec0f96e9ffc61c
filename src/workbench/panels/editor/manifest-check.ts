// What is wrong in a file of manifests, with its place in the text: YAML that cannot be read, and parts that do not fit
// their kind (asked of the lab).

import { type Document, isMap, isNode, isPair, parseAllDocuments } from "yaml";
import type { KindName, ManifestProblem } from "#lab/manifest-help.ts";
import type { LabSession } from "#lab/session.ts";
import type { Translate } from "../../../i18n/translator.ts";

export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Resolves to the problems in the order of the text; rejects when the lab stops. */
export async function checkManifests(text: string, ask: LabSession["ask"], t: Translate): Promise<readonly TextProblem[]> {
  const documents = parseAllDocuments(text, { prettyErrors: false });
  if (!Array.isArray(documents)) return [];
  const found = await Promise.all(
    (documents as Document.Parsed[]).map(async (document): Promise<readonly TextProblem[]> => {
      // Behind the first place that cannot be read, everything seems wrong.
      const [error] = document.errors;
      if (error !== undefined) return [yamlProblem(error, text, t)];
      const value: unknown = document.toJS();
      const of = kindOf(value);
      if (of === undefined) return [];
      const problems = await ask("problems", { of, value });
      return problems.map((problem) => placed(document, problem, t));
    }),
  );
  return found.flat().sort((a, b) => a.from - b.from);
}

const yamlProblems = new Map<string, "tab" | "twice">([
  ["TAB_AS_INDENT", "tab"],
  ["DUPLICATE_KEY", "twice"],
]);

function yamlProblem(
  error: { readonly code: string; readonly pos: readonly [number, number] },
  text: string,
  t: Translate,
): TextProblem {
  const from = Math.min(error.pos[0], text.length);
  const problem = yamlProblems.get(error.code) ?? "yaml";
  return {
    from,
    to: Math.min(Math.max(error.pos[1], from + 1), text.length),
    message: t(`workbench.panels.editor.problem.${problem}`),
  };
}

function kindOf(value: unknown): KindName | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { apiVersion, kind } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return typeof apiVersion === "string" && typeof kind === "string" ? { apiVersion, kind } : undefined;
}

/** An unknown field and one that lacks another are marked at their key, a value of another type at the value. */
function placed(document: Document.Parsed, { path, problem, expected }: ManifestProblem, t: Translate): TextProblem {
  const [from, to] = problem === "type" ? rangeOfValue(document, path) : rangeOfKey(document, path);
  const field = String(path.at(-1) ?? "");
  const messages = {
    unknown: t("workbench.panels.editor.problem.unknown", { field }),
    type: t("workbench.panels.editor.problem.type", { type: expected }),
    missing: t("workbench.panels.editor.problem.missing", { field: expected }),
  };
  return { from, to, message: messages[problem] };
}

function rangeOfValue(document: Document.Parsed, path: readonly (string | number)[]): readonly [number, number] {
  const node = document.getIn(path, true);
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : rangeOfKey(document, path);
}

function rangeOfKey(document: Document.Parsed, path: readonly (string | number)[]): readonly [number, number] {
  const parent = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find((item) => isPair(item) && String(item.key) === path.at(-1)) : undefined;
  const key = pair?.key ?? document.getIn(path, true);
  if (!isNode(key) || !key.range) return [0, 1];
  const [from, to] = key.range;
  return pair === undefined ? [from, Math.min(to, from + 1)] : [from, to];
}
