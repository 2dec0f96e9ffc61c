import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifests = `apiVersion: v1
kind: PersistentVolume
metadata:
  name: task-pv-volume
spec:
  storageClassName: manual
  capacity:
    storage: 10Gi
  accessModes:
  - ReadWriteOnce
  hostPath:
    path: /mnt/data
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: task-pv-claim
spec:
  storageClassName: manual
  accessModes:
  - ReadWriteOnce
  resources:
    requests:
      storage: 3Gi
`;

const redis = (name: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  nodeName: node-1
  containers:
  - name: redis
    image: redis:7.4
    volumeMounts:
    - name: data
      mountPath: /data
  volumes:
  - name: data
    persistentVolumeClaim:
      claimName: task-pv-claim
`;

describe("a claim in the whole world", () => {
  it("is bound to a volume made by hand, and keeps the data of one Pod for the next", () => {
    const files = { "pv.yaml": manifests, "one.yaml": redis("one"), "two.yaml": redis("two") };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl apply -f pv.yaml");
    world.simulation.advance(20_000);
    expect(learner.run("kubectl get pv,pvc")).toMatch(
      /persistentvolume\/task-pv-volume +10Gi +RWO +Retain +Bound +default\/task-pv-claim +manual/u,
    );
    learner.run("kubectl apply -f one.yaml");
    learner.run("kubectl wait pod/one --for=condition=Ready --timeout=60s");
    expect(learner.run("kubectl exec one -- redis-cli set greeting hello")).toBe("OK\n");
    learner.run("kubectl delete pod one");
    expect(learner.run("ssh node-1 ls /mnt/data")).toBe("dump.rdb\n");
    learner.run("kubectl apply -f two.yaml");
    learner.run("kubectl wait pod/two --for=condition=Ready --timeout=60s");
    expect(learner.run("kubectl exec two -- redis-cli get greeting")).toBe("hello\n");
    learner.run("kubectl delete pvc task-pv-claim --wait=false");
    expect(learner.run("kubectl get pvc --no-headers")).toMatch(/^task-pv-claim +Terminating +task-pv-volume/u);
    learner.run("kubectl delete pod two");
    world.simulation.advance(2_000);
    expect(learner.run("kubectl get pv --no-headers")).toMatch(
      /^task-pv-volume +10Gi +RWO +Retain +Released +default\/task-pv-claim/u,
    );
  });
});
