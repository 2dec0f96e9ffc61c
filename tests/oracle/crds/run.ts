// Published CustomResourceDefinitions: each must be taken by our API server, cost what it costs upstream, and judge objects, good and
// bad, as the release's own code does, in the same words.
//
//   node src/tools/run.mjs tests/oracle/crds/run.ts [PART OF A MODULE'S NAME …] [--objects N] [--seed N] [--show]

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import type { CustomResourceDefinition } from "#cluster/api/generated/types.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";
import { exchange } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { startServer } from "#cluster/apiserver/test-server.test-kit.ts";
import { customResource } from "#cluster/resources/apiextensions/custom-resource.ts";
import { estimatedCosts } from "#cluster/resources/apiextensions/rule-costs.ts";
import type { Schema } from "#cluster/resources/apiextensions/structural-schema.ts";
import { FieldErrors } from "#cluster/resources/field-errors.ts";
import { Random } from "#sim/random.ts";
import { provideTools } from "#world/tools.ts";
import { hasGo } from "../facts-program.ts";
import { definitionsIn, moduleFolder, projects } from "./modules.ts";
import { RandomValues } from "./random-values.ts";

type Crd = Stored<CustomResourceDefinition>;

interface Case {
  readonly version: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

interface Answer {
  readonly errors: readonly string[];
  readonly costs: { readonly [version: string]: { readonly [rule: string]: number } };
  readonly objects: readonly (readonly string[])[] | null;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
  },
});
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let told = 0;

provideTools();
process.exitCode = run() ? 0 : 1;

function run(): boolean {
  if (!hasGo()) {
    console.log("crds: without Go nothing can be compared");
    return false;
  }
  const program = buildProgram();
  const chosen = projects.filter(({ module }) => positionals.length === 0 || positionals.some((part) => module.includes(part)));
  const rows = chosen.map(({ module, within }) => {
    const folder = moduleFolder(module);
    if (folder === undefined) return { module, definitions: 0, rules: 0, accepted: 0, costs: "", objects: "not to be had" };
    return compare(
      module,
      within.flatMap((path) => definitionsIn(join(folder, path))),
      program,
    );
  });
  console.table(rows);
  return rows.every((row) => !("same" in row) || row.same);
}

function buildProgram(): string {
  const cache = join(process.cwd(), "node_modules", ".cache", "pilothouse");
  mkdirSync(cache, { recursive: true });
  const program = join(cache, "crds");
  execFileSync("go", ["build", "-trimpath", "-o", program, "."], { cwd: join("tests", "oracle", "crds"), stdio: "inherit" });
  return program;
}

function compare(module: string, definitions: readonly JsonObject[], program: string) {
  const questions = definitions.map((crd) => ({ crd, objects: casesFor(crd as unknown as Crd) }));
  const answers = execFileSync(program, {
    input: questions.map((question) => JSON.stringify(question)).join("\n"),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
  const count = { rules: 0, sameCosts: 0, accepted: 0, refused: 0, objects: 0, sameObjects: 0, taken: 0 };
  questions.forEach(({ crd, objects }, index) => {
    const answer = answers[index] as Answer;
    if (isTakenAsUpstream(crd, answer)) count.accepted += 1;
    for (const version of (crd as unknown as Crd).spec.versions) compareCosts(crd, version.name, answer, count);
    objects.forEach((one, at) => {
      const theirs = [...(answer.objects?.[at] ?? ["no answer"])].sort();
      const ours = [...judged(crd as unknown as Crd, one)].sort();
      count.objects += 1;
      if (theirs.length === 0) count.taken += 1;
      if (isDeepStrictEqual(theirs, ours)) count.sameObjects += 1;
      else tell(`${nameOf(crd)} ${one.version}`, theirs, ours, one);
    });
  });
  return {
    module,
    definitions: definitions.length,
    rules: count.rules,
    accepted: count.accepted,
    costs: `${count.sameCosts} of ${count.rules}`,
    objects: `${count.sameObjects} of ${count.objects}, ${count.taken} good`,
    same: count.accepted === definitions.length && count.sameCosts === count.rules && count.sameObjects === count.objects,
  };
}

function nameOf(crd: JsonObject): string {
  return String((crd["metadata"] as JsonObject)["name"]);
}

function isTakenAsUpstream(crd: JsonObject, { errors }: Answer): boolean {
  const { server } = startServer();
  const reply = exchange(server, "POST", crdPath, crd as JsonValue);
  const isSame = errors.length === 0 ? reply.status === 201 : reply.status === 422;
  if (!isSame)
    console.log(
      `${nameOf(crd)}: ${reply.status} ${reply.text.slice(0, 1500)}\n  upstream ${errors.join("; ").slice(0, 1500) || "takes it"}`,
    );
  return isSame;
}

function compareCosts(crd: JsonObject, name: string, { costs }: Answer, count: { rules: number; sameCosts: number }): void {
  const theirs = costs[name] ?? {};
  const version = (crd as unknown as Crd).spec.versions.find((one) => one.name === name);
  const ours = Object.fromEntries(estimatedCosts(version?.schema?.openAPIV3Schema as Schema));
  for (const [rule, cost] of Object.entries(theirs)) {
    count.rules += 1;
    if (ours[rule] === cost) count.sameCosts += 1;
    else console.log(`${nameOf(crd)} ${name} ${rule}: costs ${ours[rule]}, upstream ${cost}`);
  }
}

function casesFor(crd: Crd): readonly Case[] {
  const random = new Random(Number(options.seed));
  return crd.spec.versions.flatMap((version) => {
    const schema = version.schema?.openAPIV3Schema as Schema | undefined;
    if (schema === undefined) return [];
    const values = new RandomValues(random, schema);
    const head = {
      apiVersion: `${crd.spec.group}/${version.name}`,
      kind: crd.spec.names.kind,
      metadata: { name: "a", namespace: "default" },
    };
    return Array.from({ length: Number(options.objects) }, (_, index): Case => {
      const object = { ...values.resource(schema), ...head };
      if (index % 3 !== 0) return { version: version.name, object };
      const { apiVersion: _a, kind: _k, metadata: _m, ...content } = object as JsonObject;
      const { apiVersion: __, kind: ___, metadata: ____, ...properties } = schema.properties ?? {};
      const changed = values.changed(content, { ...schema, properties }) as JsonObject;
      return { version: version.name, object: { ...changed, ...head }, old: object };
    });
  });
}

function judged(crd: Crd, { version, object, old }: Case): readonly string[] {
  const named = crd.spec.versions.find(({ name }) => name === version) as Crd["spec"]["versions"][number];
  const kind = customResource(crd, { ...named, subresources: {} }, false);
  const prepared = (value: JsonObject): KubeObject => kind.defaults?.(kind.coerce?.(value)?.value as KubeObject) as KubeObject;
  const errors = new FieldErrors();
  try {
    if (old === undefined) kind.validate?.(prepared(object), errors);
    else kind.validateUpdate?.(prepared(object), prepared(old), errors);
  } catch (error) {
    return [`threw ${(error as Error).stack}`];
  }
  return errors.causes.map(({ field, message }) => (field === undefined || field === "" ? message : `${field}: ${message}`));
}

function tell(title: string, theirs: readonly string[], ours: readonly string[], one: Case): void {
  told += 1;
  if (told > 25 && !options.show) return;
  console.log(title);
  for (const line of theirs.filter((text) => !ours.includes(text)).slice(0, 4))
    console.log(`  only upstream: ${line.slice(0, 400)}`);
  for (const line of ours.filter((text) => !theirs.includes(text)).slice(0, 4))
    console.log(`  only here:     ${line.slice(0, 400)}`);
  if (options.show) console.log(`  ${JSON.stringify(one)}`);
}
