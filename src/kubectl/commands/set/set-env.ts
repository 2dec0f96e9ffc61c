// kubectl set env: environment variables of containers, given, taken from a ConfigMap or Secret, removed or listed.

import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { fieldOfPod, resourceOfContainer } from "../../describe/references.ts";
import { arrayAt, asKind, type JsonObject, objectAt, textAt, valueAt, withValue } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { changeTemplates, chosenContainers, selectTemplates } from "../pod-templates.ts";
import { dryRunOf } from "../write-options.ts";

interface Changes {
  readonly set: readonly JsonObject[];
  readonly remove: readonly string[];
}

export const setEnv: Command = {
  path: "set env",
  *run(context) {
    const { flags } = context;
    dryRunOf(context);
    const { resources, words } = check(context);
    const given = parseEnvironment(yield* withStandardInput(context, [...flags.list("env"), ...words]));
    const imported = flags.text("from") === "" ? [] : yield* importedVariables(context);
    const prefix = flags.text("prefix");
    const set = [...given.set, ...imported].map((one) => ({ ...one, name: `${prefix}${textAt(one, "name")}` }));
    if (flags.bool("list")) return yield* list(context, resources, { set, remove: given.remove });
    yield* changeTemplates(context, {
      infos: yield* selectTemplates(context, flags.bool("local") ? [] : resources),
      records: false,
      operation: "env updated",
      failure: "env update to pod template:",
      change: (container) => {
        if (!flags.bool("overwrite")) refuseOverwrites(container, set);
        return withEnvironment(container, { set, remove: given.remove });
      },
      *onNoContainer(info) {
        const label = `${info.mapping.kind}/${info.name}`;
        yield* context.err(`Warning: ${label} does not have any containers matching ${JSON.stringify(flags.text("containers"))}\n`);
      },
    });
  },
};

function check(context: Context): { readonly resources: readonly string[]; readonly words: readonly string[] } {
  const { flags, args } = context;
  if (flags.bool("all") && flags.text("selector") !== "") {
    throw new KubectlError("cannot set --all and --selector at the same time");
  }
  const isChange = (word: string): boolean => word.indexOf("=") > 0 || word === "-" || word.endsWith("-");
  const first = args.findIndex(isChange);
  const resources = first < 0 ? args : args.slice(0, first);
  const words = first < 0 ? [] : args.slice(first);
  if (words.some((word) => !isChange(word))) {
    throw new KubectlError(`all resources must be specified before environment changes: ${args.join(" ")}`);
  }
  if (flags.list("filename").length === 0 && resources.length === 0) {
    throw new KubectlError("one or more resources must be specified as <resource> <name> or <resource>/<name>");
  }
  if (flags.bool("list") && flags.text("output") !== "") {
    throw new KubectlError("--list and --output may not be specified together");
  }
  if (flags.list("keys").length > 0 && flags.text("from") === "") {
    throw new KubectlError("when specifying --keys, a configmap or secret must be provided with --from");
  }
  return { resources, words };
}

/** `-` stands for the lines of standard input. */
function* withStandardInput(context: Context, words: readonly string[]): Sys<readonly string[]> {
  if (!words.includes("-")) return words;
  const lines = (yield* context.readStdin()).split("\n").map((line) => line.trim());
  const pairs = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return words.flatMap((word) => (word === "-" ? pairs : [word]));
}

function parseEnvironment(words: readonly string[]): Changes {
  const set: JsonObject[] = [];
  const remove: string[] = [];
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals > 0) {
      const name = word.slice(0, equals);
      if (remove.includes(name)) throw new KubectlError(`${JSON.stringify(name)} can not both be updated and removed`);
      set.push({ name, value: word.slice(equals + 1) });
    } else if (word.endsWith("-")) remove.push(word.slice(0, -1));
    else throw new KubectlError(`unknown environment variable format: ${word}`);
  }
  const both = set.find((one) => remove.includes(textAt(one, "name")));
  if (both !== undefined)
    throw new KubectlError(
      `can not both modify and remove the following environment variable(s) in the same command: ${textAt(both, "name")}`,
    );
  return { set, remove };
}

/** One variable a key of the ConfigMaps and Secrets that --from names. */
function* importedVariables(context: Context): Sys<readonly JsonObject[]> {
  const { flags } = context;
  const found = yield* select(context, {
    ...selectionFromFlags(context, [flags.text("from")]),
    files: [],
    continueOnError: true,
  });
  throwAll(found.errors);
  const keys = flags.list("keys");
  const result: JsonObject[] = [];
  for (const { object, mapping } of found.infos) {
    const field = mapping.kind === "Secret" ? "secretKeyRef" : "configMapKeyRef";
    if (mapping.kind !== "Secret" && mapping.kind !== "ConfigMap") {
      throw new KubectlError("unsupported resource specified in --from");
    }
    const names = Object.keys(objectAt(object, "data")).filter((key) => keys.length === 0 || keys.includes(key));
    for (const key of names) {
      const name = asciiUpperCase(key.replace(/[^a-zA-Z0-9_]/g, "_"));
      if (name !== key) yield* context.err(`Warning: key ${key} transferred to ${name}\n`);
      result.push({ name, valueFrom: { [field]: { key, name: textAt(object, "metadata", "name") } } });
    }
  }
  return result;
}

function refuseOverwrites(container: JsonObject, set: readonly JsonObject[]): void {
  for (const one of set) {
    const name = textAt(one, "name");
    const current = arrayAt(container, "env").find((other) => textAt(other, "name") === name);
    if (current !== undefined && textAt(current, "value") !== textAt(one, "value")) {
      throw new KubectlError(`'${name}' already has a value (${textAt(current, "value")}), and --overwrite is false`);
    }
  }
}

/** Known names keep their place, new ones follow. */
function withEnvironment(container: JsonObject, { set, remove }: Changes): JsonObject {
  const old = arrayAt(container, "env");
  const byName = new Map(set.map((one) => [textAt(one, "name"), one]));
  const kept = old.filter((one) => !remove.includes(textAt(one, "name"))).map((one) => byName.get(textAt(one, "name")) ?? one);
  const known = new Set(old.map((one) => textAt(one, "name")));
  const environment = [...kept, ...[...byName.values()].filter((one) => !known.has(textAt(one, "name")))];
  return withValue(container, ["env"], environment.length === 0 ? undefined : environment);
}

function* list(context: Context, resources: readonly string[], changes: Changes): Sys<void> {
  for (const info of yield* selectTemplates(context, resources)) {
    for (const container of chosenContainers(context, info)) {
      yield* context.out(`# ${info.mapping.kind} ${info.name}, container ${textAt(container, "name")}\n`);
      for (const one of arrayAt(withEnvironment(container, changes), "env")) {
        const name = textAt(one, "name");
        const source = valueAt(one, "valueFrom");
        if (source !== undefined && context.flags.bool("resolve")) {
          const value = yield* resolvedValue(context, info, container, objectAt(one, "valueFrom"));
          yield* context.out(`${name}=${value}\n`);
          continue;
        }
        yield* context.out(
          source === undefined
            ? `${name}=${textAt(one, "value")}\n`
            : `# ${name} from ${referenceText(objectAt(one, "valueFrom"))}\n`,
        );
      }
    }
  }
}

/** --resolve: what a variable's source holds now. */
function* resolvedValue(context: Context, { namespace, object }: Info, container: JsonObject, source: JsonObject): Sys<string> {
  for (const [field, plural] of [
    ["configMapKeyRef", "configmaps"],
    ["secretKeyRef", "secrets"],
  ] as const) {
    if (!(field in source)) continue;
    const path = `/api/v1/namespaces/${namespace}/${plural}/${textAt(source, field, "name")}`;
    const found = yield* context.client().json({ method: "GET", path });
    const text = textAt(found, "data", textAt(source, field, "key"));
    return plural === "secrets" ? decodeUtf8(decodeBase64(text).bytes) : text;
  }
  if ("fieldRef" in source) return fieldOfPod(asKind(object), textAt(source, "fieldRef", "fieldPath"));
  return resourceOfContainer(asKind(container), asKind(source["resourceFieldRef"]));
}

function referenceText(source: JsonObject): string {
  if ("configMapKeyRef" in source) {
    return `configmap ${textAt(source, "configMapKeyRef", "name")}, key ${textAt(source, "configMapKeyRef", "key")}`;
  }
  if ("secretKeyRef" in source) {
    return `secret ${textAt(source, "secretKeyRef", "name")}, key ${textAt(source, "secretKeyRef", "key")}`;
  }
  if ("fieldRef" in source) return `field path ${textAt(source, "fieldRef", "fieldPath")}`;
  const container = textAt(source, "resourceFieldRef", "containerName");
  const prefix = container === "" ? "" : `${container}/`;
  return `resource field ${prefix}${textAt(source, "resourceFieldRef", "resource")}`;
}
