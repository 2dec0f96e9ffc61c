// Objects of every kind and what mutations make of them, created and updated as a dry run on both sides.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { type Mutation, mutationsOf, randomMutations } from "./mutations.ts";
import { normaliseAnswer } from "./normalise-answers.ts";
import type { Answer, Call, Side } from "./side.ts";

export interface Outcome {
  readonly key: string;
  readonly real: JsonObject;
  readonly ours: JsonObject;
}

const folder = join(import.meta.dirname, "objects");
/** As many questions are open at the real server at once. */
const beside = 12;
export const namespace = "objects";

interface Place {
  readonly collection: string;
  readonly resource: string;
}

const resources = JSON.parse(readFileSync("src/upstream/resources.json", "utf8")) as {
  readonly [version: string]: { readonly [resource: string]: { readonly kind: string; readonly namespaced: boolean } };
};

export function placeOf({ apiVersion, kind }: JsonObject, inNamespace: string): Place {
  const version = String(apiVersion);
  const found = Object.entries(resources[version] ?? {}).find(([name, each]) => each.kind === kind && !name.includes("/"));
  if (found === undefined) throw new Error(`no resource is known for ${version} ${String(kind)}`);
  const [resource, { namespaced }] = found;
  const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
  return { resource, collection: namespaced ? `${root}/namespaces/${inNamespace}/${resource}` : `${root}/${resource}` };
}

/** All objects of the files whose names have one of the words; of all files without words. */
export function readObjects(words: readonly string[]): readonly JsonObject[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8").replaceAll("$NAMESPACE", namespace);
      return parseAllDocuments(text).map((document) => document.toJS() as JsonObject);
    })
    .filter((object) => words.length === 0 || words.some((word) => titleOf(object).toLowerCase().includes(word.toLowerCase())));
}

export function titleOf(object: JsonObject): string {
  const { name } = object["metadata"] as { readonly name?: string };
  return `${String(object["apiVersion"])} ${String(object["kind"])}${name === undefined ? "" : ` ${name}`}`;
}

export interface Sides {
  readonly real: Side;
  readonly ours: Side;
}

/** What is made of an object: of its mutations, each so many-th; or several at once by chance, so many from a seed. */
export type Choice = { readonly every: number } | { readonly random: number; readonly seed: number };

export async function playObject({ real, ours }: Sides, object: JsonObject, choice: Choice): Promise<readonly Outcome[]> {
  const { collection } = placeOf(object, namespace);
  const { name } = object["metadata"] as { readonly name?: string };
  const creations = chosen(object, choice).map(({ title, object: body }): readonly [string, Call] => [
    `${titleOf(object)} | create | ${title}`,
    { method: "POST", path: `${collection}?dryRun=All&fieldValidation=Strict`, body },
  ]);
  const outcomes = await askBoth({ real, ours }, creations);
  if (name === undefined) return outcomes;
  const create: Call = { method: "POST", path: collection, body: object };
  const made = await Promise.all([real.ask(create), ours.ask(create)]);
  outcomes.push(outcomeOf(`${titleOf(object)} | create | in earnest`, made[0], made[1]));
  if (made.every(({ status }) => status === 201)) {
    const path = `${collection}/${name}`;
    const updates = made.map(({ body }) =>
      chosen(updatable(body as JsonObject, object), choice).map(({ title, object: changed }): readonly [string, Call] => [
        `${titleOf(object)} | update | ${title}`,
        { method: "PUT", path: `${path}?dryRun=All`, body: changed },
      ]),
    );
    const [theirs = [], own = []] = updates;
    // Where what was made is not the same, its mutations cannot be.
    const titles = new Map(own.map((update) => [update[0], update[1]]));
    const both = theirs.flatMap(([title, call]) => {
      const other = titles.get(title);
      return other === undefined ? [] : [[title, call, other] as const];
    });
    outcomes.push(...(await askBoth({ real, ours }, both)));
  }
  for (const side of [real, ours]) await remove(side, `${collection}/${name}`);
  return outcomes;
}

function chosen(object: JsonObject, choice: Choice): readonly Mutation[] {
  if ("random" in choice) return randomMutations(object, choice.random, choice.seed);
  return mutationsOf(object).filter((_, index) => index % choice.every === 0);
}

/** The live object under the metadata that it was made with. */
function updatable(live: JsonObject, object: JsonObject): JsonObject {
  return { ...live, metadata: object["metadata"] as JsonValue };
}

async function remove(side: Side, path: string): Promise<void> {
  const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0, propagationPolicy: "Background" };
  await side.ask({ method: "DELETE", path, body: options });
  const left = await side.ask({ method: "GET", path });
  if (left.status !== 200 || !isObject(left.body)) return;
  await side.ask({ method: "PATCH", path, type: "application/merge-patch+json", body: { metadata: { finalizers: null } } });
}

/** Asks both the same, or each its own. */
async function askBoth(
  { real, ours }: Sides,
  calls: readonly (readonly [title: string, call: Call, ours?: Call])[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < calls.length; start += beside) {
    const some = calls.slice(start, start + beside);
    const answers = Promise.all(some.map(([, call]) => real.ask(call)));
    const own: Answer[] = [];
    for (const [, call, other] of some) own.push(await ours.ask(other ?? call));
    for (const [index, answer] of (await answers).entries())
      outcomes.push(outcomeOf(some[index]?.[0] ?? "", answer, own[index] as Answer));
  }
  return outcomes;
}

export function outcomeOf(key: string, real: Answer, ours: Answer): Outcome {
  return { key, real: normaliseAnswer(real), ours: normaliseAnswer(ours) };
}
