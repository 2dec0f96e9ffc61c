// Keys of Secrets and ConfigMaps as variables of containers.

import { describe, expect, it } from "vitest";
import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { configMaps, secrets } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

const login = { name: "login", namespace: "default" };
const secretOf = (data: { readonly [key: string]: string }) => ({
  metadata: login,
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
});
const fromSecret = (name: string, key: string, optional = false) => ({
  name,
  valueFrom: { secretKeyRef: { name: "login", key, optional } },
});

/** Runs a container of the Pod `p` for a while. */
function run(cluster: SmallCluster, script: string, container: Partial<Container>, spec: Partial<PodSpec> = {}): string {
  cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script, container)], ...spec });
  cluster.simulation.advance(10_000);
  return logOf(cluster, "p", "c");
}

const waiting = (cluster: SmallCluster) => statusOf(cluster, "p", "c")?.state?.waiting;

describe("a variable from a Secret", () => {
  it("[NET-391] [NET-393] keeps its container from starting until the Secret is there", () => {
    const cluster = startedCluster();
    run(cluster, "echo $USER; sleep 3600", { env: [fromSecret("USER", "user")] });
    expect(waiting(cluster)).toEqual({ reason: "CreateContainerConfigError", message: 'secret "login" not found' });
    expect(cluster.eventsOf("p").some((event) => /^Warning Failed Error: secret "login" not found/.test(event))).toBe(true);
    cluster.client.create(secrets, secretOf({ user: "ada" }));
    cluster.simulation.advance(90_000);
    expect([logOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["ada\n", 0]);
  });

  it("[NET-392] waits for the key too, in its own words for ConfigMaps", () => {
    const cluster = startedCluster();
    cluster.client.create(secrets, secretOf({ user: "ada" }));
    cluster.client.create(configMaps, { metadata: login, data: { user: "bob" } });
    run(cluster, "true", { env: [fromSecret("X", "nope")] });
    expect(waiting(cluster)?.message).toBe("couldn't find key nope in Secret default/login");
    cluster.createPod("q", {
      containers: [shell("c", "true", { env: [{ name: "X", valueFrom: { configMapKeyRef: { name: "login", key: "nope" } } }] })],
    });
    cluster.simulation.advance(10_000);
    expect(statusOf(cluster, "q", "c")?.state?.waiting?.message).toBe("couldn't find key nope in ConfigMap default/login");
  });

  it("[NET-394] is not set where it is optional and missing", () => {
    const cluster = startedCluster();
    expect(run(cluster, "echo ${X-unset}", { env: [fromSecret("X", "nope", true)] })).toBe("unset\n");
  });

  it("[NET-395] comes with all others, which wait for the Secret as well", () => {
    const cluster = startedCluster();
    run(cluster, "true", { envFrom: [{ secretRef: { name: "login" } }] });
    expect(waiting(cluster)).toEqual({ reason: "CreateContainerConfigError", message: 'secret "login" not found' });
  });

  it("[NET-396] [NET-397] has its key's name behind a prefix; what is said later, and one by one, wins", () => {
    const cluster = startedCluster();
    cluster.client.create(secrets, secretOf({ user: "ada", "1badkey": "x", port: "1" }));
    cluster.client.create(configMaps, { metadata: login, data: { user: "bob", zone: "a", port: "2" } });
    const envFrom = [
      { secretRef: { name: "login" } },
      { configMapRef: { name: "login" } },
      { prefix: "P_", secretRef: { name: "login" } },
    ];
    const env = [{ name: "port", value: "3" }];
    const script = "env | grep -E '^(P_)?(user|port|zone|1badkey)=' | sort";
    expect(run(cluster, script, { envFrom, env })).toBe("1badkey=x\nP_1badkey=x\nP_port=1\nP_user=ada\nport=3\nuser=bob\nzone=a\n");
  });

  it("[NET-398] keeps a line's end that is in the value", () => {
    const cluster = startedCluster();
    cluster.client.create(secrets, secretOf({ user: "ada\n" }));
    expect(run(cluster, 'echo "[$USER]"', { env: [fromSecret("USER", "user")] })).toBe("[ada\n]\n");
  });

  it("[NET-399] [NET-400] is that of the container's start: a new one has the new value, and none without the Secret", () => {
    const cluster = startedCluster();
    cluster.client.create(secrets, secretOf({ user: "ada" }));
    const script = "for i in 1 2 3; do echo $USER; sleep 60; done";
    run(cluster, script, { env: [fromSecret("USER", "user")] }, { restartPolicy: "Always" });
    cluster.client.patch(secrets, login, "merge", { data: { user: btoa("eve") } });
    cluster.simulation.advance(130_000);
    expect(logOf(cluster, "p", "c")).toBe("ada\nada\nada\n");
    cluster.simulation.advance(60_000);
    expect(logOf(cluster, "p", "c")).toMatch(/^eve\n/);
    cluster.client.delete(secrets, login);
    cluster.simulation.advance(60_000);
    expect(stateOf(cluster, "p", "c")).toBe("running");
    cluster.simulation.advance(200_000);
    expect(stateOf(cluster, "p", "c")).toMatch(/^waiting/);
    expect(cluster.eventsOf("p").some((event) => /^Warning Failed Error: secret "login" not found/.test(event))).toBe(true);
  });
});
