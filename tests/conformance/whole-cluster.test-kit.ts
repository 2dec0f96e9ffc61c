// A booted cluster with a shell on its workstation, for tests of what the whole does.

import type { CoreV1Event, Node, Pod } from "#cluster/api/generated/types.ts";
import { events as eventType, nodes, pods } from "#cluster/api/kinds.ts";
import type { JsonValue, ResourceType, Stored } from "#cluster/api/objects.ts";
import { isNotFound } from "#world/api-answers.ts";
import { World } from "#world/world.ts";

const scriptLimitMs = 600_000;

export class WholeCluster {
  readonly world: World;

  constructor(workers = 2, seed = 3) {
    this.world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed, nodes: workers, files: {} });
    this.world.boot();
  }

  get nowMs(): number {
    return this.world.simulation.nowMs;
  }

  get client(): World["client"] {
    return this.world.client;
  }

  /** Runs a script on the workstation to its end; both streams together. */
  sh(script: string): string {
    let result: string | undefined;
    this.world.workstation.runScript(script, ({ output }) => {
      result = output;
    });
    this.world.simulation.runUntil(() => result !== undefined, { limitMs: scriptLimitMs });
    if (result === undefined) throw new Error(`did not end: ${script}`);
    return result;
  }

  /** Applies YAML and gives what kubectl says. */
  apply(yaml: string): string {
    return this.sh(`kubectl apply -f - <<'END'\n${yaml}\nEND`);
  }

  /** A command on a machine of the cluster. */
  ssh(machine: string, command: string): string {
    return this.sh(`ssh ${machine} '${command.replaceAll("'", `'\\''`)}'`);
  }

  advance(seconds: number): void {
    this.world.simulation.advance(seconds * 1000);
  }

  /** Seconds until something holds, looked at every tenth of a second; throws when it does not within the limit. */
  secondsUntil(holds: () => boolean, limitSeconds = 600): number {
    const startMs = this.nowMs;
    while (!holds()) {
      if (this.nowMs - startMs > limitSeconds * 1000) throw new Error(`did not hold within ${limitSeconds} s`);
      this.advance(0.1);
    }
    return (this.nowMs - startMs) / 1000;
  }

  find<T>(type: ResourceType<T>, name: string, namespace = "default"): Stored<T> | undefined {
    try {
      return this.client.get(type, { namespace: type.namespaced ? namespace : "", name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  get<T>(type: ResourceType<T>, name: string, namespace = "default"): Stored<T> {
    return this.client.get(type, { namespace: type.namespaced ? namespace : "", name });
  }

  pods(labelSelector = "", namespace = "default"): readonly Stored<Pod>[] {
    return this.client.list(pods, { namespace, labelSelector }).items;
  }

  node(name: string): Stored<Node> {
    return this.get(nodes, name);
  }

  /** `type status reason` of a node's conditions. */
  conditions(name: string): readonly string[] {
    return (this.node(name).status?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  /** `key=value:effect` of a node's taints. */
  taints(name: string): readonly string[] {
    return (this.node(name).spec?.taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ""}:${effect}`);
  }

  events(involved: { readonly kind?: string; readonly name?: string }): readonly Stored<CoreV1Event>[] {
    return this.client
      .list(eventType)
      .items.filter(
        ({ involvedObject }) =>
          (involved.kind === undefined || involvedObject.kind === involved.kind) &&
          (involved.name === undefined || involvedObject.name === involved.name),
      );
  }

  /** `component: reason message`, in the order of their first time. */
  eventTexts(involved: { readonly kind?: string; readonly name?: string }): readonly string[] {
    return this.events(involved).map(
      ({ source, reportingComponent, reason, message }) => `${source?.component || reportingComponent}: ${reason} ${message}`,
    );
  }

  /** Stops or starts a machine's kubelet, as `systemctl` would. */
  kubelet(machine: string, action: "stop" | "start"): void {
    const kubelet = this.world.cluster.node(machine)?.kubelet;
    if (action === "stop") kubelet?.stop();
    else kubelet?.start();
  }

  raw(path: string): { readonly [field: string]: JsonValue } {
    return JSON.parse(this.sh(`kubectl get --raw '${path}'`));
  }
}
