// kubectl port-forward of a Service: which Pod it takes, how long it keeps to it, and how it ends.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const files = {
  "web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: c
        image: busybox:1.36
        command: [sh, -c, "mkdir /page; hostname > /page/index.html; exec httpd -f -p 127.0.0.1:8080 -h /page"]
        ports: [{ name: http, containerPort: 8080 }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
  ports:
  - { name: http, port: 80, targetPort: http }
  - { name: empty, port: 81, targetPort: 8081 }
---
apiVersion: v1
kind: Service
metadata: { name: db }
spec:
  ports: [{ port: 80 }]
---
apiVersion: v1
kind: Service
metadata: { name: nobody }
spec:
  selector: { app: nobody }
  ports: [{ port: 80 }]
`,
};

let world: World;
let learner: TypingLearner;

function run(line: string, limitMs?: number): string {
  return learner.run(line, limitMs);
}

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files });
  world.boot();
  learner = sitDown(world, { columns: 500 });
  run("kubectl apply -f web.yaml");
  run("kubectl rollout status deployment/web");
});

describe("kubectl port-forward of a Service", () => {
  it("[NET-063] keeps to one Pod, at its own loopback address, and ends at the first connection that fails", () => {
    run("kubectl port-forward service/web 8080:80 > forward.txt 2>&1 &");
    run("sleep 1");
    const answers = new Set(Array.from({ length: 8 }, () => run("curl -s http://localhost:8080")));
    expect(answers.size).toBe(1);
    const [pod = ""] = [...answers].map((answer) => answer.trim());
    expect(run("kubectl get pods -l app=web -o name")).toContain(`pod/${pod}\n`);
    run(`kubectl delete pod ${pod}`);
    run("kubectl rollout status deployment/web");
    expect(run("jobs")).toContain("Running");
    run("curl -s http://localhost:8080");
    expect(run("tail -n 3 forward.txt")).toMatch(
      new RegExp(
        `^Handling connection for 8080\nE0115 09:\\d\\d:\\d\\d\\.\\d{6} +\\d+ portforward\\.go:522\\] "Unhandled Error" err="an error occurred forwarding 8080 -> 8080: unable to upgrade connection: pods \\\\"${pod}\\\\" not found"\nerror: lost connection to pod\n$`,
      ),
    );
    expect(run("curl -s http://localhost:8080; echo $?")).toBe("7\n");
  });

  it("[NET-063] ends where nothing listens in the Pod", () => {
    run("kubectl port-forward service/web 8081:81 > forward.txt 2>&1 &");
    run("sleep 1");
    run("curl -s http://localhost:8081");
    expect(run("cat forward.txt")).toMatch(
      /"Unhandled Error" err="an error occurred forwarding 8081 -> 8081: error forwarding port 8081 to pod [0-9a-f]{64}, uid : failed to execute portforward in network namespace .* connect: connection refused "\nerror: lost connection to pod\n$/u,
    );
  });

  it.each([
    ["service/db 8080:80", "error: cannot attach to *v1.Service: invalid service 'db': Service is defined without a selector\n"],
    ["service/nobody 8080:80", "error: timed out waiting for the condition\n"],
    ["service/web 8080:99", "error: Service web does not have a service port 99\n"],
  ])("[NET-063] refuses %s", (target, message) => {
    expect(run(`kubectl port-forward ${target}`, 120_000)).toBe(message);
  });
});
