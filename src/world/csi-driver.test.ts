import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { claimText, csiWorld, podText } from "./csi.test-kit.ts";

describe("a cluster with a CSI driver", () => {
  let made: ReturnType<typeof csiWorld>;

  beforeAll(() => {
    made = csiWorld();
  });

  it("[NET-371] tells by node which drivers it has, what they call it and how many volumes it takes", () => {
    const { world, node, run } = made;
    const csiNode = world.client.get(kinds.csiNodes, { namespace: "", name: "node-1" });
    expect(csiNode.spec.drivers).toEqual([
      { name: "csi.sim.local", nodeID: "node-1", topologyKeys: ["topology.csi.sim.local/region"], allocatable: { count: 8 } },
    ]);
    expect(csiNode.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Node", name: "node-1" });
    expect(node("node-1").metadata.annotations?.["csi.volume.kubernetes.io/nodeid"]).toBe('{"csi.sim.local":"node-1"}');
    expect(node("node-1").metadata.labels?.["topology.csi.sim.local/region"]).toBe("sim-1");
    expect(run("kubectl get csinode --no-headers")).toMatch(/^control-plane +1 .*\nnode-1 +1 .*\nnode-2 +1 /u);
    expect(run("kubectl get csidriver --no-headers")).toMatch(/^csi\.sim\.local +true +false +false +<unset> +false +Persistent/u);
    expect(run("kubectl get pods -n kube-system -l app=csi-sim-controller --no-headers")).toMatch(/ 5\/5 +Running +0 /u);
    expect(run("kubectl get daemonset csi-sim-node -n kube-system --no-headers")).toMatch(/^csi-sim-node +3 +3 +3 +3 +3 /u);
  });

  it("[NET-352] [NET-353] [NET-354] makes a volume for a claim, as its service sizes it", () => {
    const { apply, volume, events, run } = made;
    apply(claimText("data"), 10);
    const found = volume();
    const handle = found?.spec?.csi?.volumeHandle ?? "";
    expect(handle).toMatch(/^vol-[0-9a-f-]{36}$/u);
    expect(found?.metadata.finalizers).toContain("external-provisioner.volume.kubernetes.io/finalizer");
    expect(found?.metadata.annotations).toMatchObject({ "pv.kubernetes.io/provisioned-by": "csi.sim.local" });
    expect(found?.spec).toMatchObject({
      capacity: { storage: "2Gi" },
      csi: { driver: "csi.sim.local", fsType: "ext4" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "csi-sim",
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "topology.csi.sim.local/region", operator: "In", values: ["sim-1"] }] }],
        },
      },
    });
    expect(events("data").map((each) => each.split(" ").slice(0, 2).join(" "))).toEqual([
      "Normal ExternalProvisioning",
      "Normal Provisioning",
      "Normal ProvisioningSucceeded",
    ]);
    expect(run("kubectl get pvc data --no-headers")).toMatch(/^data +Bound +pvc-\S+ +2Gi +RWO +csi-sim/u);
  });

  it("[NET-355] refuses a selector, and what the driver cannot do", () => {
    const { apply, events, run } = made;
    apply(claimText("chosen", "  selector: {matchLabels: {a: b}}\n") + claimText("raw", "  volumeMode: Block\n"), 5);
    const failed = 'Warning ProvisioningFailed failed to provision volume with StorageClass "csi-sim": ';
    expect(events("chosen")).toContain(`${failed}claim Selector is not supported`);
    expect(events("raw")).toContain(`${failed}rpc error: code = InvalidArgument desc = cannot have block access type`);
    run("kubectl delete pvc chosen raw");
  });

  it("keeps the files outside the nodes: they follow the claim from one node to another", () => {
    const { apply, run, wait } = made;
    apply(podText("first", "node-1", ["data"], "echo kept > /data/f; sleep 1000000"));
    expect(run("kubectl exec first -- df -h /data")).toMatch(/^\/dev\/vdb +2\.0G .* \/data$/mu);
    expect(run("kubectl exec first -- mount")).toMatch(/^\/dev\/vdb on \/data type ext4 \(rw/mu);
    run("kubectl delete pod first");
    wait(30);
    apply(podText("second", "node-2", ["data"]));
    expect(run("kubectl exec second -- cat /data/f")).toBe("kept\n");
    expect(run("ssh node-2 mount")).toMatch(
      / on \/var\/lib\/kubelet\/plugins\/kubernetes\.io\/csi\/csi\.sim\.local\/[0-9a-f]{64}\/globalmount /u,
    );
    expect(run("ssh node-1 mount")).not.toContain("globalmount");
    const told = run(
      'kubectl logs -n kube-system -l app=csi-sim-node -c driver --tail=-1 --prefix | grep -e "Node/" | grep -o "Node/[A-Za-z]*"',
    );
    const first = ["NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume"];
    expect(told.trim().split("\n").sort()).toEqual(
      [...first, "NodeStageVolume", "NodePublishVolume"].map((method) => `Node/${method}`).sort(),
    );
    run("kubectl delete pod second");
    wait(30);
  });

  it("[API-188] removes the volume and its storage with the claim; with Retain it stays, Released", () => {
    const { apply, run, wait, volume } = made;
    run("kubectl delete pvc data");
    wait(20);
    expect(run("kubectl get pv")).toBe("No resources found\n");
    expect(run("kubectl logs -n kube-system deploy/csi-sim-controller -c driver --tail=1")).toMatch(
      /"GRPC call" method="\/csi\.v1\.Controller\/DeleteVolume" volume_id="vol-/u,
    );
    apply(claimText("kept"), 10);
    run(`kubectl patch pv ${volume()?.metadata.name} -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`);
    wait(2);
    expect(volume()?.metadata.finalizers).not.toContain("external-provisioner.volume.kubernetes.io/finalizer");
    run("kubectl delete pvc kept");
    wait(20);
    expect(run("kubectl get pv --no-headers")).toMatch(/ 2Gi +RWO +Retain +Released +default\/kept +csi-sim/u);
  });

  it("[NET-371] is asked again when its Pod on a node is another one", () => {
    const { run, wait, world } = made;
    for (const count of [3, 5, 4, 6]) {
      const change = `{"op":"replace","path":"/spec/template/spec/containers/1/args/2","value":"--max-volumes-per-node=${count}"}`;
      run(`kubectl patch daemonset csi-sim-node -n kube-system --type=json -p '[${change}]'`);
      wait(60);
      const limits = world.client.list(kinds.csiNodes).items.map(({ spec }) => spec.drivers[0]?.allocatable?.count);
      expect(limits).toEqual([count, count, count]);
    }
  });

  it("is gone from a node with its Pod there", () => {
    const { run, wait, world } = made;
    run("kubectl delete daemonset csi-sim-node -n kube-system");
    wait(20);
    expect(world.client.get(kinds.csiNodes, { namespace: "", name: "node-1" }).spec.drivers).toEqual([]);
  });
});
