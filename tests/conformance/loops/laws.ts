// The laws: for each loop what people change, what it comes to, and what never happens on the way.

import type { Condition, Deployment, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { compileRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { JsonValue, ResourceType } from "#cluster/api/objects.ts";
import { isPodActive, isPodReady } from "#cluster/controllers/pods.ts";
import { autoscaler } from "./autoscaler-law.ts";
import { type Law, namespace, type Scene, workers } from "./law.test-kit.ts";
import { cpuOf, deletePod, images, labels, meta, now, roomOf, template, wants } from "./law-parts.ts";
import { gates, preemption } from "./scheduling-laws.ts";

const owned = (object: { readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string }[] } }, uid: string) =>
  object.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
const revised = (scene: Scene): JsonValue => ({
  spec: { template: { metadata: { annotations: { revision: String(scene.nowMs) } } } },
});

function setImage(scene: Scene): JsonValue {
  return { spec: { template: { spec: { containers: [{ name: "main", image: scene.pick(images) }] } } } };
}

function releasePod(scene: Scene): void {
  const found = scene.podsNow("app=web");
  if (found.length > 0) scene.patch(kinds.pods, scene.pick(found).metadata.name ?? "", { metadata: { labels: { app: "loose" } } });
}

/** A Deployment's bounds, as they were within the last minutes: a controller may act on what it knew before. */
class Bounds {
  readonly #known: { readonly atMs: number; readonly most: number; readonly least: number }[] = [];
  readonly #rememberMs = 900_000;

  note({ spec }: Deployment, atMs: number): void {
    const replicas = spec?.replicas ?? 1;
    const { maxSurge = 0, maxUnavailable = 0 } = spec?.strategy?.rollingUpdate ?? {};
    const isRolling = spec?.strategy?.type === "RollingUpdate";
    this.#known.push({
      atMs,
      most: isRolling ? replicas + Number(maxSurge) : replicas,
      least: isRolling ? replicas - Number(maxUnavailable) : 0,
    });
  }

  at(nowMs: number): { readonly most: number; readonly least: number } {
    const recent = this.#known.filter(
      ({ atMs }, index) =>
        atMs >= nowMs - this.#rememberMs ||
        index === this.#known.length - 1 ||
        (this.#known[index + 1]?.atMs ?? 0) >= nowMs - this.#rememberMs,
    );
    return { most: Math.max(...recent.map(({ most }) => most)), least: Math.min(...recent.map(({ least }) => least)) };
  }
}

const deployment: Law = {
  begin(scene) {
    const bounds = new Bounds();
    scene.world.onWrite.add(({ object, previous, deleted, timeMs }, resource) => {
      if (deleted) return;
      if (resource === "deployments" && object.metadata?.name === "web") bounds.note(object as Deployment, timeMs);
      if (resource !== "replicasets") return;
      const [before, after] = [previous, object].map(
        (set) => (set as { spec?: { replicas?: number } } | undefined)?.spec?.replicas ?? 0,
      );
      if (before === after || before === undefined || after === undefined) return;
      const total = scene
        .list(kinds.replicaSets)
        .filter(({ metadata }) => metadata.labels?.["app"] === "web")
        .reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0);
      const { most, least } = bounds.at(timeMs);
      if (after > before && total > most)
        scene.breaks(`${object.metadata?.name} goes from ${before} to ${after}: ${total} in all, ${most} allowed`);
      if (after < before && total < least)
        scene.breaks(`${object.metadata?.name} goes from ${before} to ${after}: ${total} in all, ${least} needed`);
    });
    scene.create(kinds.deployments, {
      metadata: meta("web"),
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        template: template(images[0] as string),
      },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.deployments, "web", { spec: { replicas: scene.between(0, 6) } }),
    (scene) => scene.patch(kinds.deployments, "web", setImage(scene)),
    (scene) => scene.patch(kinds.deployments, "web", revised(scene)),
    (scene) => scene.patch(kinds.deployments, "web", { spec: { paused: scene.random.below(2) === 0 } }),
    (scene) =>
      scene.patch(kinds.deployments, "web", {
        spec: {
          strategy: {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: scene.between(1, 3), maxUnavailable: scene.between(0, 2) },
          },
        },
      }),
    (scene) => scene.patch(kinds.deployments, "web", { spec: { strategy: { type: "Recreate", rollingUpdate: null } } }),
    (scene) => scene.patch(kinds.deployments, "web", { spec: { revisionHistoryLimit: scene.between(0, 3) } }),
    (scene) => deletePod(scene),
    releasePod,
    (scene) => {
      const sets = scene.podsNow().length === 0 ? [] : scene.list(kinds.replicaSets);
      if (sets.length > 0)
        scene.delete(
          kinds.replicaSets,
          scene.pick(sets).metadata.name ?? "",
          scene.pick([{}, { propagationPolicy: "Orphan" }, { propagationPolicy: "Foreground" }]),
        );
    },
  ],
  end: (scene) => scene.patch(kinds.deployments, "web", { spec: { paused: false } }),
  missing(scene) {
    const problems: string[] = [];
    const web = scene.find(kinds.deployments, "web");
    if (web === undefined) return ["no Deployment"];
    const replicas = web.spec?.replicas ?? 1;
    const { status } = web;
    const counts = [
      status?.replicas ?? 0,
      status?.updatedReplicas ?? 0,
      status?.readyReplicas ?? 0,
      status?.availableReplicas ?? 0,
    ];
    wants(
      problems,
      counts.every((count) => count === replicas),
      `status ${now(counts)} of ${replicas}`,
    );
    wants(problems, status?.observedGeneration === web.metadata.generation, "the generation is not observed");
    const sets = scene.list(kinds.replicaSets).filter((set) => owned(set, web.metadata.uid));
    const live = sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0);
    wants(problems, live.length === (replicas > 0 ? 1 : 0), `${live.length} ReplicaSets with replicas`);
    wants(
      problems,
      live.every(({ spec }) => spec?.template?.spec?.containers[0]?.image === web.spec?.template.spec?.containers[0]?.image),
      "an old ReplicaSet has replicas",
    );
    // Kept ones of which all Pods have gone.
    wants(
      problems,
      sets.length - live.length <= (web.spec?.revisionHistoryLimit ?? 10) + (replicas > 0 ? 0 : 1),
      `${sets.length} ReplicaSets kept`,
    );
    // Of a set that was deleted and its Pods left, nobody takes them unless it is the template's.
    const hash = live[0]?.metadata.labels?.["pod-template-hash"];
    const found = scene
      .podsNow("app=web")
      .filter(({ metadata }) => metadata.ownerReferences !== undefined || metadata.labels?.["pod-template-hash"] === hash);
    wants(problems, found.length === replicas, `${found.length} Pods of ${replicas}`);
    wants(
      problems,
      found.every((pod) => isPodReady(pod) && live.some(({ metadata }) => owned(pod, metadata.uid))),
      "a Pod is not Ready or not owned",
    );
    return problems;
  },
};

const statefulSet: Law = {
  begin(scene) {
    noTwoAlike(scene);
    scene.create(kinds.services, { metadata: meta("db"), spec: { clusterIP: "None", selector: labels, ports: [{ port: 80 }] } });
    scene.create(kinds.statefulSets, {
      metadata: meta("db"),
      spec: { replicas: 3, serviceName: "db", selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.statefulSets, "db", { spec: { replicas: scene.between(0, 5) } }),
    (scene) => scene.patch(kinds.statefulSets, "db", setImage(scene)),
    (scene) => scene.patch(kinds.statefulSets, "db", revised(scene)),
    (scene) =>
      scene.patch(kinds.statefulSets, "db", {
        spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: scene.between(0, 3) } } },
      }),
    (scene) => scene.patch(kinds.statefulSets, "db", { spec: { minReadySeconds: scene.between(0, 5) } }),
    (scene) => {
      const found = scene.podsNow("app=web");
      if (found.length > 0) scene.delete(kinds.pods, scene.pick(found).metadata.name ?? "");
    },
  ],
  end: (scene) =>
    scene.patch(kinds.statefulSets, "db", { spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } } } }),
  missing(scene) {
    const problems: string[] = [];
    const db = scene.find(kinds.statefulSets, "db");
    if (db === undefined) return ["no StatefulSet"];
    const replicas = db.spec?.replicas ?? 1;
    const { status } = db;
    const names = scene
      .podsNow("app=web")
      .map(({ metadata }) => metadata.name)
      .sort();
    const wanted = Array.from({ length: replicas }, (_, index) => `db-${index}`);
    wants(problems, now(names) === now(wanted), `Pods ${now(names)}`);
    wants(
      problems,
      scene
        .podsNow("app=web")
        .every((pod) => isPodReady(pod) && pod.metadata.labels?.["controller-revision-hash"] === status?.updateRevision),
      "a Pod is not Ready or not of the last revision",
    );
    const counts = [
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      status?.availableReplicas ?? 0,
      status?.updatedReplicas ?? 0,
    ];
    wants(
      problems,
      counts.every((count) => count === replicas),
      `status ${now(counts)} of ${replicas}`,
    );
    wants(problems, status?.currentRevision === status?.updateRevision, "the revisions differ");
    return problems;
  },
};

/** No two Pods of the same name run at once, but where people deleted one by force. */
function noTwoAlike(scene: Scene): void {
  const look = (): void => {
    const running = new Map<string, string>();
    for (const { shape, runtime } of scene.world.cluster.nodes) {
      for (const uid of runtime.podUids()) {
        if (!runtime.containersOf(uid).some(({ state }) => state === "running")) continue;
        const { name, namespace: place } = runtime.sandboxesOf(uid)[0]?.config ?? {};
        if (place !== namespace || name === undefined) continue;
        const other = running.get(name);
        if (other !== undefined) scene.breaks(`${name} runs on ${other} and on ${shape.name}`);
        running.set(name, shape.name);
      }
    }
    scene.world.simulation.after(500, look, { background: true });
  };
  look();
}

const daemonSet: Law = {
  begin(scene) {
    scene.create(kinds.daemonSets, {
      metadata: meta("agent"),
      spec: { selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.daemonSets, "agent", setImage(scene)),
    (scene) => scene.patch(kinds.daemonSets, "agent", revised(scene)),
    (scene) =>
      scene.patch(kinds.daemonSets, "agent", {
        spec: { template: { spec: { nodeSelector: { disk: scene.pick([null, "ssd"]) } } } },
      }),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { metadata: { labels: { disk: scene.pick([null, "ssd"]) } } }),
    (scene) =>
      scene.patch(kinds.daemonSets, "agent", {
        spec: {
          updateStrategy: {
            type: "RollingUpdate",
            rollingUpdate: scene.pick([
              { maxSurge: 0, maxUnavailable: 1 },
              { maxSurge: 1, maxUnavailable: 0 },
              { maxSurge: 0, maxUnavailable: 2 },
            ]),
          },
        },
      }),
    (scene) => deletePod(scene),
    releasePod,
  ],
  missing(scene) {
    const problems: string[] = [];
    const agent = scene.find(kinds.daemonSets, "agent");
    const disk = agent?.spec?.template.spec?.nodeSelector?.["disk"];
    const wanted = scene
      .list(kinds.nodes)
      .flatMap(({ metadata }) =>
        workers.includes(metadata.name ?? "") && (disk === undefined || metadata.labels?.["disk"] === disk)
          ? [metadata.name ?? ""]
          : [],
      );
    const found = scene.podsNow("app=web");
    const places = found.map(({ spec }) => spec?.nodeName ?? "").sort();
    wants(problems, now(places) === now(wanted.sort()), `Pods on ${now(places)}, wanted on ${now(wanted)}`);
    const image = agent?.spec?.template.spec?.containers[0]?.image;
    wants(
      problems,
      found.every((pod) => isPodReady(pod) && pod.spec?.containers[0]?.image === image),
      "a Pod is not Ready or not of the template",
    );
    const { status } = agent ?? {};
    const counts = [
      status?.desiredNumberScheduled,
      status?.currentNumberScheduled,
      status?.numberReady,
      status?.updatedNumberScheduled ?? 0,
    ];
    wants(
      problems,
      counts.every((count) => count === wanted.length),
      `status ${now(counts)} of ${wanted.length}`,
    );
    wants(problems, status?.numberMisscheduled === 0, `${status?.numberMisscheduled} are where they should not be`);
    return problems;
  },
};

const job: Law = {
  begin(scene) {
    scene.world.onWrite.add(({ object, previous, deleted }, resource) => {
      if (deleted || resource !== "pods" || previous !== undefined || object.metadata?.labels?.["job-name"] !== "work") return;
      const active = scene.podsNow("job-name=work").filter(isPodActive).length;
      if (active > 4) scene.breaks(`${active} Pods are active at once, 4 allowed at most`);
    });
    const indexed = scene.random.below(2) === 0;
    scene.create(kinds.jobs, {
      metadata: meta("work"),
      spec: {
        completions: 5,
        parallelism: scene.between(1, 3),
        backoffLimit: 1000,
        completionMode: indexed ? "Indexed" : "NonIndexed",
        template: {
          spec: {
            restartPolicy: scene.pick(["Never", "OnFailure"]),
            terminationGracePeriodSeconds: 1,
            containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", "7"] }],
          },
        },
      },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.jobs, "work", { spec: { parallelism: scene.between(0, 4) } }),
    (scene) => scene.patch(kinds.jobs, "work", { spec: { suspend: scene.random.below(2) === 0 } }),
    (scene) => deletePod(scene, "job-name=work"),
  ],
  end(scene) {
    scene.patch(kinds.jobs, "work", { spec: { suspend: false } });
    scene.patch(kinds.jobs, "work", { spec: { parallelism: 2 } });
  },
  missing(scene) {
    const problems: string[] = [];
    const { spec, status } = scene.find(kinds.jobs, "work") ?? {};
    wants(
      problems,
      status?.conditions?.some(({ type, status: is }) => type === "Complete" && is === "True") === true,
      `conditions ${now(status?.conditions)}`,
    );
    wants(
      problems,
      status?.succeeded === 5 && (status.active ?? 0) === 0,
      `succeeded ${status?.succeeded}, active ${status?.active}`,
    );
    if (spec?.completionMode === "Indexed")
      wants(problems, status?.completedIndexes === "0-4", `indexes ${status?.completedIndexes}`);
    wants(problems, now(status?.uncountedTerminatedPods ?? {}) === "{}", "Pods are not counted yet");
    const held = scene.podsNow("job-name=work").filter(({ metadata }) => (metadata.finalizers ?? []).length > 0);
    wants(problems, held.length === 0, `${held.length} Pods have finalizers`);
    return problems;
  },
};

const cronJob: Law = {
  begin(scene) {
    scene.world.onWrite.add(({ previous, deleted }, resource) => {
      if (deleted || resource !== "jobs" || previous !== undefined) return;
      const running = scene.list(kinds.jobs).filter(({ status }) => !isFinished(status?.conditions)).length;
      if (running > 1) scene.breaks(`${running} Jobs run at once`);
    });
    scene.create(kinds.cronJobs, {
      metadata: meta("tick"),
      spec: {
        schedule: "* * * * *",
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 2,
        failedJobsHistoryLimit: 1,
        jobTemplate: {
          spec: {
            template: {
              spec: { restartPolicy: "OnFailure", containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", "3"] }] },
            },
          },
        },
      },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.cronJobs, "tick", { spec: { suspend: scene.random.below(2) === 0 } }),
    (scene) => scene.patch(kinds.cronJobs, "tick", { spec: { schedule: scene.pick(["* * * * *", "*/2 * * * *"]) } }),
    (scene) => scene.advance(scene.between(10, 200) * 1000),
  ],
  end: (scene) => scene.patch(kinds.cronJobs, "tick", { spec: { suspend: true } }),
  missing(scene) {
    const problems: string[] = [];
    const tick = scene.find(kinds.cronJobs, "tick");
    const jobs = scene.list(kinds.jobs);
    wants(problems, (tick?.status?.active ?? []).length === 0, `active ${now(tick?.status?.active)}`);
    wants(
      problems,
      jobs.every(({ status }) => isFinished(status?.conditions)),
      "a Job is not over",
    );
    const ended = (type: string) =>
      jobs.filter(({ status }) => status?.conditions?.some((each) => each.type === type && each.status === "True")).length;
    wants(problems, ended("Complete") <= 2 && ended("Failed") <= 1, `${jobs.length} Jobs are kept`);
    return problems;
  },
};

function isFinished(conditions: readonly Pick<Condition, "type" | "status">[] | undefined): boolean {
  return conditions?.some(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True") === true;
}

const endpoints: Law = {
  begin(scene) {
    deployment.begin(scene);
    scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } });
  },
  edits: [
    ...deployment.edits.slice(0, 3),
    (scene) => deletePod(scene),
    releasePod,
    (scene) => scene.patch(kinds.services, "web", { spec: { ports: [{ port: scene.pick([80, 81]), targetPort: 80 }] } }),
    (scene) => scene.delete(kinds.services, "web"),
    (scene) =>
      scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } }),
  ],
  end(scene) {
    if (scene.find(kinds.services, "web") === undefined)
      scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } });
  },
  missing(scene) {
    const problems = [...deployment.missing(scene)];
    const service = scene.find(kinds.services, "web");
    const slices = scene.list(kinds.endpointSlices, "kubernetes.io/service-name=web");
    const addresses = slices
      .flatMap((slice) =>
        (slice.endpoints ?? []).flatMap(({ addresses: own, conditions }) => (conditions?.ready === true ? own : [])),
      )
      .sort();
    const wanted = scene
      .podsNow("app=web")
      .filter(isPodReady)
      .map(({ status }) => status?.podIP ?? "")
      .sort();
    wants(problems, now(addresses) === now(wanted), `addresses ${now(addresses)}, wanted ${now(wanted)}`);
    wants(
      problems,
      slices.every((slice) => owned(slice, service?.metadata.uid ?? "")),
      "a slice of a Service that has gone",
    );
    return problems;
  },
};

const quota: Law = {
  begin(scene) {
    scene.world.onWrite.add(({ object, previous, deleted }, resource) => {
      if (deleted || resource !== "pods" || previous !== undefined || object.metadata?.namespace !== namespace) return;
      const counted = charged(scene);
      if (counted > 5) scene.breaks(`${counted} Pods, 5 allowed`);
    });
    scene.create(kinds.resourceQuotas, { metadata: meta("few"), spec: { hard: { pods: "5", configmaps: "6" } } });
    scene.advance(2000);
    for (const name of ["one", "two"])
      scene.create(kinds.replicaSets, {
        metadata: meta(name),
        spec: {
          replicas: 2,
          selector: { matchLabels: { set: name } },
          template: { ...template(images[0] as string), metadata: { labels: { set: name } } },
        },
      });
  },
  edits: [
    (scene) => scene.patch(kinds.replicaSets, scene.pick(["one", "two"]), { spec: { replicas: scene.between(0, 5) } }),
    (scene) => deletePod(scene, ""),
    (scene) => scene.create(kinds.configMaps, { metadata: meta(`map-${scene.between(1, 9)}`) }),
    (scene) => scene.delete(kinds.configMaps, `map-${scene.between(1, 9)}`),
    (scene) =>
      scene.create(kinds.pods, {
        metadata: meta(`lone-${scene.between(1, 5)}`),
        spec: { containers: [{ name: "main", image: images[0] as string }] },
      }),
  ],
  missing(scene) {
    const problems: string[] = [];
    const used = scene.find(kinds.resourceQuotas, "few")?.status?.used;
    const counted = charged(scene);
    wants(problems, used?.["pods"] === String(counted), `used ${used?.["pods"]} Pods of ${counted}`);
    const maps = scene.list(kinds.configMaps).length;
    wants(problems, used?.["configmaps"] === String(maps), `used ${used?.["configmaps"]} ConfigMaps of ${maps}`);
    const asked = ["one", "two"].reduce((sum, name) => sum + (scene.find(kinds.replicaSets, name)?.spec?.replicas ?? 0), 0);
    const lone = scene.podsNow().filter(({ metadata }) => metadata.ownerReferences === undefined).length;
    wants(problems, counted === Math.min(5, asked + lone), `${counted} Pods, ${asked} asked for and ${lone} of nobody`);
    return problems;
  },
};

/** Pods that a quota counts: not those that have ended, nor those that should have by now. */
function charged(scene: Scene): number {
  return scene.podsNow().filter(({ metadata, status }) => {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
    const isOverdue =
      deletionTimestamp !== undefined && scene.nowMs > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
    return status?.phase !== "Succeeded" && status?.phase !== "Failed" && !isOverdue;
  }).length;
}

const scheduler: Law = {
  begin(scene) {
    scene.world.onWrite.add(({ object, previous, deleted }, resource) => {
      const [before, after] = [previous, object].map((pod) => (pod as Pod | undefined)?.spec?.nodeName ?? "");
      if (deleted || resource !== "pods" || before !== "" || after === "" || !workers.includes(after ?? "")) return;
      const room = roomOf(scene, after ?? "");
      if (room < 0) scene.breaks(`${after} has ${-room}m more than it can bear`);
    });
    scene.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
  },
  edits: [
    (scene) =>
      scene.create(kinds.pods, {
        metadata: { ...meta(`pod-${scene.between(1, 30)}`), labels },
        spec: {
          terminationGracePeriodSeconds: 2,
          containers: [
            {
              name: "main",
              image: images[0] as string,
              resources: { requests: { cpu: `${scene.pick([100, 300, 700, 1100, 1900])}m` } },
            },
          ],
          ...(scene.random.below(3) === 0 ? { priorityClassName: "high" } : {}),
          ...(scene.random.below(4) === 0 ? { nodeSelector: { disk: "ssd" } } : {}),
        },
      }),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { metadata: { labels: { disk: scene.pick([null, "ssd"]) } } }),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
    (scene) => deletePod(scene),
    (scene) => deletePod(scene),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems: string[] = [];
    const nodes = scene.list(kinds.nodes).filter(({ metadata }) => workers.includes(metadata.name ?? ""));
    for (const pod of scene.podsNow()) {
      const name = pod.metadata.name ?? "";
      if (pod.metadata.deletionTimestamp !== undefined) problems.push(`${name} is still there`);
      if ((pod.spec?.nodeName ?? "") !== "") {
        // What a node refused stays as it is.
        if (!isPodReady(pod) && pod.status?.phase !== "Failed") problems.push(`${name} is not Ready`);
        continue;
      }
      const matches = compileRequirements(requirementsOf({ matchLabels: pod.spec?.nodeSelector ?? {} }));
      const fitting = nodes.filter(({ metadata }) => matches(metadata.labels) && roomOf(scene, metadata.name ?? "") >= cpuOf(pod));
      if (fitting.length > 0) problems.push(`${name} waits, though it fits on ${fitting[0]?.metadata.name}`);
    }
    return problems;
  },
};

const owners: Law = {
  begin(scene) {
    for (const name of ["one", "two"]) makeTree(scene, name);
  },
  edits: [
    (scene) => makeTree(scene, scene.pick(["one", "two", "three"])),
    (scene) =>
      scene.delete(
        kinds.deployments,
        scene.pick(["one", "two", "three"]),
        scene.pick([{}, { propagationPolicy: "Orphan" }, { propagationPolicy: "Foreground" }, { propagationPolicy: "Background" }]),
      ),
    (scene) => deletePod(scene, ""),
    (scene) => {
      const sets = scene.podsNow().length === 0 ? [] : scene.list(kinds.replicaSets);
      if (sets.length > 0)
        scene.delete(
          kinds.replicaSets,
          scene.pick(sets).metadata.name ?? "",
          scene.pick([{}, { propagationPolicy: "Foreground" }, { propagationPolicy: "Orphan" }]),
        );
    },
  ],
  missing(scene) {
    const problems: string[] = [];
    const all = [...scene.list(kinds.deployments), ...scene.list(kinds.replicaSets), ...scene.list(kinds.pods)];
    const known = new Set(all.map(({ metadata }) => metadata.uid));
    for (const { kind, metadata } of all) {
      if (metadata.deletionTimestamp !== undefined)
        problems.push(`${kind} ${metadata.name} is still there, with ${now(metadata.finalizers)}`);
      const gone = metadata.ownerReferences?.filter(({ uid }) => !known.has(uid)) ?? [];
      if (gone.length > 0) problems.push(`${kind} ${metadata.name} has an owner that has gone`);
    }
    return problems;
  },
};

function makeTree(scene: Scene, name: string): void {
  scene.create(kinds.deployments, {
    metadata: meta(name),
    spec: {
      replicas: 2,
      selector: { matchLabels: { tree: name } },
      template: { ...template(images[0] as string), metadata: { labels: { tree: name } } },
    },
  });
}

const room = "room";

const namespaces: Law = {
  begin: (scene) => fill(scene),
  edits: [
    fill,
    (scene) => scene.delete(kinds.namespaces, room),
    (scene) =>
      scene.try("create a ConfigMap there", () =>
        scene.client.create(kinds.configMaps, { metadata: { name: `map-${scene.between(1, 9)}`, namespace: room } }),
      ),
  ],
  end: (scene) => scene.delete(kinds.namespaces, room),
  missing(scene) {
    const problems: string[] = [];
    wants(problems, scene.find(kinds.namespaces, room) === undefined, "the namespace is still there");
    const emptied: readonly ResourceType<unknown>[] = [
      kinds.pods,
      kinds.replicaSets,
      kinds.configMaps,
      kinds.secrets,
      kinds.serviceAccounts,
      kinds.endpointSlices,
    ];
    for (const type of emptied)
      wants(problems, scene.client.list(type, { namespace: room }).items.length === 0, `${type.plural} are left`);
    return problems;
  },
};

function fill(scene: Scene): void {
  scene.create(kinds.namespaces, { metadata: { name: room } });
  scene.try("fill it", () => {
    scene.client.create(kinds.secrets, { metadata: { name: "key", namespace: room } });
    scene.client.create(kinds.deployments, {
      metadata: { name: "web", namespace: room },
      spec: { replicas: 2, selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
    scene.client.create(kinds.services, {
      metadata: { name: "web", namespace: room },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
  });
}

/** Evictions as `kubectl drain` asks for them. */
const budgets: Law = {
  // What people and machines end counts too, and no budget holds them up.
  faults: ["components", "watches", "writers"],
  begin(scene) {
    scene.world.onWrite.add(({ object, previous, deleted }, resource) => {
      if (deleted || resource !== "pods") return;
      const isEvicted = (pod: Pod | undefined): boolean => pod?.metadata?.deletionTimestamp !== undefined;
      if (!isEvicted(object as Pod) || isEvicted(previous as Pod | undefined)) return;
      const healthy = scene
        .podsNow("app=web")
        .filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined).length;
      if (healthy < 2) scene.breaks(`${healthy} healthy Pods are left, 2 needed`);
    });
    scene.create(kinds.replicaSets, {
      metadata: meta("web"),
      spec: { replicas: 4, selector: { matchLabels: labels }, template: template("nginx:1.27") },
    });
    scene.create(kinds.podDisruptionBudgets, {
      metadata: meta("web"),
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    });
    scene.advance(20_000);
  },
  edits: [
    ...Array.from({ length: 3 }, () => evict),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems: string[] = [];
    const { status } = scene.find(kinds.podDisruptionBudgets, "web") ?? {};
    const figures = [status?.currentHealthy, status?.desiredHealthy, status?.disruptionsAllowed, status?.expectedPods];
    wants(problems, now(figures) === "[4,2,2,4]", `the budget says ${now(figures)}`);
    wants(problems, now(status?.disruptedPods ?? {}) === "{}", "Pods are noted that have gone");
    return problems;
  },
};

function evict(scene: Scene): void {
  const found = scene.podsNow("app=web");
  if (found.length === 0) return;
  const { name = "" } = scene.pick(found).metadata;
  scene.try(`evict ${name}`, () =>
    scene.client.createSubresource(kinds.pods, { namespace, name }, "eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
    }),
  );
}

/** Pods that nobody owns, on nodes that come and go: what the kubelet says of them is so. */
const kubelet: Law = {
  begin(scene) {
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
      scene.patch(kinds.pods, `lone-${scene.between(0, 2)}`, {
        spec: { containers: [{ name: "main", image: scene.pick(["nginx:1.27", "nginx:1.28"]) }] },
      }),
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

const volumes: Law = {
  addons: ["local-path-provisioner"],
  begin(scene) {
    scene.create(kinds.statefulSets, {
      metadata: meta("db"),
      spec: {
        replicas: 2,
        serviceName: "db",
        podManagementPolicy: scene.pick(["OrderedReady", "Parallel"]),
        selector: { matchLabels: labels },
        template: template(images[0] as string),
        persistentVolumeClaimRetentionPolicy: scene.pick([
          { whenScaled: "Delete", whenDeleted: "Retain" },
          { whenScaled: "Retain", whenDeleted: "Retain" },
        ]),
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } } },
        ],
      },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.statefulSets, "db", { spec: { replicas: scene.between(0, 4) } }),
    (scene) => deletePod(scene),
    (scene) => scene.delete(kinds.persistentVolumeClaims, `data-db-${scene.between(0, 3)}`),
    (scene) => scene.patch(kinds.statefulSets, "db", revised(scene)),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems = [...statefulSet.missing(scene)];
    const claims = scene.list(kinds.persistentVolumeClaims);
    const persistent = scene.list(kinds.persistentVolumes);
    for (const { metadata, spec, status } of claims) {
      const own = persistent.filter(({ spec: { claimRef } = {} }) => claimRef?.uid === metadata.uid);
      const isUsed = scene
        .podsNow()
        .some((pod) => pod.spec?.volumes?.some((each) => each.persistentVolumeClaim?.claimName === metadata.name));
      wants(problems, metadata.deletionTimestamp === undefined || isUsed, `claim ${metadata.name} is still there`);
      const isBound = status?.phase === "Bound" && own.length === 1 && own[0]?.metadata.name === spec?.volumeName;
      wants(problems, isBound, `claim ${metadata.name} is ${status?.phase} and has ${own.length} volumes`);
    }
    wants(problems, persistent.length === claims.length, `${persistent.length} volumes of ${claims.length} claims`);
    // Whether a claim above the replicas is kept is not told: where its Pod went by other hands before the controller came to it, it stays
    // although the policy says Delete, as upstream's does.
    return problems;
  },
};

/** What a node's condition says comes to its taints, and back. */
const nodes: Law = {
  faults: ["components", "watches", "kubelets", "machines", "wires"],
  begin(scene) {
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
const pulls: Law = {
  // One after the other, so that Pods wait for their turn.
  slowImages: Object.fromEntries(pulled.map((image, index) => [image, 2 + index])),
  begin(scene) {
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

export const laws: ReadonlyMap<string, Law> = new Map([
  ["Deployments", deployment],
  ["StatefulSets", statefulSet],
  ["DaemonSets", daemonSet],
  ["Jobs", job],
  ["CronJobs", cronJob],
  ["EndpointSlices", endpoints],
  ["quotas", quota],
  ["the scheduler", scheduler],
  ["scheduling gates", gates],
  ["preemption", preemption],
  ["autoscalers", autoscaler],
  ["garbage collection", owners],
  ["namespaces", namespaces],
  ["disruption budgets", budgets],
  ["kubelets", kubelet],
  ["pulls", pulls],
  ["volumes", volumes],
  ["nodes", nodes],
]);
