// Laws of what keeps Pods running, or runs them to their end.

import type { Deployment, Job, Pod, ReplicaSet, ReplicationController } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { isPodActive, isPodReady } from "#cluster/controllers/pods.ts";
import { type Law, namespace, type Scene, type Write, workers } from "./law.test-kit.ts";
import {
  deletePod,
  images,
  isFinished,
  labels,
  meta,
  now,
  owned,
  releasePod,
  rememberedMs,
  revised,
  setImage,
  template,
  wants,
  writer,
} from "./law-parts.ts";

/** A Deployment's bounds, as they were within the last minutes: a controller may act on what it knew before. */
class Bounds {
  readonly #known: { readonly atMs: number; readonly most: number; readonly least: number }[] = [];
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
        atMs >= nowMs - rememberedMs ||
        index === this.#known.length - 1 ||
        (this.#known[index + 1]?.atMs ?? 0) >= nowMs - rememberedMs,
    );
    return { most: Math.max(...recent.map(({ most }) => most)), least: Math.min(...recent.map(({ least }) => least)) };
  }
}

/** Whatever a controller has not heard yet: no set gets more Pods than it was asked to have within the last minutes. */
export function noneTooMany(scene: Scene): void {
  const asked = new Map<string, { readonly atMs: number; readonly replicas: number }[]>();
  const look = ({ object: { metadata, spec }, deleted, timeMs }: Write<ReplicaSet | ReplicationController>): void => {
    if (!deleted) asked.set(metadata.uid, [...(asked.get(metadata.uid) ?? []), { atMs: timeMs, replicas: spec?.replicas ?? 1 }]);
  };
  scene.onWrite(kinds.replicaSets, look);
  scene.onWrite(kinds.replicationControllers, look);
  scene.onWrite(kinds.pods, ({ object: { metadata }, previous, deleted, timeMs }) => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind.startsWith("Replica"))?.uid;
    const all = asked.get(owner ?? "");
    if (deleted || previous !== undefined || owner === undefined || all === undefined) return;
    const recent = all.filter((_, index) => (all[index + 1]?.atMs ?? timeMs) >= timeMs - rememberedMs);
    const most = Math.max(...recent.map(({ replicas }) => replicas));
    const active = scene.podsNow().filter((pod) => owned(pod, owner) && isPodActive(pod)).length;
    scene.must(active <= most, () => `${metadata.name} is Pod ${active} of its set, ${most} asked for`);
  });
}

export const deployment: Law = {
  begin(scene) {
    noneTooMany(scene);
    const bounds = new Bounds();
    scene.onWrite(kinds.deployments, ({ object, deleted, timeMs }) => {
      if (!deleted && object.metadata.name === "web") bounds.note(object, timeMs);
    });
    scene.onWrite(kinds.replicaSets, ({ object: { metadata, spec }, previous, deleted, timeMs }) => {
      const [before, after] = [previous?.spec?.replicas ?? 0, spec?.replicas ?? 0];
      if (deleted || before === after) return;
      const total = scene
        .list(kinds.replicaSets)
        .filter(({ metadata: { labels: own } }) => own?.["app"] === "web")
        .reduce((sum, { spec: own }) => sum + (own?.replicas ?? 0), 0);
      const { most, least } = bounds.at(timeMs);
      const change = `${metadata.name} goes from ${before} to ${after}: ${total} in all`;
      if (after > before) scene.must(total <= most, () => `${change}, ${most} allowed`);
      else scene.must(total >= least, () => `${change}, ${least} needed`);
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

export const statefulSet: Law = {
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
        scene.must(other === undefined, () => `${name} runs on ${other} and on ${shape.name}`);
        running.set(name, shape.name);
      }
    }
    scene.world.simulation.after(500, look, { background: true });
  };
  look();
}

/** Where a DaemonSet's Pod belongs, also before it is bound. */
function placeOf({ spec }: Pod): string | undefined {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return spec?.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0];
}

/** No node gets a second Pod of one revision while the first is there. */
function noneTwice(scene: Scene): void {
  const revision = "controller-revision-hash";
  scene.onWrite(kinds.pods, ({ object, previous, deleted }) => {
    const owner = object.metadata.ownerReferences?.find(({ kind }) => kind === "DaemonSet")?.uid;
    if (deleted || previous !== undefined || owner === undefined) return;
    const alike = scene
      .podsNow()
      .filter(
        (pod) =>
          owned(pod, owner) &&
          isPodActive(pod) &&
          placeOf(pod) === placeOf(object) &&
          pod.metadata.labels?.[revision] === object.metadata.labels?.[revision],
      );
    scene.must(alike.length <= 1, () => `${alike.length} Pods of one revision are for ${placeOf(object)}`);
  });
}

export const daemonSet: Law = {
  begin(scene) {
    noneTwice(scene);
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

/** No more Pods of a Job than its parallelism of the last minutes, and none that runs for an index beside another. */
function noneBeside(scene: Scene): void {
  const asked: { readonly atMs: number; readonly parallelism: number }[] = [];
  scene.onWrite(kinds.jobs, ({ object: { spec }, deleted, timeMs }) => {
    if (!deleted) asked.push({ atMs: timeMs, parallelism: spec?.parallelism ?? 1 });
  });
  scene.onWrite(kinds.pods, ({ object: { metadata }, previous, deleted, timeMs }) => {
    if (deleted || previous !== undefined || metadata.labels?.["job-name"] !== "work") return;
    const active = scene.podsNow("job-name=work").filter(isPodActive);
    const recent = asked.filter((_, index) => (asked[index + 1]?.atMs ?? timeMs) >= timeMs - rememberedMs);
    const most = Math.max(...recent.map(({ parallelism }) => parallelism));
    scene.must(active.length <= most, () => `${active.length} Pods are active at once, ${most} asked for`);
    const index = metadata.annotations?.["batch.kubernetes.io/job-completion-index"];
    const alike = active.filter((pod) => pod.metadata.annotations?.["batch.kubernetes.io/job-completion-index"] === index);
    scene.must(index === undefined || alike.length <= 1, () => `${alike.length} Pods are active for index ${index}`);
  });
}

export const job: Law = {
  begin(scene) {
    noneBeside(scene);
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

export const cronJob: Law = {
  begin(scene) {
    scene.onWrite(kinds.jobs, ({ previous, deleted }) => {
      if (deleted || previous !== undefined) return;
      const running = scene.list(kinds.jobs).filter(({ status }) => !isFinished(status?.conditions)).length;
      scene.must(running <= 1, () => `${running} Jobs run at once`);
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

const endOf = ({ status }: Job): number =>
  Date.parse(
    status?.conditions?.find(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True")
      ?.lastTransitionTime ?? "",
  );

/** Jobs that go some time after their end: not before, and with all that is theirs. */
export const finishedJobs: Law = {
  begin(scene) {
    scene.onWrite(kinds.jobs, ({ object, previous, deleted, timeMs }) => {
      const isNew = object.metadata.deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined;
      if (writer(scene) !== "ttl-after-finished-controller" || !(deleted || isNew)) return;
      const ttl = previous?.spec?.ttlSecondsAfterFinished;
      const dueMs = endOf(object) + (ttl ?? Number.NaN) * 1000;
      scene.must(timeMs >= dueMs, () => `${object.metadata.name} goes ${(dueMs - timeMs) / 1000} s early, with a TTL of ${ttl} s`);
    });
    createShort(scene);
  },
  edits: [
    createShort,
    createShort,
    createShort,
    (scene) =>
      scene.patch(kinds.jobs, `short-${scene.between(1, 6)}`, {
        spec: { ttlSecondsAfterFinished: scene.pick([null, 0, 5, 60, 300]) },
      }),
    (scene) => scene.delete(kinds.jobs, `short-${scene.between(1, 6)}`, { propagationPolicy: "Background" }),
    (scene) => deletePod(scene, "app=short"),
  ],
  missing(scene) {
    const problems: string[] = [];
    const jobs = scene.list(kinds.jobs);
    for (const each of jobs) {
      const { metadata, spec } = each;
      wants(problems, !Number.isNaN(endOf(each)), `${metadata.name} is not over`);
      wants(problems, metadata.deletionTimestamp === undefined, `${metadata.name} is still there`);
      const dueMs = endOf(each) + (spec?.ttlSecondsAfterFinished ?? Number.NaN) * 1000;
      // The rest of it comes to its time only while we look.
      wants(problems, Number.isNaN(dueMs), `${metadata.name} goes in ${(dueMs - scene.nowMs) / 1000} s`);
    }
    const known = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const { metadata } of scene.podsNow("app=short"))
      wants(problems, metadata.ownerReferences?.some(({ uid }) => known.has(uid)) === true, `${metadata.name} is left of a Job`);
    return problems;
  },
};

function createShort(scene: Scene): void {
  const ttl = scene.pick([undefined, 0, 5, 60, 300]);
  scene.create(kinds.jobs, {
    metadata: meta(`short-${scene.between(1, 6)}`),
    spec: {
      backoffLimit: scene.pick([0, 100]),
      ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
      template: {
        metadata: { labels: { app: "short" } },
        spec: {
          restartPolicy: "Never",
          terminationGracePeriodSeconds: 1,
          containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", String(scene.between(1, 20))] }],
        },
      },
    },
  });
}
