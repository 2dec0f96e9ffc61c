// What a kubelet tells beside its health, its pods and its use. Expected texts: pkg/kubelet/server, pkg/kubelet/prober, google/cadvisor's
// metrics/prometheus.go, and Go's net/http (fs.go).

import { beforeAll, describe, expect, it } from "vitest";
import { clusterRoleBindings, clusterRoles, pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import { shell, startedCluster } from "../kubelet.test-kit.ts";
import { administrator, asAdministrator, ask, authority, clusterWithPods, get, tokenOf } from "./server.test-kit.ts";

function clusterWith(kubelet: object = {}): SmallCluster {
  return startedCluster({ kubelet: { clientAuthority: authority, ...kubelet } });
}

function mayGet(cluster: SmallCluster, account: string, resources: readonly string[]): void {
  const apiGroup = "rbac.authorization.k8s.io";
  const name = account;
  cluster.client.create(clusterRoles, { metadata: { name }, rules: [{ apiGroups: [""], resources, verbs: ["get"] }] });
  cluster.client.create(clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", name: account, namespace: "default" }],
  });
}

function configOf(cluster: SmallCluster) {
  return JSON.parse(asAdministrator(cluster, "/configz").slice(4)).kubeletconfig;
}

/** The lines of some metrics, without their heads. */
function metrics(cluster: SmallCluster, path: string, names: RegExp): readonly string[] {
  const lines = asAdministrator(cluster, path).slice(4).split("\n");
  return lines.filter((line) => !line.startsWith("#") && names.test(line));
}

describe("/configz", () => {
  it("[POD-551] tells the whole configuration with its defaults, in the order of the type", () => {
    expect(JSON.stringify(configOf(clusterWith()), null, 1)).toMatchInlineSnapshot(`
      "{
       "enableServer": true,
       "staticPodPath": "/etc/kubernetes/manifests",
       "podLogsDir": "/var/log/pods",
       "syncFrequency": "1m0s",
       "fileCheckFrequency": "20s",
       "httpCheckFrequency": "20s",
       "address": "0.0.0.0",
       "port": 10250,
       "tlsCertFile": "/var/lib/kubelet/pki/kubelet.crt",
       "tlsPrivateKeyFile": "/var/lib/kubelet/pki/kubelet.key",
       "rotateCertificates": true,
       "authentication": {
        "x509": {
         "clientCAFile": "/etc/kubernetes/pki/ca.crt"
        },
        "webhook": {
         "enabled": true,
         "cacheTTL": "2m0s"
        },
        "anonymous": {
         "enabled": false
        }
       },
       "authorization": {
        "mode": "Webhook",
        "webhook": {
         "cacheAuthorizedTTL": "5m0s",
         "cacheUnauthorizedTTL": "30s"
        }
       },
       "registryPullQPS": 5,
       "registryBurst": 10,
       "imagePullCredentialsVerificationPolicy": "NeverVerifyPreloadedImages",
       "eventRecordQPS": 50,
       "eventBurst": 100,
       "enableDebuggingHandlers": true,
       "healthzPort": 10248,
       "healthzBindAddress": "127.0.0.1",
       "oomScoreAdj": -999,
       "clusterDomain": "cluster.local",
       "clusterDNS": [
        "10.96.0.10"
       ],
       "streamingConnectionIdleTimeout": "4h0m0s",
       "nodeStatusUpdateFrequency": "10s",
       "nodeStatusReportFrequency": "5m0s",
       "nodeLeaseDurationSeconds": 40,
       "imageMinimumGCAge": "2m0s",
       "imageMaximumGCAge": "0s",
       "imageGCHighThresholdPercent": 85,
       "imageGCLowThresholdPercent": 80,
       "volumeStatsAggPeriod": "1m0s",
       "cgroupsPerQOS": true,
       "cgroupDriver": "systemd",
       "cpuManagerPolicy": "none",
       "cpuManagerReconcilePeriod": "10s",
       "memoryManagerPolicy": "None",
       "topologyManagerPolicy": "none",
       "topologyManagerScope": "container",
       "runtimeRequestTimeout": "2m0s",
       "hairpinMode": "promiscuous-bridge",
       "maxPods": 110,
       "podPidsLimit": -1,
       "resolvConf": "/etc/resolv.conf",
       "cpuCFSQuota": true,
       "cpuCFSQuotaPeriod": "100ms",
       "nodeStatusMaxImages": 50,
       "maxOpenFiles": 1000000,
       "contentType": "application/vnd.kubernetes.protobuf",
       "kubeAPIQPS": 50,
       "kubeAPIBurst": 100,
       "serializeImagePulls": true,
       "evictionHard": {
        "imagefs.available": "15%",
        "imagefs.inodesFree": "5%",
        "memory.available": "100Mi",
        "nodefs.available": "10%",
        "nodefs.inodesFree": "5%"
       },
       "evictionPressureTransitionPeriod": "5m0s",
       "mergeDefaultEvictionSettings": false,
       "enableControllerAttachDetach": true,
       "makeIPTablesUtilChains": true,
       "iptablesMasqueradeBit": 14,
       "iptablesDropBit": 15,
       "failSwapOn": true,
       "memorySwap": {},
       "containerLogMaxSize": "10Mi",
       "containerLogMaxFiles": 5,
       "containerLogMaxWorkers": 1,
       "containerLogMonitorInterval": "10s",
       "configMapAndSecretChangeDetectionStrategy": "Watch",
       "enforceNodeAllocatable": [
        "pods"
       ],
       "volumePluginDir": "/usr/libexec/kubernetes/kubelet-plugins/volume/exec/",
       "logging": {
        "format": "text",
        "flushFrequency": "5s",
        "verbosity": 3,
        "options": {
         "text": {
          "infoBufferSize": "0"
         },
         "json": {
          "infoBufferSize": "0"
         }
        }
       },
       "enableSystemLogHandler": true,
       "enableSystemLogQuery": false,
       "shutdownGracePeriod": "0s",
       "shutdownGracePeriodCriticalPods": "0s",
       "crashLoopBackOff": {
        "maxContainerRestartPeriod": "5m0s"
       },
       "enableProfilingHandler": true,
       "enableDebugFlagsHandler": true,
       "seccompDefault": false,
       "memoryThrottlingFactor": 0.9,
       "memoryReservationPolicy": "None",
       "registerNode": true,
       "localStorageCapacityIsolation": true,
       "containerRuntimeEndpoint": "unix:///var/run/containerd/containerd.sock",
       "failCgroupV1": true
      }"
    `);
  });

  it("tells what the node's own configuration says", () => {
    const configuration = {
      maxPods: 30,
      serializeImagePulls: false,
      maxParallelImagePulls: 3,
      evictionHard: { "nodefs.available": "8%", "memory.available": "200Mi" },
      evictionPressureTransitionPeriod: "90s",
      kubeReserved: { memory: "256Mi", cpu: "100m" },
      crashLoopBackOff: { maxContainerRestartPeriod: "30s" },
      imageMinimumGCAge: "1h30m",
    };
    const told = configOf(clusterWith(kubeletOptionsOf(configuration)));
    expect(Object.fromEntries(Object.keys(configuration).map((name) => [name, told[name]]))).toEqual({
      ...configuration,
      evictionPressureTransitionPeriod: "1m30s",
      imageMinimumGCAge: "1h30m0s",
    });
    expect(Object.keys(told.evictionHard)).toEqual(["memory.available", "nodefs.available"]);
  });
});

describe("what runs", () => {
  let cluster: SmallCluster;
  beforeAll(() => {
    cluster = clusterWithPods();
  });

  it("[POD-551] is what the runtime knows of it at /runningpods/", () => {
    const list = JSON.parse(asAdministrator(cluster, "/runningpods/").slice(4));
    const { uid } = cluster.pod("busy").metadata;
    const image = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(list).toEqual({
      kind: "PodList",
      apiVersion: "v1",
      metadata: {},
      items: [
        {
          metadata: { name: "busy", namespace: "default", uid },
          spec: {
            containers: [
              { name: "idle", image, resources: {} },
              { name: "work", image, resources: {} },
            ],
          },
          status: {},
        },
      ],
    });
  });

  it("[POD-551] leads from a folder's name to the folder before anyone says who asks", () => {
    const { status, headers, text } = ask(cluster, "/runningpods?x=1") as Exclude<ReturnType<typeof ask>, string>;
    expect([status, headers["location"], text]).toEqual([
      307,
      "/runningpods/?x=1",
      '<a href="/runningpods/?x=1">Temporary Redirect</a>.\n\n',
    ]);
  });

  it("[POD-611] is metered at /metrics/cadvisor by control group, with namespace, pod and container", () => {
    const names = /^container_(cpu_usage|memory_working_set)|^container_(spec|start).*"idle"/;
    const found = metrics(cluster, "/metrics/cadvisor", names);
    const short = found.map((line) => line.replace(/(pod|cri-containerd-|name=")[0-9a-f_-]{36,64}/g, "$1ID"));
    expect(short).toMatchInlineSnapshot(`
      [
        "container_cpu_usage_seconds_total{container="",cpu="total",id="/",image="",name="",namespace="",pod=""} 3.103962 1767225660000",
        "container_cpu_usage_seconds_total{container="",cpu="total",id="/kubepods.slice",image="",name="",namespace="",pod=""} 0.403962 1767225660000",
        "container_cpu_usage_seconds_total{container="",cpu="total",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice",image="",name="",namespace="default",pod="busy"} 0.383962 1767225660000",
        "container_cpu_usage_seconds_total{container="idle",cpu="total",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 0.02 1767225660000",
        "container_cpu_usage_seconds_total{container="work",cpu="total",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="registry.k8s.io/kube-scheduler:v1.36.0",name="ID",namespace="default",pod="busy"} 0.363962 1767225660000",
        "container_memory_working_set_bytes{container="",id="/",image="",name="",namespace="",pod=""} 3.52321536e+08 1767225660000",
        "container_memory_working_set_bytes{container="",id="/kubepods.slice",image="",name="",namespace="",pod=""} 2.7262976e+07 1767225660000",
        "container_memory_working_set_bytes{container="",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice",image="",name="",namespace="default",pod="busy"} 2.7262976e+07 1767225660000",
        "container_memory_working_set_bytes{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 2.097152e+06 1767225660000",
        "container_memory_working_set_bytes{container="work",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="registry.k8s.io/kube-scheduler:v1.36.0",name="ID",namespace="default",pod="busy"} 2.5165824e+07 1767225660000",
        "container_spec_cpu_period{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 100000",
        "container_spec_cpu_shares{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 2",
        "container_spec_memory_limit_bytes{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 0",
        "container_spec_memory_reservation_limit_bytes{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 0",
        "container_spec_memory_swap_limit_bytes{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 0",
        "container_start_time_seconds{container="idle",id="/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podID.slice/cri-containerd-ID.scope",image="docker.io/library/busybox:1.36",name="ID",namespace="default",pod="busy"} 1.767225602e+09",
      ]
    `);
  });

  it("[POD-611] begins every family at /metrics/cadvisor with what it is, in the order of their names", () => {
    const heads = asAdministrator(cluster, "/metrics/cadvisor").matchAll(/^# TYPE (\S+) (\S+)$/gm);
    const names = [...heads].map(([, name, type]) => `${name} ${type}`);
    expect(names).toEqual([...names].sort());
    expect(names).toMatchInlineSnapshot(`
      [
        "cadvisor_version_info gauge",
        "container_cpu_usage_seconds_total counter",
        "container_last_seen gauge",
        "container_memory_max_usage_bytes gauge",
        "container_memory_rss gauge",
        "container_memory_swap gauge",
        "container_memory_usage_bytes gauge",
        "container_memory_working_set_bytes gauge",
        "container_oom_events_total counter",
        "container_processes gauge",
        "container_scrape_error gauge",
        "container_spec_cpu_period gauge",
        "container_spec_cpu_shares gauge",
        "container_spec_memory_limit_bytes gauge",
        "container_spec_memory_reservation_limit_bytes gauge",
        "container_spec_memory_swap_limit_bytes gauge",
        "container_start_time_seconds gauge",
        "machine_cpu_cores gauge",
        "machine_cpu_physical_cores gauge",
        "machine_cpu_sockets gauge",
        "machine_memory_bytes gauge",
        "machine_nvm_avg_power_budget_watts gauge",
        "machine_nvm_capacity gauge",
        "machine_scrape_error gauge",
        "machine_swap_bytes gauge",
      ]
    `);
  });

  it("[POD-611] tells at /metrics/cadvisor what the machine is", () => {
    const { bootId, machineId, systemUuid } = cluster.node.machine;
    const labels = `boot_id="${bootId}",machine_id="${machineId}",system_uuid="${systemUuid}"`;
    expect(metrics(cluster, "/metrics/cadvisor", /^machine_(cpu_cores|memory)/)).toEqual([
      `machine_cpu_cores{${labels}} 2 1767225600000`,
      `machine_memory_bytes{${labels}} 4.294967296e+09 1767225600000`,
    ]);
  });
});

describe("the machine at /metrics/cadvisor", () => {
  it("is looked at anew every five minutes, before scrapers forget it", () => {
    const cluster = clusterWith();
    cluster.simulation.advance(830_000);
    const [line = ""] = metrics(cluster, "/metrics/cadvisor", /^machine_cpu_cores/);
    const age = cluster.simulation.nowMs - Number(line.split(" ").at(-1));
    expect([age > 200_000, age < 300_000]).toEqual([true, true]);
  });
});

describe("limits at /metrics/cadvisor", () => {
  it("[POD-611] are those of the control group, with the periods in which they held", () => {
    const cluster = clusterWith();
    const resources = { limits: { cpu: "500m", memory: "64Mi" } };
    cluster.createPod("held", {
      containers: [{ name: "c", image: "polinux/stress", command: ["stress", "--cpu", "2"], resources }],
    });
    cluster.simulation.advance(14_000);
    const names = /^container_(cpu_cfs|spec_cpu|spec_memory_limit).*container="c"/;
    const told = () =>
      Object.fromEntries(
        metrics(cluster, "/metrics/cadvisor", names).map((line) => [
          line.split("{")[0],
          Number(line.split("} ")[1]?.split(" ")[0]),
        ]),
      );
    const before = told();
    cluster.simulation.advance(10_000);
    const after = told();
    expect(after).toMatchObject({
      container_spec_cpu_period: 100_000,
      container_spec_cpu_quota: 50_000,
      container_spec_memory_limit_bytes: 64 * 1024 ** 2,
    });
    const grown = (name: string) => Math.round(((after[name] ?? 0) - (before[name] ?? 0)) * 10) / 10;
    expect(grown("container_cpu_cfs_periods_total")).toBe(100);
    expect(grown("container_cpu_cfs_throttled_periods_total")).toBe(100);
    expect(grown("container_cpu_cfs_throttled_seconds_total")).toBe(15);
  });
});

describe("/metrics/probes", () => {
  it("[POD-551] counts what probes told, until their pod ends", () => {
    const cluster = clusterWith();
    const script = "touch /tmp/up; sleep 3600";
    const readinessProbe = { exec: { command: ["cat", "/tmp/up"] }, periodSeconds: 1 };
    const livenessProbe = { exec: { command: ["false"] }, periodSeconds: 1, failureThreshold: 1000 };
    cluster.createPod("web", { containers: [shell("c", script, { readinessProbe, livenessProbe })] });
    cluster.untilReady("web");
    const rows = () => metrics(cluster, "/metrics/probes", /^prober_probe_(total|duration_seconds_count)/);
    const values = () => rows().map((row) => Number(row.split("} ")[1]));
    const before = values();
    cluster.simulation.advance(5_000);
    const { uid } = cluster.pod("web").metadata;
    // Some answers fall on the other side of the second.
    const grown = values().map((value, index) => Math.abs(value - (before[index] ?? 0) - 5) <= 1);
    expect(grown).toEqual([true, true, true]);
    expect(rows().map((row) => row.split("} ")[0])).toEqual([
      'prober_probe_duration_seconds_count{container="c",namespace="default",pod="web",probe_type="Readiness"',
      `prober_probe_total{container="c",namespace="default",pod="web",pod_uid="${uid}",probe_type="Liveness",result="failed"`,
      `prober_probe_total{container="c",namespace="default",pod="web",pod_uid="${uid}",probe_type="Readiness",result="successful"`,
    ]);
    const buckets = metrics(cluster, "/metrics/probes", /^prober_probe_duration_seconds_bucket/);
    expect(buckets.map((row) => /le="(.*)"/.exec(row)?.[1])).toEqual(
      "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf".split(" "),
    );
    cluster.client.delete(pods, { namespace: "default", name: "web" });
    cluster.simulation.advance(40_000);
    expect(rows()).toEqual([]);
    expect(metrics(cluster, "/metrics/probes", /^process/)).toEqual(["process_start_time_seconds 1.7672256e+09"]);
  });
});

describe("/stats/summary", () => {
  it("[POD-612] counts layers, logs and emptyDirs, and adds them up as ephemeral-storage", () => {
    const cluster = clusterWith();
    const write = "head -c 100000 /dev/zero > /cache/a; head -c 50000 /dev/zero > /own; echo told; sleep 3600";
    const volumes = [{ name: "cache", emptyDir: {} }];
    cluster.createPod("writer", {
      containers: [shell("c", write, { volumeMounts: [{ name: "cache", mountPath: "/cache" }] })],
      volumes,
    });
    cluster.untilReady("writer");
    cluster.simulation.advance(5_000);
    const summary = JSON.parse(asAdministrator(cluster, "/stats/summary").slice(4));
    const [pod] = summary.pods;
    const [{ rootfs, logs }] = pod.containers;
    expect(pod.volume).toMatchObject([{ name: "cache", capacityBytes: cluster.node.machine.diskBytes }]);
    expect(pod.volume[0].usedBytes).toBeGreaterThanOrEqual(100_000);
    expect(rootfs.usedBytes).toBeGreaterThanOrEqual(50_000);
    expect(logs.usedBytes).toBeGreaterThan(0);
    expect(pod["ephemeral-storage"].usedBytes).toBe(rootfs.usedBytes + logs.usedBytes + pod.volume[0].usedBytes);
    expect(pod["ephemeral-storage"].inodesUsed).toBe(rootfs.inodesUsed + logs.inodesUsed + pod.volume[0].inodesUsed);
    const { fs, runtime } = summary.node;
    expect(fs.availableBytes + fs.usedBytes).toBe(fs.capacityBytes);
    expect(fs.usedBytes).toBeGreaterThan(runtime.imageFs.usedBytes);
  });

  it("[POD-612] is use of processors and memory alone where no more is asked for", () => {
    const cluster = clusterWith();
    cluster.createPod("one", { containers: [shell("c", "sleep 3600")] });
    cluster.untilReady("one");
    const { node, pods: told } = JSON.parse(asAdministrator(cluster, "/stats/summary?only_cpu_and_memory=true").slice(4));
    expect([Object.keys(node), Object.keys(told[0]), Object.keys(told[0].containers[0])]).toEqual([
      ["nodeName", "startTime", "cpu", "memory"],
      ["podRef", "startTime", "containers", "cpu", "memory"],
      ["name", "startTime", "cpu", "memory"],
    ]);
  });
});

describe("/logs/", () => {
  let cluster: SmallCluster;
  beforeAll(() => {
    cluster = clusterWith();
    cluster.createPod("talker", { containers: [shell("c", "echo hello; sleep 3600")] });
    cluster.untilReady("talker");
    cluster.simulation.advance(2_000);
    cluster.node.machine.files.writeFile("/var/log/dpkg<1>.log", "installed\n");
  });

  const asked = (target: string) => {
    const answer = ask(cluster, target, { certificate: administrator });
    return typeof answer === "string"
      ? [answer]
      : [answer.status, answer.headers["location"] ?? answer.headers["content-type"], answer.text];
  };

  it("[POD-634] lists /var/log as a page of links, and asks the journal nothing without enableSystemLogQuery", () => {
    const page = `<!doctype html>
<meta name="viewport" content="width=device-width">
<pre>
<a href="containers/">containers/</a>
<a href="dpkg%3C1%3E.log">dpkg&lt;1&gt;.log</a>
<a href="pods/">pods/</a>
</pre>
`;
    expect(asked("/logs/")).toEqual([200, "text/html; charset=utf-8", page]);
    expect(asked("/logs/?query=kubelet")).toEqual([200, "text/html; charset=utf-8", page]);
  });

  it("[POD-634] shows files, follows links between them, and reaches nothing outside", () => {
    const { uid } = cluster.pod("talker").metadata;
    const log = expect.stringMatching(/^\S+Z stdout F hello\n$/);
    const text = "text/plain; charset=utf-8";
    expect(asked(`/logs/pods/default_talker_${uid}/c/0.log`)).toEqual([200, text, log]);
    const [link] = cluster.node.machine.files.readdir("/var/log/containers");
    expect(asked(`/logs/containers/${link}`)).toEqual([200, text, log]);
    expect(asked("/logs/dpkg%3C1%3E.log")).toEqual([200, text, "installed\n"]);
    expect(asked("/logs/../../etc/passwd")).toEqual([404, text, "404 page not found\n"]);
    expect(asked("/logs/syslog")).toEqual([404, text, "404 page not found\n"]);
  });

  it("[POD-634] leads to a directory with its slash, and to a file without", () => {
    expect(asked("/logs/pods")).toEqual([301, "pods/", ""]);
    expect(asked("/logs/dpkg%3C1%3E.log/")).toEqual([301, "../dpkg<1>.log", ""]);
    expect(asked("/logs").slice(0, 2)).toEqual([307, "/logs/"]);
  });
});

describe("who may ask for what", () => {
  it.each([
    ["nodes/configz", "/configz", ["/runningpods/", "/logs/", "/metrics/cadvisor", "/stats/summary"]],
    ["nodes/pods", "/runningpods/", ["/configz", "/logs/"]],
    ["nodes/log", "/logs/", ["/configz", "/metrics/probes"]],
    ["nodes/stats", "/stats/summary", ["/metrics/cadvisor"]],
    ["nodes/metrics", "/metrics/cadvisor", ["/stats/summary", "/configz"]],
    ["nodes/proxy", "/configz", ["/logs/", "/stats/summary", "/metrics/probes"]],
  ])("[POD-551] a token with %s gets %s and not %j", (resource, allowed, refused) => {
    const cluster = clusterWith();
    const token = tokenOf(cluster, "reader");
    mayGet(cluster, "reader", [resource]);
    const status = (path: string) => get(cluster, path, { token }).slice(0, 3);
    expect([status(allowed), ...refused.map(status)]).toEqual(["200", ...refused.map(() => "403")]);
  });
});

describe("/metrics", () => {
  it("counts how containers have ended", () => {
    const cluster = clusterWith();
    cluster.createPod("crash", {
      containers: [shell("c", "exit 139")],
      initContainers: [shell("i", "true")],
      restartPolicy: "Never",
    });
    cluster.simulation.advance(20_000);
    expect(metrics(cluster, "/metrics", /^kubelet_terminated_containers_total/)).toEqual([
      'kubelet_terminated_containers_total{container_type="container",exit_code="139",reason="Error"} 1',
      'kubelet_terminated_containers_total{container_type="init_container",exit_code="0",reason="Completed"} 1',
    ]);
  });

  it("tells the version", () => {
    const [line] = metrics(clusterWith(), "/metrics", /^kubernetes_build_info/);
    expect(line).toMatch(/git_version="v1\.36\.\d+".*platform="linux\/amd64"\} 1$/);
  });

  it("counts pods and containers", () => {
    const cluster = clusterWith();
    cluster.createPod("web", { containers: [shell("a", "sleep 1000"), shell("b", "sleep 1000")] });
    cluster.createPod("done", { restartPolicy: "Never", containers: [shell("c", "true")] });
    cluster.simulation.advance(20_000);
    expect(metrics(cluster, "/metrics", /^kubelet_/u)).toEqual([
      'kubelet_active_pods{static=""} 1',
      'kubelet_active_pods{static="true"} 0',
      "kubelet_cgroup_version 2",
      'kubelet_desired_pods{static=""} 2',
      'kubelet_desired_pods{static="true"} 0',
      'kubelet_node_name{node="node-1"} 1',
      'kubelet_running_containers{container_state="exited"} 1',
      'kubelet_running_containers{container_state="running"} 2',
      "kubelet_running_pods 1",
      'kubelet_terminated_containers_total{container_type="container",exit_code="0",reason="Completed"} 1',
    ]);
  });
});

describe("what a kubelet tells of itself", () => {
  it("is at /statusz, /flagz and /metrics/slis, by the rights to statusz, configz and metrics", () => {
    const cluster = clusterWith();
    expect(asAdministrator(cluster, "/statusz")).toMatch(
      /^200 \nkubelet statusz\n[\s\S]*\nPaths(:|: |=| ) \/configz \/debug \/flagz \/healthz \/metrics\n$/,
    );
    const flags = asAdministrator(cluster, "/flagz");
    expect(flags).toMatch(/\nconfig(:|: |=| )\/var\/lib\/kubelet\/config\.yaml\n/);
    expect(flags).toMatch(/\nv(:|: |=| )3\n/);
    expect(asAdministrator(cluster, "/healthz?verbose&exclude=log")).toBe(
      "200 [+]ping ok\n[+]log excluded: ok\n[+]syncloop ok\nhealthz check passed\n",
    );
    const slis = metrics(cluster, "/metrics/slis", /total/);
    expect(slis).toEqual([
      'kubernetes_healthchecks_total{name="ping",status="success",type="healthz"} 1',
      'kubernetes_healthchecks_total{name="syncloop",status="success",type="healthz"} 1',
    ]);
    mayGet(cluster, "looker", ["nodes/configz"]);
    const token = tokenOf(cluster, "looker");
    expect(get(cluster, "/flagz", { token }).slice(0, 3)).toBe("200");
    expect(get(cluster, "/statusz", { token })).toContain("subresource(s)=[statusz])");
  });

  it("has an index of profiles and its command line", () => {
    const cluster = clusterWith();
    expect(asAdministrator(cluster, "/debug/pprof/")).toContain("<title>/debug/pprof/</title>");
    expect(asAdministrator(cluster, "/debug/pprof/cmdline").slice(4).split("\0")[0]).toBe("/usr/bin/kubelet");
    expect(asAdministrator(cluster, "/debug/pprof/heap").slice(0, 3)).toBe("501");
    expect(asAdministrator(cluster, "/debug/flags").slice(0, 3)).toBe("404");
  });
});
