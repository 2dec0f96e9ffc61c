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
  it("[WRK-244] run to their end, fail after their limit, and go with their Pods", () => {
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

  it("[POD-334] [POD-333] [WRK-251] are complete when the app has ended, whatever becomes of a sidecar", () => {
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

  it("[WRK-241] begin again in the same Pod, with its files, under OnFailure", () => {
    const retry = job("retry", "echo x >> /state/tries; [ $(wc -l < /state/tries) -ge 3 ]", "  backoffLimit: 6\n")
      .replace("  backoffLimit: 1\n", "")
      .replace("Never", "OnFailure");
    const volume = "        volumeMounts: [{name: state, mountPath: /state}]\n      volumes: [{name: state, emptyDir: {}}]\n";
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: { "retry.yaml": retry + volume } });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl apply -f retry.yaml");
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get job retry --no-headers")).toMatch(/^retry +Complete +1\/1 /u);
    expect(learner.run("kubectl get pods --no-headers")).toMatch(/^retry-\w{5} +0\/1 +Completed +2 \(\d+s ago\) +60s\n$/u);
  });

  it("[WRK-257] [WRK-258] are described, and their log is their Pod's", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl create job pi --image=perl:5.34.0 -- perl -Mbignum=bpi -wle 'print bpi(2000)'");
    learner.run("kubectl wait job/pi --for=condition=Complete --timeout=120s", 200_000);
    expect(learner.run("kubectl logs job/pi | cut -c1-7")).toBe("3.14159\n");
    expect(learner.run("kubectl logs job/pi | tr -d '.\\n' | wc -c").trim()).toBe("2000");
    const described = learner.run("kubectl describe job pi");
    const heads = described.split("\n").flatMap((line) => /^([A-Z][A-Za-z ]+):/u.exec(line)?.[1] ?? []);
    expect(heads).toEqual([
      ...["Name", "Namespace", "Selector", "Labels", "Annotations", "Parallelism", "Completions", "Completion Mode", "Suspend"],
      ...["Backoff Limit", "Start Time", "Completed At", "Duration", "Pods Statuses", "Pod Template", "Events"],
    ]);
    expect(described).toMatch(/^Pods Statuses: {4}0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed$/mu);
  });

  it("[WRK-255] [WRK-468] go on with fewer Pods where a quota refuses some", () => {
    const files = { "quota.yaml": job("many", "sleep 5", "  completions: 4\n  parallelism: 4\n") };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl create quota small --hard=pods=2");
    world.simulation.advance(2000);
    learner.run("kubectl apply -f quota.yaml");
    world.simulation.advance(4000);
    expect(learner.run("kubectl get pods --no-headers | wc -l").trim()).toBe("2");
    expect(learner.run("kubectl events --for job/many | grep FailedCreate")).toMatch(
      /Error creating: pods "many-\w{5}" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2/u,
    );
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get job many --no-headers")).toMatch(/^many +Complete +4\/4 /u);
    // Pods that have ended are not counted.
    expect(learner.run("kubectl get quota --no-headers")).toMatch(/^small +pods: 0\/2 /u);
  });

  it("[WRK-259] replace a Pod on a lost node when it is being deleted, or not before it has ended", () => {
    const files = {
      "soon.yaml": job("soon", "sleep 3600"),
      "late.yaml": job("late", "sleep 3600", "  podReplacementPolicy: Failed\n"),
    };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl cordon node-2");
    learner.run("kubectl apply -f soon.yaml -f late.yaml");
    world.simulation.advance(10_000);
    learner.run("kubectl uncordon node-2");
    learner.run("virsh destroy node-1");
    world.simulation.advance(400_000);
    const pods = (name: string) => learner.run(`kubectl get pods -l job-name=${name} -o wide --no-headers`).split("\n");
    expect(
      pods("soon")
        .filter((line) => line.includes("Running"))
        .join(),
    ).toMatch(/ node-2 /u);
    expect(
      pods("soon")
        .filter((line) => line.includes("Terminating"))
        .join(),
    ).toMatch(/ node-1 /u);
    expect(pods("late").filter((line) => line !== "")).toHaveLength(1);
    expect(pods("late")[0]).toMatch(/Terminating .* node-1 /u);
  });

  it("[WRK-262] wait for their finalizers before they go", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: { "held.yaml": job("held", "true") } });
    world.boot();
    const learner = sitDown(world);
    learner.run("sed 's/^  name: held/&\\n  finalizers: [example.com\\/hold]/' held.yaml | kubectl apply -f -");
    learner.run("kubectl delete job held --wait=false");
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get job held -o jsonpath='{.metadata.finalizers}'; echo")).toBe('["example.com/hold"]\n');
    learner.run(`kubectl patch job held --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`);
    world.simulation.advance(2_000);
    expect(learner.run("kubectl get job held")).toBe('Error from server (NotFound): jobs.batch "held" not found\n');
  });
});
