// kubectl cluster-info dump: lists of what matters when something is wrong, and the logs of Pods.

import { ApiError } from "#cluster/api/errors.ts";
import { sortedKeys, writeIndentedJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Flags } from "../../cli/flags.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, withValue, writeOrderedJson } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { writeKyaml } from "../../printers/kyaml.ts";
import { namedPrinter } from "../../printers/object-printer.ts";

/** File name → resource, in the order of the dump. */
const lists: readonly (readonly [file: string, path: string, kind: string])[] = [
  ["events", "/api/v1", "EventList"],
  ["replication-controllers", "/api/v1", "ReplicationControllerList"],
  ["services", "/api/v1", "ServiceList"],
  ["daemonsets", "/apis/apps/v1", "DaemonSetList"],
  ["deployments", "/apis/apps/v1", "DeploymentList"],
  ["replicasets", "/apis/apps/v1", "ReplicaSetList"],
  ["pods", "/api/v1", "PodList"],
];

class Dump {
  readonly #context: Context;
  readonly #folder: string;

  constructor(context: Context) {
    this.#context = context;
    this.#folder = context.flags.text("output-directory");
  }

  get toFiles(): boolean {
    return this.#folder !== "" && this.#folder !== "-";
  }

  get folder(): string {
    return this.#folder;
  }

  /** Begins a file below the folder: what an earlier dump left in it goes. */
  begin(name: string): void {
    if (!this.toFiles) return;
    const path = `${this.#folder}/${name}`;
    this.#makeFolders(path.slice(0, path.lastIndexOf("/")));
    this.#context.self.writeFile(path, "", { permissions: 0o644 });
  }

  /** To standard output, or to the end of a file that was begun. */
  *write(name: string, text: string): Sys<void> {
    if (this.toFiles) this.#context.self.writeFile(`${this.#folder}/${name}`, text, { append: true });
    else yield* this.#context.out(text);
  }

  #makeFolders(folder: string): void {
    const parts = folder.split("/");
    for (let length = 1; length <= parts.length; length += 1) {
      const path = parts.slice(0, length).join("/");
      if (path === "") continue;
      try {
        this.#context.self.mkdir(path, 0o755);
      } catch (error) {
        if (!(error instanceof SysError && error.code === "EEXIST")) throw error;
      }
    }
  }
}

export const clusterInfoDump: Command = {
  path: "cluster-info dump",
  *run(context) {
    const { flags } = context;
    const format = flags.text("output");
    const printer = listPrinter(context);
    const extension = format === "json" || format === "yaml" ? format : "txt";
    const dump = new Dump(context);
    const print = function* (name: string, list: JsonObject): Sys<void> {
      const file = `${name}.${extension}`;
      dump.begin(file);
      yield* dump.write(file, printer(list));
    };
    const keepsManagedFields =
      flags.bool("show-managed-fields") || !["json", "yaml", "kyaml"].includes(format) || isTemplate(flags);
    const client = context.client();
    const listOf = function* (path: string, kind: string): Sys<JsonObject> {
      const answer = yield* client.json({ method: "GET", path });
      const { metadata = {}, items = [] } = isObject(answer) ? answer : {};
      const shown = keepsManagedFields ? items : arrayAt({ items }, "items").map(withoutManagedFields);
      return { kind, apiVersion: /^\/apis\/([^/]+\/[^/]+)/.exec(path)?.[1] ?? "v1", metadata, items: shown };
    };
    yield* print("nodes", yield* listOf("/api/v1/nodes", "NodeList"));
    for (const namespace of yield* namespacesOf(context)) {
      for (const [file, base, kind] of lists) {
        const plural = file.replaceAll("-", "");
        const list = yield* listOf(`${base}/namespaces/${namespace}/${plural}`, kind);
        yield* print(`${namespace}/${file}`, list);
        if (kind === "PodList") yield* dumpLogs(context, dump, namespace, arrayAt(list, "items"));
      }
    }
    if (dump.toFiles) yield* context.out(`Cluster info dumped to ${dump.folder}\n`);
  },
};

/** Of whole lists, as client-go's typed clients give them. */
function listPrinter(context: Context): (list: JsonObject) => string {
  const { flags } = context;
  const format = flags.text("output");
  if (format === "" || format === "name") {
    return ({ kind }) => {
      throw new KubectlError(`list types are not supported by name printing: *v1.${String(kind)}`);
    };
  }
  if (format === "json" && !isTemplate(flags)) return listJson;
  if (format === "kyaml") return (list) => writeKyaml(list, (object) => (object === list ? Object.keys(list) : sortedKeys(object)));
  const printer = namedPrinter(context);
  if (printer === undefined) throw new Error(`no printer for -o ${format}`);
  return printer;
}

/** A template without -o stands in for the usual JSON. */
function isTemplate(flags: Flags): boolean {
  return flags.text("template") !== "" && !flags.changed("output");
}

function withoutManagedFields(object: JsonValue): JsonValue {
  return isObject(object) ? withValue(object, ["metadata", "managedFields"], undefined) : object;
}

/** A list's own fields in the order of its type; those of its items sorted. */
function listJson(list: JsonObject): string {
  const { items = [], ...head } = list;
  const text = writeOrderedJson({ ...head, items: [] });
  if (arrayAt({ items }, "items").length === 0) return text;
  const inner = writeIndentedJson(items).trimEnd().replaceAll("\n", "\n    ");
  return text.replace('"items": []', () => `"items": ${inner}`);
}

function* namespacesOf(context: Context): Sys<readonly string[]> {
  const { flags } = context;
  if (flags.bool("all-namespaces")) {
    const answer: JsonValue = yield* context.client().json({ method: "GET", path: "/api/v1/namespaces" });
    return arrayAt(answer, "items").map((one) => textAt(one, "metadata", "name"));
  }
  const given = flags.list("namespaces");
  return given.length > 0 ? given : ["kube-system", context.namespace().name];
}

function* dumpLogs(context: Context, dump: Dump, namespace: string, pods: readonly JsonValue[]): Sys<void> {
  for (const pod of pods) {
    const name = textAt(pod, "metadata", "name");
    const file = `${namespace}/${name}/logs.txt`;
    dump.begin(file);
    const containers = ["initContainers", "containers"].flatMap((list) => arrayAt(pod, "spec", list));
    for (const one of containers) {
      const container = textAt(one, "name");
      const title = `logs for container ${container} of pod ${namespace}/${name} ====\n`;
      let text: string;
      try {
        text = yield* context.client().text({
          method: "GET",
          path: `/api/v1/namespaces/${namespace}/pods/${name}/log`,
          query: { container },
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        text = `Request log error: ${error.message}\n`;
      }
      yield* dump.write(file, `==== START ${title}${text}==== END ${title}`);
    }
  }
}
