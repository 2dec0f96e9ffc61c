// The plugins that are one rule each, and how plugins are chosen.

import { describe, expect, it } from "vitest";
import type { PodSpec, Toleration } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "../server.ts";
import { refusalOf, startServer, testStartMs } from "../test-server.test-kit.ts";
import { mergedTolerations } from "./built-in/tolerations.ts";

const namespace = "default";

function start(enabled: readonly string[] = []) {
  const { simulation, server, client } = startServer({ enableAdmissionPlugins: enabled });
  const put = (table: string, name: string, fields: object): void => {
    const { annotations, createdAt, ...rest } = fields as { annotations?: object; createdAt?: string };
    const metadata = {
      name,
      ...(annotations === undefined ? {} : { annotations }),
      creationTimestamp: createdAt ?? "2026-01-01T00:00:00Z",
    };
    server.store.put(server.store.table(table), name, { apiVersion: "v1", kind: "Class", metadata, ...rest } as KubeObject);
  };
  const pod = (spec: Partial<PodSpec>, name = "web") =>
    client.create(kinds.pods, { metadata: { namespace, name }, spec: { containers: [{ name: "c", image: "nginx" }], ...spec } });
  return { simulation, server, client, put, pod };
}

describe("the chain of plugins", () => {
  const names = (enabled: readonly string[], disabled: readonly string[]): readonly string[] => {
    const simulation = new Simulation({ startMs: testStartMs, seed: 1 });
    const server = new ApiServer({ simulation, enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled });
    return server.pipeline.machinery.admission.names;
  };

  it("asks in the API server's order", () => {
    expect(names([], []).slice(0, 3)).toEqual(["NamespaceLifecycle", "LimitRanger", "ServiceAccount"]);
    expect(names(["AlwaysPullImages", "NamespaceExists"], ["LimitRanger"]).slice(0, 5)).toEqual([
      "NamespaceLifecycle",
      "NamespaceExists",
      "ServiceAccount",
      "NodeRestriction",
      "TaintNodesByCondition",
    ]);
    expect(names([], []).at(-1)).toBe("ResourceQuota");
  });

  it.each<[readonly string[], readonly string[], string]>([
    [["Foo"], [], 'enable-admission-plugins plugin "Foo" is unknown'],
    [[], ["Foo"], 'disable-admission-plugins plugin "Foo" is unknown'],
    [["LimitRanger"], ["LimitRanger"], "[LimitRanger] in enable-admission-plugins and disable-admission-plugins overlapped"],
    [["EventRateLimit"], [], "limits: Invalid value: []: must not be empty"],
    [["ImagePolicyWebhook"], [], 'admission plugin "ImagePolicyWebhook" is not there yet'],
  ])("does not start with %j and without %j", (enabled, disabled, message) => {
    expect(refusalOf(() => names(enabled, disabled))).toBe(message);
  });

  it("admits deletions", () => {
    const { client } = start();
    expect(refusalOf(() => client.delete(kinds.namespaces, { namespace: "", name: "default" }))).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});

describe("DefaultStorageClass", () => {
  const claim = (client: ReturnType<typeof start>["client"], spec: object, annotations: { [key: string]: string } = {}) =>
    client.create(kinds.persistentVolumeClaims, {
      metadata: { namespace, generateName: "data-", annotations },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    }).spec?.storageClassName;
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };

  it("[NET-320] names the newest default, of equally new ones the first, and none where there is none", () => {
    const { client, put } = start();
    expect(claim(client, {})).toBeUndefined();
    put("storageclasses.storage.k8s.io", "plain", {});
    put("storageclasses.storage.k8s.io", "old", { annotations, createdAt: "2025-01-01T00:00:00Z" });
    put("storageclasses.storage.k8s.io", "new-b", { annotations });
    put("storageclasses.storage.k8s.io", "new-a", { annotations });
    expect(claim(client, {})).toBe("new-a");
  });

  it("[NET-320] leaves a claim alone that says what it wants", () => {
    const { client, put } = start();
    put("storageclasses.storage.k8s.io", "standard", { annotations });
    expect([
      claim(client, { storageClassName: "" }),
      claim(client, {}, { "volume.beta.kubernetes.io/storage-class": "x" }),
    ]).toEqual(["", undefined]);
  });
});

describe("PersistentVolumeClaimResize", () => {
  const cannot = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
  it.each<[string, string, boolean | undefined, string, string]>([
    [
      "[NET-319] a class that does not allow it",
      "Bound",
      undefined,
      "2Gi",
      `persistentvolumeclaims "data" is forbidden: ${cannot}`,
    ],
    ["a class that allows it", "Bound", true, "2Gi", "not refused"],
  ])("%s", (_title, phase, allowVolumeExpansion, storage, message) => {
    const { client, put } = start();
    put("storageclasses.storage.k8s.io", "gold", allowVolumeExpansion === undefined ? {} : { allowVolumeExpansion });
    const spec = { storageClassName: "gold", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const made = client.create(kinds.persistentVolumeClaims, { metadata: { namespace, name: "data" }, spec });
    client.updateStatus(kinds.persistentVolumeClaims, { ...made, status: { phase } });
    const patch = { spec: { resources: { requests: { storage } } } };
    expect(refusalOf(() => client.patch(kinds.persistentVolumeClaims, { namespace, name: "data" }, "merge", patch))).toBe(message);
  });
});

describe("RuntimeClass", () => {
  const sandboxed = {
    handler: "runsc",
    overhead: { podFixed: { cpu: "250m", memory: "64Mi" } },
    scheduling: { nodeSelector: { sandbox: "yes" }, tolerations: [{ key: "sandbox", operator: "Exists" }] },
  };

  it("[POD-088] [POD-090] [POD-091] [POD-092] gives overhead, node selector and tolerations", () => {
    const { put, pod } = start();
    put("runtimeclasses.node.k8s.io", "sandboxed", sandboxed);
    const { overhead, nodeSelector, tolerations } =
      pod({ runtimeClassName: "sandboxed", nodeSelector: { disk: "ssd" } }).spec ?? {};
    expect([overhead, nodeSelector, tolerations?.at(-1)]).toEqual([
      { cpu: "250m", memory: "64Mi" },
      { disk: "ssd", sandbox: "yes" },
      { key: "sandbox", operator: "Exists" },
    ]);
  });

  it("[POD-088] [POD-090] takes what the Pod says as well once only", () => {
    const { put, pod } = start();
    put("runtimeclasses.node.k8s.io", "sandboxed", sandboxed);
    const own = [
      { key: "sandbox", operator: "Exists" },
      { key: "gpu", operator: "Exists" },
    ];
    const { nodeSelector, tolerations = [] } =
      pod({ runtimeClassName: "sandboxed", nodeSelector: { sandbox: "yes", disk: "ssd" }, tolerations: own }).spec ?? {};
    expect(nodeSelector).toEqual({ disk: "ssd", sandbox: "yes" });
    expect(tolerations.filter(({ key }) => key?.startsWith("node.kubernetes.io") !== true)).toEqual(own);
  });

  it.each<[string, Partial<PodSpec>, string]>([
    ["[POD-083] an unknown class", { runtimeClassName: "nope" }, 'pod rejected: RuntimeClass "nope" not found'],
    [
      "[POD-091] another overhead",
      { runtimeClassName: "sandboxed", overhead: { cpu: "1" } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      "[POD-091] an overhead without a class",
      { overhead: { cpu: "1" } },
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    ],
    [
      "[POD-089] another node",
      { runtimeClassName: "sandboxed", nodeSelector: { sandbox: "no" } },
      "conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no",
    ],
  ])("refuses %s", (_title, spec, cause) => {
    const { put, pod } = start();
    put("runtimeclasses.node.k8s.io", "sandboxed", sandboxed);
    expect(refusalOf(() => pod(spec))).toBe(`pods "web" is forbidden: ${cause}`);
  });

  it("fails at a class without a name, as upstream's lookup does", () => {
    const { pod } = start();
    expect(refusalOf(() => pod({ runtimeClassName: "" }))).toBe("resource name may not be empty");
  });
});

describe("PodTopologyLabels", () => {
  it("[POD-439] labels a Pod that is bound with the zone and region of its node", () => {
    const { client, pod } = start();
    const labels = { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1", other: "x" };
    client.create(kinds.nodes, { metadata: { name: "n", labels } });
    expect(pod({ nodeName: "n" }, "placed").metadata.labels).toEqual({
      "topology.kubernetes.io/zone": "z1",
      "topology.kubernetes.io/region": "r1",
    });
    pod({});
    client.createSubresource(kinds.pods, { namespace, name: "web" }, "binding", {
      metadata: { name: "web" },
      target: { kind: "Node", name: "n" },
    });
    const bound = client.get(kinds.pods, { namespace, name: "web" });
    expect([bound.spec?.nodeName, bound.metadata.labels]).toEqual([
      "n",
      { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1" },
    ]);
  });
});

describe("plugins on request", () => {
  it("AlwaysPullImages asks the registry each time", () => {
    const { pod } = start(["AlwaysPullImages"]);
    const containers = [{ name: "c", image: "nginx:1.27", imagePullPolicy: "Never" }];
    expect(pod({ containers }).spec?.containers[0]?.imagePullPolicy).toBe("Always");
  });

  it("PodNodeSelector adds the namespace's selector, and refuses another", () => {
    const { client, pod } = start(["PodNodeSelector"]);
    const annotations = { "scheduler.alpha.kubernetes.io/node-selector": "env=prod,disk=ssd" };
    client.patch(kinds.namespaces, { namespace: "", name: namespace }, "merge", { metadata: { annotations } });
    expect(pod({ nodeSelector: { disk: "ssd", a: "b" } }).spec?.nodeSelector).toEqual({ env: "prod", disk: "ssd", a: "b" });
    expect(refusalOf(() => pod({ nodeSelector: { env: "test" } }, "other"))).toBe(
      'pods "other" is forbidden: pod node label selector conflicts with its namespace node label selector',
    );
  });

  it("PodTolerationRestriction gives tolerations and refuses those that are not allowed", () => {
    const { client, pod } = start(["PodTolerationRestriction"]);
    const annotations = {
      "scheduler.alpha.kubernetes.io/defaultTolerations": '[{"key":"team","operator":"Equal","value":"a","effect":"NoSchedule"}]',
      "scheduler.alpha.kubernetes.io/tolerationsWhitelist":
        '[{"key":"team","operator":"Exists"},{"key":"node.kubernetes.io/not-ready","operator":"Exists"},{"key":"node.kubernetes.io/unreachable","operator":"Exists"}]',
    };
    client.patch(kinds.namespaces, { namespace: "", name: namespace }, "merge", { metadata: { annotations } });
    expect(pod({}).spec?.tolerations?.map(({ key }) => key)).toContain("team");
    expect(refusalOf(() => pod({ tolerations: [{ key: "gpu", operator: "Exists" }] }, "other"))).toBe(
      "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
    );
  });

  it("ExtendedResourceToleration tolerates the taints of what is asked for", () => {
    const { pod } = start(["ExtendedResourceToleration"]);
    const containers = [{ name: "c", image: "x", resources: { limits: { "example.com/gpu": "1" } } }];
    expect(pod({ containers }).spec?.tolerations).toContainEqual({ key: "example.com/gpu", operator: "Exists" });
  });

  it("NamespaceAutoProvision makes the namespace of the first object in it", () => {
    const { client } = start(["NamespaceAutoProvision"]);
    client.create(kinds.configMaps, { metadata: { namespace: "fresh", name: "a" } });
    expect(client.get(kinds.namespaces, { namespace: "", name: "fresh" }).status?.phase).toBe("Active");
  });

  it("AlwaysDeny denies", () => {
    const { client } = start(["AlwaysAdmit", "AlwaysDeny"]);
    expect(refusalOf(() => client.create(kinds.configMaps, { metadata: { namespace, name: "a" } }))).toMatch(
      /^configmaps "a" is forbidden: admission control is denying all modifications$|not found$/,
    );
  });

  it("NamespaceExists lets nothing go that is nowhere", () => {
    const { client } = start(["NamespaceExists"]);
    expect(refusalOf(() => client.create(kinds.configMaps, { metadata: { namespace: "none", name: "a" } }))).toBe(
      'namespaces "none" not found',
    );
  });

  it("[API-178] [WRK-297] OwnerReferencesPermissionEnforcement lets nobody hold back what they may not finalize", () => {
    const { server, client } = start(["OwnerReferencesPermissionEnforcement"]);
    const blocking = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u", blockOwnerDeletion: true };
    const draft = { metadata: { namespace, name: "a", ownerReferences: [blocking] } };
    expect(refusalOf(() => client.create(kinds.configMaps, draft))).toBe("not refused");
    // Somebody who may do what they do, and nothing else.
    const nobody = { name: "jane", groups: [] };
    const request = {
      definition: server.registry.find("", "v1", "configmaps") as NonNullable<ReturnType<typeof server.registry.find>>,
      ...{ subresource: "", namespace, name: "b", user: nobody, userAgent: "", dryRun: false, fieldManager: "", warnings: [] },
    };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b", namespace, ownerReferences: [blocking] } };
    const { admission } = server.pipeline.machinery;
    expect(refusalOf(() => admission.validate(request, "CREATE", object, undefined))).toBe(
      'configmaps "b" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
    );
    const plain = { ...object, metadata: { name: "b", namespace } };
    expect(refusalOf(() => admission.validate(request, "UPDATE", object, plain))).toBe(
      'configmaps "b" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>',
    );
    const unknown = { ...object, metadata: { ...object.metadata, ownerReferences: [{ ...blocking, kind: "Thing" }] } };
    expect(refusalOf(() => admission.validate(request, "CREATE", unknown, undefined))).toBe(
      'configmaps "b" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Thing: no matches for kind "Thing" in version "v1"',
    );
  });

  it("LimitPodHardAntiAffinityTopology allows nodes only", () => {
    const { pod } = start(["LimitPodHardAntiAffinityTopology"]);
    const apart = (topologyKey: string): Partial<PodSpec> => ({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }] } },
    });
    expect(refusalOf(() => pod(apart("kubernetes.io/hostname")))).toBe("not refused");
    expect(refusalOf(() => pod(apart("zone"), "other"))).toBe(
      'pods "other" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    );
  });

  it("[NET-038] DenyServiceExternalIPs refuses new addresses of Services, and is off unless it is asked for", () => {
    const service = (externalIPs: readonly string[]) => ({
      metadata: { namespace, name: "s" },
      spec: { ports: [{ port: 80 }], externalIPs },
    });
    const { client } = start(["DenyServiceExternalIPs"]);
    expect(refusalOf(() => client.create(kinds.services, service(["10.0.0.1"])))).toBe(
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    );
    expect(refusalOf(() => client.create(kinds.services, service([])))).toBe("not refused");
    expect(refusalOf(() => start([]).client.create(kinds.services, service(["10.0.0.1"])))).toBe("not refused");
  });

  it("[NET-038] DenyServiceExternalIPs lets addresses be that a Service had already, and others of them go", () => {
    const { server, client } = start(["DenyServiceExternalIPs"]);
    client.create(kinds.services, { metadata: { namespace, name: "s" }, spec: { ports: [{ port: 80 }] } });
    const [table, key] = [server.store.table("services"), `${namespace}/s`];
    const stored = table.get(key) as KubeObject;
    const spec = { ...(stored["spec"] as object), externalIPs: ["10.0.0.1", "10.0.0.2"] };
    server.store.put(table, key, { ...stored, spec } as KubeObject);
    const change = (externalIPs: readonly string[]) =>
      refusalOf(() => {
        const service = client.get(kinds.services, { namespace, name: "s" });
        client.update(kinds.services, { ...service, spec: { ...service.spec, externalIPs } });
      });
    expect(change(["10.0.0.1", "10.0.0.2"])).toBe("not refused");
    expect(change(["10.0.0.2", "10.0.0.3"])).toContain("denied by admission control");
    expect(change(["10.0.0.2"])).toBe("not refused");
  });
});

describe("tolerations put together", () => {
  const all: Toleration = { operator: "Exists" };
  const exact: Toleration = { key: "a", operator: "Equal", value: "1", effect: "NoSchedule" };
  const wide: Toleration = { key: "a", operator: "Exists" };
  it.each<[string, readonly Toleration[], readonly Toleration[], readonly Toleration[]]>([
    ["both", [exact], [{ key: "b", operator: "Exists" }], [exact, { key: "b", operator: "Exists" }]],
    ["the same once", [exact], [{ ...exact }], [exact]],
    ["the wider of two", [exact], [wide], [wide]],
    ["one that tolerates all", [exact, wide], [all], [all]],
    [
      "the longer time",
      [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
      [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 }],
      [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 }],
    ],
  ])("keeps %s", (_title, first, second, merged) => {
    expect(mergedTolerations(first, second)).toEqual(merged);
  });
});
