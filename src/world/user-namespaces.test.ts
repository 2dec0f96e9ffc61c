// Pods with `hostUsers: false`, as one meets them on the cluster and on its nodes.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function start(
  nodes: ConstructorParameters<typeof World>[0]["nodes"] = [{ files: { "/srv/data/root.txt": "r\n", "/srv/data/far.txt": "f\n" } }],
) {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 1, nodes, files: {} });
  world.boot();
  const { run } = sitDown(world, { columns: 200, rows: 60 });
  const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
  const pod = (name: string, spec: object = {}) => {
    const overrides = JSON.stringify({ spec: { nodeName: "node-1", hostUsers: false, ...spec } });
    return run(`kubectl run ${name} --image=busybox:1.36 --overrides='${overrides}' -- sleep 3600`);
  };
  const inside = (name: string, script: string): string => run(`kubectl exec ${name} -- sh -c '${script}'`);
  const node = (script: string): string => run(`ssh node-1 '${script}'`);
  const mapOf = (name: string): readonly number[] => inside(name, "cat /proc/self/uid_map").trim().split(/\s+/u).map(Number);
  /** Messages of the Pod's events of failures, each once. */
  const failures = (name: string): string =>
    run(
      `kubectl events --for pod/${name} -o json | jq -r '.items[] | select(.type == "Warning") | .reason + ": " + .message' | grep -v "^BackOff" | sort -u`,
    ).trim();
  const refusal = (): string => {
    const lines = node("journalctl -u kubelet --no-pager -n 20").split("\n");
    return / err="(.*)"$/u.exec(lines.findLast((line) => line.includes("command failed")) ?? "")?.[1] ?? "";
  };
  return { run, wait, pod, inside, node, mapOf, failures, refusal };
}

const cannotStart =
  "Failed: Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init:";
const data = {
  volumes: [{ name: "data", hostPath: { path: "/srv/data" } }],
  containers: [
    { name: "u", image: "busybox:1.36", command: ["sleep", "3600"], volumeMounts: [{ name: "data", mountPath: "/data" }] },
  ],
};

describe("Pods with users of their own", () => {
  it("[POD-408] [POD-409] [POD-410] [POD-411] have a range each, and processes that the node counts as nobody it knows", () => {
    const { pod, wait, inside, node, mapOf, run } = start();
    pod("u");
    pod("v");
    pod("plain", { hostUsers: true });
    wait(15);
    const [[first = 0, host = 0, length], [, other = 0]] = [mapOf("u"), mapOf("v")] as const;
    expect([first, length, host % 65_536, other % 65_536]).toEqual([0, 65_536, 0, 0]);
    expect(Math.min(host, other)).toBeGreaterThanOrEqual(65_536);
    expect(host).not.toBe(other);
    expect(inside("u", "cat /proc/self/gid_map")).toBe(`         0 ${String(host).padStart(10)}      65536\n`);
    expect(inside("plain", "cat /proc/self/uid_map")).toBe("         0          0 4294967295\n");
    expect(inside("u", "id -u; grep CapEff /proc/self/status")).toMatch(/^0\nCapEff:\s*00000000a80425fb\n$/u);
    expect(node("ps -eo uid,args | grep 3600 | grep -v -e bash -e grep | sort -n")).toBe(
      [0, ...[host, other].sort((a, b) => a - b)].map((uid) => `${String(uid).padStart(10)} sleep 3600\n`).join(""),
    );
    expect(node("ps aux | grep 3600 | cut -c 1-8 | grep +").split("\n")).toContain(`${String(host).slice(0, 7)}+`);
    const pid = node(`ps -eo uid,pid | grep " *${host}"`).trim().split(/\s+/u).at(-1);
    expect(node(`grep ^Uid /proc/${pid}/status; stat -c %u /proc/${pid}`).replace(/\s+/gu, "")).toBe(`Uid:${`${host}`.repeat(5)}`);
    const uid = run("kubectl get pod u -o jsonpath={.metadata.uid}; echo").trim();
    const mappings = `[{"hostId":${host},"containerId":0,"length":65536}]`;
    expect(node(`cat /var/lib/kubelet/pods/${uid}/userns; echo`)).toBe(`{"uidMappings":${mappings},"gidMappings":${mappings}}\n`);
    node("systemctl restart kubelet");
    wait(5);
    expect(mapOf("u")).toEqual([0, host, 65_536]);
    run("kubectl delete pod u --now");
    wait(5);
    expect(node(`ls /var/lib/kubelet/pods/${uid} 2>&1`)).toContain("No such file");
  });

  it("[POD-414] [POD-415] see the owners of volumes as they are on the disk, and nobody where no ID of theirs stands for the owner", () => {
    const { pod, wait, inside, node } = start();
    node("chown 70000:70000 /srv/data/far.txt; chmod 666 /srv/data/far.txt");
    pod("u", data);
    wait(15);
    const owners = (path: string): string => inside("u", `stat -c %u:%g ${path}`).trim();
    expect(owners("/data/root.txt /data/far.txt /proc /dev/null /proc/1").split("\n")).toEqual([
      "0:0",
      "65534:65534",
      "65534:65534",
      "65534:65534",
      "0:0",
    ]);
    expect(owners("-L /var/run/secrets/kubernetes.io/serviceaccount/token")).toBe("0:0");
    expect(inside("u", "cat /data/far.txt; echo x >> /data/root.txt; echo done")).toBe("f\ndone\n");
    expect(node("cat /srv/data/root.txt")).toBe("r\nx\n");
    for (const [command, answer] of [
      ["echo x >> /data/far.txt", "Permission denied"],
      ["chown 0:0 /data/far.txt", "Operation not permitted"],
      ["chmod 600 /data/far.txt", "Value too large for defined data type"],
      ["rm -f /data/far.txt", "Value too large for defined data type"],
      ["chmod 600 /dev/null", "Operation not permitted"],
      ["chown 70000 /data/root.txt", "Invalid argument"],
    ] as const)
      expect(inside("u", command)).toContain(answer);
    expect(inside("u", "touch /data/new; grep -c ,idmapped /proc/mounts")).toMatch(/^\d+\n$/u);
    expect(node("stat -c %u /srv/data/new")).toBe("0\n");
  });

  it("[POD-413] [POD-417] do not start with users beyond the range, on devices, or with a runtime that has no such namespaces", () => {
    const { pod, wait, failures, run } = start([{ runtimes: { sandboxed: "runsc" } }]);
    run(
      "printf 'apiVersion: node.k8s.io/v1\\nkind: RuntimeClass\\nmetadata:\\n  name: sandboxed\\nhandler: sandboxed\\n' | kubectl apply -f -",
    );
    pod("user", { securityContext: { runAsUser: 70_000 } });
    pod("group", { securityContext: { runAsGroup: 70_000 } });
    pod("fs", { securityContext: { fsGroup: 70_000 } });
    pod("device", { ...data, volumes: [{ name: "data", hostPath: { path: "/dev/null" } }] });
    pod("gvisor", { runtimeClassName: "sandboxed" });
    wait(15);
    expect(failures("user")).toBe(`${cannotStart} cannot setuid to unmapped uid 70000 in user namespace: unknown`);
    expect(failures("group")).toBe(`${cannotStart} cannot setgid to unmapped gid 70000 in user namespace: unknown`);
    expect(failures("fs")).toBe(`${cannotStart} setgroups: invalid argument: unknown`);
    expect(failures("device")).toBe(
      `${cannotStart} failed to fulfil mount request: failed to set MOUNT_ATTR_IDMAP on /dev/null: invalid argument (maybe the filesystem used doesn't support idmap mounts on this kernel?): unknown`,
    );
    expect(failures("gvisor")).toBe(
      'FailedCreatePodSandBox: Failed to create pod sandbox: can\'t set `spec.hostUsers: false`, RuntimeClass handler "sandboxed" does not support user namespaces',
    );
  });

  it("[POD-416] have capabilities that do not count outside", () => {
    const { pod, wait, inside } = start();
    const all = {
      containers: [{ name: "u", image: "busybox:1.36", command: ["sleep", "3600"], securityContext: { privileged: true } }],
    };
    pod("u", all);
    wait(15);
    expect(inside("u", "grep CapEff /proc/self/status")).toMatch(/000001ffffffffff/u);
    expect(inside("u", "chmod 600 /dev/null")).toContain("Operation not permitted");
  });
});

describe("the IDs that a kubelet may give", () => {
  it("[POD-420] are those of the user kubelet where the machine has it; by others it does not start", () => {
    const { node, wait, refusal, pod, mapOf, run } = start();
    const restartWith = (range: string): string => {
      node(`echo ${range} | tee /etc/subuid /etc/subgid; systemctl restart kubelet; sleep 1`);
      return refusal();
    };
    const cause = "failed to run Kubelet: failed to create kubelet: create user namespace manager:";
    expect(node("getsubids kubelet; echo $?; useradd kubelet; getsubids -g kubelet")).toBe(
      "Error fetching ranges\n1\n0: kubelet 100000 65536\n",
    );
    node("systemctl restart kubelet; sleep 1");
    expect(refusal()).toBe(`${cause} kubelet user assigned ID 100000 is not a multiple of 65536`);
    expect(
      node("userdel kubelet; getsubids kubelet; grep -c kubelet /etc/passwd /etc/group; userdel kubelet; useradd kubelet"),
    ).toBe("Error fetching ranges\n/etc/passwd:0\n/etc/group:0\nuserdel: user 'kubelet' does not exist\n");
    expect(restartWith("kubelet:0:7208960")).toBe(`${cause} kubelet user assigned ID 0 must be greater or equal to 65536`);
    expect(restartWith("kubelet:65536:7208961")).toBe(
      `${cause} kubelet user assigned IDs length 7208961 is not a multiple of 65536`,
    );
    expect(restartWith("kubelet:65536:6553600")).toBe(`${cause} kubelet user assigned IDs are not enough to support 110 pods`);
    expect(restartWith("other:65536:7208960")).toBe(
      `${cause} kubelet mappings: error retrieving additional uids for user \\"kubelet\\": exit status 1`,
    );
    node("echo kubelet:65536:7208960 > /etc/subuid; echo kubelet:131072:7208960 > /etc/subgid; systemctl restart kubelet; sleep 1");
    expect(refusal()).toBe(`${cause} kubelet mappings: mismatched subuids and subgids for user \\"kubelet\\"`);
    restartWith("kubelet:65536:7208960");
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    pod("u");
    wait(15);
    const [, host = 0] = mapOf("u");
    expect(host).toBeGreaterThanOrEqual(65_536);
    expect(host).toBeLessThan(65_536 + 7_208_960);
    const uid = run("kubectl get pod u -o jsonpath={.metadata.uid}; echo").trim();
    expect(restartWith("kubelet:14417920:7208960")).toBe(
      `${cause} record pod mappings for existing pod \\"${uid}\\": id ${host} is out of range`,
    );
  });

  it("[POD-421] are 65536 for a Pod, or what userNamespaces.idsPerPod says", () => {
    const { node, refusal, wait, pod, mapOf } = start();
    const restartWith = (idsPerPod: number): string => {
      node(
        `sed -i /userNamespaces/,+1d /var/lib/kubelet/config.yaml; printf "userNamespaces:\\n  idsPerPod: ${idsPerPod}\\n" >> /var/lib/kubelet/config.yaml; systemctl restart kubelet; sleep 1`,
      );
      return refusal();
    };
    const path = "path: &TypeMeta{Kind:,APIVersion:,}";
    const cause = "failed to validate kubelet configuration, error: invalid configuration: userNamespaces.idsPerPod must";
    expect(restartWith(1000)).toBe(`${cause} not be less than 65536, ${path}`);
    expect(restartWith(100_000)).toBe(`${cause} be a multiple of 65536, ${path}`);
    restartWith(1_048_576);
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    pod("u", { securityContext: { runAsUser: 70_000 } });
    wait(15);
    const [, host = 0, length] = mapOf("u");
    expect([length, host % 1_048_576]).toEqual([1_048_576, 0]);
  });
});
