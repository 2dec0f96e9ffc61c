import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { claimText, csiWorld, podText } from "./csi.test-kit.ts";

describe("volumes that are attached", () => {
  it("[NET-356] [NET-357] [NET-358] go to one node, are held there while they are mounted, and go to the next then", () => {
    const { apply, run, wait, events, attachments, node, volume } = csiWorld();
    apply(claimText("data"), 5);
    apply(podText("first", "node-1", ["data"]));
    const name = volume()?.metadata.name ?? "";
    const unique = `kubernetes.io/csi/csi.sim.local^${volume()?.spec?.csi?.volumeHandle}`;
    expect(attachments()).toMatchObject([
      {
        metadata: { name: expect.stringMatching(/^csi-[0-9a-f]{64}$/u), finalizers: ["external-attacher/csi-sim-local"] },
        spec: { attacher: "csi.sim.local", nodeName: "node-1", source: { persistentVolumeName: name } },
        status: { attached: true },
      },
    ]);
    expect(volume()?.metadata.finalizers).toContain("external-attacher/csi-sim-local");
    expect(node("node-1").status).toMatchObject({
      volumesAttached: [{ name: unique, devicePath: "" }],
      volumesInUse: [unique],
    });
    expect(events("first").slice(0, 2)).toEqual([
      "Normal Scheduled Successfully assigned default/first to node-1",
      `Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "${name}" `,
    ]);
    // Another node has to wait.
    apply(podText("second", "node-2", ["data"]), 20);
    expect(events("second")).toEqual([
      "Normal Scheduled Successfully assigned default/second to node-2",
      `Warning FailedAttachVolume Multi-Attach error for volume "${name}" Volume is already used by pod(s) first`,
    ]);
    expect(run("kubectl get pod second --no-headers")).toMatch(/ 0\/1 +ContainerCreating /u);
    run("kubectl delete pod first");
    wait(80);
    expect(attachments().map(({ spec }) => spec.nodeName)).toEqual(["node-2"]);
    expect(run("kubectl get pod second --no-headers")).toMatch(/ 1\/1 +Running /u);
    expect(node("node-1").status?.volumesAttached).toBeUndefined();
    expect(node("node-1").status?.volumesInUse).toBeUndefined();
    // It is not detached yet when the next Pod comes: nobody uses it, and still it is elsewhere.
    run("kubectl delete pod second");
    apply(podText("third", "node-1", ["data"]), 1);
    expect(events("third")[1]).toBe(
      `Warning FailedAttachVolume Multi-Attach error for volume "${name}" Volume is already exclusively attached to one node and can't be attached to another`,
    );
    wait(40);
    expect(run("kubectl get pod third --no-headers")).toMatch(/ 1\/1 +Running /u);
  });

  it("[NET-358] leave a node that is lost after six minutes", () => {
    const { apply, run, wait, attachments, world } = csiWorld({ nodes: 3 });
    apply(claimText("data") + podText("app", "node-1", ["data"]));
    world.cluster.powerOf("node-1")?.off();
    wait(60);
    run("kubectl delete pod app --force");
    apply(podText("next", "node-2", ["data"]), 300);
    expect(attachments().map(({ spec }) => spec.nodeName)).toEqual(["node-1"]);
    wait(90);
    expect(attachments().map(({ spec }) => spec.nodeName)).toEqual(["node-2"]);
    expect(run("kubectl get pod next --no-headers")).toMatch(/ 1\/1 +Running /u);
  });

  it("[API-256] [NET-358] leave a node that is out of service at once, with their Pods", () => {
    const { apply, run, wait, attachments, world } = csiWorld({ nodes: 3 });
    apply(claimText("data") + podText("app", "node-1", ["data"]));
    world.cluster.powerOf("node-1")?.off();
    wait(60);
    apply(podText("next", "node-2", ["data"]), 30);
    expect(run("kubectl get pods --no-headers")).toMatch(/^app +1\/1 +Running .*\nnext +0\/1 +ContainerCreating /u);
    run("kubectl taint node node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute");
    wait(60);
    expect(run("kubectl get pods --no-headers")).toMatch(/^next +1\/1 +Running /u);
    expect(attachments().map(({ spec }) => spec.nodeName)).toEqual(["node-2"]);
  });

  it("[NET-349] are counted by the scheduler", () => {
    const { apply, events } = csiWorld({ nodes: 1 });
    const names = Array.from({ length: 9 }, (_, index) => `v${index + 1}`);
    apply(names.map((name) => claimText(name)).join(""), 20);
    apply(podText("many", "", names.slice(0, 8)));
    apply(podText("more", "", names.slice(8)), 5);
    expect(events("more").join()).toContain("1 node(s) exceed max volume count");
  });

  it("[NET-359] have no VolumeAttachment where the driver says that it needs none", () => {
    const { apply, run, events, attachments, node, world } = csiWorld({ nodes: 1 });
    run("kubectl delete csidriver csi.sim.local");
    world.client.create(kinds.csiDrivers, { metadata: { name: "csi.sim.local" }, spec: { attachRequired: false } });
    apply(claimText("data") + podText("app", "", ["data"]));
    expect(attachments()).toEqual([]);
    expect(node("node-1").status?.volumesInUse).toBeUndefined();
    // This one does need it.
    expect(events("app").join()).toMatch(
      /Warning FailedMount MountVolume\.MountDevice failed for volume "pvc-\S+" : rpc error: code = NotFound desc = volume vol-\S+ is not attached to node node-1/u,
    );
  });

  it("wait for an attacher that nobody runs, and their Pods are told after two minutes", () => {
    const { apply, run, events, attachments, wait } = csiWorld({ nodes: 1 });
    apply(claimText("data"), 10);
    run("kubectl scale deployment csi-sim-controller -n kube-system --replicas=0");
    wait(20);
    apply(podText("app", "", ["data"]), 100);
    expect(attachments()).toMatchObject([{ status: { attached: false } }]);
    expect(events("app").some((each) => each.includes("FailedAttachVolume"))).toBe(false);
    wait(60);
    expect(events("app").join()).toMatch(
      /Warning FailedAttachVolume AttachVolume\.Attach failed for volume "pvc-\S+" : timed out waiting for external-attacher of csi\.sim\.local CSI driver to attach volume vol-/u,
    );
  });

  it("[NET-301] are awaited of kinds that a driver works for, whoever is there to do it", () => {
    const { apply, run, events, attachments, wait } = csiWorld({ nodes: 1 });
    const pod = podText("app", "", ["data"]).replace(
      "persistentVolumeClaim: {claimName: data}",
      "awsElasticBlockStore: {volumeID: vol-1}",
    );
    apply(pod, 130);
    expect(run("kubectl get pod app --no-headers")).toMatch(/ 0\/1 +ContainerCreating /u);
    expect(attachments()).toMatchObject([
      {
        spec: { attacher: "ebs.csi.aws.com", nodeName: "node-1", source: { inlineVolumeSpec: { csi: { volumeHandle: "vol-1" } } } },
        status: { attached: false },
      },
    ]);
    expect(events("app").filter((each) => each.startsWith("Warning"))).toEqual([
      'Warning FailedAttachVolume AttachVolume.Attach failed for volume "ebs.csi.aws.com-vol-1" : timed out waiting for external-attacher of ebs.csi.aws.com CSI driver to attach volume vol-1',
    ]);
    run("kubectl delete pod app");
    wait(2);
    expect(attachments()).toEqual([]);
  });

  it("are mounted again after a boot of their node, and kept through a start of its kubelet", () => {
    const { apply, run, wait, world, node } = csiWorld({ nodes: 1 });
    apply(claimText("data"), 5);
    apply(podText("app", "", ["data"], "date >> /data/starts; sleep 1000000"));
    const inUse = node("node-1").status?.volumesInUse;
    expect(inUse).toHaveLength(1);
    run("ssh node-1 systemctl restart kubelet");
    wait(40);
    expect(run("kubectl exec app -- wc -l /data/starts")).toMatch(/^1 /u);
    expect(node("node-1").status?.volumesInUse).toEqual(inUse);
    world.cluster.powerOf("node-1")?.off();
    wait(5);
    world.cluster.powerOf("node-1")?.on();
    wait(120);
    expect(run("kubectl exec app -- wc -l /data/starts")).toMatch(/^2 /u);
    expect(node("node-1").status?.volumesInUse).toEqual(inUse);
  });

  it("[NET-343] keep their claim until the last Pod that uses it has gone", () => {
    const { apply, run, wait } = csiWorld({ nodes: 1 });
    apply(claimText("data"), 5);
    apply(podText("app", "", ["data"]));
    expect(run("kubectl delete pvc data --timeout=5s")).toBe(
      'persistentvolumeclaim "data" deleted from default namespace\nerror: timed out waiting for the condition on persistentvolumeclaims/data\n',
    );
    expect(run("kubectl get pvc data --no-headers")).toMatch(/^data +Terminating +pvc-\S+ +2Gi +RWO +csi-sim /u);
    run("kubectl delete pod app");
    wait(30);
    expect(run("kubectl get pvc,pv")).toBe("No resources found\n");
  });

  it("[NET-352] are made where their Pod goes, if their class waits for it", () => {
    const { apply, run, events, volume } = csiWorld({ nodes: 2 });
    run(
      "kubectl get sc csi-sim -o yaml | sed 's/Immediate/WaitForFirstConsumer/; s/name: csi-sim/name: csi-sim-late/; /uid:/d; /resourceVersion:/d' > late.yaml",
    );
    run("kubectl apply -f late.yaml");
    apply(claimText("data").replace("csi-sim", "csi-sim-late"), 5);
    expect(volume()).toBeUndefined();
    apply(podText("app", "node-2", ["data"]));
    expect(run("kubectl get pod app --no-headers")).toMatch(/ 1\/1 +Running /u);
    expect(events("data").map((each) => each.split(" ")[1])).toEqual(
      expect.arrayContaining(["WaitForFirstConsumer", "ExternalProvisioning", "Provisioning", "ProvisioningSucceeded"]),
    );
  });
});
