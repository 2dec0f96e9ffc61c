// Laws of the cluster's loops: whatever goes wrong meanwhile, the cluster comes to what was asked for, and certain things never happen on the
// way. A run is made of a seed: random edits of the learner's and random faults at random moments. The same seed is the same run.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import { builtInTypes, nodes, pods } from "#cluster/api/kinds.ts";
import {
  type Draft,
  type JsonValue,
  type KubeObject,
  qualifiedResource,
  type ResourceType,
  type Stored,
} from "#cluster/api/objects.ts";
import type { Client, DeleteOptions } from "#cluster/client/client.ts";
import { Random } from "#sim/random.ts";
import type { AddonName } from "#world/cluster-shape.ts";
import { World } from "#world/world.ts";

export const namespace = "default";
export const workers = ["node-1", "node-2", "node-3"];
const components = ["kube-scheduler", "kube-controller-manager", "kube-apiserver", "etcd"] as const;
const manifests = "/etc/kubernetes/manifests";
const away = "/etc/kubernetes";
const startMs = Date.UTC(2026, 0, 15, 9);
/** Within this time after the last fault everything is as it was asked for: a static Pod in back-off and a lost node take their minutes. */
const settlingMs = 1_800_000;
const lookMs = 1000;
/** For so long it must stay so. */
const restMs = 30_000;

/** What may go wrong. */
export type FaultKind = "components" | "watches" | "kubelets" | "machines" | "wires" | "containers" | "writers";
export const allFaults: readonly FaultKind[] = ["components", "watches", "kubelets", "machines", "wires", "containers", "writers"];

export interface Law {
  readonly addons?: readonly AddonName[];
  readonly faults?: readonly FaultKind[];
  /** Image → seconds that its pull takes. */
  readonly slowImages?: { readonly [image: string]: number };
  /** Makes what the law is about. */
  begin(scene: Scene): void;
  /** What people change; one of them at a time. */
  readonly edits: readonly ((scene: Scene) => void)[];
  /** After the last edit: what must not stay as it is, as a paused rollout. */
  end?(scene: Scene): void;
  /** What is not yet as it was asked for; empty when it all is. */
  missing(scene: Scene): readonly string[];
}

export interface Write<T> {
  readonly object: Stored<T>;
  /** Undefined for a creation. */
  readonly previous: Stored<T> | undefined;
  readonly deleted: boolean;
  readonly timeMs: number;
}

/** Stands for a law that was broken on the way; its message says how. */
class Broken extends Error {
  override readonly name = "Broken";
}

export class Scene {
  readonly world: World;
  readonly random: Random;
  readonly done: string[] = [];
  /** Broken on the way. */
  readonly broken: string[] = [];
  /** How often it was looked whether what must hold holds. */
  looks = 0;
  /** Components and resources that they have heard of late: `kube-controller-manager/pods`. */
  readonly lagged = new Set<string>();
  /** What ends a fault that lasts, by what it is about. */
  readonly #lasting = new Map<string, () => void>();
  #writesUntilMs = 0;
  #disturbedMs = 0;

  constructor(seed: number, { addons = [], slowImages = {} }: Pick<Law, "addons" | "slowImages"> = {}) {
    this.world = new World({ startMs, seed, nodes: workers.length, addons, images: { slow: slowImages }, files: {} });
    this.world.boot();
    this.random = new Random(seed);
    this.world.onWrite.add(({ object, deleted }, resource) => {
      if (!deleted && this.nowMs < this.#writesUntilMs && resource !== "events") this.#interfere(object);
    });
  }

  get nowMs(): number {
    return this.world.simulation.nowMs;
  }

  get client(): Client {
    return this.world.client;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.random.below(choices.length)] as T;
  }

  /** An integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.random.below(most - least + 1);
  }

  say(what: string): void {
    this.done.push(`${((this.nowMs - startMs) / 1000).toFixed(1)} s: ${what}`);
  }

  /** What must hold at every moment; `otherwise` says what holds instead. */
  must(holds: boolean, otherwise: () => string): void {
    this.looks += 1;
    if (!holds && this.broken.length < 5) this.broken.push(`${((this.nowMs - startMs) / 1000).toFixed(1)} s: ${otherwise()}`);
  }

  /** Looks at every write of a resource. */
  onWrite<T>(type: ResourceType<T>, look: (write: Write<T>) => void): void {
    const name = qualifiedResource(type);
    this.world.onWrite.add((write, resource) => {
      if (resource === name) look(write as unknown as Write<T>);
    });
  }

  /** As `kubectl` would: what the API server refuses, or cannot hear, is said and left. */
  try(what: string, act: () => void): void {
    try {
      act();
      this.say(what);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ApiUnreachable)) throw error;
      this.say(`${what} — ${error.message}`);
    }
  }

  create<T>(type: ResourceType<T>, object: Draft<T>): void {
    this.try(`create ${type.plural} ${(object as { metadata?: { name?: string } }).metadata?.name ?? ""}`, () =>
      this.client.create(type, object),
    );
  }

  patch<T>(type: ResourceType<T>, name: string, patch: JsonValue, how: "merge" | "strategic" = "merge"): void {
    this.try(`patch ${type.plural} ${name} ${JSON.stringify(patch)}`, () =>
      this.client.patch(type, this.#key(type, name), how, patch),
    );
  }

  delete<T>(type: ResourceType<T>, name: string, options: DeleteOptions = {}): void {
    this.try(`delete ${type.plural} ${name} ${JSON.stringify(options)}`, () =>
      this.client.delete(type, this.#key(type, name), options),
    );
  }

  list<T>(type: ResourceType<T>, labelSelector = ""): readonly Stored<T>[] {
    return this.client.list(type, { namespace: type.namespaced ? namespace : "", labelSelector }).items;
  }

  find<T>(type: ResourceType<T>, name: string): Stored<T> | undefined {
    return this.list(type).find(({ metadata }) => metadata.name === name);
  }

  /** Empty while nobody answers. */
  podsNow(labelSelector = ""): readonly Stored<Pod>[] {
    try {
      return this.list(pods, labelSelector);
    } catch (error) {
      if (isNoAnswer(error)) return [];
      throw error;
    }
  }

  advance(ms: number): void {
    this.world.simulation.advance(ms);
  }

  /** For so long nothing has been wrong; 0 while something is. */
  get calmMs(): number {
    return this.#lasting.size > 0 ? 0 : this.nowMs - this.#disturbedMs;
  }

  /** One thing goes wrong. */
  fault(kinds: readonly FaultKind[]): void {
    this.#disturbedMs = this.nowMs;
    const kind = this.pick(kinds);
    const lastsMs = this.pick([500, 3000, 20_000, 60_000, 400_000]);
    switch (kind) {
      case "components":
        this.#component(lastsMs);
        break;
      case "watches":
        this.#watch(lastsMs);
        break;
      case "kubelets":
        this.#unit(lastsMs);
        break;
      case "machines":
        this.#machine(lastsMs);
        break;
      case "wires":
        this.#wire(lastsMs);
        break;
      case "containers":
        this.#container();
        break;
      case "writers":
        this.say(`somebody else writes for ${lastsMs} ms`);
        this.#writesUntilMs = this.nowMs + lastsMs;
    }
  }

  /** Nothing goes wrong from now on. */
  mend(): void {
    this.#writesUntilMs = 0;
    for (const end of [...this.#lasting.values()]) end();
    this.say("everything is mended");
  }

  #key<T>(type: ResourceType<T>, name: string) {
    return { namespace: type.namespaced ? namespace : "", name };
  }

  /** Something lasts; a second of the same does nothing. */
  #last(subject: string, what: string, lastsMs: number, begin: () => void, end: () => void): void {
    if (this.#lasting.has(subject)) return;
    this.say(`${what} for ${lastsMs} ms`);
    begin();
    const over = (): void => {
      if (this.#lasting.get(subject) !== over) return;
      this.#lasting.delete(subject);
      this.#disturbedMs = this.nowMs;
      end();
    };
    this.#lasting.set(subject, over);
    this.world.simulation.after(lastsMs, over, { background: true });
  }

  #component(lastsMs: number): void {
    const component = this.pick(components);
    const { machine, runtime } = this.world.cluster.node("control-plane") ?? {};
    if (machine === undefined || runtime === undefined) throw new Error("there is no control plane");
    if (this.random.below(2) === 0) {
      const running = runtime
        .podUids()
        .flatMap((uid) => runtime.containersOf(uid))
        .find(({ config, state }) => config.name === component && state === "running");
      if (running === undefined) return;
      this.say(`kill ${component}`);
      runtime.signalContainer(running.id, "KILL");
      return;
    }
    const [here, there] = [`${manifests}/${component}.yaml`, `${away}/${component}.yaml`];
    const { files } = machine;
    this.#last(
      component,
      `${component} is away`,
      lastsMs,
      () => files.rename(here, there),
      () => files.rename(there, here),
    );
  }

  /** A component hears of one resource late. */
  #watch(lastsMs: number): void {
    const [component, delays] = this.pick([...this.world.cluster.watchDelays]);
    const resource = this.pick(["pods", this.pick(delays.kept)]);
    const delayMs = this.pick([300, 2000, 10_000, 30_000]);
    this.#last(
      `${component}/${resource}`,
      `${component} hears of ${resource} ${delayMs} ms late`,
      lastsMs,
      () => {
        this.lagged.add(`${component}/${resource}`);
        delays.set(resource, delayMs);
      },
      () => delays.set(resource, 0),
    );
  }

  #unit(lastsMs: number): void {
    const name = this.pick(workers);
    const unit = this.pick(["kubelet", "containerd"] as const);
    const services = this.world.cluster.powerOf(name)?.services;
    if (this.#lasting.has(name)) return;
    this.#last(
      `${name}/${unit}`,
      `${unit} of ${name} is stopped`,
      lastsMs,
      () => services?.[unit].stop(),
      () => services?.[unit].start(),
    );
  }

  #machine(lastsMs: number): void {
    const name = this.pick(workers);
    const power = this.world.cluster.powerOf(name);
    for (const unit of ["kubelet", "containerd"]) this.#lasting.get(`${name}/${unit}`)?.();
    if (this.random.below(2) === 0 && !this.#lasting.has(name)) {
      this.say(`reset ${name}`);
      power?.reset();
      return;
    }
    this.#last(
      name,
      `${name} is without power`,
      lastsMs,
      () => power?.off(),
      () => power?.on(),
    );
  }

  /** The machine runs on, and nobody reaches it. */
  #wire(lastsMs: number): void {
    const name = this.pick(workers);
    const cable = this.world.cluster.node(name)?.network.cable;
    if (cable === undefined) throw new Error(`${name} has no cable`);
    this.#last(
      `${name}/wire`,
      `${name} is cut off`,
      lastsMs,
      () => cable.cut(),
      () => cable.mend(),
    );
  }

  #container(): void {
    const node = this.world.cluster.node(this.pick(workers));
    const running = (node?.runtime.podUids() ?? [])
      .flatMap((uid) => node?.runtime.containersOf(uid) ?? [])
      .filter(({ state }) => state === "running");
    if (running.length === 0) return;
    const container = this.pick(running);
    this.say(`kill container ${container.config.name} on ${node?.shape.name}`);
    node?.runtime.signalContainer(container.id, "KILL");
  }

  /** Somebody else changes the object that was just written, before whoever wrote it does so again. */
  #interfere({ kind, metadata }: KubeObject): void {
    if (this.random.below(4) !== 0) return;
    const type = builtInTypes.find((each) => each.kind === kind);
    if (type === undefined) return;
    const annotations = { "example.com/touched": String(this.nowMs) };
    this.world.simulation.after(this.random.below(5), () => {
      try {
        const key = { namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
        this.client.patch(type, key, "merge", { metadata: { annotations } });
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof ApiUnreachable)) throw error;
      }
    });
  }
}

/** Lives through a run of the law. Throws Broken with what was done and what came of it. Returns how often it looked on the way. */
export function keep(law: Law, seed: number): number {
  const scene = new Scene(seed, law);
  const faults = law.faults ?? allFaults;
  law.begin(scene);
  scene.advance(scene.pick([0, 200, 5000, 30_000]));
  for (let left = scene.between(4, 14); left > 0; left -= 1) {
    if (scene.random.below(5) < 3) scene.pick(law.edits)(scene);
    else scene.fault(faults);
    scene.advance(scene.pick([0, 10, 300, 2000, 10_000, 45_000, 400_000]));
  }
  scene.mend();
  const untilMs = scene.nowMs + settlingMs;
  untilAnswered(scene, () => law.end?.(scene));
  let missing: readonly string[] = ["nobody answers"];
  let restedMs = 0;
  while (restedMs < restMs && scene.nowMs < untilMs) {
    scene.advance(lookMs);
    missing = missingNow(law, scene);
    restedMs = missing.length === 0 ? restedMs + lookMs : 0;
  }
  if (restedMs >= restMs && scene.broken.length === 0) return scene.looks;
  throw new Broken(
    [
      `seed ${seed}`,
      ...scene.done,
      ...scene.broken.map((text) => `BROKEN ${text}`),
      ...missing.map((text) => `MISSING ${text}`),
    ].join("\n"),
  );
}

/** There is no API server, or it has no etcd. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof ApiUnreachable || (error instanceof ApiError && error.code >= 500);
}

function untilAnswered(scene: Scene, act: () => void): void {
  for (let look = 0; look < 600; look += 1) {
    try {
      scene.client.list(pods, { namespace });
      act();
      return;
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      scene.advance(lookMs);
    }
  }
}

function missingNow(law: Law, scene: Scene): readonly string[] {
  try {
    const unready = scene.world.cluster.isReady() ? [] : [`the system is not Ready: ${notReady(scene)}`];
    return [...law.missing(scene), ...unready];
  } catch (error) {
    if (isNoAnswer(error)) return ["nobody answers"];
    throw error;
  }
}

function notReady(scene: Scene): string {
  const isTrue = (conditions: readonly { readonly type: string; readonly status: string }[] = []) =>
    conditions.some(({ type, status }) => type === "Ready" && status === "True");
  const system = scene.client.list(pods, { namespace: "kube-system" }).items;
  return [...scene.client.list(nodes).items, ...system]
    .filter(({ status }) => !isTrue(status?.conditions))
    .map(({ metadata }) => metadata.name)
    .join(", ");
}
