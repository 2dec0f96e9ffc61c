// Images with kubectl in a whole cluster: a shell loop as a controller that has its ServiceAccount's rights, and upstream's image without a shell.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifest = `apiVersion: v1
kind: ServiceAccount
metadata: {name: loop}
---
apiVersion: v1
kind: Pod
metadata: {name: loop}
spec:
  serviceAccountName: loop
  terminationGracePeriodSeconds: 1
  containers:
  - name: main
    image: alpine/k8s:1.36.0
    command: [bash, -c]
    args:
    - |
      while true; do
        wanted=$(kubectl get configmap wanted -o json | jq -r .data.level)
        kubectl patch configmap actual --field-manager=loop -p '{"data":{"level":"'$wanted'"}}'
        sleep 5
      done
`;

describe("images with kubectl", () => {
  let world: World;
  let learner: TypingLearner;
  const level = () => learner.run("kubectl get configmap actual -o jsonpath='{.data.level}{\"\\n\"}'");

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: { "loop.yaml": manifest } });
    world.boot();
    learner = sitDown(world, { columns: 240 });
    learner.run("kubectl create namespace tram; kubectl config set-context --current --namespace=tram");
    learner.run(
      "kubectl create configmap wanted --from-literal=level=70; kubectl create configmap actual --from-literal=level=100",
    );
    learner.run("kubectl create role loop --verb=get --resource=configmaps");
    learner.run("kubectl create rolebinding loop --role=loop --serviceaccount=tram:loop; kubectl apply -f loop.yaml");
    world.simulation.advance(30_000);
  });

  it("a loop in a Pod asks as its ServiceAccount, in its namespace", () => {
    expect(learner.run("kubectl logs loop | sort -u")).toBe(
      `Error from server (Forbidden): configmaps "actual" is forbidden: User "system:serviceaccount:tram:loop" cannot patch resource "configmaps" in API group "" in the namespace "tram"\n`,
    );
    expect(level()).toBe("100\n");
  });

  it("with the right to write it follows, and corrects what others write", () => {
    learner.run('kubectl patch role loop --type=json -p \'[{"op":"add","path":"/rules/0/verbs/-","value":"patch"}]\'');
    world.simulation.advance(10_000);
    expect(level()).toBe("70\n");
    learner.run('kubectl patch configmap actual -p \'{"data":{"level":"100"}}\'');
    world.simulation.advance(10_000);
    expect(level()).toBe("70\n");
    expect(
      learner.run("kubectl get configmap actual -o jsonpath='{.metadata.managedFields[*].manager}{\"\\n\"}' --show-managed-fields"),
    ).toMatch(/\bloop\b/);
  });

  it("upstream's image has kubectl and no shell", () => {
    learner.run("kubectl run plain --image=registry.k8s.io/kubectl:v1.36.0 --restart=Never -- version --client");
    learner.run("kubectl run shell --image=registry.k8s.io/kubectl:v1.36.0 --restart=Never --command -- bash -c true");
    world.simulation.advance(15_000);
    expect(learner.run("kubectl logs plain")).toMatch(/^Client Version: v1\.36\./);
    expect(learner.run("kubectl get pod shell --no-headers")).toMatch(/StartError/);
    expect(
      learner.run(
        "kubectl get events --field-selector involvedObject.name=shell,reason=Failed -o jsonpath='{.items[0].message}{\"\\n\"}'",
      ),
    ).toContain('exec: "bash": executable file not found in $PATH');
  });
});
