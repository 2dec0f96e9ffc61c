// Flow control as far as it shows: which flow schema and priority level a request belongs to stands in its reply; flow schemas
// say whether their level is there. Nothing waits and nothing is refused. (apiserver, pkg/util/flowcontrol)

import type { FlowSchema, FlowcontrolV1Subject as Subject } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { flowSchemas, priorityLevelConfigurations } from "#cluster/api/kinds.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client, UserInfo } from "#cluster/client/client.ts";
import { bootstrapLevels, bootstrapSchemas } from "#cluster/resources/flowcontrol/bootstrap-objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { RequestInfo } from "./http/request-info.ts";
import { attemptWrite } from "./own-writes.ts";

/** What a request belongs to. */
interface FlowClass {
  /** `schema level`; "" for none. */
  readonly names: string;
  readonly headers: HttpHeaders;
}

export class FlowControl {
  readonly #simulation: Simulation;
  readonly #store: Store;
  readonly #client: Client;
  readonly #schemas: Table;
  readonly #levels: Table;
  #subscriptions: readonly { stop(): void }[] = [];
  /** By precedence; forgotten at every change. */
  #ordered: readonly Stored<FlowSchema>[] | undefined;
  /** Replies to one user about one kind of request are many. */
  #classes = new Map<string, FlowClass>();
  /** Requests over HTTP, by `schema level`. */
  readonly dispatched = new Map<string, number>();

  constructor(simulation: Simulation, store: Store, client: Client) {
    this.#simulation = simulation;
    this.#store = store;
    this.#client = client;
    this.#schemas = store.table("flowschemas.flowcontrol.apiserver.k8s.io");
    this.#levels = store.table("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io");
  }

  start(): void {
    for (const level of bootstrapLevels) {
      if (this.#levels.get(level.metadata?.name ?? "") === undefined) {
        attemptWrite(this.#simulation, () => this.#client.create(priorityLevelConfigurations, level));
      }
    }
    for (const schema of bootstrapSchemas) {
      if (this.#schemas.get(schema.metadata?.name ?? "") === undefined)
        attemptWrite(this.#simulation, () => this.#client.create(flowSchemas, schema));
    }
    const changed = (): void => {
      this.#ordered = undefined;
      this.#classes = new Map();
    };
    const watch = (table: Table, onChange: (name: string) => void): { stop(): void } =>
      this.#store.watches.subscribe({
        table,
        interest: undefined,
        onStart: () => this.#tellDangling(),
        onEvent: (event) => {
          changed();
          onChange(event.key);
        },
      });
    changed();
    this.#subscriptions = [
      watch(this.#schemas, (name) => this.#tellDangling(name)),
      watch(this.#levels, () => this.#tellDangling()),
    ];
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
  }

  /** `X-Kubernetes-PF-FlowSchema-UID` and `X-Kubernetes-PF-PriorityLevel-UID`. `isNew`: the request is not one that was tried before. */
  headersOf(user: UserInfo, info: RequestInfo, isNew: boolean): HttpHeaders {
    const request = info.isResource
      ? `${info.verb} ${info.group}/${info.resource}/${info.subresource} ${info.namespace}`
      : `${info.verb} ${info.path}`;
    const key = `${user.name}\n${user.groups.join()}\n${request}`;
    let found = this.#classes.get(key);
    if (found === undefined) {
      found = this.#classify(user, info);
      if (this.#classes.size > 1000) this.#classes.clear();
      this.#classes.set(key, found);
    }
    if (isNew) this.dispatched.set(found.names, (this.dispatched.get(found.names) ?? 0) + 1);
    return found.headers;
  }

  #classify(user: UserInfo, info: RequestInfo): FlowClass {
    this.#ordered ??= (this.#schemas.list("") as readonly KubeObject[] as readonly Stored<FlowSchema>[]).toSorted(
      (a, b) =>
        (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0) || compareBytes(a.metadata.name, b.metadata.name),
    );
    for (const schema of this.#ordered) {
      const level = this.#levels.get(schema.spec?.priorityLevelConfiguration.name ?? "");
      if (level === undefined || !matches(schema, user, info)) continue;
      const headers = {
        "x-kubernetes-pf-flowschema-uid": schema.metadata.uid,
        "x-kubernetes-pf-prioritylevel-uid": level.metadata.uid ?? "",
      };
      return { names: `${schema.metadata.name} ${level.metadata.name}`, headers };
    }
    return { names: "", headers: {} };
  }

  /** Writes the condition of the named schema, or of all, where it is not what it should be. */
  #tellDangling(only?: string): void {
    const schemas = only === undefined ? this.#schemas.list("") : [this.#schemas.get(only)];
    for (const schema of schemas as readonly (KubeObject | undefined)[] as readonly (Stored<FlowSchema> | undefined)[]) {
      if (schema === undefined || schema.metadata.deletionTimestamp !== undefined) continue;
      const name = schema.spec?.priorityLevelConfiguration.name ?? "";
      const isThere = this.#levels.get(name) !== undefined;
      const status = isThere ? "False" : "True";
      const named = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`;
      const message = isThere ? `${named} and it exists` : `${named} but there is no such object`;
      const former = schema.status?.conditions?.find(({ type }) => type === "Dangling");
      if (former?.status === status && former.message === message) continue;
      const condition = {
        type: "Dangling",
        status,
        lastTransitionTime: formatTime(this.#simulation.nowMs),
        reason: isThere ? "Found" : "NotFound",
        message,
      };
      const others = (schema.status?.conditions ?? []).filter(({ type }) => type !== "Dangling");
      attemptWrite(this.#simulation, () =>
        this.#client.updateStatus(flowSchemas, { ...schema, status: { ...schema.status, conditions: [...others, condition] } }),
      );
    }
  }
}

function matches({ spec }: Stored<FlowSchema>, user: UserInfo, info: RequestInfo): boolean {
  return (spec?.rules ?? []).some(
    ({ subjects, resourceRules = [], nonResourceRules = [] }) =>
      subjects.some((subject) => isSubject(subject, user)) &&
      (info.isResource
        ? resourceRules.some(
            ({ verbs, apiGroups, resources, namespaces = [], clusterScope = false }) =>
              has(verbs, info.verb) &&
              has(apiGroups, info.group) &&
              has(resources, info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`) &&
              (info.namespace === "" ? clusterScope : has(namespaces, info.namespace)),
          )
        : nonResourceRules.some(
            ({ verbs, nonResourceURLs }) => has(verbs, info.verb) && nonResourceURLs.some((url) => isPath(url, info.path)),
          )),
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

function isPath(url: string, path: string): boolean {
  return url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}

function isSubject({ kind, user: named, group, serviceAccount: account }: Subject, user: UserInfo): boolean {
  if (kind === "User") return named?.name === "*" || named?.name === user.name;
  if (kind === "Group") return group?.name === "*" || user.groups.includes(group?.name ?? "");
  const prefix = `system:serviceaccount:${account?.namespace ?? ""}:`;
  return account?.name === "*" ? user.name.startsWith(prefix) : user.name === prefix + (account?.name ?? "");
}
