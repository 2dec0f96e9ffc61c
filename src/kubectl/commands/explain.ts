// kubectl explain: what the server's OpenAPI v3 documents say of a resource type and its fields.

import { JsonPathError, parseTemplate, type Step } from "#cluster/api/jsonpath/parse.ts";
import type { Sys } from "#sim/program.ts";
import { groupResource, type ResourceInfo } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { textAt } from "../documents.ts";
import { ExitError, KubectlError } from "../errors.ts";
import { explainField } from "../explain/render.ts";
import { type GroupVersionResource, kindOfResource, schemaOfKind } from "../explain/schema-document.ts";

export const explain: Command = {
  path: "explain",
  *run(context) {
    const { flags, args } = context;
    const [word, ...others] = args;
    if (word === undefined) {
      throw new KubectlError(
        'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.\n',
      );
    }
    if (others.length > 0) throw new KubectlError("We accept only this format: explain RESOURCE\n");
    const { resource, fields } = yield* readWord(context, word);
    const format = flags.text("output");
    if (format === "plaintext-openapiv2") {
      throw new KubectlError("explain --output=plaintext-openapiv2 is not part of this release of the embedded kubectl");
    }
    const wanted = withVersion(resource, flags.text("api-version"));
    const document = yield* openApiDocument(context, wanted);
    if (format !== "plaintext") throw new KubectlError(`unrecognized format: ${format}`);
    const found = kindOfResource(document, wanted);
    if (found === undefined) throw new KubectlError(`GVR (${resourceText(wanted)}) not found in OpenAPI schema`);
    const { group, kind, version } = found;
    yield* context.out(`${group === "" ? "" : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n\n`);
    const schema = schemaOfKind(document, found);
    if (schema === undefined) {
      throw new KubectlError(`GVK map[group:${group} kind:${kind} version:${version}] not found in OpenAPI schema`);
    }
    const text = explainField({ document, recursive: flags.bool("recursive") }, schema, fields);
    if (text === undefined) throw new KubectlError(`field ${JSON.stringify(fields.at(-1))} does not exist`);
    yield* context.out(`${text}\n`);
  },
};

/** `deploy.spec.replicas`, or with the group: `deployments.apps.spec`. */
function* readWord(context: Context, word: string): Sys<{ readonly resource: ResourceInfo; readonly fields: readonly string[] }> {
  const [first, ...fields] = fieldNames(word);
  if (first === undefined) throw new KubectlError("invalid jsonpath syntax, first node must be field node");
  const named = yield* context.discovery().find(first);
  if (named === undefined) throw new ExitError(1, `the server doesn't have a resource type ${JSON.stringify(first)}`);
  if (context.flags.text("api-version") !== "") return { resource: named, fields };
  const same = (yield* context.discovery().resources()).filter(({ plural }) => plural === named.plural);
  for (const resource of [named, ...same]) {
    const prefix = groupResource(resource);
    if (word === prefix || word.startsWith(`${prefix}.`)) {
      return { resource, fields: fieldNames(word.slice(prefix.length + 1)) };
    }
  }
  return { resource: named, fields };
}

function fieldNames(text: string): readonly string[] {
  const path = text.replace(/\.$/, "");
  if (path === "") return [];
  let steps: readonly Step[];
  try {
    steps = parseTemplate(`{.${path}}`)[0] ?? [];
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new KubectlError(error.message);
  }
  return steps.map((step) => {
    if (step.type !== "field") throw new KubectlError("invalid jsonpath syntax, first node must be field node");
    return step.name;
  });
}

function withVersion(resource: ResourceInfo, apiVersion: string): GroupVersionResource {
  const { group, version, plural } = resource;
  if (apiVersion === "") return { group, version, plural };
  const parts = apiVersion.split("/");
  if (parts.length > 2) throw new KubectlError(`unexpected GroupVersion string: ${apiVersion}`);
  return { group: parts.length === 2 ? (parts[0] ?? "") : "", version: parts.at(-1) ?? "", plural };
}

function resourceText({ group, version, plural }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${plural}`;
}

function* openApiDocument(context: Context, resource: GroupVersionResource) {
  const { group, version } = resource;
  const name = group === "" ? `api/${version}` : `apis/${group}/${version}`;
  const index = yield* context.client().json({ method: "GET", path: "/openapi/v3" });
  const location = textAt(index, "paths", name, "serverRelativeURL");
  if (location === "") throw new KubectlError(`couldn't find resource for ${JSON.stringify(resourceText(resource))}`);
  return yield* context.client().json({ method: "GET", path: location, accept: "application/json" });
}
