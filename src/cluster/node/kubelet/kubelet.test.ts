import { describe, expect, it } from "vitest";
import { configMaps, leases, nodes, pods, services } from "#cluster/api/kinds.ts";
import { SmallCluster } from "../small-cluster.test-kit.ts";

const busybox = (command: string, more: object = {}) => ({
  name: "c",
  image: "busybox:1.36",
  command: ["sh", "-c", command],
  ...more,
});

function started(): SmallCluster {
  const cluster = new SmallCluster();
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  return cluster;
}

function condition(cluster: SmallCluster, name: string, type: string) {
  return cluster.pod(name).status?.conditions?.find((each) => each.type === type);
}

function logOf(cluster: SmallCluster, name: string, container = "c"): string {
  const found = cluster.node.runtime.containersOf(cluster.pod(name).metadata.uid).find((each) => each.config.name === container);
  return found?.log.tailText(1000, 100_000) ?? "";
}

describe("starting a pod", () => {
  it("[POD-017] [POD-564] pulls, creates and starts, with an event for each", () => {
    const cluster = started();
    cluster.createPod("web", {});
    cluster.untilReady("web");
    expect(cluster.eventsOf("web")).toEqual([
      'Normal Pulling Pulling image "nginx:1.27"',
      'Normal Pulled Successfully pulled image "nginx:1.27" in 2.344s (2.344s including waiting). Image size: 72404038 bytes.',
      "Normal Created Container created",
      "Normal Started Container started",
    ]);
  });

  it("[POD-016] does not ask the registry for an image that is there", () => {
    const cluster = started();
    cluster.node.runtime.importImage(cluster.image("nginx:1.27"));
    cluster.createPod("web", {});
    cluster.untilReady("web");
    expect(cluster.eventsOf("web")[0]).toBe(
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
    );
  });

  it("[POD-156] [POD-037] reports conditions in order, resolved image and addresses", () => {
    const cluster = started();
    cluster.createPod("web", {});
    cluster.untilReady("web");
    const { status } = cluster.pod("web");
    expect(status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "PodReadyToStartContainers=True",
      "Initialized=True",
      "Ready=True",
      "ContainersReady=True",
      "PodScheduled=True",
    ]);
    expect(status?.containerStatuses?.[0]).toMatchObject({
      image: "docker.io/library/nginx:1.27",
      ready: true,
      started: true,
      restartCount: 0,
    });
    expect(status).toMatchObject({ phase: "Running", podIP: "10.244.1.2", hostIP: "10.0.0.3", qosClass: "BestEffort" });
  });

  it("lists statuses by the containers' names, whatever the order in the spec", () => {
    const cluster = started();
    cluster.createPod("pair", {
      containers: [
        { name: "web", image: "nginx:1.27" },
        { name: "agent", image: "nginx:1.27" },
      ],
    });
    cluster.untilReady("pair");
    expect(cluster.pod("pair").status?.containerStatuses?.map(({ name }) => name)).toEqual(["agent", "web"]);
  });

  it("is ready 1 to 3 s after a start without a pull", () => {
    const cluster = started();
    cluster.node.runtime.importImage(cluster.image("nginx:1.27"));
    cluster.createPod("web", {});
    const before = cluster.simulation.nowMs;
    cluster.untilReady("web");
    expect(cluster.simulation.nowMs - before).toBeGreaterThan(500);
    expect(cluster.simulation.nowMs - before).toBeLessThan(3_000);
  });
});

describe("images that cannot be had", () => {
  it("[POD-021] [POD-022] [POD-024] fails, waits 10, 20 and 40 s, and says so", () => {
    const cluster = started();
    cluster.createPod("web", { containers: [{ name: "web", image: "nginx:1.91" }] });
    cluster.simulation.advance(4_000);
    const cause =
      'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.91": failed to resolve reference "docker.io/library/nginx:1.91": docker.io/library/nginx:1.91: not found';
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.state).toEqual({
      waiting: { reason: "ErrImagePull", message: cause },
    });
    cluster.simulation.advance(8_500);
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.state).toEqual({
      waiting: { reason: "ImagePullBackOff", message: `Back-off pulling image "nginx:1.91": ErrImagePull: ${cause}` },
    });
    expect(cluster.eventsOf("web")).toEqual(
      expect.arrayContaining([
        'Normal Pulling Pulling image "nginx:1.91" x2',
        `Warning Failed Failed to pull image "nginx:1.91": ${cause} x2`,
        "Warning Failed Error: ErrImagePull x2",
        'Normal BackOff Back-off pulling image "nginx:1.91"',
        "Warning Failed Error: ImagePullBackOff",
      ]),
    );
    expect(cluster.pod("web").status?.phase).toBe("Pending");
    expect(condition(cluster, "web", "PodReadyToStartContainers")?.status).toBe("True");
  });

  it("[POD-027] words a repository that is not there as Docker Hub does", () => {
    const cluster = started();
    cluster.createPod("web", { containers: [{ name: "web", image: "ngix:1.27" }] });
    cluster.simulation.advance(4_000);
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/ngix:1.27": failed to resolve reference "docker.io/library/ngix:1.27": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    );
  });

  it("[POD-028] refuses a name that is none", () => {
    const cluster = started();
    cluster.createPod("web", { containers: [{ name: "web", image: "http://nginx" }] });
    cluster.simulation.advance(4_000);
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: "InvalidImageName",
      message:
        'Failed to apply default image tag "http://nginx": couldn\'t parse image name "http://nginx": invalid reference format',
    });
  });

  it("[POD-020] never pulls with policy Never", () => {
    const cluster = started();
    cluster.createPod("web", { containers: [{ name: "web", image: "nginx:1.27", imagePullPolicy: "Never" }] });
    cluster.simulation.advance(4_000);
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe("ErrImageNeverPull");
  });
});

describe("containers that end", () => {
  it("[POD-200] [POD-165] succeeds when all ended with 0 and no restart is due", () => {
    const cluster = started();
    cluster.createPod("job", { restartPolicy: "Never", containers: [busybox("sleep 2; exit 0")] });
    cluster.simulation.advance(15_000);
    expect(cluster.pod("job").status?.phase).toBe("Succeeded");
    expect(condition(cluster, "job", "Ready")).toMatchObject({ status: "False", reason: "PodCompleted" });
    expect(cluster.pod("job").status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: "Completed",
    });
  });

  it("[POD-166] [POD-181] fails with the code of the container", () => {
    const cluster = started();
    cluster.createPod("job", { restartPolicy: "Never", containers: [busybox("exit 3")] });
    cluster.simulation.advance(15_000);
    expect(cluster.pod("job").status?.phase).toBe("Failed");
    expect(cluster.pod("job").status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
  });

  it("[POD-215] [POD-204] [POD-205] restarts at once, then after 10, 20 and 40 s", () => {
    const cluster = started();
    cluster.node.runtime.importImage(cluster.image("busybox:1.36"));
    cluster.createPod("crash", { containers: [busybox("exit 1")] });
    const starts: number[] = [];
    const uid = cluster.pod("crash").metadata.uid;
    for (let step = 0; step < 1_000; step += 1) {
      cluster.simulation.advance(100);
      const attempt = cluster.node.runtime.containersOf(uid)[0]?.config.attempt ?? -1;
      if (attempt >= starts.length) starts.push(cluster.simulation.nowMs);
    }
    const gaps = starts.slice(1).map((time, index) => Math.round((time - (starts[index] as number)) / 1000));
    expect(gaps.slice(0, 4)).toEqual([expect.closeTo(1, -0.5), 10, 20, 40]);
    const status = cluster.pod("crash").status?.containerStatuses?.[0];
    expect(status?.state?.waiting).toEqual({
      reason: "CrashLoopBackOff",
      message: `back-off 1m20s restarting failed container=c pod=crash_default(${uid})`,
    });
    expect(status?.lastState?.terminated).toMatchObject({ exitCode: 1, reason: "Error" });
  });

  it("[POD-187] says when the command is not there", () => {
    const cluster = started();
    cluster.createPod("bad", { containers: [{ name: "c", image: "busybox:1.36", command: ["nope"] }] });
    cluster.simulation.advance(8_000);
    expect(cluster.eventsOf("bad").join("\n")).toContain(
      'Warning Failed Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "nope": executable file not found in $PATH: unknown',
    );
    const status = cluster.pod("bad").status?.containerStatuses?.[0];
    expect(status?.lastState?.terminated ?? status?.state?.terminated).toMatchObject({ exitCode: 128, reason: "StartError" });
  });
});

describe("what is left of a container", () => {
  it("[POD-472] [POD-203] [POD-475] kills a container that uses more memory than its limit", () => {
    const cluster = started();
    cluster.createPod("oom", { containers: [{ name: "c", image: "nginx:1.27", resources: { limits: { memory: "4Mi" } } }] });
    cluster.simulation.advance(8_000);
    expect(cluster.pod("oom").status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
      exitCode: 137,
      reason: "OOMKilled",
    });
  });

  it("[POD-578] says of each container why it waits", () => {
    const cluster = started();
    cluster.createPod("waits", {
      containers: [
        busybox("sleep 3600", { name: "image", image: "nosuch/image:1" }),
        busybox("sleep 3600", { name: "never", image: "busybox:1.35", imagePullPolicy: "Never" }),
        busybox("sleep 3600", { name: "name", image: "Bad" }),
        busybox("", { name: "variable", env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "none", key: "a" } } }] }),
        busybox("", { name: "command", command: ["nope"] }),
        busybox("exit 1", { name: "crash" }),
      ],
    });
    const reasons = new Map<string, Set<string>>();
    for (let step = 0; step < 400; step += 1) {
      cluster.simulation.advance(100);
      for (const { name, state } of cluster.pod("waits").status?.containerStatuses ?? []) {
        const { reason = "" } = state?.waiting ?? {};
        if (!["", "ContainerCreating"].includes(reason)) reasons.set(name, (reasons.get(name) ?? new Set()).add(reason));
      }
    }
    expect(Object.fromEntries([...reasons].map(([name, seen]) => [name, [...seen].join(" ")]))).toEqual({
      image: "ErrImagePull ImagePullBackOff",
      never: "ErrImageNeverPull",
      name: "InvalidImageName",
      variable: "CreateContainerConfigError",
      command: "RunContainerError CrashLoopBackOff",
      crash: "CrashLoopBackOff",
    });
  });

  it("[POD-573] sees a container's end when it looks next, within a second, and mounted objects within the minute of a sync", () => {
    const cluster = started();
    const object = { metadata: { namespace: "default", name: "m" }, data: { a: "0" } };
    cluster.client.create(configMaps, object);
    cluster.createPod("short", { restartPolicy: "Never", containers: [busybox("sleep 7")] });
    cluster.createPod("mounts", {
      volumes: [{ name: "v", configMap: { name: "m" } }],
      containers: [busybox("while true; do echo $(cat /v/a); sleep 1; done", { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
    });
    const hasEnded = () => cluster.node.runtime.containersOf(cluster.pod("short").metadata.uid)[0]?.state === "exited";
    cluster.simulation.runUntil(hasEnded, { limitMs: 20_000 });
    const before = cluster.simulation.nowMs;
    cluster.simulation.runUntil(() => cluster.pod("short").status?.phase === "Succeeded", { limitMs: 20_000 });
    const seenMs = cluster.simulation.nowMs - before;
    expect([seenMs > 0, seenMs <= 2_000]).toEqual([true, true]);
    const delays = ["1", "2", "3"].map((value) => {
      const changedMs = cluster.simulation.nowMs;
      const live = cluster.client.get(configMaps, object.metadata);
      cluster.client.update(configMaps, { ...live, data: { a: value } });
      cluster.simulation.runUntil(() => logOf(cluster, "mounts").includes(value), { limitMs: 200_000 });
      return cluster.simulation.nowMs - changedMs;
    });
    expect(Math.max(...delays)).toBeLessThan(91_000);
    expect(Math.max(...delays)).toBeGreaterThan(5_000);
  });

  it("[POD-584] leaves nothing of a Pod that was deleted, whatever is kept of others", () => {
    const cluster = started();
    cluster.createPod("gone", {
      terminationGracePeriodSeconds: 1,
      containers: [busybox("exit 1"), busybox("sleep 3600", { name: "d" })],
    });
    cluster.simulation.advance(60_000);
    const { uid } = cluster.pod("gone").metadata;
    const { runtime } = cluster.node;
    expect([runtime.containersOf(uid).length, runtime.sandboxesOf(uid).length]).toEqual([2, 1]);
    cluster.client.delete(pods, { namespace: "default", name: "gone" });
    cluster.simulation.advance(60_000);
    expect([runtime.containersOf(uid), runtime.sandboxesOf(uid)]).toEqual([[], []]);
  });

  it("[POD-186] reports the termination message", () => {
    const cluster = started();
    cluster.createPod("bye", { restartPolicy: "Never", containers: [busybox("echo bye > /dev/termination-log; exit 1")] });
    cluster.simulation.advance(8_000);
    expect(cluster.pod("bye").status?.containerStatuses?.[0]?.state?.terminated?.message).toBe("bye\n");
  });

  it("[POD-582] keeps the last dead container and no older ones", () => {
    const cluster = started();
    cluster.createPod("crash", { containers: [busybox("exit 1")] });
    cluster.simulation.advance(120_000);
    const left = cluster.node.runtime.containersOf(cluster.pod("crash").metadata.uid);
    expect(left.map(({ state }) => state)).toEqual(["exited"]);
    expect(cluster.pod("crash").status?.containerStatuses?.[0]?.restartCount).toBe(left[0]?.config.attempt);
  });

  it("[POD-130] shows all processes of a pod that shares its namespace", () => {
    const cluster = started();
    cluster.createPod("share", {
      shareProcessNamespace: true,
      containers: [{ name: "web", image: "nginx:1.27" }, busybox("sleep 3; ps; sleep 3600")],
    });
    cluster.simulation.advance(12_000);
    expect(logOf(cluster, "share")).toMatch(/ 1 65535 +0:00 \/pause\n.*nginx: master process nginx -g daemon off;/);
  });

  it("signals the nginx that runs with nginx -s", () => {
    const cluster = started();
    const script = "nginx & sleep 2; nginx -s reload; sleep 1; nginx -s stop; sleep 1; nginx -s quit; nginx -s what";
    const command = ["sh", "-c", `exec 2>&1; ${script}`];
    cluster.createPod("n", { restartPolicy: "Never", containers: [{ name: "c", image: "nginx:1.27", command }] });
    cluster.simulation.advance(10_000);
    const said = logOf(cluster, "n");
    expect(said).toMatch(/signal process started\n.*signal 1 \(SIGHUP\) received from \d+, reconfiguring\n/);
    expect(said).toMatch(/signal 15 \(SIGTERM\) received from \d+, exiting\n/);
    expect(said).toContain('nginx: [error] open() "/run/nginx.pid" failed (2: No such file or directory)\n');
    expect(said).toContain('nginx: invalid option: "-s what"\n');
  });

  it.each([
    [false, "said\n", "shm"],
    [true, "said\nlater\n", "tmpfs"],
  ])("gives the containers of a pod one /dev/shm, and the node's with hostIPC %s", (hostIPC, second, device) => {
    const cluster = started();
    const pod = (text: string) => ({
      hostIPC,
      containers: [
        { ...busybox(`echo ${text} >> /dev/shm/f; sleep 3600`), name: "writer" },
        busybox("sleep 3; cat /dev/shm/f; grep /dev/shm /proc/mounts; sleep 3600"),
      ],
    });
    cluster.createPod("one", pod("said"));
    cluster.simulation.advance(12_000);
    expect(logOf(cluster, "one")).toBe(`said\n${device} /dev/shm tmpfs rw,relatime 0 0\n`);
    cluster.createPod("two", pod(hostIPC ? "later" : "said"));
    cluster.simulation.advance(12_000);
    expect(logOf(cluster, "two")).toBe(`${second}${device} /dev/shm tmpfs rw,relatime 0 0\n`);
  });
});

describe("deleting a pod", () => {
  it("[POD-258] [POD-262] [POD-264] stops the container with its stop signal and removes the pod", () => {
    const cluster = started();
    cluster.createPod("web", {});
    cluster.untilReady("web");
    cluster.client.delete(pods, { namespace: "default", name: "web" });
    expect(cluster.pod("web").metadata.deletionGracePeriodSeconds).toBe(30);
    cluster.simulation.advance(3_000);
    expect(cluster.hasPod("web")).toBe(false);
    expect(cluster.eventsOf("web").at(-1)).toBe("Normal Killing Stopping container web");
    expect(cluster.node.runtime.podUids()).toEqual([]);
  });

  it("[POD-268] waits for the grace period when the shell ignores TERM", () => {
    const cluster = started();
    cluster.createPod("sh", { terminationGracePeriodSeconds: 5, containers: [busybox("sleep 3600; true")] });
    cluster.untilReady("sh");
    cluster.client.delete(pods, { namespace: "default", name: "sh" });
    cluster.simulation.advance(4_500);
    expect(cluster.hasPod("sh")).toBe(true);
    cluster.simulation.advance(2_000);
    expect(cluster.hasPod("sh")).toBe(false);
  });

  it("[POD-286] [POD-288] ends the containers of a pod that was deleted by force", () => {
    const cluster = started();
    cluster.createPod("web", {});
    cluster.untilReady("web");
    cluster.client.delete(pods, { namespace: "default", name: "web" }, { gracePeriodSeconds: 0 });
    expect(cluster.hasPod("web")).toBe(false);
    cluster.simulation.advance(5_000);
    expect(cluster.node.runtime.podUids()).toEqual([]);
  });
});

describe("init containers and sidecars", () => {
  it("[POD-304] [POD-306] [POD-160] runs them one after the other before the others", () => {
    const cluster = started();
    const image = "busybox:1.36";
    cluster.createPod("app", {
      initContainers: [
        { name: "a", image, command: ["sleep", "9"] },
        { name: "b", image, command: ["sleep", "3"] },
      ],
      containers: [busybox("sleep 3600")],
    });
    cluster.simulation.advance(5_000);
    expect(condition(cluster, "app", "Initialized")).toMatchObject({
      status: "False",
      reason: "ContainersNotInitialized",
      message: "containers with incomplete status: [a b]",
    });
    expect(cluster.pod("app").status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: "PodInitializing" } });
    cluster.untilReady("app");
    expect(cluster.pod("app").status?.initContainerStatuses?.map((each) => each.state?.terminated?.reason)).toEqual([
      "Completed",
      "Completed",
    ]);
  });

  it("[POD-327] [POD-333] starts a sidecar first and stops it when the job is done", () => {
    const cluster = started();
    cluster.createPod("job", {
      restartPolicy: "Never",
      initContainers: [{ name: "side", image: "nginx:1.27", restartPolicy: "Always" }],
      containers: [busybox("sleep 5")],
    });
    cluster.untilReady("job");
    cluster.simulation.advance(15_000);
    expect(cluster.pod("job").status?.phase).toBe("Succeeded");
    expect(cluster.pod("job").status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode).toBe(0);
  });
});

describe("probes", () => {
  it("[POD-234] [POD-249] waits for readiness and words a refused connection", () => {
    const cluster = started();
    cluster.createPod("web", {
      containers: [
        { name: "web", image: "nginx:1.27", readinessProbe: { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 1 } },
      ],
    });
    cluster.simulation.advance(10_000);
    expect(cluster.isReady("web")).toBe(false);
    expect(cluster.eventsOf("web").find((each) => each.includes("Unhealthy"))).toContain(
      'Warning Unhealthy Readiness probe failed: Get "http://10.244.1.2:8080/ready": dial tcp 10.244.1.2:8080: connect: connection refused',
    );
  });

  it("[POD-233] [POD-244] restarts a container whose liveness probe fails", () => {
    const cluster = started();
    cluster.createPod("web", {
      containers: [
        { name: "web", image: "nginx:1.27", livenessProbe: { httpGet: { path: "/healthz", port: 80 }, periodSeconds: 1 } },
      ],
    });
    cluster.simulation.advance(12_000);
    expect(cluster.eventsOf("web")).toEqual(
      expect.arrayContaining([
        expect.stringContaining("Warning Unhealthy Liveness probe failed: HTTP probe failed with statuscode: 404"),
        expect.stringContaining("Normal Killing Container web failed liveness probe, will be restarted"),
      ]),
    );
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0);
  });

  it("[POD-237] [POD-247] shows an exec probe's output", () => {
    const cluster = started();
    cluster.createPod("live", {
      containers: [
        busybox("touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600", {
          livenessProbe: { exec: { command: ["cat", "/tmp/healthy"] }, initialDelaySeconds: 5, periodSeconds: 5 },
        }),
      ],
    });
    cluster.simulation.advance(50_000);
    expect(cluster.eventsOf("live").find((each) => each.includes("Unhealthy"))).toContain(
      "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory",
    );
  });
});

describe("environment and volumes", () => {
  it("[POD-067] [POD-070] [POD-078] gives a container its name, services and expanded values", () => {
    const cluster = started();
    cluster.client.create(services, {
      metadata: { name: "foo", namespace: "default" },
      spec: { ports: [{ port: 80 }], clusterIP: "10.96.0.77" },
    });
    cluster.createPod("env", {
      containers: [
        busybox("hostname; echo $FOO_SERVICE_HOST $FOO_PORT_80_TCP $GREETING $NODE", {
          env: [
            { name: "WHO", value: "world" },
            { name: "GREETING", value: "hello-$(WHO)" },
            { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
          ],
        }),
      ],
      restartPolicy: "Never",
    });
    cluster.simulation.advance(10_000);
    expect(logOf(cluster, "env")).toBe("env\n10.96.0.77 tcp://10.96.0.77:80 hello-world node-1\n");
  });

  it("[POD-188] waits for a ConfigMap that a variable refers to", () => {
    const cluster = started();
    cluster.createPod("env", {
      containers: [
        busybox("echo $COLOR; sleep 3600", {
          env: [{ name: "COLOR", valueFrom: { configMapKeyRef: { name: "x", key: "color" } } }],
        }),
      ],
    });
    cluster.simulation.advance(8_000);
    expect(cluster.pod("env").status?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: "CreateContainerConfigError",
      message: 'configmap "x" not found',
    });
    cluster.client.create(configMaps, { metadata: { name: "x", namespace: "default" }, data: { color: "blue" } });
    cluster.untilReady("env");
    expect(logOf(cluster, "env")).toBe("blue\n");
  });

  it("[POD-570] [POD-641] mounts a ConfigMap and follows its changes", () => {
    const cluster = started();
    cluster.createPod("vol", {
      volumes: [{ name: "v", configMap: { name: "x" } }],
      containers: [
        busybox("cat /v/color; sleep 120; cat /v/color; ls -a /v; sleep 3600", { volumeMounts: [{ name: "v", mountPath: "/v" }] }),
      ],
    });
    cluster.simulation.advance(2_000);
    expect(cluster.eventsOf("vol")[0]).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "v" : configmap "x" not found',
    );
    const created = cluster.client.create(configMaps, { metadata: { name: "x", namespace: "default" }, data: { color: "blue\n" } });
    cluster.untilReady("vol");
    cluster.client.update(configMaps, { ...created, data: { color: "green\n" } });
    cluster.simulation.advance(180_000);
    expect(logOf(cluster, "vol")).toMatch(/^blue\ngreen\n\.\n\.\.\n\.\.2026_\S+\n\.\.data\ncolor\n$/);
  });

  it("[POD-131] keeps an emptyDir over a restart", () => {
    const cluster = started();
    cluster.createPod("e", {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [busybox("echo x >> /v/f; wc -l < /v/f; sleep 5", { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
    });
    cluster.simulation.advance(25_000);
    expect(Number(logOf(cluster, "e"))).toBeGreaterThan(1);
  });

  it("[POD-068] writes the hosts file and the resolver's settings", () => {
    const cluster = started();
    cluster.createPod("net", { restartPolicy: "Never", containers: [busybox("cat /etc/hosts /etc/resolv.conf")] });
    cluster.simulation.advance(10_000);
    expect(logOf(cluster, "net")).toBe(
      "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n10.244.1.2\tnet\nsearch default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
    );
  });
});

describe("the node", () => {
  it("[POD-601] [POD-603] registers and posts its status", () => {
    const cluster = started();
    const node = cluster.client.get(nodes, { namespace: "", name: "node-1" });
    expect(node.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      "MemoryPressure False KubeletHasSufficientMemory",
      "DiskPressure False KubeletHasNoDiskPressure",
      "PIDPressure False KubeletHasSufficientPID",
      "Ready True KubeletReady",
    ]);
    expect(node.status?.nodeInfo).toMatchObject({ kubeletVersion: "v1.36.0", operatingSystem: "linux", architecture: "amd64" });
  });

  it("[POD-606] renews its Lease every 10 s", () => {
    const cluster = started();
    const renewed = () => cluster.client.get(leases, { namespace: "kube-node-lease", name: "node-1" }).spec?.renewTime;
    const before = renewed();
    cluster.simulation.advance(11_000);
    expect(renewed()).not.toBe(before);
  });

  it("[POD-466] [POD-152] refuses a pod that does not fit", () => {
    const cluster = started();
    cluster.createPod("huge", { containers: [{ name: "c", image: "nginx:1.27", resources: { requests: { cpu: "4" } } }] });
    cluster.simulation.advance(1_000);
    expect(cluster.pod("huge").status).toMatchObject({
      phase: "Failed",
      reason: "OutOfcpu",
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 0, capacity: 2000",
    });
  });

  it("[POD-221] [POD-555] lets containers run while the kubelet is stopped, and goes on with them", () => {
    const cluster = started();
    cluster.createPod("web", { containers: [{ name: "web", image: "nginx:1.27", readinessProbe: { httpGet: { port: 80 } } }] });
    cluster.untilReady("web");
    cluster.node.kubelet.stop();
    cluster.simulation.advance(60_000);
    cluster.node.kubelet.start();
    cluster.simulation.advance(30_000);
    expect(cluster.isReady("web")).toBe(true);
    expect(cluster.pod("web").status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it("[POD-556] [POD-558] [POD-559] [WRK-227] runs static pods with mirror pods", () => {
    const cluster = started();
    const manifest = "/etc/kubernetes/manifests/web.yaml";
    cluster.node.machine.files.writeFile(
      manifest,
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: nginx:1.27\n",
    );
    cluster.simulation.advance(3_000);
    cluster.untilReady("web-node-1");
    const first = cluster.pod("web-node-1");
    expect(first.metadata.annotations?.["kubernetes.io/config.mirror"]).toBe(
      first.metadata.annotations?.["kubernetes.io/config.hash"],
    );
    cluster.client.delete(pods, { namespace: "default", name: "web-node-1" });
    cluster.simulation.advance(3_000);
    expect(cluster.pod("web-node-1").metadata.uid).not.toBe(first.metadata.uid);
    expect(cluster.isReady("web-node-1")).toBe(true);
    cluster.node.machine.files.unlink(manifest);
    cluster.simulation.advance(6_000);
    expect(cluster.hasPod("web-node-1")).toBe(false);
    expect(cluster.node.runtime.podUids()).toEqual([]);
  });

  it("[WRK-227] keeps what volumes hold while the API server is away", () => {
    const cluster = started();
    const meta = { name: "m", namespace: "default" };
    cluster.client.create(configMaps, { metadata: meta, data: { a: "1" } });
    cluster.createPod("p", {
      containers: [{ name: "c", image: "nginx:1.27", volumeMounts: [{ name: "v", mountPath: "/v" }] }],
      volumes: [{ name: "v", projected: { sources: [{ configMap: { name: "m" } }] } }],
    });
    cluster.untilReady("p");
    cluster.client.patch(configMaps, meta, "merge", { data: { a: "2" } });
    cluster.simulation.advance(500);
    cluster.server.stop();
    cluster.simulation.advance(300_000);
    cluster.server.start();
    cluster.simulation.advance(120_000);
    expect(cluster.isReady("p")).toBe(true);
  });

  it("[WRK-227] goes on with static pods while the API server is away", () => {
    const cluster = started();
    cluster.server.stop();
    cluster.node.machine.files.writeFile(
      "/etc/kubernetes/manifests/web.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: nginx:1.27\n",
    );
    cluster.simulation.advance(10_000);
    expect(cluster.node.runtime.runningContainers).toBe(1);
    cluster.server.start();
    cluster.simulation.advance(60_000);
    expect(cluster.isReady("web-node-1")).toBe(true);
  });
});
