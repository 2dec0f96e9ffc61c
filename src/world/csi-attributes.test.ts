import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { claimText, csiWorld } from "./csi.test-kit.ts";

function classText(name: string, iops: string, driver = "csi.sim.local"): string {
  return `apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: ${name}}
driverName: ${driver}
parameters: {iops: "${iops}"}
---
`;
}

function changing() {
  const made = csiWorld({ nodes: 1 });
  const { world, run } = made;
  return {
    ...made,
    choose: (name: string): string => run(`kubectl patch pvc data -p '{"spec":{"volumeAttributesClassName":${name}}}'`),
    claim: () => world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name: "data" }),
  };
}

const slow = `  volumeAttributesClassName: slow\n`;

describe("attributes of volumes", () => {
  it("[NET-370] are those of the class that the claim asks for, at first and later", () => {
    const { apply, choose, claim, run, wait, events, volume } = changing();
    apply(classText("slow", "3000") + classText("fast", "16000") + claimText("data", slow), 10);
    expect(claim().status?.currentVolumeAttributesClassName).toBe("slow");
    expect(volume()?.spec?.volumeAttributesClassName).toBe("slow");
    expect(run("kubectl get pvc data --no-headers")).toMatch(/^data +Bound +pvc-\S+ +2Gi +RWO +csi-sim +slow /u);
    expect(choose('"fast"')).toBe("persistentvolumeclaim/data patched\n");
    wait(3);
    expect(claim().status).toMatchObject({ currentVolumeAttributesClassName: "fast" });
    expect(claim().status?.modifyVolumeStatus).toBeUndefined();
    expect(claim().status?.conditions).toBeUndefined();
    expect(volume()?.spec?.volumeAttributesClassName).toBe("fast");
    expect(events("data").slice(-2)).toEqual([
      "Normal VolumeModify external resizer is modifying volume data with vac fast",
      "Normal VolumeModifySuccessful external resizer modified volume data with vac fast successfully",
    ]);
    expect(run("kubectl logs -n kube-system deploy/csi-sim-controller -c driver --tail=1")).toMatch(
      /ControllerModifyVolume" volume_id="vol-\S+" mutable_parameters=\{"iops":"16000"\}/u,
    );
  });

  it("[NET-370] are refused by the driver: Infeasible, until another class is asked for", () => {
    const { apply, choose, claim, wait, events } = changing();
    apply(classText("slow", "3000") + classText("wild", "99999") + claimText("data", slow), 10);
    choose('"wild"');
    wait(3);
    const refused = 'iops must be a whole number from 3000 to 16000, got "99999"';
    expect(claim().status).toMatchObject({
      currentVolumeAttributesClassName: "slow",
      modifyVolumeStatus: { status: "Infeasible", targetVolumeAttributesClassName: "wild" },
      conditions: [
        { type: "ModifyingVolume", status: "True", message: 'Modifying volume to "wild" failed. Waiting for retry.' },
        { type: "ModifyVolumeError", status: "True", reason: "InvalidArgument", message: refused },
      ],
    });
    expect(events("data").at(-1)).toBe(`Warning VolumeModifyFailed rpc error: code = InvalidArgument desc = ${refused}`);
    choose('"slow"');
    wait(3);
    expect(claim().status?.modifyVolumeStatus).toBeUndefined();
    expect(claim().status?.conditions).toBeUndefined();
    expect(claim().status?.currentVolumeAttributesClassName).toBe("slow");
  });

  it("[NET-370] wait for a class that does not exist", () => {
    const { apply, choose, claim, wait, events } = changing();
    apply(classText("slow", "3000") + claimText("data", slow), 10);
    choose('"none"');
    wait(3);
    expect(claim().status?.modifyVolumeStatus).toEqual({ status: "Pending" });
    expect(events("data").at(-1)).toBe('Warning VolumeModifyFailed VAC "none" does not exist.');
  });

  it("[NET-370] of a new claim come from a class of its driver", () => {
    const { apply, claim, events, run, wait } = changing();
    apply(classText("foreign", "3000", "other.example.com") + claimText("data", "  volumeAttributesClassName: foreign\n"), 5);
    const failed = 'Warning ProvisioningFailed failed to provision volume with StorageClass "csi-sim": ';
    expect(events("data")).toContain(
      `${failed}VAC foreign referenced in PVC is for driver other.example.com which does not match driver name csi.sim.local`,
    );
    run("kubectl delete pvc data");
    apply(claimText("data", slow), 5);
    expect(events("data").join()).toContain(`${failed}volumeattributesclasses.storage.k8s.io "slow" not found`);
    expect(claim().status?.phase).toBe("Pending");
    apply(classText("slow", "3000"), 1);
    wait(20);
    expect(claim().status).toMatchObject({ phase: "Bound", currentVolumeAttributesClassName: "slow" });
  });
});
