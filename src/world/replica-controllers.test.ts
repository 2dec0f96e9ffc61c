// ReplicaSets and ReplicationControllers as a learner meets them: described, with a deletion cost, and on a node that is lost.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const template = (labels: string): string => `  template:
    metadata: { labels: { ${labels} } }
    spec: { containers: [{ name: web, image: nginx:1.27 }] }
`;
const replicaSet = (name: string, selector: string): string =>
  `apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: { name: ${name} }\nspec:\n  replicas: 3\n  selector: { ${selector} }\n${template("tier: frontend")}`;

const files = {
  "frontend.yaml": replicaSet("frontend", "matchLabels: { tier: frontend }"),
  "chosen.yaml": replicaSet("chosen", "matchExpressions: [{ key: tier, operator: In, values: [frontend] }]"),
  "front.yaml": `apiVersion: v1\nkind: ReplicationController\nmetadata: { name: front }\nspec:\n  replicas: 3\n${template("app: front")}`,
};

/** Denies every deletion of a Pod. */
const keepers = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: keep }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods] }] }
  validations: [{ expression: "false", message: keep them }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: keep }
spec: { policyName: keep, validationActions: [Deny] }
`;

function sitting(nodes = 3) {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: { ...files, "keep.yaml": keepers } });
  world.boot();
  const { run } = sitDown(world, { columns: 200, rows: 60 });
  return { run, wait: (seconds: number) => world.simulation.advance(seconds * 1000) };
}

const lines = (text: string): readonly string[] => text.split("\n").map((line) => line.trimEnd().replace(/ +/gu, " "));

describe("replica controllers at the terminal", () => {
  it("[WRK-052] describes a ReplicaSet: its selector, its counts, its Pods by phase, its template and its events", () => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml");
    wait(20);
    const told = lines(run("kubectl describe rs frontend"));
    expect(told.slice(0, 9)).toEqual([
      "Name: frontend",
      "Namespace: default",
      "Selector: tier=frontend",
      "Labels: <none>",
      "Annotations: <none>",
      "Replicas: 3 current / 3 desired",
      "Pods Status: 3 Running / 0 Waiting / 0 Succeeded / 0 Failed",
      "Pod Template:",
      " Labels: tier=frontend",
    ]);
    expect(told).not.toContain("Conditions:");
    const events = told.indexOf("Events:");
    expect(told[events + 1]).toBe(" Type Reason Age From Message");
    expect(told.slice(events + 3).filter((line) => line !== "")).toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringMatching(/^ Normal SuccessfulCreate \S+ replicaset-controller Created pod: frontend-\w{5}$/u),
      ),
    );
  });

  it("[WRK-052] writes expressions as a selector, the owner of an owned set, and conditions where there are some", () => {
    const { run, wait } = sitting();
    run("kubectl create quota none --hard=pods=0");
    run("kubectl apply -f chosen.yaml");
    wait(5);
    const told = lines(run("kubectl describe rs chosen"));
    expect(told).toContain("Selector: tier in (frontend)");
    expect(told).toContain("Replicas: 0 current / 3 desired");
    expect(told.slice(told.indexOf("Conditions:"), told.indexOf("Events:"))).toEqual([
      "Conditions:",
      " Type Status Reason",
      " ---- ------ ------",
      " ReplicaFailure True FailedCreate",
    ]);
    run("kubectl create deployment shop --image=nginx:1.27");
    wait(5);
    expect(lines(run("kubectl describe rs -l app=shop"))).toContain("Controlled By: Deployment/shop");
  });

  it("[WRK-060] describes a ReplicationController, whose Pods wait at first", () => {
    const { run, wait } = sitting();
    const status = (): readonly string[] =>
      lines(run("kubectl describe rc front")).filter((line) => /^(?:Selector|Replicas|Pods Status):/u.test(line));
    run("kubectl apply -f front.yaml");
    expect(status()).toEqual([
      "Selector: app=front",
      expect.stringMatching(/^Replicas: \d current \/ 3 desired$/u),
      "Pods Status: 0 Running / 3 Waiting / 0 Succeeded / 0 Failed",
    ]);
    wait(20);
    expect(status().slice(1)).toEqual([
      "Replicas: 3 current / 3 desired",
      "Pods Status: 3 Running / 0 Waiting / 0 Succeeded / 0 Failed",
    ]);
    expect(run("kubectl describe rc front")).toMatch(/SuccessfulCreate +\S+ +replication-controller +Created pod: front-\w{5}/u);
  });

  it("[WRK-051] finds a resource by its name in capitals too, and a short name only as it is written", () => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml");
    wait(20);
    for (const name of ["replicasets", "ReplicaSets", "REPLICASETS", "ReplicaSet"])
      expect(run(`kubectl get ${name} -o name`), name).toBe("replicaset.apps/frontend\n");
    expect(run("kubectl get PODS -o name").match(/pod\/frontend-/gu)?.length).toBe(3);
    expect(run("kubectl get RS")).toBe('error: the server doesn\'t have a resource type "RS"\n');
  });

  it("[WRK-038] refuses a deletion cost that is no whole number of 32 bits, and takes the cheapest Pod first", () => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml");
    wait(20);
    const names = run("kubectl get pods -l tier=frontend -o name").trim().split("\n");
    const [cheap = "", free = "", dear = ""] = names;
    const cost = (pod: string, value: string): string =>
      run(`kubectl annotate ${pod} controller.kubernetes.io/pod-deletion-cost=${value}`);
    for (const value of ["low", "1.5", "+1", "01", "2147483648"])
      expect(cost(cheap, value)).toBe(
        `The Pod "${cheap.slice(4)}" is invalid: metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "${value}": must be a 32bit integer\n`,
      );
    expect(cost(cheap, "-10")).toBe(`${cheap} annotated\n`);
    cost(dear, "10");
    run("kubectl scale rs frontend --replicas=2");
    wait(10);
    expect(run("kubectl get pods -l tier=frontend -o name").trim().split("\n").sort()).toEqual([free, dear].sort());
    run("kubectl scale rs frontend --replicas=1");
    wait(10);
    expect(run("kubectl get pods -l tier=frontend -o name").trim()).toBe(dear);
  });

  it("[WRK-053] [WRK-054] replaces the Pods of a lost node once their eviction has come; a bare Pod there stays lost", () => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml");
    run('kubectl run bare --image=nginx:1.27 --overrides=\'{"spec":{"nodeName":"node-2"}}\'');
    wait(20);
    const on = (node: string): number =>
      run(`kubectl get pods -l tier=frontend --field-selector spec.nodeName=${node} -o name`)
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("No resources")).length;
    const elsewhere = (): number => on("node-1") + on("node-3");
    expect([on("node-2"), elsewhere()]).toEqual([1, 2]);
    run("virsh destroy node-2");
    wait(300);
    expect(elsewhere()).toBe(2);
    wait(70);
    expect(elsewhere()).toBe(3);
    expect(run("kubectl get rs frontend --no-headers")).toMatch(/^frontend +3 +3 +3 /u);
    expect(run("kubectl get pod bare --no-headers")).toContain("Terminating");
    wait(600);
    expect(
      run("kubectl get pods -o wide --no-headers")
        .split("\n")
        .filter((line) => line.startsWith("bare")),
    ).toEqual([expect.stringContaining("node-2")]);
  });

  it("[WRK-027] says why Pods cannot be deleted and goes on trying; the condition goes with the failure", () => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml -f keep.yaml");
    wait(20);
    run("kubectl scale rs frontend --replicas=1");
    wait(5);
    const condition = (): string =>
      run("kubectl get rs frontend -o jsonpath='{.status.conditions[*].type} {.status.conditions[*].reason}'; echo").trim();
    expect(condition()).toBe("ReplicaFailure FailedDelete");
    expect(
      run("kubectl get events --field-selector reason=FailedDelete -o jsonpath='{.items[0].type}: {.items[0].message}'; echo"),
    ).toMatch(/^Warning: Error deleting: pods "frontend-\w{5}" is forbidden: .*keep them/u);
    expect(run("kubectl get rs frontend --no-headers")).toMatch(/^frontend +1 +3 +3 /u);
    run("kubectl delete validatingadmissionpolicybinding keep");
    wait(60);
    expect(run("kubectl get rs frontend --no-headers")).toMatch(/^frontend +1 +1 +1 /u);
    expect(condition()).toBe("");
  });
});

describe("the deletion of a ReplicaSet by kubectl", () => {
  const phases = "kubectl get pods -l tier=frontend -o jsonpath='{.items[*].status.phase}'; echo";

  it("[WRK-290] is in the background unless stated; in the foreground it waits for the Pods; other values are refused", () => {
    const { run, wait } = sitting();
    const left = "kubectl get rs,pods -l tier=frontend -o name | cut -d/ -f1 | sort -u";
    run("kubectl apply -f frontend.yaml");
    wait(20);
    expect(run("kubectl delete rs frontend --cascade=x; echo $?")).toBe(
      'error: invalid cascade value (x). Must be "background", "foreground", or "orphan"\n1\n',
    );
    run("kubectl label rs frontend tier=frontend");
    expect(run(`kubectl delete rs frontend; ${left}`)).toBe('replicaset.apps "frontend" deleted from default namespace\npod\n');
    wait(40);
    run("kubectl apply -f frontend.yaml");
    wait(20);
    expect(run(`kubectl delete rs frontend --cascade=foreground; ${left}`)).toBe(
      'replicaset.apps "frontend" deleted from default namespace\n',
    );
  });

  it.each([
    ["false", "orphan", "Running Running Running"],
    ["true", "background", ""],
  ])("[WRK-291] still takes --cascade=%s, with a warning, for %s", (value, policy, after) => {
    const { run, wait } = sitting();
    run("kubectl apply -f frontend.yaml");
    wait(20);
    expect(run(`kubectl delete rs frontend --cascade=${value}`)).toBe(
      `warning: --cascade=${value} is deprecated (boolean value) and can be replaced with --cascade=${policy}.\nreplicaset.apps "frontend" deleted from default namespace\n`,
    );
    wait(60);
    expect(
      run(phases)
        .replace(/^No resources.*\n/u, "")
        .trim(),
    ).toBe(after);
  });
});
