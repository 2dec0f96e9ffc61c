import { describe, expect, it } from "vitest";
import type { CronJobSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { garbageCollector } from "../garbage-collector/garbage-collector.ts";
import { cronJobController } from "./cronjob-controller.ts";

const namespace = "default";
const key = { namespace, name: "hello" };
/** Minutes since 1970 at the start of the tests. */
const first = 29_453_760;

/** A CronJob of every minute in a world that begins at midnight; Jobs end when told to. */
function start(spec: Partial<CronJobSpec> = {}) {
  const world = startControlPlane({ definitions: [cronJobController, garbageCollector], nodes: [] });
  const { client, simulation } = world;
  simulation.advance(1_000);
  const template = { spec: { restartPolicy: "OnFailure", containers: [{ name: "hello", image: "busybox" }] } };
  client.create(kinds.cronJobs, { metadata: key, spec: { schedule: "* * * * *", jobTemplate: { spec: { template } }, ...spec } });
  const wait = (seconds: number) => simulation.advance(seconds * 1000);
  const jobs = () => client.list(kinds.jobs).items.map(({ metadata }) => metadata.name);
  const status = () => client.get(kinds.cronJobs, key).status;
  const end = (name: string, type: "Complete" | "Failed") => {
    const job = client.get(kinds.jobs, { namespace, name });
    const time = formatTime(simulation.nowMs);
    const interim = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    const conditions = [interim, type].map((one) => ({ type: one, status: "True", lastTransitionTime: time, lastProbeTime: time }));
    const ended = type === "Complete" ? { completionTime: time, succeeded: 1 } : { failed: 1 };
    client.updateStatus(kinds.jobs, { ...job, status: { startTime: job.metadata.creationTimestamp, conditions, ...ended } });
  };
  const patch = (change: JsonValue) => client.patch(kinds.cronJobs, key, "merge", change);
  return { ...world, wait, jobs, status, end, patch };
}

describe("a CronJob", () => {
  it("[WRK-266] [WRK-267] [WRK-268] [WRK-269] makes a Job when the time has come", () => {
    const { client, wait, jobs, status, end, eventsOf } = start();
    wait(50);
    expect(jobs()).toEqual([]);
    wait(10);
    const name = `hello-${first + 1}`;
    expect(jobs()).toEqual([name]);
    const { metadata } = client.get(kinds.jobs, { namespace, name });
    expect(metadata.ownerReferences).toMatchObject([{ kind: "CronJob", name: "hello", controller: true }]);
    expect(metadata.annotations).toEqual({ "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:01:00Z" });
    expect(status()).toMatchObject({ active: [{ kind: "Job", name }], lastScheduleTime: "2026-01-01T00:01:00Z" });
    end(name, "Complete");
    wait(1);
    expect(status()).toEqual({ lastScheduleTime: "2026-01-01T00:01:00Z", lastSuccessfulTime: "2026-01-01T00:01:01Z" });
    expect(eventsOf("CronJob")).toEqual([
      `SuccessfulCreate Created job ${name}`,
      `SawCompletedJob Saw completed job: ${name}, condition: Complete`,
    ]);
  });

  it("[WRK-270] lets Jobs overlap, or starts none, or replaces the one that runs", () => {
    const allow = start();
    allow.wait(125);
    expect(allow.jobs()).toHaveLength(2);
    const forbid = start({ concurrencyPolicy: "Forbid" });
    forbid.wait(125);
    expect(forbid.jobs()).toEqual([`hello-${first + 1}`]);
    expect(forbid.eventsOf("CronJob").at(-1)).toBe(
      "JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid",
    );
    const replace = start({ concurrencyPolicy: "Replace" });
    replace.wait(125);
    expect(replace.jobs()).toEqual([`hello-${first + 2}`]);
  });

  it("[WRK-271] starts the newest missed time when the Job before has ended", () => {
    const { wait, jobs, end } = start({ concurrencyPolicy: "Forbid" });
    wait(140);
    end(`hello-${first + 1}`, "Complete");
    wait(1);
    expect(jobs()).toEqual([`hello-${first + 1}`, `hello-${first + 2}`]);
  });

  it("[WRK-272] [WRK-277] makes one Job for all the times that a pause has missed", () => {
    const { wait, jobs, patch } = start({ suspend: true });
    wait(600);
    expect(jobs()).toEqual([]);
    patch({ spec: { suspend: false } });
    wait(1);
    expect(jobs()).toEqual([`hello-${first + 10}`]);
  });

  it("[WRK-274] [WRK-276] lets go of a time that is too long ago", () => {
    const { wait, jobs, patch } = start({ suspend: true, startingDeadlineSeconds: 10 });
    wait(100);
    patch({ spec: { suspend: false } });
    wait(1);
    expect(jobs()).toEqual([]);
    wait(20);
    expect(jobs()).toEqual([`hello-${first + 2}`]);
  });

  it("[WRK-273] keeps as many Jobs of each kind as it was told", () => {
    const { wait, jobs, end } = start({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 });
    for (let minute = 1; minute <= 6; minute += 1) {
      wait(60);
      end(`hello-${first + minute}`, minute % 3 === 0 ? "Failed" : "Complete");
      wait(0.1);
    }
    wait(1);
    expect(jobs()).toEqual([`hello-${first + 4}`, `hello-${first + 5}`, `hello-${first + 6}`]);
  });

  it("[WRK-275] says when more than a hundred times were missed", () => {
    const { wait, jobs, patch, eventsOf } = start({ suspend: true });
    wait(101 * 60);
    patch({ spec: { suspend: false } });
    wait(1);
    expect(jobs()).toHaveLength(1);
    expect(eventsOf("CronJob")[0]).toBe(
      "TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
    );
  });

  it("[WRK-282] takes a changed template for the next Job and a changed schedule for the next time", () => {
    const { client, wait, jobs, patch } = start();
    const imageOf = (minute: number) =>
      client.get(kinds.jobs, { namespace, name: `hello-${first + minute}` }).spec?.template.spec?.containers[0]?.image;
    wait(60);
    const containers = [{ name: "hello", image: "busybox:1.37" }];
    patch({ spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } });
    wait(60);
    expect([imageOf(1), imageOf(2)]).toEqual(["busybox", "busybox:1.37"]);
    patch({ spec: { schedule: "*/5 * * * *" } });
    wait(120);
    expect(jobs()).toEqual([`hello-${first + 1}`, `hello-${first + 2}`]);
    wait(60);
    expect(jobs()).toContain(`hello-${first + 5}`);
  });

  it("[WRK-281] [WRK-283] notices a Job that was deleted, and takes its own along", () => {
    const { client, wait, jobs, status, eventsOf } = start();
    wait(60);
    client.delete(kinds.jobs, { namespace, name: `hello-${first + 1}` }, { propagationPolicy: "Background" });
    wait(1);
    expect(status()?.active).toBeUndefined();
    expect(eventsOf("CronJob").at(-1)).toBe(`MissingJob Active job went missing: hello-${first + 1}`);
    wait(60);
    expect(jobs()).toHaveLength(1);
    client.delete(kinds.cronJobs, key, { propagationPolicy: "Background" });
    wait(2);
    expect(jobs()).toEqual([]);
  });
});
