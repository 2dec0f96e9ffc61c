import { describe, expect, it } from "vitest";
import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { claimText, csiWorld, podText } from "./csi.test-kit.ts";

const pending = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

function growing(nodes = 1) {
  const made = csiWorld({ nodes });
  const { world, run, volume } = made;
  return {
    ...made,
    ask: (claim: string, size: string): string =>
      run(`kubectl patch pvc ${claim} -p '{"spec":{"resources":{"requests":{"storage":"${size}"}}}}'`),
    claim: (name: string) => world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name }),
    volumeName: (): string => volume()?.metadata.name ?? "",
  };
}

describe("volumes that grow", () => {
  it("[NET-360] [NET-361] become larger while a Pod uses them, and their file systems after them", () => {
    const { apply, ask, run, wait, claim, events, volume, volumeName } = growing();
    apply(claimText("data") + podText("app", "", ["data"], "echo kept > /data/f; sleep 1000000"));
    expect(ask("data", "5Gi")).toBe("persistentvolumeclaim/data patched\n");
    wait(3);
    expect(volume()?.spec?.capacity).toEqual({ storage: "5Gi" });
    expect(claim("data").status).toMatchObject({
      capacity: { storage: "2Gi" },
      allocatedResources: { storage: "5Gi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
      conditions: [
        { type: "Resizing", status: "True" },
        { type: "FileSystemResizePending", status: "True", message: pending },
      ],
    });
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +2\.0G /mu);
    wait(100);
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +5\.0G /mu);
    expect(run("kubectl exec app -- cat /data/f")).toBe("kept\n");
    const { status } = claim("data");
    expect(status).toMatchObject({ phase: "Bound", capacity: { storage: "5Gi" }, allocatedResources: { storage: "5Gi" } });
    expect(status?.conditions).toBeUndefined();
    expect(status?.allocatedResourceStatuses).toBeUndefined();
    const done = `Normal FileSystemResizeSuccessful MountVolume.NodeExpandVolume succeeded for volume "${volumeName()}" node-1`;
    expect(events("data").slice(-4)).toEqual(
      expect.arrayContaining([
        "Normal ExternalExpanding waiting for an external controller to expand this PVC",
        `Normal Resizing External resizer is resizing volume ${volumeName()}`,
        "Normal FileSystemResizeRequired Require file system resize of volume on node",
        done,
      ]),
    );
    expect(events("app")).toContain(done);
    expect(run("kubectl get pvc data --no-headers")).toMatch(/^data +Bound +pvc-\S+ +5Gi +RWO +csi-sim /u);
    expect(run("kubectl get sc csi-sim --no-headers")).toMatch(/^csi-sim +csi\.sim\.local +Delete +Immediate +true /u);
    expect(run("kubectl get events --field-selector reason=Resizing -o custom-columns=FROM:.source.component --no-headers")).toBe(
      "external-resizer csi.sim.local\n",
    );
  });

  it("[NET-361] [NET-363] wait for the next Pod where none uses them, and are not told as unused", () => {
    const { apply, ask, run, wait, claim, events, volumeName } = growing();
    apply(claimText("data"), 5);
    ask("data", "4Gi");
    wait(300);
    expect(claim("data").status).toMatchObject({
      capacity: { storage: "2Gi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
    });
    expect(claim("data").status?.conditions?.map(({ type }) => type)).toEqual(["Resizing", "FileSystemResizePending"]);
    expect(run("kubectl describe pvc data")).toMatch(/ FileSystemResizePending +True .*Waiting for user to \(re-\)start a pod/u);
    apply(podText("app", "", ["data"]));
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +4\.0G /mu);
    expect(claim("data").status).toMatchObject({ capacity: { storage: "4Gi" } });
    expect(claim("data").status?.conditions).toBeUndefined();
    const done = `Normal FileSystemResizeSuccessful MountVolume.NodeExpandVolume succeeded for volume "${volumeName()}" node-1`;
    expect(events("app")).toContain(done);
  });

  it("[NET-362] do not become larger than the service makes any, and the claim may ask for less then", () => {
    const { apply, ask, run, wait, claim, events, volume, volumeName, world } = growing();
    apply(claimText("data") + podText("app", "", ["data"]));
    ask("data", "20Ti");
    wait(3);
    const refused = "rpc error: code = OutOfRange desc = requested capacity 21990232555520 exceeds maximum allowed 17592186044416";
    expect(claim("data").status).toMatchObject({
      capacity: { storage: "2Gi" },
      allocatedResources: { storage: "20Ti" },
      allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" },
      conditions: [
        { type: "Resizing", status: "True" },
        { type: "ControllerResizeError", status: "True", message: `failed to expand pvc with ${refused}` },
      ],
    });
    expect(volume()?.spec?.capacity).toEqual({ storage: "2Gi" });
    const failed = `Warning VolumeResizeFailed resize volume "${volumeName()}" by resizer "csi.sim.local" failed: ${refused}`;
    expect(events("data").at(-1)).toBe(failed);
    const tries = (): number | undefined =>
      world.client.list<CoreV1Event>(kinds.events).items.find(({ reason }) => reason === "VolumeResizeFailed")?.count;
    expect(tries()).toBe(2);
    wait(240);
    expect(tries()).toBe(2);
    wait(120);
    expect(tries()).toBe(3);
    expect(ask("data", "1Gi")).toMatch(
      /spec\.resources\.requests\.storage: Forbidden: field can not be less than status\.capacity/u,
    );
    ask("data", "3Gi");
    wait(120);
    expect(claim("data").status).toMatchObject({ capacity: { storage: "3Gi" }, allocatedResources: { storage: "3Gi" } });
    expect(claim("data").status?.allocatedResourceStatuses).toBeUndefined();
    expect(claim("data").status?.conditions).toBeUndefined();
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +3\.0G /mu);
    expect(run("kubectl get pvc data --no-headers")).toMatch(/ 3Gi +RWO /u);
  });

  it("[NET-362] stay as they are on a node whose part of the driver is away, and grow when it is back", () => {
    const { apply, ask, run, wait, claim, events, volumeName } = growing();
    apply(claimText("data") + podText("app", "", ["data"]));
    run(`kubectl patch daemonset csi-sim-node -n kube-system -p '{"spec":{"template":{"spec":{"nodeSelector":{"none":"such"}}}}}'`);
    wait(30);
    ask("data", "3Gi");
    wait(120);
    const cause = "driver name csi.sim.local not found in the list of registered CSI drivers";
    expect(events("app").at(-1)).toBe(
      `Warning VolumeResizeFailed NodeExpandVolume.NodeExpandVolume failed for volume "${volumeName()}" : ${cause}`,
    );
    expect(claim("data").status).toMatchObject({
      capacity: { storage: "2Gi" },
      allocatedResourceStatuses: { storage: "NodeResizeInProgress" },
      conditions: [
        { type: "Resizing" },
        { type: "FileSystemResizePending" },
        { type: "NodeResizeError", message: `failed to expand pvc with ${cause}` },
      ],
    });
    run(
      `kubectl patch daemonset csi-sim-node -n kube-system --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeSelector/none"}]'`,
    );
    wait(200);
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +3\.0G /mu);
    expect(claim("data").status?.conditions).toBeUndefined();
  });

  it("[NET-360] end the growth that has begun before they begin the next", () => {
    const { apply, ask, wait, claim, volume, run } = growing();
    apply(claimText("data") + podText("app", "", ["data"]));
    ask("data", "3Gi");
    wait(2);
    ask("data", "6Gi");
    wait(2);
    expect(volume()?.spec?.capacity).toEqual({ storage: "3Gi" });
    expect(claim("data").status?.allocatedResources).toEqual({ storage: "3Gi" });
    wait(250);
    expect(claim("data").status?.capacity).toEqual({ storage: "6Gi" });
    expect(run("kubectl exec app -- df -h /data")).toMatch(/^\/dev\/vdb +6\.0G /mu);
  });

  it("[NET-361] stay as they are for a Pod that may only read", () => {
    const { apply, ask, claim, events, volumeName } = growing();
    apply(claimText("data"), 5);
    ask("data", "3Gi");
    apply(podText("reader", "", ["data"]).replace("claimName: data", "claimName: data, readOnly: true"));
    expect(events("reader")).toContain(
      `Warning FileSystemResizeFailed MountVolume.NodeExpandVolume failed for volume "${volumeName()}" requested read-only file system`,
    );
    expect(claim("data").status?.capacity).toEqual({ storage: "2Gi" });
  });

  it("are refused where their class does not let them", () => {
    const { apply, ask, run } = growing();
    run(`kubectl patch sc csi-sim -p '{"allowVolumeExpansion":false}'`);
    apply(claimText("data"), 5);
    expect(ask("data", "3Gi")).toBe(
      'Error from server (Forbidden): persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize\n',
    );
  });
});
