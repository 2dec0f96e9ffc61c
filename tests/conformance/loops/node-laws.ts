// Laws of nodes, and of what their kubelets do.

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { isPodReady } from "#cluster/controllers/pods.ts";
import { type Law, namespace, type Scene, workers } from "./law.test-kit.ts";
import { deletePod, images, labels, meta, now, podsGoOn, rememberedMs, template, wants, writer } from "./law-parts.ts";
import { daemonSet } from "./workload-laws.ts";

/** Pods that nobody owns, on nodes that come and go: what the kubelet says of them is so. */
export const kubelet: Law = {
  begin(scene) {
    podsGoOn(scene);
    for (const [index, name] of workers.entries()) {
      scene.create(kinds.pods, {
        metadata: { ...meta(`lone-${index}`), labels },
        spec: {
          nodeName: name,
          terminationGracePeriodSeconds: 2,
          tolerations: [{ operator: "Exists" }],
          initContainers: [{ name: "first", image: "busybox:1.36", command: ["sleep", "1"] }],
          containers: [
            { name: "main", image: "nginx:1.27", readinessProbe: { httpGet: { port: 80 }, periodSeconds: 2 } },
            { name: "side", image: "busybox:1.36", command: ["sleep", "1000000"] },
          ],
        },
      });
    }
  },
  edits: [
    (scene) => deletePod(scene),
    (scene) =>
      scene.create(kinds.pods, {
        metadata: { ...meta(`short-${scene.between(1, 5)}`), labels: { app: "short" } },
        spec: {
          restartPolicy: scene.pick(["Never", "OnFailure"]),
          containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", "5"] }],
        },
      }),
    (scene) =>
      scene.patch(
        kinds.pods,
        `lone-${scene.between(0, 2)}`,
        { spec: { containers: [{ name: "main", image: scene.pick(["nginx:1.27", "nginx:1.28"]) }] } },
        "strategic",
      ),
  ],
  missing(scene) {
    const problems: string[] = [];
    const known = new Map(scene.podsNow().map((pod) => [pod.metadata.uid, pod]));
    for (const pod of known.values()) {
      const name = pod.metadata.name ?? "";
      if (pod.metadata.deletionTimestamp !== undefined) problems.push(`${name} is still there`);
      const { phase } = pod.status ?? {};
      if (name.startsWith("short")) wants(problems, phase === "Succeeded" || phase === "Failed", `${name} is ${phase}`);
      else if (phase !== "Failed") wants(problems, isPodReady(pod), `${name} is not Ready`);
    }
    for (const { shape, runtime } of scene.world.cluster.nodes) {
      for (const uid of runtime.podUids()) {
        const { config } = runtime.sandboxesOf(uid)[0] ?? {};
        if (config?.namespace !== namespace) continue;
        const running = runtime.containersOf(uid).filter(({ state }) => state === "running");
        const pod = known.get(uid);
        if (pod === undefined) wants(problems, running.length === 0, `${config.name} runs on ${shape.name} for no Pod`);
        else {
          const said = (pod.status?.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined).length;
          wants(problems, said === running.length, `${config.name} has ${running.length} running containers and says ${said}`);
        }
      }
    }
    return problems;
  },
};

/** No two nodes have the same addresses for their Pods, and none gets others. */
function noneShared(scene: Scene): void {
  scene.onWrite(kinds.nodes, ({ object: { metadata, spec }, previous, deleted }) => {
    const range = spec?.podCIDR;
    if (deleted || range === undefined) return;
    const others = scene.client.list(kinds.nodes).items.filter((node) => node.spec?.podCIDR === range);
    scene.must(others.length <= 1, () => `${others.map((node) => node.metadata.name).join(" and ")} have ${range}`);
    const before = previous?.spec?.podCIDR;
    scene.must(before === undefined || before === range, () => `${metadata.name} had ${before} and has ${range}`);
  });
}

/** Pods go with their node, and not with one that is there. */
function collectedForCause(scene: Scene): void {
  scene.onWrite(kinds.pods, ({ object: { metadata, spec, status } }) => {
    if (writer(scene) !== "pod-garbage-collector" || metadata.deletionTimestamp === undefined) return;
    const node = scene.client.list(kinds.nodes).items.find((each) => each.metadata.name === spec?.nodeName);
    scene.must(
      node === undefined,
      () => `${metadata.name} is collected, and ${spec?.nodeName} is there: ${now(status?.conditions)}`,
    );
  });
}

/** Pods that tolerate a lost node for ever leave theirs only for a taint of people's. */
function evictedForCause(scene: Scene): void {
  const taintedMs = new Map<string, number>();
  scene.onWrite(kinds.nodes, ({ object: { metadata, spec }, previous, timeMs }) => {
    const isTainted = [spec, previous?.spec].some((each) => each?.taints?.some(({ key }) => key === "team") === true);
    if (isTainted) taintedMs.set(metadata.name, timeMs);
  });
  scene.onWrite(kinds.pods, ({ object: { metadata, spec, status }, previous, deleted, timeMs }) => {
    const cause = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
    const wasSo = previous?.status?.conditions?.some(({ type }) => type === "DisruptionTarget") === true;
    if (deleted || wasSo || metadata.namespace !== namespace || cause?.reason !== "DeletionByTaintManager") return;
    const isTold = timeMs - (taintedMs.get(spec?.nodeName ?? "") ?? 0) < rememberedMs;
    scene.must(isTold, () => `${metadata.name} leaves ${spec?.nodeName}: ${cause.message}`);
  });
}

/** What a node's condition says comes to its taints, and back. */
export const nodes: Law = {
  faults: ["components", "watches", "kubelets", "machines", "wires"],
  begin(scene) {
    noneShared(scene);
    evictedForCause(scene);
    collectedForCause(scene);
    scene.create(kinds.daemonSets, {
      metadata: meta("agent"),
      spec: { selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
  },
  edits: [
    (scene) => scene.delete(kinds.nodes, scene.pick(workers)),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
    (scene) =>
      scene.patch(kinds.nodes, scene.pick(workers), {
        spec: { taints: scene.pick([[], [{ key: "team", value: "a", effect: "NoExecute" }]]) },
      }),
    (scene) => scene.fault(["kubelets", "machines", "wires"]),
  ],
  end(scene) {
    // A kubelet registers when it starts: a node that was deleted comes back with it.
    for (const name of workers) {
      const services = scene.world.cluster.powerOf(name)?.services;
      if (scene.world.cluster.powerOf(name)?.state !== "on") continue;
      services?.kubelet.stop();
      services?.kubelet.start();
    }
    scene.advance(30_000);
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false, taints: [] } });
  },
  missing(scene) {
    const problems: string[] = [];
    const all = scene.list(kinds.nodes);
    wants(problems, all.length === workers.length + 1, `${all.length} nodes`);
    for (const { metadata, spec, status } of all) {
      wants(problems, spec?.podCIDR !== undefined, `${metadata.name} has no addresses for Pods`);
      const ttl = metadata.annotations?.["node.alpha.kubernetes.io/ttl"];
      wants(problems, ttl === "0", `${metadata.name} has a TTL of ${ttl}`);
      const isReady = status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
      wants(problems, isReady, `${metadata.name} is not Ready`);
      const taints = (spec?.taints ?? []).map(({ key }) => key);
      wants(
        problems,
        now(taints) === now(metadata.name === "control-plane" ? ["node-role.kubernetes.io/control-plane"] : []),
        `${metadata.name} has ${now(taints)}`,
      );
    }
    return [...problems, ...daemonSet.missing(scene)];
  },
};

const pulled = ["nginx:1.28", "nginx:1.29", "redis:7.2", "httpd:2.4", "busybox:1.36", "registry.k8s.io/pause:3.10", "perl:5.34"];

/** Pods that come and go while their images are pulled, one after the other, and what they mount changes. */
export const pulls: Law = {
  // One after the other, so that Pods wait for their turn.
  slowImages: Object.fromEntries(pulled.map((image, index) => [image, 2 + index])),
  begin(scene) {
    podsGoOn(scene);
    for (const type of [kinds.configMaps, kinds.secrets]) scene.create(type, { metadata: meta("settings"), data: { a: "MQ==" } });
  },
  edits: [
    ...Array.from({ length: 3 }, () => (scene: Scene) => createPulling(scene)),
    (scene) => deletePod(scene),
    crowd,
    crowd,
    (scene) => {
      // A new one of the same name at once.
      const found = scene.podsNow("app=web");
      if (found.length === 0) return;
      const { name = "" } = scene.pick(found).metadata;
      scene.delete(kinds.pods, name, { gracePeriodSeconds: 0 });
      createPulling(scene, name);
    },
    (scene) => scene.delete(kinds.configMaps, "settings"),
    (scene) => scene.create(kinds.configMaps, { metadata: meta("settings"), data: { a: String(scene.nowMs) } }),
    (scene) => scene.patch(kinds.secrets, "settings", { data: { a: scene.pick(["MQ==", "Mg=="]) } }),
  ],
  end(scene) {
    if (scene.find(kinds.configMaps, "settings") === undefined)
      scene.create(kinds.configMaps, { metadata: meta("settings"), data: { a: "1" } });
    // Nothing is pulled there after it that would wake those who wait.
    scene.advance(120_000);
    crowd(scene);
  },
  missing(scene) {
    const problems: string[] = [];
    for (const pod of scene.podsNow()) {
      const name = pod.metadata.name ?? "";
      if (pod.metadata.deletionTimestamp !== undefined) problems.push(`${name} is still there`);
      else if (pod.status?.phase !== "Failed" && !isPodReady(pod))
        problems.push(`${name} is ${now(pod.status?.containerStatuses?.map(({ state }) => state))}`);
    }
    return problems;
  },
};

/** Several with one image each come to one node at once, and one goes while it waits for its turn. */
function crowd(scene: Scene): void {
  const nodeName = scene.pick(workers);
  const names = Array.from({ length: 4 }, (_, index) => `crowd-${scene.done.length}-${index}`);
  const image = scene.pick(["nginx:1.28", "nginx:1.29", "redis:7.2", "httpd:2.4"]);
  for (const name of names) {
    scene.create(kinds.pods, {
      metadata: { ...meta(name), labels },
      spec: {
        nodeName,
        terminationGracePeriodSeconds: 1,
        tolerations: [{ operator: "Exists" }],
        containers: [{ name: "main", image, imagePullPolicy: scene.pick(["Always", "IfNotPresent"]) }],
      },
    });
  }
  scene.advance(1500);
  scene.delete(kinds.pods, scene.pick(names));
}

function createPulling(scene: Scene, name = `pod-${scene.between(1, 12)}`): void {
  const image = (): string => scene.pick(pulled);
  const command = ["sh", "-c", "sleep 1000000"];
  scene.create(kinds.pods, {
    metadata: { ...meta(name), labels },
    spec: {
      nodeName: scene.pick(workers),
      terminationGracePeriodSeconds: scene.pick([0, 1, 5]),
      tolerations: [{ operator: "Exists" }],
      ...(scene.random.below(3) === 0
        ? { initContainers: [{ name: "first", image: "busybox:1.36", command: ["sleep", "2"] }] }
        : {}),
      containers: [
        { name: "main", image: image(), ...(scene.random.below(2) === 0 ? { imagePullPolicy: "Always" } : {}) },
        { name: "side", image: "busybox:1.36", command, envFrom: [{ configMapRef: { name: "settings" } }] },
      ].map((container) =>
        container.image === "busybox:1.36" || container.image.startsWith("perl")
          ? { ...container, command: container.image.startsWith("perl") ? ["sleep", "1000000"] : command }
          : container,
      ),
      volumes: [
        {
          name: "settings",
          projected: {
            sources: [{ configMap: { name: "settings" } }, { secret: { name: "settings", items: [{ key: "a", path: "b" }] } }],
          },
        },
      ],
    },
  });
}

/** No Pod is evicted before it has borne the taints of its node for as long as it bears one of them. */
function onlyInTime(scene: Scene): void {
  const tainted = new Map<string, { readonly fromMs: number; untilMs: number | undefined; readonly keys: Set<string> }[]>();
  scene.onWrite(kinds.nodes, ({ object: { metadata, spec }, timeMs }) => {
    const times = tainted.get(metadata.name) ?? [];
    tainted.set(metadata.name, times);
    const keys = (spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute").map(({ key }) => key);
    const last = times.at(-1);
    if (keys.length === 0) {
      if (last !== undefined) last.untilMs ??= timeMs;
    } else if (last === undefined || last.untilMs !== undefined)
      times.push({ fromMs: timeMs, untilMs: undefined, keys: new Set(keys) });
    else for (const key of keys) last.keys.add(key);
  });
  const isTold = ({ status }: Pod): boolean =>
    status?.conditions?.some(({ reason }) => reason === "DeletionByTaintManager") === true;
  scene.onWrite(kinds.pods, ({ object, previous, deleted, timeMs }) => {
    const { metadata, spec } = object;
    if (deleted || metadata.namespace !== namespace || !isTold(object) || (previous !== undefined && isTold(previous))) return;
    const borneMs = (key: string): number => {
      const bearing = spec?.tolerations?.find((each) => each.key === key);
      return bearing === undefined ? 0 : Number(bearing.tolerationSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    };
    const times = tainted.get(spec?.nodeName ?? "") ?? [];
    // A controller may not have heard yet that they have gone.
    const isDue = times.some(
      ({ fromMs, untilMs = timeMs, keys }) =>
        timeMs >= fromMs + Math.min(...[...keys].map(borneMs)) && untilMs >= timeMs - rememberedMs,
    );
    const said = (): string => now(times.map(({ fromMs, untilMs, keys }) => [fromMs, untilMs, ...keys]));
    scene.must(isDue, () => `${metadata.name} leaves ${spec?.nodeName} after ${said()}, bears ${now(spec?.tolerations)}`);
  });
}

/** Pods leave a node for a taint of it, after the time that they bear it, and not before. */
export const taints: Law = {
  faults: ["components", "watches", "kubelets", "writers"],
  begin(scene) {
    onlyInTime(scene);
    for (let left = 4; left > 0; left -= 1) createBearing(scene);
  },
  edits: [
    createBearing,
    createBearing,
    createBearing,
    (scene) => setTaint(scene, scene.pick(workers), true),
    (scene) => setTaint(scene, scene.pick(workers), true),
    (scene) => setTaint(scene, scene.pick(workers), false),
    (scene) => deletePod(scene),
  ],
  end(scene) {
    setTaint(scene, "node-1", true);
    setTaint(scene, "node-2", false);
    setTaint(scene, "node-3", false);
  },
  missing(scene) {
    const problems: string[] = [];
    for (const pod of scene.podsNow("app=web")) {
      const { metadata, spec } = pod;
      if (metadata.deletionTimestamp !== undefined) problems.push(`${metadata.name} is still there`);
      if (spec?.nodeName !== "node-1") continue;
      const bears = spec.tolerations?.find(({ key }) => key === "team");
      wants(problems, bears !== undefined && bears.tolerationSeconds === undefined, `${metadata.name} is on node-1: ${now(bears)}`);
    }
    return problems;
  },
};

function setTaint(scene: Scene, name: string, isSet: boolean): void {
  scene.patch(kinds.nodes, name, { spec: { taints: isSet ? [{ key: "team", value: "a", effect: "NoExecute" }] : [] } });
}

function createBearing(scene: Scene): void {
  const seconds = scene.pick([undefined, 0, 5, 30, 120]);
  const bearing = {
    key: "team",
    operator: "Exists",
    effect: "NoExecute",
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  };
  scene.create(kinds.pods, {
    metadata: { ...meta(`pod-${scene.between(1, 20)}`), labels },
    spec: {
      terminationGracePeriodSeconds: 1,
      tolerations: scene.random.below(4) === 0 ? [] : [bearing],
      containers: [{ name: "main", image: images[0] as string }],
    },
  });
}
