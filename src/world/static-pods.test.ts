// Manifests on a node that its kubelet does not take, what its journal says of them, and what a node tells of its own kubelet.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const folder = "/etc/kubernetes/manifests";
const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: bad }\nspec: { ${spec} }\n`;
const container = (more = ""): string => `containers: [{ name: c, image: nginx:1.29${more} }]`;

let world: World;
let learner: TypingLearner;
beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world, { columns: 500, rows: 200 });
});

/** The lines of the kubelet's journal about it, after so many seconds, without time and process. */
function complaints(text: string, seconds: number): readonly string[] {
  const files = world.cluster.node("node-1")?.machine.files;
  files?.writeFile(`${folder}/bad.yaml`, text);
  const since = world.simulation.nowMs;
  world.simulation.advance(seconds * 1000);
  const past = Math.ceil((world.simulation.nowMs - since) / 1000);
  const lines = learner.run(`ssh node-1 "journalctl -u kubelet --no-pager --since=-${past}s | grep manifest"`).trim().split("\n");
  expect(learner.run("kubectl get pods -o name")).toBe("\n");
  files?.unlink(`${folder}/bad.yaml`);
  world.simulation.advance(5000);
  return lines.map((line) => line.replace(/^.*? E0115 \S+ +\d+ /u, ""));
}

const refused = (problem: string): string =>
  `file.go:187] "Could not process manifest file" err=${JSON.stringify(problem)} path="${folder}/bad.yaml"`;

describe("a manifest", () => {
  it.each([
    ["a service account", pod(`serviceAccountName: x, ${container()}`), "serviceaccounts"],
    ["a Secret for its images", pod(`imagePullSecrets: [{ name: x }], ${container()}`), "secrets"],
    ["a Secret in a variable", pod(container(", env: [{ name: A, valueFrom: { secretKeyRef: { name: x, key: a } } }]")), "secrets"],
    ["a Secret of variables", pod(container(", envFrom: [{ secretRef: { name: x } }]")), "secrets"],
    ["a Secret as a volume", pod(`volumes: [{ name: v, secret: { secretName: x } }], ${container()}`), "secrets"],
    [
      "a ConfigMap in an init container",
      pod(`initContainers: [{ name: i, image: nginx:1.29, envFrom: [{ configMapRef: { name: x } }] }], ${container()}`),
      "configmaps",
    ],
    [
      "a projected ConfigMap",
      pod(`volumes: [{ name: v, projected: { sources: [{ configMap: { name: x } }] } }], ${container()}`),
      "configmaps",
    ],
    ["a claim", pod(`volumes: [{ name: v, persistentVolumeClaim: { claimName: x } }], ${container()}`), "persistentvolumeclaims"],
    [
      "a token",
      pod(`volumes: [{ name: v, projected: { sources: [{ serviceAccountToken: { path: t } }] } }], ${container()}`),
      "serviceaccounts (via projected volumes)",
    ],
  ])("[POD-561] may not refer to %s", (_title, text, resource) => {
    expect(complaints(text, 3)[0]).toBe(refused(`static pods may not reference ${resource}`));
  });

  it.each([
    ["no YAML", "kind: [", /couldn't parse as pod\(yaml: line 1: .*\), please check config file/u],
    [
      "no version",
      "kind: Pod\n",
      /couldn't parse as pod\(Object 'apiVersion' is missing in '\{"kind":"Pod"\}'\), please check config file/u,
    ],
    [
      "a number for a text",
      pod(container(", env: [{ name: HIVES, value: 12 }]")),
      /couldn't parse as pod\(json: cannot unmarshal number into Go struct field EnvVar\.spec\.containers\.env\.value of type string\), please check config file$/u,
    ],
    ["no name", "apiVersion: v1\nkind: Pod\nspec: {}\n", /^invalid pod: name is needed for the pod$/u],
    ["no containers", pod("containers: []"), /^invalid pod: \[spec\.containers: Required value\]$/u],
    [
      "a name in capitals, and a container without an image",
      pod("containers: [{ name: C }]"),
      /^invalid pod: \[spec\.containers\[0\]\.name: Invalid value: "C": .*spec\.containers\[0\]\.image: Required value\]$/u,
    ],
  ])("[POD-560] that has %s is only spoken of in the journal, again every 20 s", (_title, text, problem) => {
    const lines = complaints(text, 45);
    expect([3, 4]).toContain(lines.length);
    expect(new Set(lines).size).toBe(1);
    const [, said = ""] = / err=(".*") path=/u.exec(lines[0] ?? "") ?? [];
    expect(JSON.parse(said)).toMatch(problem);
  });
});

describe("a node's kubelet", () => {
  const node = (command: string): string => learner.run(`ssh node-1 "${command}"`);

  it("[POD-553] tells its version", () => {
    expect(node("kubelet --version")).toBe("Kubernetes v1.36.0\n");
  });

  it("[POD-550] tells its health to anyone on the node, the rest to those with credentials; old ports are closed", () => {
    expect(node("curl -s http://127.0.0.1:10248/healthz; echo; curl -s http://127.0.0.1:10248/pods")).toBe(
      "ok\n404 page not found\n",
    );
    expect(node("curl -sk https://127.0.0.1:10250/pods; echo")).toBe("Unauthorized\n");
    for (const address of ["127.0.0.1:10255", "127.0.0.1:4194", "172.18.0.3:10248"])
      expect(node(`curl -sS http://${address}/`)).toMatch(/^curl: \(7\) Failed to connect to /u);
    node("systemctl stop kubelet");
    expect(node("curl -sS http://127.0.0.1:10248/healthz")).toMatch(/^curl: \(7\) Failed to connect to /u);
    node("systemctl start kubelet");
  });
});
