import { describe, expect, it } from "vitest";
import type { Job, JobSpec, Pod, PodSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { garbageCollector } from "../garbage-collector/garbage-collector.ts";
import { ttlAfterFinishedController } from "../ttl-after-finished/ttl-after-finished-controller.ts";
import { jobController } from "./job-controller.ts";

const namespace = "default";
const key = { namespace, name: "pi" };

function start(spec: Partial<JobSpec> = {}, podSpec: Partial<PodSpec> = {}) {
  const world = startControlPlane({ definitions: [jobController, ttlAfterFinishedController, garbageCollector] });
  const { client, simulation } = world;
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "pi", image: "perl" }], ...podSpec } };
  client.create(kinds.jobs, { metadata: key, spec: { template, ...spec } });
  const wait = (seconds = 3) => simulation.advance(seconds * 1000);
  const pods = () =>
    [...client.list(kinds.pods, { namespace }).items].sort((a, b) =>
      a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1,
    );
  const running = () => pods().filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed");
  const job = () => client.get(kinds.jobs, key);
  /** The Pod's container ends. */
  const end = (pod: Stored<Pod>, phase: "Succeeded" | "Failed", exitCode = phase === "Failed" ? 1 : 0) => {
    const time = formatTime(simulation.nowMs);
    const terminated = { exitCode, reason: phase === "Failed" ? "Error" : "Completed", startedAt: time, finishedAt: time };
    const current = client.get(kinds.pods, { namespace, name: pod.metadata.name });
    const containerStatuses = [{ name: "pi", image: "perl", imageID: "", ready: false, restartCount: 0, state: { terminated } }];
    client.updateStatus(kinds.pods, { ...current, status: { ...current.status, phase, conditions: [], containerStatuses } });
  };
  const conditions = () => (job().status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  const patch = (change: JsonValue) => client.patch(kinds.jobs, key, "merge", change);
  wait();
  return { ...world, wait, pods, running, job, end, conditions, patch };
}

const counts = ({ status }: Stored<Job>) => ({
  active: status?.active ?? 0,
  ready: status?.ready ?? 0,
  succeeded: status?.succeeded ?? 0,
  failed: status?.failed ?? 0,
});

describe("a Job", () => {
  it("[API-284] [WRK-229] [WRK-232] [WRK-233] [WRK-234] runs its Pod to the end", () => {
    const { wait, pods, job, end, conditions, eventsOf } = start();
    const [pod] = pods();
    expect(pod?.metadata.name).toMatch(/^pi-[a-z0-9]{5}$/u);
    expect(pod?.metadata.finalizers).toEqual(["batch.kubernetes.io/job-tracking"]);
    expect(job().status).toEqual({
      active: 1,
      ready: 1,
      terminating: 0,
      startTime: "2026-01-01T00:00:00Z",
      uncountedTerminatedPods: {},
    });
    end(pod as Stored<Pod>, "Succeeded");
    wait();
    expect(counts(job())).toEqual({ active: 0, ready: 0, succeeded: 1, failed: 0 });
    expect(conditions()).toEqual(["SuccessCriteriaMet=True CompletionsReached", "Complete=True CompletionsReached"]);
    expect(job().status?.conditions?.[1]?.message).toBe("Reached expected number of succeeded pods");
    expect(job().status?.completionTime).toBeDefined();
    expect(job().status?.uncountedTerminatedPods).toEqual({});
    expect(pods()[0]?.metadata.finalizers).toBeUndefined();
    expect(eventsOf("Job")).toEqual([`SuccessfulCreate Created pod: ${pod?.metadata.name}`, "Completed Job completed"]);
  });

  it("[WRK-235] [WRK-236] [WRK-238] [WRK-240] tries again, later each time, until the limit", () => {
    const { wait, pods, running, job, end, conditions, eventsOf } = start({ backoffLimit: 2 });
    end(pods()[0] as Stored<Pod>, "Failed");
    wait(9);
    expect(pods()).toHaveLength(1);
    wait(3);
    expect(running()).toHaveLength(1);
    end(running()[0] as Stored<Pod>, "Failed");
    wait(19);
    expect(running()).toHaveLength(0);
    wait(3);
    end(running()[0] as Stored<Pod>, "Failed");
    wait();
    expect(pods()).toHaveLength(3);
    expect(counts(job())).toEqual({ active: 0, ready: 0, succeeded: 0, failed: 3 });
    expect(conditions()).toEqual(["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"]);
    expect(eventsOf("Job").at(-1)).toBe("BackoffLimitExceeded Job has reached the specified backoff limit");
  });

  it("[WRK-237] counts the restarts of a running Pod", () => {
    const { client, wait, pods, conditions } = start({ backoffLimit: 2 }, { restartPolicy: "OnFailure" });
    const pod = pods()[0] as Stored<Pod>;
    const containerStatuses = [{ name: "pi", image: "perl", imageID: "", ready: false, restartCount: 2, state: {} }];
    client.updateStatus(kinds.pods, { ...pod, status: { ...pod.status, containerStatuses } });
    wait();
    expect(conditions()).toEqual(["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"]);
    expect(pods()).toEqual([]);
  });

  it("[WRK-239] ends at its deadline", () => {
    const { wait, pods, job, conditions } = start({ activeDeadlineSeconds: 30 });
    wait(20);
    expect(pods()).toHaveLength(1);
    wait(12);
    expect(pods()).toEqual([]);
    expect(conditions()).toEqual(["FailureTarget=True DeadlineExceeded", "Failed=True DeadlineExceeded"]);
    expect(counts(job())).toEqual({ active: 0, ready: 0, succeeded: 0, failed: 1 });
  });

  it("[WRK-246] [WRK-248] works on as many completions at a time as it may", () => {
    const { wait, pods, running, job, end, patch } = start({ completions: 5, parallelism: 2 });
    expect(running()).toHaveLength(2);
    for (const pod of running()) end(pod, "Succeeded");
    wait();
    expect(running()).toHaveLength(2);
    patch({ spec: { parallelism: 5 } });
    wait();
    expect(running()).toHaveLength(3);
    patch({ spec: { parallelism: 0 } });
    wait();
    expect(running()).toHaveLength(0);
    patch({ spec: { parallelism: 5 } });
    wait();
    for (const pod of running()) end(pod, "Succeeded");
    wait();
    expect(counts(job())).toEqual({ active: 0, ready: 0, succeeded: 5, failed: 0 });
    expect(pods()).toHaveLength(5);
  });

  it("[WRK-247] as a work queue makes no Pods after the first success", () => {
    const { wait, pods, running, job, end } = start({ parallelism: 3 });
    end(running()[0] as Stored<Pod>, "Succeeded");
    wait();
    expect(counts(job())).toEqual({ active: 2, ready: 2, succeeded: 1, failed: 0 });
    for (const pod of running()) end(pod, "Succeeded");
    wait();
    expect(pods()).toHaveLength(3);
    expect(job().status?.conditions?.at(-1)?.type).toBe("Complete");
  });

  it("[WRK-249] pauses and goes on", () => {
    const { wait, pods, job, conditions, eventsOf, patch } = start();
    patch({ spec: { suspend: true } });
    wait();
    expect(pods()).toEqual([]);
    expect(conditions()).toEqual(["Suspended=True JobSuspended"]);
    expect(counts(job())).toEqual({ active: 0, ready: 0, succeeded: 0, failed: 0 });
    // It begins anew when it goes on, and a number of 0 is not sent.
    expect(Object.keys(job().status ?? {})).not.toEqual(expect.arrayContaining(["startTime"]));
    expect(Object.keys(job().status ?? {})).not.toEqual(expect.arrayContaining(["active"]));
    patch({ spec: { suspend: false } });
    wait();
    expect(pods()).toHaveLength(1);
    expect(conditions()).toEqual(["Suspended=False JobResumed"]);
    expect(eventsOf("Job").filter((event) => /^(?:Suspended|Resumed)/u.test(event))).toEqual([
      "Suspended Job suspended",
      "Resumed Job resumed",
    ]);
  });

  it("[WRK-243] replaces a Pod that was deleted by hand", () => {
    const { client, wait, pods, job } = start();
    const name = pods()[0]?.metadata.name as string;
    client.delete(kinds.pods, { namespace, name });
    wait(15);
    expect(pods()).toHaveLength(1);
    expect(pods()[0]?.metadata.name).not.toBe(name);
    expect(counts(job())).toEqual({ active: 1, ready: 1, succeeded: 0, failed: 1 });
  });

  it.each([
    ["at once", undefined, 2],
    ["once it has ended, when it is told to wait for that", "Failed", 1],
  ])("[POD-274] replaces a Pod that is being deleted %s", (_when, podReplacementPolicy, meanwhile) => {
    const { client, kubelet, wait, pods, end } = start(podReplacementPolicy === undefined ? {} : { podReplacementPolicy });
    kubelet.stopAfterMs = 30_000;
    const [leaving] = pods() as [Stored<Pod>];
    client.delete(kinds.pods, { namespace, name: leaving.metadata.name });
    wait(25);
    expect(pods()).toHaveLength(meanwhile);
    end(leaving, "Failed", 143);
    wait(30);
    expect(pods().map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined]);
  });

  it("[API-177] [WRK-301] takes its Pods along when it is deleted, whatever their labels", () => {
    const { client, wait, pods } = start({ completions: 2, parallelism: 2 });
    client.delete(kinds.jobs, key, { propagationPolicy: "Background" });
    wait(5);
    expect(pods()).toEqual([]);
  });

  it("[WRK-254] adopts and counts Pods that its own selector names", () => {
    const labels = { app: "old" };
    const world = startControlPlane({ definitions: [jobController] });
    const { client, simulation } = world;
    const spec = { restartPolicy: "Never", containers: [{ name: "c", image: "perl" }] };
    client.create(kinds.pods, { metadata: { namespace, name: "orphan", labels }, spec });
    client.create(kinds.jobs, {
      metadata: key,
      spec: { manualSelector: true, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    simulation.advance(3_000);
    const [pod, ...others] = client.list(kinds.pods, { namespace }).items;
    expect(others).toEqual([]);
    expect(pod?.metadata.ownerReferences?.[0]?.name).toBe("pi");
    expect(pod?.metadata.finalizers).toEqual(["batch.kubernetes.io/job-tracking"]);
  });
});

describe("an Indexed Job", () => {
  const indexed: Partial<JobSpec> = { completionMode: "Indexed", completions: 3, parallelism: 3 };
  const indexOf = (pod: Stored<Pod>): string => pod.metadata.annotations?.["batch.kubernetes.io/job-completion-index"] ?? "";

  it("[WRK-250] gives each Pod its index and lists those that are done", () => {
    const { wait, pods, job, end } = start(indexed);
    expect(pods().map(indexOf).sort()).toEqual(["0", "1", "2"]);
    const one = pods().find((pod) => indexOf(pod) === "1") as Stored<Pod>;
    expect(one.metadata.name).toMatch(/^pi-1-[a-z0-9]{5}$/u);
    expect(one.metadata.labels?.["batch.kubernetes.io/job-completion-index"]).toBe("1");
    expect(one.spec?.hostname).toBe("pi-1");
    expect(one.spec?.containers[0]?.env?.[0]?.name).toBe("JOB_COMPLETION_INDEX");
    for (const pod of pods().filter((each) => indexOf(each) !== "1")) end(pod, "Succeeded");
    wait();
    expect(job().status?.completedIndexes).toBe("0,2");
    end(one, "Succeeded");
    wait();
    expect(job().status).toMatchObject({ completedIndexes: "0-2", succeeded: 3 });
  });

  it("gives up an index after its own limit and finishes the others", () => {
    const { wait, running, job, end, conditions } = start({ ...indexed, backoffLimitPerIndex: 1 });
    const take = (index: string) => running().find((pod) => indexOf(pod) === index) as Stored<Pod>;
    end(take("0"), "Succeeded");
    end(take("1"), "Failed");
    end(take("2"), "Succeeded");
    wait(14);
    expect(take("1").metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"]).toBe("1");
    end(take("1"), "Failed");
    wait();
    expect(job().status).toMatchObject({ completedIndexes: "0,2", failedIndexes: "1", failed: 2, succeeded: 2 });
    expect(conditions()).toEqual(["FailureTarget=True FailedIndexes", "Failed=True FailedIndexes"]);
  });

  it("succeeds as its success policy says", () => {
    const { wait, pods, running, end, conditions } = start({ ...indexed, successPolicy: { rules: [{ succeededIndexes: "0" }] } });
    end(pods().find((pod) => indexOf(pod) === "0") as Stored<Pod>, "Succeeded");
    wait(5);
    expect(running()).toEqual([]);
    expect(conditions()).toEqual(["SuccessCriteriaMet=True SuccessPolicy", "Complete=True SuccessPolicy"]);
  });
});

describe("the failure policy", () => {
  it("ends the Job at once, or forgives", () => {
    const podFailurePolicy = {
      rules: [
        { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      ],
    };
    const { client, wait, pods, running, job, end, conditions } = start({ backoffLimit: 0, podFailurePolicy });
    const first = pods()[0] as Stored<Pod>;
    end(first, "Failed", 143);
    const ended = client.get(kinds.pods, { namespace, name: first.metadata.name });
    const disrupted = [{ type: "DisruptionTarget", status: "True", lastTransitionTime: formatTime(0) }];
    client.updateStatus(kinds.pods, { ...ended, status: { ...ended.status, conditions: disrupted } });
    wait(15);
    expect(job().status?.failed).toBeUndefined();
    const second = running()[0] as Stored<Pod>;
    end(second, "Failed", 42);
    wait();
    expect(conditions()).toEqual(["FailureTarget=True PodFailurePolicy", "Failed=True PodFailurePolicy"]);
    expect(job().status?.conditions?.[1]?.message).toBe(
      `Container pi for pod default/${second.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });
});

describe("ttlSecondsAfterFinished", () => {
  it("[API-183] [WRK-260] deletes the Job and its Pods some time after the end", () => {
    const { client, wait, pods, end } = start({ ttlSecondsAfterFinished: 30 });
    end(pods()[0] as Stored<Pod>, "Succeeded");
    wait(20);
    expect(client.list(kinds.jobs).items).toHaveLength(1);
    wait(20);
    expect(client.list(kinds.jobs).items).toEqual([]);
    expect(pods()).toEqual([]);
  });

  it("[WRK-261] [WRK-263] counts for a Job that ended before", () => {
    const { client, wait, pods, end, patch } = start();
    end(pods()[0] as Stored<Pod>, "Succeeded");
    wait(60);
    expect(client.list(kinds.jobs).items).toHaveLength(1);
    patch({ spec: { ttlSecondsAfterFinished: 0 } });
    wait();
    expect(client.list(kinds.jobs).items).toEqual([]);
  });

  it("[WRK-264] can be extended in time", () => {
    const { client, wait, pods, end, patch } = start({ ttlSecondsAfterFinished: 30 });
    end(pods()[0] as Stored<Pod>, "Succeeded");
    wait(20);
    patch({ spec: { ttlSecondsAfterFinished: 300 } });
    wait(60);
    expect(client.list(kinds.jobs).items).toHaveLength(1);
  });

  it("[WRK-262] waits for the Job's finalizers", () => {
    const { client, wait, pods, job, end, patch } = start({ ttlSecondsAfterFinished: 10 });
    patch({ metadata: { finalizers: ["example.com/hold"] } });
    end(pods()[0] as Stored<Pod>, "Succeeded");
    wait(30);
    expect(job().metadata.deletionTimestamp).toBeDefined();
    expect(job().metadata.finalizers).toEqual(["example.com/hold"]);
    expect(pods()).toEqual([]);
    patch({ metadata: { finalizers: null } });
    wait();
    expect(client.list(kinds.jobs).items).toEqual([]);
  });

  it("[WRK-265] counts from the time that the Job's own condition states, by the controller's clock", () => {
    const { client, simulation, wait, pods, job, end } = start({ ttlSecondsAfterFinished: 600 });
    end(pods()[0] as Stored<Pod>, "Succeeded");
    wait(60);
    const ended = job();
    const earlier = formatTime(simulation.nowMs - 590_000);
    const conditions = ended.status?.conditions?.map((one) => ({ ...one, lastTransitionTime: earlier })) ?? [];
    client.updateStatus(kinds.jobs, { ...ended, status: { ...ended.status, conditions } });
    wait(5);
    expect(client.list(kinds.jobs).items).toHaveLength(1);
    wait(10);
    expect(client.list(kinds.jobs).items).toEqual([]);
  });
});
