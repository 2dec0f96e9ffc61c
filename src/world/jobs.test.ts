import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const job = (name: string, command: string, more = ""): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
  backoffLimit: 1
${more}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox:1.36
        command: ["sh", "-c", ${JSON.stringify(command)}]
`;

describe("Jobs in the whole world", () => {
  it("run to their end, fail after their limit, and go with their Pods", () => {
    const files = {
      "good.yaml": job("good", "echo result; sleep 2"),
      "bad.yaml": job("bad", "exit 3"),
      "indexed.yaml": job(
        "indexed",
        "echo part $JOB_COMPLETION_INDEX",
        "  completionMode: Indexed\n  completions: 3\n  parallelism: 3\n",
      ),
    };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files });
    world.boot();
    const learner = sitDown(world);
    expect(learner.run("kubectl apply -f good.yaml")).toBe("job.batch/good created\n");
    expect(learner.run("kubectl wait job/good --for=condition=Complete --timeout=60s")).toBe("job.batch/good condition met\n");
    expect(learner.run("kubectl logs job/good")).toBe("result\n");
    expect(learner.run("kubectl get job good --no-headers")).toMatch(/^good +Complete +1\/1 +\d+s +\d+s\n$/u);
    expect(learner.run("kubectl get pods --no-headers")).toMatch(/^good-\w{5} +0\/1 +Completed +0 +\d+s\n$/u);
    learner.run("kubectl apply -f bad.yaml");
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get job bad --no-headers")).toMatch(/^bad +Failed +0\/1 /u);
    expect(learner.run("kubectl get pods -l job-name=bad --no-headers").split("\n")).toHaveLength(3);
    learner.run("kubectl apply -f indexed.yaml");
    world.simulation.advance(20_000);
    expect(learner.run("kubectl get job indexed -o jsonpath='{.status.completedIndexes}{\"\\n\"}'")).toBe("0-2\n");
    expect(learner.run("kubectl logs -l batch.kubernetes.io/job-completion-index=1")).toBe("part 1\n");
    learner.run("kubectl delete job --all");
    world.simulation.advance(5_000);
    expect(learner.run("kubectl get pods")).toBe("No resources found in default namespace.\n");
  });

  it("[POD-334] [POD-333] are complete when the app has ended, whatever becomes of a sidecar", () => {
    const helper = `name: helper
        image: busybox:1.36
        command: ["sh", "-c", "trap 'exit 9' TERM; while true; do sleep 1; done"]
`;
    const good = job("good", "sleep 5");
    const files = {
      "good.yaml": good.replace(
        "      containers:",
        `      initContainers:\n      - restartPolicy: Always\n        ${helper}      containers:`,
      ),
      "beside.yaml": `${good.replaceAll("good", "beside")}      - ${helper}`,
    };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl apply -f good.yaml -f beside.yaml");
    world.simulation.advance(90_000);
    expect(learner.run("kubectl get jobs --no-headers")).toMatch(/^beside +Running +0\/1 .*\ngood +Complete +1\/1 +1?\ds +90s\n$/u);
    const ends = "{.status.phase} {.status.initContainerStatuses[0].state.terminated.exitCode}";
    expect(learner.run(`kubectl get pods -l job-name=good -o jsonpath='{range .items[*]}${ends}{"\\n"}{end}'`)).toBe(
      "Succeeded 9\n",
    );
  });
});
