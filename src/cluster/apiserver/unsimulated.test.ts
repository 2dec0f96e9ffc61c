// Every row of what is not simulated warns, through the server and in these words, who makes an object that uses it; who makes the same
// object without it is not warned.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { unsimulated } from "#cluster/resources/unsimulated.ts";
import { Simulation } from "#sim/simulation.ts";
import { exchange } from "./http/http-call.test-kit.ts";
import { ApiServer } from "./server.ts";

type Json = { readonly [field: string]: JsonValue };

interface Example {
  readonly row: string;
  readonly path: string;
  readonly with: Json;
  /** The same without. */
  readonly without: Json;
  readonly places: readonly string[];
}

const named = (kind: string, apiVersion: string, parts: Json): Json => ({ apiVersion, kind, metadata: { name: "x" }, ...parts });
const podPath = "/api/v1/namespaces/default/pods";

interface PodParts {
  readonly container?: Json;
  readonly spec?: Json;
}

/** A container of each kind of list has the same parts: the ephemeral one comes later. */
function podExample(row: string, { container = {}, spec = {} }: PodParts, places: readonly string[]): Example {
  const pod = (own: Json, more: Json): Json =>
    named("Pod", "v1", {
      spec: {
        containers: [{ name: "web", image: "nginx", ...own }],
        initContainers: [{ name: "first", image: "busybox", ...own }],
        volumes: [
          { name: "data", emptyDir: {} },
          { name: "disk", persistentVolumeClaim: { claimName: "disk" } },
        ],
        ...more,
      },
    });
  return { row, path: podPath, with: pod(container, spec), without: pod({}, {}), places };
}

const inContainers = (name: string): readonly string[] => [`spec.containers[0].${name}`, `spec.initContainers[0].${name}`];

const examples: readonly Example[] = [
  podExample("devices", { spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "gpu" }] } }, ["spec.resourceClaims"]),
  podExample(
    "blockDevices",
    { container: { volumeDevices: [{ name: "disk", devicePath: "/dev/xvda" }] } },
    inContainers("volumeDevices"),
  ),
  podExample(
    "profiles",
    {
      container: {
        securityContext: {
          seccompProfile: { type: "Localhost", localhostProfile: "a.json" },
          appArmorProfile: { type: "Localhost", localhostProfile: "a" },
        },
      },
      spec: {
        securityContext: {
          seccompProfile: { type: "Localhost", localhostProfile: "a.json" },
          appArmorProfile: { type: "Localhost", localhostProfile: "a" },
        },
      },
    },
    ["seccompProfile", "appArmorProfile"].flatMap((name) => [
      `spec.securityContext.${name}.type`,
      ...inContainers(`securityContext.${name}.type`),
    ]),
  ),
  podExample("kernelParameters", { spec: { securityContext: { sysctls: [{ name: "net.core.somaxconn", value: "1" }] } } }, [
    "spec.securityContext.sysctls",
  ]),
  podExample(
    "procMount",
    { container: { securityContext: { procMount: "Unmasked" } }, spec: { hostUsers: false } },
    inContainers("securityContext.procMount"),
  ),
];

function start(): ApiServer {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount", "StorageObjectInUseProtection"] });
  server.pipeline.machinery.allowsPrivileged = true;
  server.start();
  return server;
}

const warning = (place: string): string => `299 - "${place}: accepted, but nothing in this simulated cluster acts on it"`;

function create(path: string, object: Json): readonly [status: number, warnings: string | undefined] {
  const reply = exchange(start(), "POST", `${path}?fieldValidation=Strict`, object);
  if (reply.status !== 201) throw new Error(reply.text);
  return [reply.status, reply.headers["warning"]];
}

describe("the maker of what nothing acts on", () => {
  it.each(examples)("is warned: $row ($places)", (example) => {
    expect(create(example.path, example.with)).toEqual([201, example.places.map(warning).join(", ")]);
    expect(create(example.path, example.without)).toEqual([201, undefined]);
  });

  it("is warned of every field of the table", () => {
    const told = new Set(examples.flatMap(({ row, places }) => places.map((place) => `${row} ${place.replace(/\[\d+\]/g, "[]")}`)));
    const written = unsimulated.flatMap(({ id, fields }) =>
      Object.values(fields).flatMap((paths) => paths.map((path) => `${id} ${path.replace(/=.*/, "")}`)),
    );
    // Ephemeral containers come by a subresource, below.
    expect([...told].sort()).toEqual([...new Set(written)].filter((each) => !each.includes("ephemeralContainers")).sort());
  });

  it("is warned of an ephemeral container's fields when it is added", () => {
    const server = start();
    exchange(server, "POST", podPath, podExample("", { spec: { hostUsers: false } }, []).with);
    const container = {
      name: "debug",
      image: "busybox",
      securityContext: { procMount: "Unmasked", seccompProfile: { type: "Localhost", localhostProfile: "a.json" } },
    };
    const patch = { spec: { ephemeralContainers: [container] } };
    const reply = exchange(server, "PATCH", `${podPath}/x/ephemeralcontainers`, patch, {
      "content-type": "application/strategic-merge-patch+json",
    });
    expect([reply.status, reply.headers["warning"]]).toEqual([
      200,
      ["seccompProfile.type", "procMount"].map((name) => warning(`spec.ephemeralContainers[0].securityContext.${name}`)).join(", "),
    ]);
  });
});
