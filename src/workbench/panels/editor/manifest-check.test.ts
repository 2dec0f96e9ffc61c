import { describe, expect, it } from "vitest";
import { manifestProblems } from "#lab/manifest-help.ts";
import type { LabSession } from "#lab/session.ts";
import type { Translate } from "../../../i18n/translator.ts";
import { checkManifests } from "./manifest-check.ts";

const ask = (async (_about: string, { of, value }: { of: { apiVersion: string; kind: string }; value: unknown }) =>
  manifestProblems(of, value)) as LabSession["ask"];
const t = ((key: string, values?: { readonly [name: string]: unknown }) =>
  `${key.split(".").at(-1)}${values === undefined ? "" : ` ${Object.values(values).join(" ")}`}`) as Translate;

async function problems(text: string): Promise<readonly string[]> {
  return (await checkManifests(text, ask, t)).map(({ from, to, message }) => `${message} @ ${text.slice(from, to)}`);
}

const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n";

describe("problems of a file", () => {
  it.each([
    [`${service}  selector: {app: web}\n  ports:\n  - port: 80\n`, []],
    ["just: a file\n", []],
    ["", []],
    [`${service}  ports:\n  - prot: 80\n`, ["unknown prot @ prot", "missing port @ p"]],
    [`${service}  ports:\n  - port: "80"\n`, ['type integer @ "80"']],
    [`${service}  ports: 80\n`, ["type []ServicePort @ 80"]],
    ["a: 1\na: 2\n", ["twice @ a"]],
    ["a:\n\tb: 1\n", ["tab @ \t"]],
    [`${service}  typ: NodePort\n---\n${service}  type: 1\n`, ["unknown typ @ typ", "type string @ 1"]],
  ])("are named with their place (%#)", async (text, expected) => {
    expect(await problems(text)).toEqual(expected);
  });
});
