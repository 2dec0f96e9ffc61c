// kubectl cluster-info dump: lists of what matters when something is wrong, and the logs of Pods.

import { ApiError } from "#cluster/api/errors.ts";
import { writeIndentedJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, withValue, writeOrderedJson, writeYaml } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";

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

  /** To standard output, or to a file below the folder. */
  *write(name: string, text: string): Sys<void> {
    if (!this.toFiles) return yield* this.#context.out(text);
    const path = `${this.#folder}/${name}`;
    this.#makeFolders(path.slice(0, path.lastIndexOf("/")));
    const { self } = this.#context;
    let before = "";
    try {
      before = self.readText(path);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    self.writeFile(path, before + text, { permissions: 0o644 });
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
    if (format !== "json" && format !== "yaml")
      throw new KubectlError(`cluster-info dump -o ${format} is not part of this release of the embedded kubectl`);
    const dump = new Dump(context);
    const print = function* (name: string, list: JsonObject): Sys<void> {
      yield* dump.write(`${name}.${format}`, format === "json" ? listJson(list) : writeYaml(list));
    };
    const client = context.client();
    const listOf = function* (path: string, kind: string): Sys<JsonObject> {
      const answer = yield* client.json({ method: "GET", path });
      const { metadata = {}, items = [] } = isObject(answer) ? answer : {};
      const shown = flags.bool("show-managed-fields") ? items : arrayAt({ items }, "items").map(withoutManagedFields);
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
      yield* dump.write(`${namespace}/${name}/logs.txt`, `==== START ${title}${text}==== END ${title}`);
    }
  }
}
