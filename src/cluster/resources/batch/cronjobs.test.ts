import { describe, expect, it } from "vitest";
import { created, createFaults, type Draft, shown, updateFaults } from "../strategy.test-kit.ts";
import { cronJobs } from "./cronjobs.ts";

const jobTemplate = {
  spec: { template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "hello", image: "busybox:1.28" }] } } },
};

function draft(spec: object = {}, metadata: object = {}): Draft {
  return { metadata: { name: "hello", ...metadata }, spec: { schedule: "*/5 * * * *", jobTemplate, ...spec } };
}

const zoneInSchedule = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";

describe("CronJobs", () => {
  it("run side by side and keep three jobs that ended well, one that failed", () => {
    expect(created(cronJobs, draft())["spec"]).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { template: { spec: { dnsPolicy: "ClusterFirst" } } } },
    });
  });

  it.each<[string, string | undefined]>([
    ["* * * * *", undefined],
    ["0 0 1 jan sun", undefined],
    ["*/15 2-4,6 1,15 * ?", undefined],
    ["5/15 * * * *", undefined],
    ["@hourly", undefined],
    ["@every 1h30m", undefined],
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["* 5-3 * * *", "beginning of range (5) beyond end of range (3): 5-3"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ["* * * foo *", 'failed to parse int from foo: strconv.Atoi: parsing "foo": invalid syntax'],
    ["@often", "unrecognized descriptor: @often"],
    ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
  ])("[WRK-278] on %s: %s", (schedule, fault) => {
    const faults = fault === undefined ? [] : [`spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${fault}`];
    expect(createFaults(cronJobs, draft({ schedule }))).toEqual(faults);
  });

  it.each<[string, object, readonly string[]]>([
    ["no schedule", { schedule: "" }, ["spec.schedule: Required value"]],
    [
      "[WRK-278] a zone in the schedule",
      { schedule: "CRON_TZ=Europe/Paris 0 * * * *" },
      [`spec.schedule: Invalid value: "CRON_TZ=Europe/Paris 0 * * * *": ${zoneInSchedule}`],
    ],
    [
      "[WRK-278] a bad zone in the schedule",
      { schedule: "TZ=Mars/Base 0 * * * *" },
      [
        'spec.schedule: Invalid value: "TZ=Mars/Base 0 * * * *": provided bad location Mars/Base: unknown time zone Mars/Base',
        `spec.schedule: Invalid value: "TZ=Mars/Base 0 * * * *": ${zoneInSchedule}`,
      ],
    ],
    ["a zone", { timeZone: "Asia/Tokyo" }, []],
    ["the zone of zones", { timeZone: "Etc/UTC" }, []],
    [
      "[WRK-278] a zone that nobody knows",
      { timeZone: "Mars/Base" },
      ['spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base'],
    ],
    [
      "[WRK-278] a zone in the wrong letters",
      { timeZone: "europe/paris" },
      ['spec.timeZone: Invalid value: "europe/paris": unknown time zone europe/paris'],
    ],
    ["an offset", { timeZone: "+01" }, ['spec.timeZone: Invalid value: "+01": unknown time zone +01']],
    ["no zone at all", { timeZone: "" }, ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string']],
    [
      "the zone of the place",
      { timeZone: "Local" },
      [
        'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
    ],
    [
      "a policy that nobody knows, and numbers below 0",
      { startingDeadlineSeconds: -1, concurrencyPolicy: "Queue", successfulJobsHistoryLimit: -2, failedJobsHistoryLimit: -3 },
      [
        "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
        'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
        "spec.successfulJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0",
        "spec.failedJobsHistoryLimit: Invalid value: -3: must be greater than or equal to 0",
      ],
    ],
    [
      "jobs that select for themselves, and never end",
      {
        jobTemplate: {
          spec: { selector: {}, manualSelector: true, template: { spec: { containers: [{ name: "hello", image: "busybox" }] } } },
        },
      },
      [
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
        "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(cronJobs, draft(spec))).toEqual(faults);
  });

  it("[WRK-279] with a name that leaves no room for the time", () => {
    const name = "a".repeat(53);
    expect(createFaults(cronJobs, draft({}, { name }))).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ]);
    expect(createFaults(cronJobs, draft({}, { name: name.slice(1) }))).toEqual([]);
    expect(updateFaults(cronJobs, draft({}, { name }), draft({ suspend: true }, { name }))).toEqual([]);
  });

  it("may keep a zone in the schedule that they had, but not beside another", () => {
    const before = draft({ schedule: "TZ=Europe/Paris 0 * * * *" });
    expect(updateFaults(cronJobs, before, draft({ schedule: "TZ=Europe/Paris 1 * * * *" }))).toEqual([]);
    expect(updateFaults(cronJobs, before, draft({ schedule: "TZ=Europe/Paris 1 * * * *", timeZone: "Etc/UTC" }))).toEqual([
      'spec.schedule: Invalid value: "TZ=Europe/Paris 1 * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    ]);
    const [old, next] = [created(cronJobs, before), created(cronJobs, draft({ schedule: "TZ=Europe/Paris 1 * * * *" }))];
    expect(cronJobs.warnings?.(next, old)).toEqual([
      "CRON_TZ or TZ used in spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
    ]);
  });

  it("[WRK-280] show when they run, and ran", () => {
    const cronJob = { ...draft({ suspend: false }), status: { active: [{ name: "a" }], lastScheduleTime: "2026-01-01T00:09:20Z" } };
    expect(shown(cronJobs, cronJob)).toEqual([
      ["NAME", "hello"],
      ["SCHEDULE", "*/5 * * * *"],
      ["TIMEZONE", "<none>"],
      ["SUSPEND", "False"],
      ["ACTIVE", 1],
      ["LAST SCHEDULE", "40s"],
      ["AGE", "10m"],
    ]);
    expect(shown(cronJobs, draft({ timeZone: "Asia/Tokyo", suspend: true }), { wide: true }).slice(2)).toEqual([
      ["TIMEZONE", "Asia/Tokyo"],
      ["SUSPEND", "True"],
      ["ACTIVE", 0],
      ["LAST SCHEDULE", "<none>"],
      ["AGE", "10m"],
      ["CONTAINERS", "hello"],
      ["IMAGES", "busybox:1.28"],
      ["SELECTOR", "<none>"],
    ]);
  });
});
