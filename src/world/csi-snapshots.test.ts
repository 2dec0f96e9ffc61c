import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { volumeSnapshotContents, volumeSnapshots } from "#cluster/csi/snapshot-kinds.ts";
import { claimText, csiWorld, podText } from "./csi.test-kit.ts";

function snapshotText(name: string, source = "persistentVolumeClaimName: data", more = ""): string {
  return `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: ${name}}
spec:
  source: {${source}}
${more}---
`;
}

function fromText(name: string, source: string, size = "2Gi", group = ""): string {
  const kind = group === "" ? "PersistentVolumeClaim" : "VolumeSnapshot";
  const apiGroup = group === "" ? "" : `apiGroup: ${group}, `;
  return claimText(name, `  dataSource: {${apiGroup}kind: ${kind}, name: ${source}}\n`).replace("1500Mi", size);
}

const group = "snapshot.storage.k8s.io";

function snapped() {
  const made = csiWorld({ nodes: 1 });
  const { world, wait, run } = made;
  return {
    ...made,
    snapshot: (name: string) => world.client.get(volumeSnapshots, { namespace: "default", name }),
    contents: () => world.client.list(volumeSnapshotContents).items,
    /** The content of a file on a claim's volume. */
    read: (claim: string, file: string): string => {
      made.apply(podText(`reader-${claim}`, "", [claim]));
      const found = run(`kubectl exec reader-${claim} -- cat /${claim}/${file}`);
      run(`kubectl delete pod reader-${claim}`);
      wait(20);
      return found;
    },
  };
}

describe("snapshots of volumes", () => {
  it("[NET-364] [NET-439] are taken by the driver, and ready when it says so", () => {
    const { apply, run, wait, snapshot, contents, events, volume, world } = snapped();
    expect(run("kubectl get volumesnapshotclass --no-headers")).toMatch(/^csi-sim +csi\.sim\.local +Delete /u);
    apply(claimText("data") + podText("app", "", ["data"], "echo one > /data/f; sleep 1000000"));
    apply(snapshotText("first"), 1);
    expect(run("kubectl get vs first --no-headers")).toMatch(/^first +false +data +2Gi +csi-sim +snapcontent-\S+ +\S+ +\S+$/mu);
    wait(5);
    const { uid } = snapshot("first").metadata;
    expect(run("kubectl get volumesnapshot").split("\n")[0]?.trim().split(/ +/u)).toEqual(
      "NAME READYTOUSE SOURCEPVC SOURCESNAPSHOTCONTENT RESTORESIZE SNAPSHOTCLASS SNAPSHOTCONTENT CREATIONTIME AGE".split(" "),
    );
    expect(snapshot("first").metadata.finalizers).toEqual([
      "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
      "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
    ]);
    expect(snapshot("first").status).toMatchObject({
      boundVolumeSnapshotContentName: `snapcontent-${uid}`,
      creationTime: expect.stringMatching(/^2026-01-01T/u),
      readyToUse: true,
      restoreSize: "2Gi",
    });
    expect(contents()).toMatchObject([
      {
        metadata: {
          name: `snapcontent-${uid}`,
          finalizers: ["snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"],
        },
        spec: {
          deletionPolicy: "Delete",
          driver: "csi.sim.local",
          source: { volumeHandle: volume()?.spec?.csi?.volumeHandle },
          sourceVolumeMode: "Filesystem",
          volumeSnapshotClassName: "csi-sim",
          volumeSnapshotRef: {
            apiVersion: "snapshot.storage.k8s.io/v1",
            kind: "VolumeSnapshot",
            name: "first",
            namespace: "default",
            uid,
          },
        },
        status: { readyToUse: true, restoreSize: 2_147_483_648, snapshotHandle: expect.stringMatching(/^snap-/u) },
      },
    ]);
    expect(contents()[0]?.metadata.annotations ?? {}).toEqual({});
    expect(events("first")).toEqual([
      "Normal CreatingSnapshot Waiting for a snapshot default/first to be created by the CSI driver.",
      "Normal SnapshotCreated Snapshot default/first was successfully created by the CSI driver.",
      "Normal SnapshotReady Snapshot default/first is ready to use.",
    ]);
    expect(run("kubectl get vsc --no-headers")).toMatch(
      /^snapcontent-\S+ +true +2147483648 +Delete +csi\.sim\.local +csi-sim +first +default +\S+$/mu,
    );
    const source = world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name: "data" });
    expect(source.metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  });

  it("[NET-365] [NET-366] are what new volumes begin with, if these are large enough", () => {
    const { apply, run, wait, events, read } = snapped();
    apply(
      claimText("data") + podText("app", "", ["data"], "echo one > /data/f; mkdir /data/d; ln -s ../f /data/d/l; sleep 1000000"),
    );
    apply(snapshotText("first"), 10);
    run("kubectl exec app -- sh -c 'echo two > /data/f'");
    apply(fromText("small", "first", "1Gi", group) + fromText("none", "missing", "2Gi", group), 5);
    const failed = 'Warning ProvisioningFailed failed to provision volume with StorageClass "csi-sim": ';
    const handle = "error getting handle for DataSource Type VolumeSnapshot by Name";
    expect(events("small")).toContain(
      `${failed}${handle} first: requested volume size 1073741824 is less than the size 2147483648 for the source snapshot first`,
    );
    expect(events("none")).toContain(
      `${failed}${handle} missing: error getting snapshot missing from api server: volumesnapshots.snapshot.storage.k8s.io "missing" not found`,
    );
    apply(fromText("again", "first", "3Gi", group), 10);
    expect(run("kubectl get pvc again --no-headers")).toMatch(/^again +Bound +pvc-\S+ +3Gi /u);
    expect(read("again", "f")).toBe("one\n");
    expect(read("again", "d/l")).toBe("one\n");
    expect(read("data", "f")).toBe("two\n");
    // One that is not ready yet is waited for.
    apply(snapshotText("second") + fromText("late", "second", "2Gi", group), 2);
    expect(events("late").join()).toContain(`${handle} second: snapshot second is not Ready`);
    wait(20);
    expect(run("kubectl get pvc late --no-headers")).toMatch(/^late +Bound /u);
  });

  it("[NET-368] go with their VolumeSnapshot, or stay where the class keeps them", () => {
    const { apply, run, wait, contents } = snapped();
    apply(claimText("data"), 5);
    apply(snapshotText("first"), 10);
    run("kubectl delete vs first");
    wait(5);
    expect(contents()).toEqual([]);
    expect(run("kubectl logs -n kube-system deploy/csi-sim-controller -c driver --tail=1")).toContain("Controller/DeleteSnapshot");
    run(
      "kubectl get vsclass csi-sim -o yaml | sed 's/Delete/Retain/; s/name: csi-sim/name: kept/; /uid:/d; /resourceVersion:/d; /is-default/d' > kept.yaml",
    );
    run("kubectl create -f kept.yaml");
    apply(snapshotText("second", undefined, "  volumeSnapshotClassName: kept\n"), 10);
    run("kubectl delete vs second");
    wait(5);
    expect(run("kubectl get vs")).toBe("No resources found in default namespace.\n");
    expect(contents()).toMatchObject([
      {
        spec: { deletionPolicy: "Retain" },
        status: { readyToUse: true },
        metadata: { annotations: { "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted": "yes" } },
      },
    ]);
    // What stays can be bound by hand, to another snapshot.
    const handle = contents()[0]?.status?.snapshotHandle ?? "";
    apply(
      `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata: {name: old}
spec:
  deletionPolicy: Retain
  driver: csi.sim.local
  source: {snapshotHandle: ${handle}}
  volumeSnapshotRef: {name: old, namespace: default}
---
${snapshotText("old", "volumeSnapshotContentName: old")}${fromText("again", "old", "2Gi", group)}`,
      30,
    );
    expect(run("kubectl get vs old --no-headers")).toMatch(/^old +true +old +2Gi +old +/u);
    expect(run("kubectl get pvc again --no-headers")).toMatch(/^again +Bound /u);
  });

  it("[NET-364] tell why they are not taken", () => {
    const { apply, run, wait, events, snapshot } = snapped();
    apply(snapshotText("first"), 3);
    expect(events("first")).toEqual([
      'Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class with error failed to retrieve PVC data from the lister: "persistentvolumeclaim \\"data\\" not found"',
    ]);
    apply(snapshotText("second", undefined, "  volumeSnapshotClassName: csi-sim\n"), 3);
    expect(events("second")).toEqual([
      "Warning SnapshotContentCreationFailed Failed to create snapshot content with error snapshot controller failed to update second on API server: cannot get claim from snapshot",
    ]);
    apply(snapshotText("third", undefined, "  volumeSnapshotClassName: other\n"), 3);
    expect(events("third")).toEqual([
      'Warning GetSnapshotClassFailed Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io "other" not found',
    ]);
    expect(snapshot("second").status).toMatchObject({ readyToUse: false, error: { message: expect.any(String) } });
    // It goes on when the claim is there.
    apply(claimText("data"), 5);
    wait(60);
    expect(run("kubectl get vs second --no-headers")).toMatch(/^second +true +data /u);
    expect(snapshot("second").status?.error).toBeUndefined();
    run(`kubectl annotate vsclass csi-sim snapshot.storage.kubernetes.io/is-default-class-`);
    apply(snapshotText("fourth"), 3);
    expect(events("fourth")).toEqual([
      "Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class with error cannot find default snapshot class",
    ]);
  });

  it("are what their definitions say", () => {
    const { world, run } = snapped();
    world.apply({
      kind: "file-write",
      path: "both.yaml",
      text: snapshotText("both", "persistentVolumeClaimName: a, volumeSnapshotContentName: b"),
    });
    expect(run("kubectl apply -f both.yaml")).toContain(
      "exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set",
    );
    expect(run("kubectl explain volumesnapshot.spec.source | head -3")).toContain("GROUP:      snapshot.storage.k8s.io");
    const definition = world.client.get(kinds.customResourceDefinitions, {
      namespace: "",
      name: "volumesnapshots.snapshot.storage.k8s.io",
    });
    expect(definition.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "NamesAccepted True",
      "Established True",
      "KubernetesAPIApprovalPolicyConformant True",
    ]);
  });
});

describe("copies of volumes", () => {
  it("[NET-367] begin with the content of another claim's volume", () => {
    const { apply, run, wait, read, world } = snapped();
    apply(claimText("data") + podText("app", "", ["data"], "echo one > /data/f; sleep 1000000"));
    apply(fromText("copy", "data"), 10);
    run("kubectl exec app -- sh -c 'echo two > /data/f'");
    expect(run("kubectl get pvc copy --no-headers")).toMatch(/^copy +Bound +pvc-\S+ +2Gi /u);
    expect(read("copy", "f")).toBe("one\n");
    const source = world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name: "data" });
    expect(source.metadata.finalizers).toContain("provisioner.storage.kubernetes.io/cloning-protection");
    run("kubectl delete pod app --wait=false");
    run("kubectl delete pvc data --wait=false");
    wait(60);
    expect(run("kubectl get pvc --no-headers")).toMatch(/^copy .*\n$/u);
  });

  it("[NET-367] need a source that is bound, of the same namespace and driver, and no larger", () => {
    const { apply, run, events } = snapped();
    run("kubectl create namespace other");
    apply(
      claimText("waiting", "  selector: {matchLabels: {a: b}}\n") +
        claimText("elsewhere").replace("{name:", "{namespace: other, name:"),
    );
    apply(claimText("large").replace("1500Mi", "3Gi"), 10);
    apply(fromText("one", "waiting") + fromText("two", "elsewhere") + fromText("three", "large"), 5);
    const failed =
      'Warning ProvisioningFailed failed to provision volume with StorageClass "csi-sim": error getting handle for DataSource Type PersistentVolumeClaim by Name';
    expect(events("one")).toContain(
      `${failed} waiting: the PVC DataSource waiting must have a status of Bound.  Got {Pending [] map[] [] map[] map[] <nil> <nil>}`,
    );
    expect(events("two")).toContain(
      `${failed} elsewhere: error getting PVC elsewhere (namespace "default") from api server: persistentvolumeclaim "elsewhere" not found`,
    );
    expect(events("three")).toContain(
      `${failed} large: error, new PVC request must be greater than or equal in size to the specified PVC data source, requested 2147483648 but source is 3221225472`,
    );
  });
});
