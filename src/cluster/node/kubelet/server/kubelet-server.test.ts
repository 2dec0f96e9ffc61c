// Health, pods, /metrics/resource, /stats/summary, and who may ask; other paths are in answers.test.ts. Expected texts: pkg/kubelet/server/server.go, auth.go, pkg/kubelet/metrics/collectors/resource_metrics.go.

import { beforeAll, describe, expect, it } from "vitest";
import { clusterRoleBindings, clusterRoles } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { startedCluster } from "../kubelet.test-kit.ts";
import type { StoredPod } from "../pod-spec.ts";
import { subresourcesOf } from "./access.ts";
import { goFloat } from "./resource-metrics.ts";
import { administrator, asAdministrator, authority, certificate, clusterWithPods, get, tokenOf } from "./server.test-kit.ts";

function allowMetrics(cluster: SmallCluster, account: string): void {
  const apiGroup = "rbac.authorization.k8s.io";
  cluster.client.create(clusterRoles, {
    metadata: { name: "metrics" },
    rules: [{ apiGroups: [""], resources: ["nodes/metrics"], verbs: ["get"] }],
  });
  cluster.client.create(clusterRoleBindings, {
    metadata: { name: "metrics" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "metrics" },
    subjects: [{ kind: "ServiceAccount", name: account, namespace: "default" }],
  });
}

describe("the kubelet's port 10250", () => {
  let cluster: SmallCluster;
  beforeAll(() => {
    cluster = clusterWithPods();
  });

  it("tells at /metrics/resource what the node and its containers use", () => {
    expect(asAdministrator(cluster, "/metrics/resource")).toMatchInlineSnapshot(`
      "200 # HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds
      # TYPE container_cpu_usage_seconds_total counter
      container_cpu_usage_seconds_total{container="idle",namespace="default",pod="busy"} 0.02 1767225660000
      container_cpu_usage_seconds_total{container="work",namespace="default",pod="busy"} 0.363962 1767225660000
      # HELP container_memory_working_set_bytes [STABLE] Current working set of the container in bytes
      # TYPE container_memory_working_set_bytes gauge
      container_memory_working_set_bytes{container="idle",namespace="default",pod="busy"} 2.097152e+06 1767225660000
      container_memory_working_set_bytes{container="work",namespace="default",pod="busy"} 2.5165824e+07 1767225660000
      # HELP container_start_time_seconds [STABLE] Start time of the container since unix epoch in seconds
      # TYPE container_start_time_seconds gauge
      container_start_time_seconds{container="idle",namespace="default",pod="busy"} 1.767225602727e+09
      container_start_time_seconds{container="work",namespace="default",pod="busy"} 1.767225602589e+09
      # HELP container_swap_limit_bytes [ALPHA] Current amount of the container swap limit in bytes. Reported only on non-windows systems
      # TYPE container_swap_limit_bytes gauge
      container_swap_limit_bytes{container="idle",namespace="default",pod="busy"} 0 1767225660000
      container_swap_limit_bytes{container="work",namespace="default",pod="busy"} 0 1767225660000
      # HELP container_swap_usage_bytes [ALPHA] Current amount of the container swap usage in bytes. Reported only on non-windows systems
      # TYPE container_swap_usage_bytes gauge
      container_swap_usage_bytes{container="idle",namespace="default",pod="busy"} 0 1767225660000
      container_swap_usage_bytes{container="work",namespace="default",pod="busy"} 0 1767225660000
      # HELP node_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the node in core-seconds
      # TYPE node_cpu_usage_seconds_total counter
      node_cpu_usage_seconds_total 3.103962 1767225660000
      # HELP node_memory_working_set_bytes [STABLE] Current working set of the node in bytes
      # TYPE node_memory_working_set_bytes gauge
      node_memory_working_set_bytes 3.52321536e+08 1767225660000
      # HELP node_swap_usage_bytes [ALPHA] Current swap usage of the node in bytes. Reported only on non-windows systems
      # TYPE node_swap_usage_bytes gauge
      node_swap_usage_bytes 0 1767225660000
      # HELP pod_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the pod in core-seconds
      # TYPE pod_cpu_usage_seconds_total counter
      pod_cpu_usage_seconds_total{namespace="default",pod="busy"} 0.383962 1767225660000
      # HELP pod_memory_working_set_bytes [STABLE] Current working set of the pod in bytes
      # TYPE pod_memory_working_set_bytes gauge
      pod_memory_working_set_bytes{namespace="default",pod="busy"} 2.7262976e+07 1767225660000
      # HELP pod_swap_usage_bytes [ALPHA] Current amount of the pod swap usage in bytes. Reported only on non-windows systems
      # TYPE pod_swap_usage_bytes gauge
      pod_swap_usage_bytes{namespace="default",pod="busy"} 0 1767225660000
      # HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise
      # TYPE resource_scrape_error gauge
      resource_scrape_error 0
      "
    `);
  });

  it("[POD-612] tells the same as JSON at /stats/summary, with what lies on the disk", () => {
    expect(asAdministrator(cluster, "/stats/summary")).toMatchInlineSnapshot(`
      "200 {
       "node": {
        "nodeName": "node-1",
        "startTime": "2026-01-01T00:00:00Z",
        "cpu": {
         "time": "2026-01-01T00:01:00Z",
         "usageNanoCores": 51000000,
         "usageCoreNanoSeconds": 3103962000
        },
        "memory": {
         "time": "2026-01-01T00:01:00Z",
         "availableBytes": 3942645760,
         "usageBytes": 352321536,
         "workingSetBytes": 352321536,
         "rssBytes": 352321536
        },
        "fs": {
         "time": "2026-01-01T00:01:00Z",
         "availableBytes": 21382824804,
         "capacityBytes": 21474836480,
         "usedBytes": 92011676,
         "inodesFree": 1310713,
         "inodes": 1310720,
         "inodesUsed": 7
        },
        "runtime": {
         "imageFs": {
          "time": "2026-01-01T00:01:00Z",
          "availableBytes": 21382824804,
          "capacityBytes": 21474836480,
          "usedBytes": 92010703,
          "inodesFree": 1310713,
          "inodes": 1310720
         },
         "containerFs": {
          "time": "2026-01-01T00:01:00Z",
          "availableBytes": 21382824804,
          "capacityBytes": 21474836480,
          "usedBytes": 92010703,
          "inodesFree": 1310713,
          "inodes": 1310720
         }
        },
        "rlimit": {
         "time": "2026-01-01T00:01:00Z",
         "maxpid": 32768,
         "curproc": 3
        },
        "swap": {
         "time": "2026-01-01T00:01:00Z",
         "swapUsageBytes": 0
        }
       },
       "pods": [
        {
         "podRef": {
          "name": "busy",
          "namespace": "default",
          "uid": "af2793ed-69fb-44c3-b3f6-db5f59d0ce4f"
         },
         "startTime": "2026-01-01T00:00:01Z",
         "containers": [
          {
           "name": "idle",
           "startTime": "2026-01-01T00:00:02Z",
           "cpu": {
            "time": "2026-01-01T00:01:00Z",
            "usageNanoCores": 0,
            "usageCoreNanoSeconds": 20000000
           },
           "memory": {
            "time": "2026-01-01T00:01:00Z",
            "usageBytes": 2097152,
            "workingSetBytes": 2097152,
            "rssBytes": 2097152
           },
           "rootfs": {
            "time": "2026-01-01T00:01:00Z",
            "availableBytes": 21382824804,
            "capacityBytes": 21474836480,
            "usedBytes": 0,
            "inodesFree": 1310713,
            "inodes": 1310720,
            "inodesUsed": 1
           },
           "logs": {
            "time": "2026-01-01T00:01:00Z",
            "availableBytes": 21382824804,
            "capacityBytes": 21474836480,
            "usedBytes": 4096,
            "inodesFree": 1310713,
            "inodes": 1310720,
            "inodesUsed": 2
           },
           "swap": {
            "time": "2026-01-01T00:01:00Z",
            "swapAvailableBytes": 0,
            "swapUsageBytes": 0
           }
          },
          {
           "name": "work",
           "startTime": "2026-01-01T00:00:02Z",
           "cpu": {
            "time": "2026-01-01T00:01:00Z",
            "usageNanoCores": 6000000,
            "usageCoreNanoSeconds": 363962000
           },
           "memory": {
            "time": "2026-01-01T00:01:00Z",
            "usageBytes": 25165824,
            "workingSetBytes": 25165824,
            "rssBytes": 25165824
           },
           "rootfs": {
            "time": "2026-01-01T00:01:00Z",
            "availableBytes": 21382824804,
            "capacityBytes": 21474836480,
            "usedBytes": 0,
            "inodesFree": 1310713,
            "inodes": 1310720,
            "inodesUsed": 1
           },
           "logs": {
            "time": "2026-01-01T00:01:00Z",
            "availableBytes": 21382824804,
            "capacityBytes": 21474836480,
            "usedBytes": 4096,
            "inodesFree": 1310713,
            "inodes": 1310720,
            "inodesUsed": 2
           },
           "swap": {
            "time": "2026-01-01T00:01:00Z",
            "swapAvailableBytes": 0,
            "swapUsageBytes": 0
           }
          }
         ],
         "cpu": {
          "time": "2026-01-01T00:01:00Z",
          "usageNanoCores": 6000000,
          "usageCoreNanoSeconds": 383962000
         },
         "memory": {
          "time": "2026-01-01T00:01:00Z",
          "usageBytes": 27262976,
          "workingSetBytes": 27262976,
          "rssBytes": 27262976
         },
         "ephemeral-storage": {
          "time": "2026-01-01T00:01:00Z",
          "availableBytes": 21382824804,
          "capacityBytes": 21474836480,
          "usedBytes": 8192,
          "inodesFree": 1310713,
          "inodes": 1310720,
          "inodesUsed": 6
         },
         "process_stats": {
          "process_count": 3
         },
         "swap": {
          "time": "2026-01-01T00:01:00Z",
          "swapUsageBytes": 0
         }
        }
       ]
      }"
    `);
  });

  it("lists its pods at /pods, without kinds of their own, with the nulls that Go writes", () => {
    const list = JSON.parse(asAdministrator(cluster, "/pods").slice(4));
    const items = list.items.map(({ kind, metadata, status }: StoredPod) => [kind, metadata.name, status?.phase]);
    expect([list.kind, list.apiVersion, items]).toEqual([
      "PodList",
      "v1",
      [
        [undefined, "busy", "Running"],
        [undefined, "once", "Succeeded"],
      ],
    ]);
    expect(list.items[0].status.conditions[0].lastProbeTime).toBeNull();
  });

  it.each([
    ["GET", "/healthz", "200 ok"],
    ["GET", "/healthz?verbose", "200 [+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n"],
    ["GET", "/healthz/syncloop", "200 ok"],
    ["POST", "/pods", "405 405: Method Not Allowed"],
    ["GET", "/metrics/other", "404 404 page not found\n"],
  ])("answers %s %s", (method, path, expected) => {
    expect(asAdministrator(cluster, path, method)).toBe(expected);
  });

  it.each([
    ["[POD-552] without credentials", "/metrics/resource", {}, "401 Unauthorized"],
    ["[POD-552] without credentials", "/configz", {}, "401 Unauthorized"],
    ["[POD-552] without credentials", "/logs/", {}, "401 Unauthorized"],
    ["without credentials", "/healthz", {}, "401 Unauthorized"],
    ["without credentials, where nothing is", "/", {}, "404 404 page not found\n"],
    ["with a token that is none", "/pods", { token: "abc" }, "401 Unauthorized"],
    [
      "with a certificate of somebody else's",
      "/pods",
      { certificate: certificate("admin", ["system:masters"], administrator) },
      "401 Unauthorized",
    ],
    [
      "with a certificate of no rights",
      "/metrics/resource",
      { certificate: certificate("jane", ["dev"]) },
      "403 Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[metrics])\n",
    ],
    [
      "with a certificate of no rights",
      "/healthz",
      { certificate: certificate("jane", ["dev"]) },
      "403 Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[healthz proxy])\n",
    ],
  ])("refuses a request %s to %s", (_what, target, asked, expected) => {
    expect(get(cluster, target, asked)).toBe(expected);
  });

  it("asks the API server who has a token and what he may do, and remembers a refusal for 30 s", () => {
    const own = clusterWithPods();
    const token = tokenOf(own, "scraper");
    const status = (target: string) => get(own, target, { token }).slice(0, 3);
    expect(get(own, "/metrics/resource", { token })).toBe(
      "403 Forbidden (user=system:serviceaccount:default:scraper, verb=get, resource=nodes, subresource(s)=[metrics])\n",
    );
    allowMetrics(own, "scraper");
    const before = status("/metrics/resource");
    own.simulation.advance(31_000);
    expect([before, status("/metrics/resource"), status("/stats/summary")]).toEqual(["403", "200", "403"]);
    own.server.stop();
    expect(get(own, "/pods", { token })).toBe(
      "500 Authorization error (user=system:serviceaccount:default:scraper, verb=get, resource=nodes, subresource=pods)",
    );
  });

  it("is closed while the kubelet is stopped, and shows a certificate of its own", () => {
    const own = startedCluster({ kubelet: { clientAuthority: authority } });
    own.node.kubelet.stop();
    const stopped = asAdministrator(own, "/healthz");
    own.node.kubelet.start();
    expect([stopped, asAdministrator(own, "/healthz")]).toEqual(["ECONNREFUSED", "200 ok"]);
  });
});

describe("subresources", () => {
  it.each([
    ["/pods", ["pods", "proxy"]],
    ["/healthz/ping", ["healthz", "proxy"]],
    ["/configz", ["configz", "proxy"]],
    ["/runningpods/", ["pods", "proxy"]],
    ["/stats/summary", ["stats"]],
    ["/metrics", ["metrics"]],
    ["/metrics/resource", ["metrics"]],
    ["/metricsx", ["proxy"]],
    ["/logs/", ["log"]],
    ["/exec/default/web/c", ["proxy"]],
  ])("%s is %j of a node", (path, expected) => {
    expect(subresourcesOf(path)).toEqual(expected);
  });
});

describe("numbers in Prometheus' text", () => {
  it.each([
    [0, "0"],
    [1, "1"],
    [0.02, "0.02"],
    [0.0001, "0.0001"],
    [0.00002, "2e-05"],
    [123456.5, "123456.5"],
    [1_000_000, "1e+06"],
    [1_048_576, "1.048576e+06"],
    [1_767_225_602.345, "1.767225602345e+09"],
  ])("%d is %s", (value, text) => {
    expect(goFloat(value)).toBe(text);
  });
});
