// What kubectl prints of a Deployment, its rollout and its history, in a whole world; rollouts.test.ts follows them.

import { beforeAll, describe, expect, it } from "vitest";
import { deployments } from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

const spec = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "nginx",
            image: "nginx:1.27",
            readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 1 },
            lifecycle: { preStop: { sleep: { seconds: 20 } } },
          },
        ],
      },
    },
  },
});

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 2, files: {} });
  world.boot();
  learner = sitDown(world, { columns: 200, rows: 80 });
  learner.run(`echo '${spec}' | kubectl create -f -`, 1000);
  learner.run("kubectl rollout status deployment/web");
});

const text = (line: string): string => learner.run(line).replaceAll(/ +$/gmu, "");

describe("kubectl rollout status", () => {
  it("[WRK-153] tells how far the new replicas are, then the old ones, and ends while old Pods still end", () => {
    const lines = text("kubectl set image deployment/web nginx=nginx:1.28; kubectl rollout status deployment/web").split("\n");
    expect(lines[0]).toBe("deployment.apps/web image updated");
    // Whether kubectl asks before the controller has seen the change is a matter of milliseconds.
    const observing = "Waiting for deployment spec update to be observed...";
    expect([...new Set(lines.slice(1))].filter((line) => line !== observing)).toEqual([
      'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 2 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...',
      'deployment "web" successfully rolled out',
      "",
    ]);
    expect(text("kubectl get pods -l app=web --no-headers")).toMatch(/1\/1 +Terminating/u);
  });

  it("[WRK-151] gives up after its time, looks once with --watch=false, and refuses another revision than the running one", () => {
    learner.run("kubectl rollout pause deployment/web; kubectl set image deployment/web nginx=nginx:1.29");
    const waits = 'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...\n';
    expect(text("kubectl rollout status deployment/web --timeout=5s; echo $?")).toBe(
      `${waits}error: timed out waiting for the condition\n1\n`,
    );
    expect(text("kubectl rollout status deployment/web --watch=false; echo $?")).toBe(`${waits}0\n`);
    expect(text("kubectl rollout status deployment/web --revision=1; echo $?")).toBe(
      "error: desired revision (1) is different from the running revision (2)\n1\n",
    );
    learner.run("kubectl rollout resume deployment/web; kubectl rollout status deployment/web");
  });
});

describe("kubectl describe deployment", () => {
  it("[WRK-147] [WRK-148] shows counts, strategy, template, conditions, old sets and the new one, in this order", () => {
    const shown = text("kubectl describe deployment web");
    const headings = [...shown.matchAll(/^(?:\w[\w ]*):/gmu)].map((match) => match[0]);
    expect(headings).toEqual([
      "Name:",
      "Namespace:",
      "CreationTimestamp:",
      "Labels:",
      "Annotations:",
      "Selector:",
      "Replicas:",
      "StrategyType:",
      "MinReadySeconds:",
      "RollingUpdateStrategy:",
      "Pod Template:",
      "Conditions:",
      "OldReplicaSets:",
      "NewReplicaSet:",
      "Events:",
    ]);
    expect(shown).toContain("Replicas:               3 desired | 3 updated | 3 total | 3 available | 0 unavailable\n");
    expect(shown).toContain("RollingUpdateStrategy:  25% max unavailable, 25% max surge\n");
    expect(shown).toMatch(/^OldReplicaSets: {2}web-\w+ \(0\/0 replicas created\), web-\w+ \(0\/0 replicas created\)$/mu);
    expect(shown).toMatch(/^NewReplicaSet: {3}web-\w+ \(3\/3 replicas created\)$/mu);
  });
});

describe("kubectl rollout history", () => {
  it("[WRK-111] lists revisions upwards with their causes, and an empty line after them", () => {
    learner.run('kubectl annotate deployment web kubernetes.io/change-cause="to 1.29"; sleep 1');
    expect(text("kubectl rollout history deployment/web")).toBe(
      "deployment.apps/web\nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n3         to 1.29\n\n",
    );
  });

  it("[WRK-112] shows the template of one revision, with the hash and the cause", () => {
    const shown = text("kubectl rollout history deployment/web --revision=3");
    expect(shown).toMatch(
      /^deployment\.apps\/web with revision #3\nPod Template:\n {2}Labels:\s*app=web\n\s*pod-template-hash=\w+\n/u,
    );
    expect(shown).toMatch(
      / {2}Annotations:\s*kubernetes\.io\/change-cause: to 1\.29\n {2}Containers:\n {3}nginx:\n {4}Image:\s*nginx:1\.29\n/u,
    );
    for (const line of ["Port:", "Host Port:", "Environment:", "Mounts:", "Volumes:", "Node-Selectors:", "Tolerations:"]) {
      expect(shown).toContain(line);
    }
  });

  it("[WRK-113] does not know a revision that is not there", () => {
    expect(text("kubectl rollout history deployment/web --revision=9; echo $?")).toBe(
      "error: unable to find the specified revision\n1\n",
    );
  });

  it("[WRK-115] [WRK-116] gives the old template the next number after an undo, and its cause back to the Deployment", () => {
    learner.run("kubectl rollout undo deployment/web --to-revision=2; kubectl rollout status deployment/web");
    expect(text("kubectl rollout history deployment/web")).toBe(
      "deployment.apps/web\nREVISION  CHANGE-CAUSE\n1         <none>\n3         to 1.29\n4         <none>\n\n",
    );
    expect(text("kubectl rollout undo deployment/web --to-revision=3")).toBe("deployment.apps/web rolled back\n");
    learner.run("kubectl rollout status deployment/web");
    expect(text("kubectl rollout history deployment/web")).toBe(
      "deployment.apps/web\nREVISION  CHANGE-CAUSE\n1         <none>\n4         <none>\n5         to 1.29\n\n",
    );
    const annotations = world.client.get(deployments, { namespace: "default", name: "web" }).metadata.annotations ?? {};
    expect(annotations["kubernetes.io/change-cause"]).toBe("to 1.29");
  });
});

describe("Ctrl-C", () => {
  it("[WRK-152] ends rollout status, and the rollout goes on", () => {
    learner.press("\x15\x0c", 100);
    const waiting = learner.press("kubectl rollout restart deployment/web; kubectl rollout status deployment/web\r");
    expect(waiting).toMatch(/[12] out of 3 new replicas have been updated\.\.\.$/u);
    expect(learner.press("\x03")).toMatch(/\^C\nlearner@workstation:~\$$/u);
    world.simulation.advance(60_000);
    const status = world.client.get(deployments, { namespace: "default", name: "web" }).status ?? {};
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    expect(status.conditions?.find(({ type }) => type === "Progressing")?.reason).toBe("NewReplicaSetAvailable");
  });
});

describe("a Deployment whose controller does not run", () => {
  it("[WRK-149] has its change unobserved", () => {
    learner.run("ssh control-plane mv /etc/kubernetes/manifests/kube-controller-manager.yaml /etc/kubernetes/; sleep 40");
    learner.run("kubectl set image deployment/web nginx=nginx:1.28");
    expect(text("kubectl rollout status deployment/web --timeout=2s")).toBe(
      "Waiting for deployment spec update to be observed...\nerror: timed out waiting for the condition\n",
    );
  });
});
