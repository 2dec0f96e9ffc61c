import { describe, expect, it } from "vitest";
import { builtInControllers } from "./built-in-controllers.ts";
import { managerFlags } from "./command-line.ts";
import { controllerNames } from "./controller-names.ts";
import { usualAutoscaling } from "./podautoscaler/autoscaling-settings.ts";
import { usualTuning } from "./tuning.ts";

const read = (...flags: readonly string[]) => managerFlags(["kube-controller-manager", ...flags]);

describe("the controller manager's command line", () => {
  it("has defaults", () => {
    expect(read()).toEqual({
      controllers: ["*"],
      clusterCidr: undefined,
      terminatedPodThreshold: 12_500,
      nodeGraceMs: 50_000,
      evictionRates: { normal: 0.1, secondary: 0.01, unhealthyShare: 0.55, largeZoneNodes: 50 },
      signingMs: 365 * 86_400_000,
      autoscaling: usualAutoscaling,
      tuning: usualTuning,
      useServiceAccountCredentials: false,
      given: new Map(),
    });
  });

  it("takes durations", () => {
    expect(read("--cluster-signing-duration=1h", "--node-monitor-grace-period=20s")).toMatchObject({
      signingMs: 3_600_000,
      nodeGraceMs: 20_000,
    });
  });

  it("takes accounts of the controllers' own", () => {
    expect(read("--use-service-account-credentials").useServiceAccountCredentials).toBe(true);
    expect(read("--use-service-account-credentials=F").useServiceAccountCredentials).toBe(false);
    expect(() => read("--use-service-account-credentials=yes")).toThrow(
      'invalid argument "yes" for "--use-service-account-credentials" flag: strconv.ParseBool: parsing "yes": invalid syntax',
    );
  });

  it("takes the pace of evictions", () => {
    const flags =
      "--node-eviction-rate=0.5 --secondary-node-eviction-rate=0 --unhealthy-zone-threshold=.7 --large-cluster-size-threshold=3";
    expect(read(...flags.split(" ")).evictionRates).toEqual({ normal: 0.5, secondary: 0, unhealthyShare: 0.7, largeZoneNodes: 3 });
  });

  it("takes what autoscalers go by", () => {
    expect(
      read("--horizontal-pod-autoscaler-tolerance=0.25", "--horizontal-pod-autoscaler-downscale-stabilization=1m").autoscaling,
    ).toEqual({
      ...usualAutoscaling,
      tolerance: 0.25,
      downscaleStabilizationMs: 60_000,
    });
  });

  it("[WRK-005] takes numbers of workers; each controller has its own by default", () => {
    const workers = (...flags: readonly string[]) => Object.fromEntries(read(...flags).tuning.workers);
    const five = "cronjob deployment endpoints endpointslice horizontal-pod-autoscaler job replicaset statefulset".split(" ");
    const usual = Object.fromEntries([...five.map((name) => [name, 5]), ["daemonset", 2]]);
    expect(workers()).toMatchObject({
      ...usual,
      replicationcontroller: 5,
      resourcequota: 5,
      "ttl-after-finished": 5,
      "garbage-collector": 20,
      namespace: 10,
    });
    expect(workers("--v=0")).toEqual(workers());
    expect(workers("--concurrent-deployment-syncs=1", "--concurrent_rc_syncs", "7")).toEqual({
      ...workers(),
      deployment: 1,
      replicationcontroller: 7,
    });
  });

  it("takes how many endpoints a slice has, how often quotas are counted, and how much is logged", () => {
    expect(read("--max-endpoints-per-slice=3", "--resource-quota-sync-period=30s", "--v=4").tuning).toEqual({
      ...usualTuning,
      workers: expect.any(Map),
      maxEndpointsPerSlice: 3,
      quotaSyncMs: 30_000,
      verbosity: 4,
    });
  });

  it("[API-277] takes names of controllers, also those of old", () => {
    expect(read("--controllers=*,-replicaset", "--controllers", "tokencleaner,job-controller").controllers).toEqual([
      "*",
      "-replicaset-controller",
      "token-cleaner-controller",
      "job-controller",
    ]);
  });

  it("[API-179] takes values after an equals sign and as the next word, the last one wins", () => {
    expect(
      read("--leader-elect", "--terminated-pod-gc-threshold", "5", "--terminated-pod-gc-threshold=7", "--cluster_cidr=10.0.0.0/8"),
    ).toMatchObject({ controllers: ["*"], clusterCidr: "10.0.0.0/8", terminatedPodThreshold: 7 });
  });

  it.each([
    ["--pod-eviction-timeout=5m", "unknown flag: --pod-eviction-timeout", false],
    ["--enable-taint-manager=false", "unknown flag: --enable-taint-manager", false],
    ["--controllers", "flag needs an argument: --controllers", false],
    [
      "--terminated-pod-gc-threshold=many",
      'invalid argument "many" for "--terminated-pod-gc-threshold" flag: strconv.ParseInt: parsing "many": invalid syntax',
      false,
    ],
    [
      "--node-monitor-grace-period=soon",
      'invalid argument "soon" for "--node-monitor-grace-period" flag: time: invalid duration "soon"',
      false,
    ],
    [
      "--node-eviction-rate=fast",
      'invalid argument "fast" for "--node-eviction-rate" flag: strconv.ParseFloat: parsing "fast": invalid syntax',
      false,
    ],
    [
      "--large-cluster-size-threshold=0.5",
      'invalid argument "0.5" for "--large-cluster-size-threshold" flag: strconv.ParseInt: parsing "0.5": invalid syntax',
      false,
    ],
    [
      "--horizontal-pod-autoscaler-sync-period=now",
      'invalid argument "now" for "--horizontal-pod-autoscaler-sync-period" flag: time: invalid duration "now"',
      false,
    ],
    [
      "--horizontal-pod-autoscaler-tolerance=some",
      'invalid argument "some" for "--horizontal-pod-autoscaler-tolerance" flag: strconv.ParseFloat: parsing "some": invalid syntax',
      false,
    ],
    [
      "--concurrent-endpoint-syncs=some",
      'invalid argument "some" for "--concurrent-endpoint-syncs" flag: strconv.ParseInt: parsing "some": invalid syntax',
      false,
    ],
    ["--max-endpoints-per-slice=1001", "max-endpoints-per-slice must not be more than 1000, but got 1001", true],
    ["--concurrent-job-syncs=0", "concurrent-job-syncs must be greater than 0, but got 0", true],
    ["--controllers=*,-nobody", '"nobody" is not in the list of known controllers', true],
  ])("[API-255] refuses %s", (flag, message, logged) => {
    expect(() => read(flag)).toThrow(expect.objectContaining({ message, logged }));
  });

  it("knows all controllers that there are", () => {
    const names = builtInControllers({}).map(({ name }) => name);
    expect(names.filter((name) => !controllerNames.has(name))).toEqual([]);
  });
});
