import { describe, expect, it } from "vitest";
import { configMaps } from "#cluster/api/kinds.ts";
import { signatureOf } from "#cluster/api/token-signature.ts";
import { logOf, shell, startedCluster, statusOf } from "../kubelet.test-kit.ts";

const volumes = [
  { name: "conf", configMap: { name: "settings" } },
  { name: "work", emptyDir: {} },
];

function started(mount: object, script = "ls -ld /mnt; sleep 1000", more: object = {}) {
  const cluster = startedCluster();
  cluster.client.create(configMaps, {
    metadata: { name: "settings", namespace: "default" },
    data: { "nginx.conf": "worker_processes 1;\n" },
  });
  cluster.client.create(configMaps, { metadata: { name: "kube-root-ca.crt", namespace: "default" }, data: { "ca.crt": "" } });
  const container = shell("web", script, {
    env: [{ name: "UP", value: ".." }, { name: "EMPTY" }, { name: "ROOT", value: "/tmp" }],
    volumeMounts: [mount],
  });
  cluster.createPod("p", { volumes, containers: [container], ...more });
  cluster.simulation.advance(20_000);
  return cluster;
}

describe("a mount of part of a volume", () => {
  it.each([
    [
      "a path through a file",
      { name: "conf", mountPath: "/mnt", subPath: "nginx.conf/nginx.conf" },
      'failed to prepare subPath for volumeMount "conf" of container "web"',
    ],
    [
      "[NET-251] a path that climbs by its variable",
      { name: "work", mountPath: "/mnt", subPathExpr: "$(UP)/etc" },
      "unable to provision SubPath `../etc`: must not contain '..'",
    ],
    [
      "an absolute path by its variable",
      { name: "work", mountPath: "/mnt", subPathExpr: "$(ROOT)" },
      "error SubPath `/tmp` must not be an absolute path",
    ],
    ["an empty variable", { name: "work", mountPath: "/mnt", subPathExpr: "$(EMPTY)" }, "missing value for EMPTY"],
    [
      "[NET-289] an unknown variable",
      { name: "work", mountPath: "/mnt", subPathExpr: "$(NONE)/$(EMPTY)" },
      "missing value for EMPTY, NONE",
    ],
  ])("keeps the container waiting with CreateContainerConfigError: %s", (_, mount, message) => {
    const cluster = started(mount);
    expect(statusOf(cluster, "p", "web")?.state?.waiting).toEqual({ reason: "CreateContainerConfigError", message });
    expect(cluster.eventsOf("p").some((event) => event.startsWith(`Warning Failed Error: ${message}`))).toBe(true);
    cluster.createPod("next", {});
    cluster.untilReady("next");
  });

  it("[NET-288] mounts a file, or makes a directory of what is not there, as open as the volume's root", () => {
    const file = started({ name: "conf", mountPath: "/mnt", subPath: "nginx.conf" }, "cat /mnt; sleep 1000");
    expect(logOf(file, "p", "web")).toBe("worker_processes 1;\n");
    const key = started({ name: "conf", mountPath: "/mnt", subPath: "nosuch.conf" });
    expect(logOf(key, "p", "web")).toMatch(/^drwxrwxrwx .* root +root .* \/mnt\n$/);
    const deep = started({ name: "work", mountPath: "mnt", subPath: "./a//b" });
    expect(logOf(deep, "p", "web")).toMatch(/^drwxrwxrwx /);
    const shared = started({ name: "work", mountPath: "/mnt", subPath: "a/b" }, undefined, { securityContext: { fsGroup: 2000 } });
    expect(logOf(shared, "p", "web")).toMatch(/^drwxrwsrwx .* root +2000 /);
  });
});

describe("files of a volume under a security context", () => {
  const token = "cat /var/run/secrets/kubernetes.io/serviceaccount/token | wc -c; stat -c '%a %u %g' /mnt/nginx.conf; sleep 1000";
  const mount = { name: "conf", mountPath: "/mnt" };

  it.each([
    ["the pod's user", { runAsUser: 1000 }],
    ["a user and an fsGroup", { runAsUser: 1000, fsGroup: 2000 }],
  ])("lets %s read its own service account token", (_, securityContext) => {
    const cluster = started(mount, token, { securityContext, automountServiceAccountToken: true });
    expect(Number(logOf(cluster, "p", "web").split("\n")[0])).toBeGreaterThan(100);
  });

  it.each<[string, object, object, string]>([
    ["nobody in particular", {}, {}, "644 0 0"],
    ["the pod's user", { runAsUser: 1000 }, {}, "600 1000 0"],
    ["a container's user", {}, { runAsUser: 1000 }, "600 1000 0"],
    ["a group", { fsGroup: 10_000 }, {}, "640 0 10000"],
    ["a user and a group", { runAsUser: 1000, fsGroup: 10_000 }, {}, "640 1000 10000"],
  ])("gives the token's file to who is to read it: %s", (_, pod, own, expected) => {
    const cluster = startedCluster();
    cluster.client.create(configMaps, { metadata: { name: "kube-root-ca.crt", namespace: "default" }, data: { "ca.crt": "" } });
    const path = "/var/run/secrets/kubernetes.io/serviceaccount/token";
    const container = shell("web", `stat -Lc '%a %u %g' ${path}; sleep 1000`, { securityContext: own });
    cluster.createPod("p", { containers: [container], securityContext: pod, automountServiceAccountToken: true });
    cluster.simulation.advance(20_000);
    expect(logOf(cluster, "p", "web")).toBe(`${expected}\n`);
  });

  it("shows programs a signed token, as long as it was before anybody looked", () => {
    const file = "/var/run/secrets/kubernetes.io/serviceaccount/token";
    const look = `stat -Lc %s ${file}; cat ${file}; echo; cat ${file} | wc -c; sleep 1000`;
    const lines = logOf(started(mount, look, { automountServiceAccountToken: true }), "p", "web").split("\n");
    const [size, token = "", count] = lines;
    expect([size, count]).toEqual([String(token.length), String(token.length)]);
    const [head, payload, signature] = token.split(".");
    expect(signature).toBe(signatureOf(`${head}.${payload}`));
  });

  it("gives the files to the fsGroup, whatever mode they ask for", () => {
    const narrow = { volumes: [{ name: "conf", configMap: { name: "settings", defaultMode: 0o400 } }] };
    const cluster = started(mount, "stat -Lc '%a %u %g' /mnt/nginx.conf; sleep 1000", {
      ...narrow,
      securityContext: { fsGroup: 2000 },
    });
    expect(logOf(cluster, "p", "web")).toBe("440 0 2000\n");
  });
});
