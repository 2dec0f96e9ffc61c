import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { conditionOf, instancesOf, logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

const onExit42 = {
  restartPolicy: "Never",
  restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }],
};
const mounts = { volumeMounts: [{ name: "v", mountPath: "/v" }] };
const volumes = [{ name: "v", emptyDir: {} }];
/** Ends with 42 the first time, after so many seconds; then runs on. */
const once = (seconds: number) => `echo x >> /v/runs; test $(wc -l < /v/runs) = 1 && sleep ${seconds} && exit 42; sleep 3600`;

/** What is seen of a pod in so many seconds, each new sight once; looks every 100 ms. */
function sights(cluster: SmallCluster, seconds: number, see: () => string): readonly string[] {
  const seen: string[] = [];
  for (let step = 0; step < seconds * 10; step += 1) {
    const sight = see();
    if (seen.at(-1) !== sight) seen.push(sight);
    cluster.simulation.advance(100);
  }
  return seen;
}

describe("restart rule RestartAllContainers", () => {
  it("[POD-220] all containers run again in place: same UID, address, sandbox and volumes, no preStop, one restart more", () => {
    const cluster = startedCluster();
    const preStop = { exec: { command: ["sh", "-c", "echo stopped >> /v/stopped"] } };
    cluster.createPod("p", {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 30,
      volumes,
      initContainers: [
        shell("init", "echo init >> /v/inits", { ...mounts }),
        shell("sidecar", "trap '' TERM; sleep 3600", { restartPolicy: "Always", ...mounts }),
      ],
      containers: [
        shell("trigger", once(5), { ...onExit42, ...mounts }),
        shell("app", "cat /v/inits; ls /v; sleep 3600", { lifecycle: { preStop }, ...mounts }),
        shell("done", "exit 0"),
      ],
    });
    cluster.simulation.advance(6_000);
    const names = ["init", "sidecar", "trigger", "app", "done"];
    const facts = () => {
      const { metadata, status } = cluster.pod("p");
      return [metadata.uid, status?.podIP, cluster.node.runtime.sandboxesOf(metadata.uid).map(({ id }) => id)];
    };
    const before = facts();
    expect(names.map((name) => statusOf(cluster, "p", name)?.restartCount)).toEqual([0, 0, 0, 0, 0]);
    cluster.simulation.advance(15_000);
    expect(facts()).toEqual(before);
    expect(names.map((name) => [statusOf(cluster, "p", name)?.restartCount, stateOf(cluster, "p", name)])).toEqual([
      [1, "terminated: Completed 0"],
      [1, "running"],
      [1, "running"],
      [1, "running"],
      [1, "terminated: Completed 0"],
    ]);
    expect(logOf(cluster, "p", "app")).toBe("init\ninit\ninits\nruns\n");
    expect(names.map((name) => statusOf(cluster, "p", name)?.lastState)).toEqual(
      names.map(() => ({
        terminated: {
          exitCode: 137,
          message: "The container is removed because RestartAllContainers in place",
          reason: "RestartingAllContainers",
        },
      })),
    );
    expect(cluster.eventsOf("p").filter((event) => / (Killing|SandboxChanged|BackOff|FailedPreStopHook) /u.test(event))).toEqual([
      "Normal Killing killing",
      "Normal Killing killing",
    ]);
  });

  it("[POD-220] the condition AllContainersRestarting is True while containers are removed; the pod is Running and Initialized", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      volumes,
      containers: [shell("a", "sleep 3600"), shell("b", once(3), { ...onExit42, ...mounts })],
    });
    cluster.untilReady("p");
    const seen = sights(cluster, 12, () =>
      [
        conditionOf(cluster, "p", "AllContainersRestarting"),
        conditionOf(cluster, "p", "Initialized"),
        conditionOf(cluster, "p", "Ready").split(" ")[0],
        cluster.pod("p").status?.phase,
        stateOf(cluster, "p", "a"),
        stateOf(cluster, "p", "b"),
      ].join("; "),
    );
    expect(seen).toEqual([
      "False; True; True; Running; running; running",
      "True RestartAllContainersStarted container exited with restart policy rule; True; False; Running; running; terminated: Error 42",
      "False; True; False; Running; waiting: RestartingAllContainers; waiting: RestartingAllContainers",
      "False; True; True; Running; running; running",
    ]);
    const started = ["Pulled", "Created", "Started"].map((reason) => `Normal ${reason} x2`);
    const events = cluster.eventsOf("p").map((event) => event.replace(/^(\w+ \w+) Container.*( x\d)$/u, "$1$2"));
    expect(events).toEqual([...started, ...started, "Normal Killing killing"]);
  });

  it("[POD-220] init containers run again in a pod that stays Initialized and Running; its other containers wait for them", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      volumes,
      initContainers: [shell("init", "sleep 3")],
      containers: [shell("a", once(3), { ...onExit42, ...mounts })],
    });
    cluster.untilReady("p");
    const see = () =>
      [
        conditionOf(cluster, "p", "Initialized"),
        cluster.pod("p").status?.phase,
        stateOf(cluster, "p", "init"),
        stateOf(cluster, "p", "a"),
      ].join("; ");
    expect(sights(cluster, 15, see)).toEqual([
      "True; Running; terminated: Completed 0; running",
      "True; Running; terminated: Completed 0; terminated: Error 42",
      "True; Running; waiting: RestartingAllContainers; waiting: RestartingAllContainers",
      "True; Running; running; waiting: PodInitializing",
      "True; Running; terminated: Completed 0; waiting: PodInitializing",
      "True; Running; terminated: Completed 0; running",
    ]);
  });

  it.each<readonly [string, object]>([
    [
      "init container",
      { initContainers: [shell("a", once(1), { ...onExit42, ...mounts })], containers: [shell("b", "sleep 3600")] },
    ],
    [
      "sidecar",
      {
        initContainers: [shell("a", once(5), { ...onExit42, restartPolicy: "Always", ...mounts })],
        containers: [shell("b", "sleep 3600")],
      },
    ],
    ["only container", { containers: [shell("a", once(5), { ...onExit42, ...mounts })] }],
  ])("[POD-220] the end of this one is enough: %s", (_title, spec) => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", volumes, ...spec });
    const phases = sights(cluster, 15, () => cluster.pod("p").status?.phase ?? "none");
    expect(phases.filter((phase) => phase === "Failed" || phase === "Succeeded")).toEqual([]);
    expect([statusOf(cluster, "p", "a")?.restartCount, stateOf(cluster, "p", "a")]).toEqual([1, "running"]);
    expect(instancesOf(cluster, "p", "a")).toHaveLength(1);
  });

  it.each<readonly [string, readonly object[], number, number]>([
    ["another code", [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }], 1, 0],
    ["NotIn", [{ action: "RestartAllContainers", exitCodes: { operator: "NotIn", values: [1] } }], 42, 1],
    [
      "the first rule for the code stands",
      [
        { action: "Restart", exitCodes: { operator: "In", values: [42] } },
        { action: "RestartAllContainers", exitCodes: { operator: "NotIn", values: [0] } },
      ],
      42,
      0,
    ],
  ])("[POD-220] which rule is for a code: %s", (_title, restartPolicyRules, code, count) => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      volumes,
      containers: [
        shell("a", once(3).replace("42", String(code)), { restartPolicy: "Always", restartPolicyRules, ...mounts }),
        shell("b", "sleep 3600"),
      ],
    });
    cluster.simulation.advance(15_000);
    expect([statusOf(cluster, "p", "a")?.restartCount, statusOf(cluster, "p", "b")?.restartCount]).toEqual([1, count]);
  });

  it("[POD-220] again and again without back-off", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("a", "sleep 3; exit 42", onExit42)] });
    const seen = sights(cluster, 30, () => stateOf(cluster, "p", "a"));
    expect(seen).not.toContain("waiting: CrashLoopBackOff");
    expect(statusOf(cluster, "p", "a")?.restartCount).toBeGreaterThanOrEqual(5);
  });

  it("[POD-220] ephemeral containers stay as they are", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { volumes, containers: [shell("a", once(10), { ...onExit42, ...mounts })] });
    cluster.simulation.advance(5_000);
    const ephemeralContainers = [shell("debugger", "sleep 3600"), shell("over", "exit 1")];
    const name = { namespace: "default", name: "p" };
    cluster.client.patch(pods, name, "strategic", { spec: { ephemeralContainers } }, { subresource: "ephemeralcontainers" });
    cluster.simulation.advance(15_000);
    expect(
      ["a", "debugger", "over"].map((each) => [stateOf(cluster, "p", each), statusOf(cluster, "p", each)?.restartCount]),
    ).toEqual([
      ["running", 1],
      ["running", 0],
      ["terminated: Error 1", 0],
    ]);
  });

  it("[POD-220] logs of the removed containers stay on the node", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { volumes, containers: [shell("a", `echo hello; ${once(3)}`, { ...onExit42, ...mounts })] });
    cluster.simulation.advance(12_000);
    const { uid } = cluster.pod("p").metadata;
    const path = `/var/log/pods/default_p_${uid}/a`;
    expect([0, 1, 2].map((attempt) => cluster.node.machine.files.exists(`${path}/${attempt}.log`))).toEqual([true, true, false]);
    expect(instancesOf(cluster, "p", "a").map(({ config }) => config.attempt)).toEqual([1]);
  });

  it("[POD-220] a kubelet that starts goes on with it", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      volumes,
      containers: [shell("a", "trap '' TERM; sleep 3600"), shell("b", once(3), { ...onExit42, ...mounts })],
    });
    const isRestarting = () => conditionOf(cluster, "p", "AllContainersRestarting").startsWith("True");
    expect(cluster.simulation.runUntil(isRestarting, { limitMs: 20_000 })).toBe(true);
    cluster.simulation.advance(500);
    cluster.node.kubelet.stop();
    cluster.simulation.advance(5_000);
    expect(isRestarting()).toBe(true);
    cluster.node.kubelet.start();
    cluster.simulation.advance(6_000);
    expect(conditionOf(cluster, "p", "AllContainersRestarting")).toBe("False");
    expect(["a", "b"].map((name) => [stateOf(cluster, "p", name), statusOf(cluster, "p", name)?.restartCount])).toEqual([
      ["running", 1],
      ["running", 1],
    ]);
  });

  it("[POD-220] only pods with such a rule have the condition", () => {
    const cluster = startedCluster();
    cluster.createPod("with", { containers: [shell("a", "sleep 3600", onExit42)] });
    cluster.createPod("without", { containers: [shell("a", "sleep 3600")] });
    cluster.simulation.advance(5_000);
    expect(["with", "without"].map((pod) => conditionOf(cluster, pod, "AllContainersRestarting"))).toEqual(["False", ""]);
  });
});
