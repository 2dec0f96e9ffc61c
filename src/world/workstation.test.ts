import { beforeAll, describe, expect, it } from "vitest";
import { deployments } from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal-fixture.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl create deployment web --image=nginx:1.27 --replicas=2");
  world.simulation.advance(20_000);
});

const replicas = (): number | undefined => world.client.get(deployments, { namespace: "default", name: "web" }).spec?.replicas;

describe("kubectl edit", () => {
  it("opens nano, whose EDITOR the workstation sets, and sends what was saved", () => {
    expect(learner.press("kubectl edit deployment web\r")).toContain("GNU nano");
    learner.press("\x17replicas:\r\x1b[F\x7f3");
    learner.press("\x0f\r");
    expect(learner.press("\x18")).toMatch(/\ndeployment\.apps\/web edited\nlearner@workstation:~\$$/u);
    expect(replicas()).toBe(3);
  });

  it("opens vi when KUBE_EDITOR says so", () => {
    expect(learner.press("KUBE_EDITOR=vi kubectl edit deployment web\r")).toMatch(/"\/tmp\/kubectl-edit-\d+\.yaml" \d+L, \d+B/u);
    learner.press("/replicas: \rf3r1");
    expect(learner.press(":wq\r")).toMatch(/\ndeployment\.apps\/web edited\nlearner@workstation:~\$$/u);
    expect(replicas()).toBe(1);
  });

  it("changes nothing when the editor is left without changes", () => {
    learner.press("kubectl edit deployment web\r");
    expect(learner.press("\x18")).toMatch(/\nEdit cancelled, no changes made\.\nlearner@workstation:~\$$/u);
  });
});

describe("completion", () => {
  const complete = (keys: string): string => {
    learner.press("\x15\x0c", 100);
    return learner.press(keys);
  };

  it.each([
    ["kubectl rollout st\t", "learner@workstation:~$ kubectl rollout status"],
    ["kubectl get nod\t", "learner@workstation:~$ kubectl get nodes"],
    ["kubectl -n kube-system logs etcd\t", "learner@workstation:~$ kubectl -n kube-system logs etcd-control-plane"],
    ["k get po -n kube-s\t", "learner@workstation:~$ k get po -n kube-system"],
    [
      "k get po -n \t\t",
      "learner@workstation:~$ k get po -n\ndefault          kube-node-lease  kube-public      kube-system\nlearner@workstation:~$ k get po -n",
    ],
  ])("completes %j from the live cluster", (keys, shown) => {
    expect(complete(keys)).toBe(shown);
  });

  it("lists resources with `po`", () => {
    expect(complete("kubectl get po\t\t")).toMatch(/poddisruptionbudgets\S* +pods/u);
  });

  it("lists the pods that are there", () => {
    learner.run("kubectl scale deployment web --replicas=2");
    world.simulation.advance(10_000);
    expect(complete("kubectl logs \t\t")).toMatch(/\nweb-(\w+)-\w{5} {2}web-\1-\w{5}\n/u);
  });
});
