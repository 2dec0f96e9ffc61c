import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const set = `apiVersion: v1
kind: Service
metadata:
  name: db
spec:
  clusterIP: None
  selector: {app: db}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 2
  selector:
    matchLabels: {app: db}
  template:
    metadata:
      labels: {app: db}
    spec:
      containers:
      - name: redis
        image: redis:7.4
        volumeMounts:
        - name: data
          mountPath: /data
  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
`;

describe("a cluster with local-path-provisioner", () => {
  it("[NET-352] [NET-353] [NET-354] makes volumes for claims of the default class where their Pods go, and removes them", () => {
    const world = new World({
      startMs: 1_767_225_600_000,
      seed: 1,
      nodes: 2,
      addons: ["local-path-provisioner"],
      files: { "set.yaml": set },
    });
    world.boot();
    const learner = sitDown(world, { columns: 200 });
    expect(learner.run("kubectl get storageclass --no-headers")).toMatch(
      /^standard \(default\) +rancher.io\/local-path +Delete +WaitForFirstConsumer +false/u,
    );
    learner.run("kubectl apply -f set.yaml");
    learner.run("kubectl rollout status statefulset db --timeout=180s", 300_000);
    expect(learner.run("kubectl get pods -l app=db --no-headers")).toMatch(/^db-0 +1\/1 +Running.*\ndb-1 +1\/1 +Running/u);
    const volumes = learner.run("kubectl get pv --no-headers");
    expect(volumes).toMatch(/pvc-[0-9a-f-]{36} +1Gi +RWO +Delete +Bound +default\/data-db-0 +standard/u);
    expect(
      learner.run("kubectl get events --field-selector involvedObject.name=data-db-0 -o jsonpath='{.items[*].reason}{\"\\n\"}'"),
    ).toMatch(/^WaitFor\w+ ExternalProvisioning Provisioning ProvisioningSucceeded\n$/u);
    expect(learner.run("kubectl exec db-0 -- redis-cli set kept yes")).toBe("OK\n");
    learner.run("kubectl delete pod db-0");
    learner.run("kubectl wait pod/db-0 --for=condition=Ready --timeout=60s");
    expect(learner.run("kubectl exec db-0 -- redis-cli get kept")).toBe("yes\n");
    const path = learner.run("kubectl get pv -o jsonpath='{.items[0].spec.hostPath.path}{\"\\n\"}'");
    expect(path).toMatch(/^\/opt\/local-path-provisioner\/pvc-[0-9a-f-]{36}_default_data-db-\d\n$/u);
    learner.run("kubectl delete statefulset db");
    learner.run("kubectl delete pvc --all", 60_000);
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get pv")).toBe("No resources found\n");
    expect(learner.run("ssh node-1 ls /opt/local-path-provisioner")).toBe("\n");
    expect(learner.run("kubectl get pods -n local-path-storage --no-headers").split("\n")).toHaveLength(2);
  });

  it("gives a Pod a volume of its own, which goes with it", () => {
    const pod = `apiVersion: v1
kind: Pod
metadata:
  name: my-app
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: app
    image: busybox:1.36
    command: ["sh", "-c", "echo scratch > /scratch/note; sleep 1000000"]
    volumeMounts:
    - {name: scratch-volume, mountPath: /scratch}
  volumes:
  - name: scratch-volume
    ephemeral:
      volumeClaimTemplate:
        metadata:
          labels: {type: my-frontend-volume}
        spec:
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
`;
    const world = new World({
      startMs: 1_767_225_600_000,
      seed: 1,
      nodes: 1,
      addons: ["local-path-provisioner"],
      files: { "pod.yaml": pod },
    });
    world.boot();
    const learner = sitDown(world, { columns: 200 });
    learner.run("kubectl apply -f pod.yaml");
    learner.run("kubectl wait pod/my-app --for=condition=Ready --timeout=90s", 120_000);
    expect(learner.run("kubectl exec my-app -- cat /scratch/note")).toBe("scratch\n");
    expect(learner.run("kubectl get pvc -l type=my-frontend-volume --no-headers")).toMatch(/^my-app-scratch-volume +Bound +pvc-/u);
    learner.run("kubectl delete pod my-app", 60_000);
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get pvc")).toBe("No resources found in default namespace.\n");
    expect(learner.run("kubectl get pv")).toBe("No resources found\n");
  });

  it("[NET-352] gives a helper up that does not end within two minutes, says so, and tries anew", () => {
    const world = new World({
      startMs: 1_767_225_600_000,
      seed: 1,
      nodes: 1,
      addons: ["local-path-provisioner"],
      files: { "set.yaml": set },
    });
    world.boot();
    const learner = sitDown(world, { columns: 200 });
    const events = () =>
      learner.run(
        "kubectl get events --field-selector involvedObject.name=data-db-0,type=Warning -o jsonpath='{.items[*].message}'; echo",
      );
    learner.run("kubectl apply -f set.yaml");
    world.simulation.advance(500);
    // Its container has not started yet, and is not started anew: the helper is none that restarts.
    world.cluster.powerOf("node-1")?.off();
    world.simulation.advance(100_000);
    world.cluster.powerOf("node-1")?.on();
    expect(events()).toBe("\n");
    world.simulation.advance(25_000);
    expect(events()).toMatch(
      /^failed to provision volume with StorageClass "standard": failed to create volume (pvc-\S+): create process timeout after 120 seconds\n$/u,
    );
    world.simulation.advance(120_000);
    expect(learner.run("kubectl get pvc data-db-0 --no-headers")).toContain("Bound");
  });
});
