// A learner turns on auditing as people do: a policy beside the manifest, flags, and mounts for both.

import { describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const policyFile = "/etc/kubernetes/audit/policy.yaml";
const logFile = "/var/log/kubernetes/audit/audit.log";
const policyHead = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

interface Auditing {
  readonly policy?: string;
  readonly flags?: readonly string[];
}

function start({ policy, flags = [] }: Auditing = {}) {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 4000, rows: 400 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const onNode = (command: string): string => learner.run(`ssh control-plane ${JSON.stringify(command)}`);
  const files = world.cluster.nodes[0]?.machine.files;
  if (files === undefined) throw new Error("no control plane");
  if (policy !== undefined) {
    files.makeDirectories("/etc/kubernetes/audit");
    files.writeFile(policyFile, policyHead + policy);
  }
  const all = [...(policy === undefined ? [] : [`--audit-policy-file=${policyFile}`]), ...flags];
  const turnOn = (given: readonly string[] = all): void => {
    const text = files.readText(manifest);
    const mounts = [
      "    volumeMounts:",
      "    - mountPath: /etc/kubernetes/audit",
      "      name: audit",
      "      readOnly: true",
      "    - mountPath: /var/log/kubernetes/audit",
      "      name: audit-log",
    ];
    const volumes = [
      "  volumes:",
      "  - name: audit",
      "    hostPath: {path: /etc/kubernetes/audit, type: DirectoryOrCreate}",
      "  - name: audit-log",
      "    hostPath: {path: /var/log/kubernetes/audit, type: DirectoryOrCreate}",
    ];
    files.writeFile(
      manifest,
      text
        .replace("    - kube-apiserver\n", ["    - kube-apiserver\n", ...given.map((flag) => `    - ${flag}\n`)].join(""))
        .replace("    volumeMounts:", mounts.join("\n"))
        .replace("  volumes:", volumes.join("\n")),
    );
    wait(60);
  };
  turnOn();
  return { world, learner, wait, onNode, files, serverLog: (place = 1) => serverLog(learner, place) };
}

/** Of the newest container or an earlier one, without times. */
function serverLog(learner: TypingLearner, place: number): readonly string[] {
  const text = learner.run(`ssh control-plane 'crictl logs $(crictl ps -aq --name kube-apiserver | sed -n ${place}p)'`);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^([IWE])\d{4} \S+ +\d+ \S+\] /u, "$1 "));
}

/** What a learner types on the node to turn auditing on. */
const typed = `mkdir -p /etc/kubernetes/audit
cat > ${policyFile} <<EOF
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: None
  userGroups: [system:nodes]
- level: RequestResponse
  omitStages: [RequestReceived]
  omitManagedFields: true
  verbs: [create]
  resources:
  - resources: [configmaps]
- level: Metadata
  resources:
  - resources: [secrets]
EOF
sed -i 's|^    - kube-apiserver$|&\n    - --audit-policy-file=${policyFile}\n    - --audit-log-path=${logFile}|' ${manifest}
sed -i 's|^    volumeMounts:$|&\n    - {name: audit, mountPath: ${policyFile}, readOnly: true}\n    - {name: audit-log, mountPath: /var/log/kubernetes/audit}|' ${manifest}
sed -i 's|^  volumes:$|&\n  - {name: audit, hostPath: {path: ${policyFile}, type: File}}\n  - {name: audit-log, hostPath: {path: /var/log/kubernetes/audit, type: DirectoryOrCreate}}|' ${manifest}
exit`;

describe("auditing", () => {
  it("[API-430] is turned on from a shell on the node, and keeps the server from starting once the policy is broken", () => {
    const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
    world.boot();
    const learner = sitDown(world, { columns: 4000, rows: 400 });
    learner.run("ssh control-plane");
    for (const line of typed.split("\n")) learner.press(`${line}\r`, 300);
    world.simulation.advance(60_000);
    const onNode = (command: string): string => learner.run(`ssh control-plane ${JSON.stringify(command)}`);

    learner.run("kubectl create configmap colours --from-literal=sky=blue");
    learner.run("kubectl create secret generic key --from-literal=a=b");
    learner.run("kubectl get nodes");
    const lines = onNode(`grep kubernetes-admin ${logFile}`).trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ stage, level, objectRef }) => [stage, level, objectRef.resource])).toEqual([
      ["ResponseComplete", "RequestResponse", "configmaps"],
      ["RequestReceived", "Metadata", "secrets"],
      ["ResponseComplete", "Metadata", "secrets"],
    ]);
    const [map, , secret] = events;
    const user = {
      username: "kubernetes-admin",
      groups: ["kubeadm:cluster-admins", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[\da-f]{64}$/)] },
    };
    const header = { apiVersion: "v1", kind: "ConfigMap" };
    const data = { sky: "blue" };
    const time = expect.stringMatching(/^2026-01-15T09:01:\d\d\.\d{6}Z$/);
    const whole = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "RequestResponse",
      auditID: expect.stringMatching(/^[\da-f-]{36}$/),
      stage: "ResponseComplete",
      requestURI: "/api/v1/namespaces/default/configmaps?fieldManager=kubectl-create&fieldValidation=Strict",
      verb: "create",
      user,
      sourceIPs: [expect.stringMatching(/^172\.18\./)],
      userAgent: expect.stringMatching(/^kubectl\/v1\.36/),
      objectRef: { resource: "configmaps", namespace: "default", name: "colours", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { ...header, data, metadata: { name: "colours" } },
      responseObject: {
        ...header,
        data,
        metadata: {
          name: "colours",
          namespace: "default",
          uid: expect.any(String),
          resourceVersion: expect.any(String),
          creationTimestamp: expect.any(String),
        },
      },
      requestReceivedTimestamp: time,
      stageTimestamp: time,
      annotations: {
        "authorization.k8s.io/decision": "allow",
        "authorization.k8s.io/reason":
          'RBAC: allowed by ClusterRoleBinding "kubeadm:cluster-admins" of ClusterRole "cluster-admin" to Group "kubeadm:cluster-admins"',
      },
    };
    expect(map).toEqual(whole);
    expect(Object.keys(map)).toEqual(Object.keys(whole));
    expect(secret).not.toHaveProperty("requestObject");
    expect(secret).not.toHaveProperty("responseObject");
    const sizeBefore = Number(onNode(`wc -c < ${logFile}`));

    onNode(`sed -i 's/level: None/level: Never/' ${policyFile}`);
    learner.run("ssh control-plane 'crictl stop $(crictl ps -q --name kube-apiserver)'");
    world.simulation.advance(30_000);
    expect(learner.run("kubectl get nodes")).toContain("was refused - did you specify");
    const fault = 'rules[0].level: Unsupported value: "Never": supported values: "None", "Metadata", "Request", "RequestResponse"';
    expect(serverLog(learner, 1).at(-1)).toBe(
      `E "command failed" err=${JSON.stringify(`loading audit policy file: ${fault}: from file ${policyFile}`)}`,
    );
    onNode(`sed -i 's/level: Never/level: None/' ${policyFile}`);
    world.simulation.advance(120_000);
    expect(learner.run("kubectl get configmap colours -o name")).toBe("configmap/colours\n");
    // The log is written on, not begun anew.
    expect(Number(onNode(`wc -c < ${logFile}`))).toBeGreaterThan(sizeBefore);
  });

  it("[API-293] [API-430] [API-278] tells of all who had a hand in a Pod", () => {
    const policy = `omitStages: [RequestReceived]
rules:
- level: Metadata
  namespaces: [default]
`;
    const { learner, onNode, wait } = start({ policy, flags: [`--audit-log-path=${logFile}`] });
    expect(learner.run("kubectl create deployment trip --image=nginx:1.27")).toBe("deployment.apps/trip created\n");
    wait(30);
    const grep = (words: string, fields: string): readonly string[] => {
      const lines = onNode(`grep -E '${words}' ${logFile} | jq -r '${fields}'`).trimEnd();
      return [...new Set(lines.split("\n"))];
    };
    const who = '[.verb, .objectRef.resource, .objectRef.subresource // empty, .user.username, .responseStatus.code] | join(" ")';
    const about = grep("trip", who);
    expect(about).toEqual(
      expect.arrayContaining([
        "create deployments kubernetes-admin 201",
        "create replicasets system:serviceaccount:kube-system:deployment-controller 201",
        "create pods binding system:kube-scheduler 201",
        "patch pods status system:node:node-1 200",
      ]),
    );
    expect(grep("kube-system:replicaset-controller", who)).toContain(
      "create pods system:serviceaccount:kube-system:replicaset-controller 201",
    );
    const reason = '.annotations["authorization.k8s.io/decision", "authorization.k8s.io/reason"]';
    expect(grep('"binding"', reason)).toEqual([
      "allow",
      'RBAC: allowed by ClusterRoleBinding "system:kube-scheduler" of ClusterRole "system:kube-scheduler" to User "system:kube-scheduler"',
    ]);
    expect(grep('"binding"', ".sourceIPs[0], .userAgent")).toEqual([
      "172.18.0.2",
      "kube-scheduler/v1.36.0 (linux/amd64) kubernetes/0000000/scheduler",
    ]);
    expect(grep("system:node:node-1", ".sourceIPs[0]")).toEqual(["172.18.0.3"]);
    expect(onNode(`stat -c '%a %U' ${logFile}`)).toBe("600 root\n");
    // Nothing of other namespaces.
    expect(grep("requestURI", ".objectRef.namespace")).toEqual(["default"]);
  });

  it("goes to the container's own output with -, and follows exec and log", () => {
    const policy = `omitStages: [RequestReceived]
rules:
- level: Metadata
  resources:
  - group: ""
    resources: [pods/exec, pods/log]
`;
    const { learner, wait, serverLog } = start({ policy, flags: ["--audit-log-path=-"] });
    learner.run("kubectl run web --image=nginx:1.27");
    wait(30);
    learner.run("kubectl exec web -- true");
    learner.run("kubectl logs web");
    const events = serverLog()
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    expect(
      events.map(({ stage, verb, objectRef, responseStatus }) => [stage, verb, objectRef.subresource, responseStatus.code]),
    ).toEqual([
      ["ResponseStarted", "get", "exec", 101],
      ["ResponseComplete", "get", "exec", 101],
      ["ResponseStarted", "get", "log", 200],
      ["ResponseComplete", "get", "log", 200],
    ]);
  });

  it("fills the node's disk, and sets a file aside that has grown", () => {
    const policy = "rules:\n- level: RequestResponse\n";
    const flags = [`--audit-log-path=${logFile}`, "--audit-log-maxsize=1", "--audit-log-maxbackup=2", "--audit-log-compress"];
    const { onNode, wait, world } = start({ policy, flags });
    const used = () => Number(onNode("df -k / | tail -1 | tr -s ' ' | cut -d' ' -f3"));
    const before = used();
    wait(5);
    expect(used()).toBeGreaterThan(before);
    wait(300);
    const names = onNode("ls /var/log/kubernetes/audit").trimEnd().split("\n");
    expect(names.map((name) => name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}/, "TIME"))).toEqual([
      "audit-TIME.log.gz",
      "audit-TIME.log.gz",
      "audit.log",
    ]);
    expect(onNode(`zcat /var/log/kubernetes/audit/${names[0]} | head -1 | jq -r .kind`)).toBe("Event\n");
    expect(world.cluster.apiServer.running).toBe(true);
  });
});

describe("a server that is told to audit", () => {
  it("writes nothing without a policy, and nothing without a place", () => {
    const alone = start({ flags: [`--audit-log-path=${logFile}`] });
    expect(alone.learner.run("kubectl get nodes --no-headers | wc -l")).toBe("2\n");
    expect(alone.onNode(`stat -c %s ${logFile}`)).toBe("0\n");
    const placeless = start({ policy: "rules:\n- level: Metadata\n" });
    expect(placeless.learner.run("kubectl get nodes --no-headers | wc -l")).toBe("2\n");
    expect.soft(placeless.onNode("ls /var/log/kubernetes/audit").trim()).toBe("");
  });

  it.each([
    [
      "no policy",
      { flags: ["--audit-policy-file=/etc/kubernetes/audit/none.yaml", `--audit-log-path=${logFile}`] },
      'loading audit policy file: failed to read file path "/etc/kubernetes/audit/none.yaml": open /etc/kubernetes/audit/none.yaml: no such file or directory',
    ],
    [
      "a wrong policy",
      { policy: "rules:\n- level: All\n" },
      `loading audit policy file: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse": from file ${policyFile}`,
    ],
    [
      "a policy without rules",
      { policy: "" },
      `loading audit policy file: loaded illegal policy with 0 rules: from file ${policyFile}`,
    ],
    [
      "a place that is a directory",
      { flags: ["--audit-log-path=/var/log/kubernetes/audit"] },
      "ensureLogFile: open /var/log/kubernetes/audit: is a directory",
    ],
    [
      "a format that there is not",
      { flags: [`--audit-log-path=${logFile}`, "--audit-log-format=yaml", "--audit-log-maxage=-1"] },
      '[invalid audit log format yaml, allowed formats are "legacy,json", --audit-log-maxage -1 can\'t be a negative number]',
    ],
    [
      "a mode that there is not",
      { flags: [`--audit-log-path=${logFile}`, "--audit-log-mode=async"] },
      'invalid audit log mode async, allowed modes are "batch,blocking,blocking-strict"',
    ],
    [
      "a mode that is not here",
      { flags: [`--audit-log-path=${logFile}`, "--audit-log-mode=blocking-strict"] },
      "--audit-log-mode=blocking-strict: not simulated",
    ],
  ])("does not start with %s", (_title, auditing: Auditing, message) => {
    const { serverLog, learner } = start(auditing);
    expect(serverLog().at(-1)).toBe(`E "command failed" err=${JSON.stringify(message)}`);
    expect(learner.run("kubectl get nodes")).toContain("connection refused");
  });

  it("tells what it leaves out of a policy, and which flags do nothing", () => {
    const { serverLog } = start({
      policy: "rules:\n- level: None\n  user: [alice]\n",
      flags: ["--audit-webhook-config-file=/x", "--audit-log-batch-throttle-qps=1"],
    });
    expect(serverLog().filter((line) => line.startsWith("W "))).toEqual([
      'W Audit policy contains errors, falling back to lenient decoding: strict decoding error: unknown field "rules[0].user"',
      "W --audit-webhook-config-file=/x: not simulated, has no effect",
      "W --audit-log-batch-throttle-qps=1: not simulated, has no effect",
    ]);
  });

  it("names no number where there must be one", () => {
    const { serverLog } = start({ flags: ["--audit-log-maxsize=many"] });
    expect(serverLog()).toEqual([
      'Error: invalid argument "many" for "--audit-log-maxsize" flag: strconv.ParseInt: parsing "many": invalid syntax',
    ]);
  });
});
