import { describe, expect, it } from "vitest";
import { Path } from "../../field-errors.ts";
import { type PodParts, warningsOf, withContainer } from "./pod-case.test-kit.ts";
import { podSpecWarnings } from "./pod-warnings.ts";

const c = "spec.containers[0]";
const paths = (...list: readonly string[]) => list.map((path) => ({ key: "k", path }));
const labels = ({ path }: { readonly path: string }) => ({ path, fieldRef: { fieldPath: "metadata.labels" } });
const spec = (fields: object): PodParts => ({ spec: fields as PodParts["spec"] & object });

describe("warnings about pods that are accepted", () => {
  it.each<readonly [string, PodParts, readonly string[]]>([
    ["an ordinary pod causes none", {}, []],
    [
      "[POD-443] parts of bytes",
      withContainer({ resources: { requests: { memory: "400m" } } }),
      [`${c}.resources.requests[memory]: fractional byte value "400m" is invalid, must be an integer`],
    ],
    [
      "a name that is no label",
      { metadata: { name: "web.1" } },
      [
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
    [
      "labels of nodes that have new names",
      spec({
        nodeSelector: { "beta.kubernetes.io/os": "linux" },
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "failure-domain.beta.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" },
        ],
      }),
      [
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
        "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
      ],
    ],
    [
      "what is there twice",
      withContainer(
        {
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
            { name: "B", value: "1" },
            { name: "B", value: "$(B)2" },
          ],
        },
        {
          hostAliases: [{ ip: "10.0.0.1" }, { ip: "10.0.0.1" }],
          imagePullSecrets: [{ name: "s" }, { name: "s" }, { name: "" }],
        },
      ),
      [
        'spec.hostAliases[1].ip: duplicate ip "10.0.0.1"',
        'spec.imagePullSecrets[1].name: duplicate name "s"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
        `${c}.env[1]: hides previous definition of "A", which may be dropped when using apply`,
      ],
    ],
    [
      "ports that are in each other's way",
      withContainer({
        ports: [
          { containerPort: 80 },
          { containerPort: 80 },
          { containerPort: 80, hostPort: 8080 },
          { containerPort: 81, hostIP: "1.2.3.4" },
        ],
      }),
      [
        `${c}.ports[1]: duplicate port definition with ${c}.ports[0]`,
        `${c}.ports[2]: overlapping port definition with ${c}.ports[0]`,
        `${c}.ports[2]: overlapping port definition with ${c}.ports[1]`,
        `${c}.ports[3]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}`,
      ],
    ],
    [
      "[NET-269] volumes that have gone out of use",
      spec({
        volumes: [
          { name: "a", glusterfs: { endpoints: "e", path: "p" } },
          { name: "b", cephfs: { monitors: ["m"] } },
          { name: "c", rbd: { monitors: ["m"], image: "i" } },
          { name: "d", quobyte: { registry: "r:1", volume: "v" } },
          { name: "e", flocker: { datasetName: "d" } },
          { name: "f", storageos: { volumeName: "v" } },
          { name: "g", scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } } },
          { name: "h", photonPersistentDisk: { pdID: "p" } },
          { name: "i", gitRepo: { repository: "x" } },
          { name: "j", awsElasticBlockStore: { volumeID: "v" } },
        ],
      }),
      [
        "spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+",
        "spec.volumes[1].cephfs: deprecated in v1.28, non-functional in v1.31+",
        "spec.volumes[2].rbd: deprecated in v1.28, non-functional in v1.31+",
        "spec.volumes[3].quobyte: deprecated in v1.22, non-functional in v1.25+",
        "spec.volumes[4].flocker: deprecated in v1.22, non-functional in v1.25+",
        "spec.volumes[5].storageOS: deprecated in v1.22, non-functional in v1.25+",
        "spec.volumes[6].scaleIO: deprecated in v1.16, non-functional in v1.22+",
        "spec.volumes[7].photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
        "spec.volumes[8].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
      ],
    ],
    [
      "[NET-270] files of a volume that are in each other's way",
      spec({
        volumes: [
          { name: "a", configMap: { name: "m", items: paths("x", "y", "x/", "x/y", "xy") } },
          { name: "b", secret: { secretName: "s", items: paths("d/e", "d") } },
          { name: "c", downwardAPI: { items: paths("x", "x").map(labels) } },
          {
            name: "d",
            projected: {
              sources: [
                { configMap: { name: "m", items: paths("token") } },
                {},
                { secret: { name: "whole" } },
                { secret: { name: "s", items: paths("labels") } },
                { downwardAPI: { items: paths("labels").map(labels) } },
                { serviceAccountToken: { path: "token" } },
              ],
            },
          },
        ],
      }),
      [
        'volume "a" (ConfigMap "m"): overlapping paths: "x" with "x"',
        'volume "a" (ConfigMap "m"): overlapping paths: "x/y" with "x"',
        'volume "a" (ConfigMap "m"): overlapping paths: "x/y" with "x"',
        'volume "b" (Secret "s"): overlapping paths: "d" with "d/e"',
        'volume "c" (DownwardAPI): overlapping paths: "x" with "x"',
        'volume "d" (Projected) has no sources provided',
        'volume "d" (Projected): overlapping paths: "labels" (DownwardAPI) with "labels" (Secret "s")',
        'volume "d" (Projected): overlapping paths: "token" (ServiceAccountToken) with "token" (ConfigMap "m")',
      ],
    ],
    [
      "annotations that fields have replaced",
      {
        metadata: {
          annotations: {
            "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
            "container.apparmor.security.beta.kubernetes.io/c": "unconfined",
          },
        },
      },
      [
        'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
      ],
    ],
    [
      "selectors that select nothing, addresses written unusually",
      spec({
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone" }] } },
        hostAliases: [{ ip: "2001:DB8:0:0:0:0:0:1" }],
      }),
      [
        "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod",
        'spec.hostAliases[0].ip: IPv6 address "2001:DB8:0:0:0:0:0:1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    ],
  ])("%s", (_title, parts, warnings) => {
    expect(warningsOf(parts)).toEqual(warnings);
  });

  it("a grace period below nothing is told of in templates: a pod's own is one second before anybody looks", () => {
    const negative = { containers: [], terminationGracePeriodSeconds: -1 };
    expect(podSpecWarnings(negative, {}, new Path("spec.template"))).toEqual([
      "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ]);
    expect(warningsOf(spec({ terminationGracePeriodSeconds: -1 }))).toEqual([]);
  });
});
