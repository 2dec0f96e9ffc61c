import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { ephemeralVolumeController } from "./ephemeral-volume-controller.ts";

const key = { namespace: "default", name: "web-data" };
const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

function start() {
  const { client, simulation, eventsOf } = startControlPlane({ definitions: [ephemeralVolumeController] });
  const ownersOf = () => {
    simulation.advance(5000);
    return client
      .list(kinds.persistentVolumeClaims)
      .items.map(({ metadata }) => `${metadata.name} of ${metadata.ownerReferences?.map(({ name }) => name).join() ?? "nobody"}`);
  };
  const createPod = () =>
    client.create(kinds.pods, {
      metadata: { namespace: "default", name: "web" },
      spec: {
        containers: [{ name: "main", image: "nginx" }],
        volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { spec } } }],
      },
    });
  return { client, createPod, ownersOf, eventsOf };
}

describe("the claim that a Pod brings along", () => {
  it("is made again when somebody deletes it", () => {
    const { client, createPod, ownersOf } = start();
    createPod();
    expect(ownersOf()).toEqual(["web-data of web"]);
    client.delete(kinds.persistentVolumeClaims, key);
    const held = client.list(kinds.persistentVolumeClaims).items[0];
    if (held !== undefined) client.patch(kinds.persistentVolumeClaims, key, "merge", { metadata: { finalizers: null } });
    expect(ownersOf()).toEqual(["web-data of web"]);
  });

  it("[NET-369] waits for another of its name, which nobody takes for it, to go", () => {
    const { client, createPod, ownersOf, eventsOf } = start();
    client.create(kinds.persistentVolumeClaims, { metadata: key, spec });
    createPod();
    expect(ownersOf()).toEqual(["web-data of nobody"]);
    expect(eventsOf("Pod")).toContain(
      "FailedBinding ephemeral volume data: PVC default/web-data was not created for pod default/web (pod is not owner)",
    );
    client.delete(kinds.persistentVolumeClaims, key);
    const held = client.list(kinds.persistentVolumeClaims).items[0];
    if (held !== undefined) client.patch(kinds.persistentVolumeClaims, key, "merge", { metadata: { finalizers: null } });
    expect(ownersOf()).toEqual(["web-data of web"]);
  });
});
