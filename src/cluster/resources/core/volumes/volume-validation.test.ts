import { describe, expect, it } from "vitest";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { type PodParts, podOf, refusalsOf } from "../pods/pod-case.test-kit.ts";

const v = "spec.volumes[0]";
const octal = "must be a number between 0 and 0777 (octal), both inclusive";

const bytes = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
const divisorFault = (resource: string, kind: string, values: string): string =>
  `${v}.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.${resource}": only divisor's values ${values} are supported with the ${kind} resource`;
/** Files of a container's limits: first with divisors that are right, then with those that are not. */
const divided = [
  ...["1m", "1", "0"].map((divisor) => ["cpu", divisor]),
  ...bytes.split(", ").map((divisor) => ["memory", divisor]),
  ...["1k", "10m"].map((divisor) => ["cpu", divisor]),
  ...["1m", "2Mi", "10"].map((divisor) => ["memory", divisor]),
  ["ephemeral-storage", "1m"],
  ["memory", "1", ""],
].map(([resource, divisor, containerName = "c"], index) => ({
  path: `f${index}`,
  resourceFieldRef: { containerName, resource: `limits.${resource}`, divisor },
}));

function volume(...sources: readonly object[]): PodParts {
  const volumes = sources.map((source, index) => ({ name: `v${index}`, ...source }));
  return { spec: { volumes, serviceAccountName: "default" } as PodParts["spec"] & object };
}

describe("volumes", () => {
  it.each<readonly [string, PodParts, readonly string[]]>([
    [
      "[NET-247] refuses names that are missing, no labels, or twice there",
      volume({ name: "", emptyDir: {} }, { name: "A", emptyDir: {} }, { name: "x", emptyDir: {} }, { name: "x", emptyDir: {} }),
      [
        `${v}.name: Required value`,
        "spec.volumes[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.volumes[3].name: Duplicate value: "x"',
      ],
    ],
    [
      "[NET-245] refuses a volume of two kinds",
      volume({ emptyDir: {}, hostPath: { path: "" }, downwardAPI: {} }),
      [
        `${v}.hostPath: Forbidden: may not specify more than 1 volume type`,
        `${v}.downwarAPI: Forbidden: may not specify more than 1 volume type`,
      ],
    ],
    // Defaults come first: only of a PersistentVolume is it ever said that it `must specify a volume type`.
    ["[NET-245] takes a volume of no kind for an empty directory", volume({}), []],
    [
      "[NET-256] refuses a negative size",
      volume({ emptyDir: { sizeLimit: "-1" } }),
      [`${v}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
    ],
    [
      "[NET-255] refuses paths of the host that are missing or climb, and kinds of path that there are not",
      volume({ hostPath: { path: "/a/../b", type: "Folder" } }, { hostPath: { path: "", type: "Folder" } }),
      [
        `${v}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
        `${v}.hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
        "spec.volumes[1].hostPath.path: Required value",
      ],
    ],
    [
      "[NET-257] [NET-260] refuses Secrets and ConfigMaps without names, modes and paths that cannot be",
      volume(
        { secret: { defaultMode: 512, items: [{ key: "", path: "/x" }] } },
        {
          configMap: {
            items: [
              { key: "a", path: "..b", mode: -1 },
              { key: "b", path: "" },
              { key: "c", path: "d/../e" },
            ],
          },
        },
      ),
      [
        `${v}.secret.secretName: Required value`,
        `${v}.secret.defaultMode: Invalid value: 512: ${octal}`,
        `${v}.secret.items[0].key: Required value`,
        `${v}.secret.items[0].path: Invalid value: "/x": must be a relative path`,
        "spec.volumes[1].configMap.name: Required value",
        "spec.volumes[1].configMap.items[0].path: Invalid value: \"..b\": must not start with '..'",
        `spec.volumes[1].configMap.items[0].mode: Invalid value: -1: ${octal}`,
        "spec.volumes[1].configMap.items[1].path: Required value",
        "spec.volumes[1].configMap.items[2].path: Invalid value: \"d/../e\": must not contain '..'",
      ],
    ],
    [
      "[NET-261] refuses files of the pod's own data that say nothing or too much",
      volume({
        downwardAPI: {
          items: [
            { path: "a" },
            { path: "b", fieldRef: { fieldPath: "status.podIP" } },
            { path: "c", resourceFieldRef: { resource: "limits.cpu" } },
          ],
        },
      }),
      [
        `${v}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
        `${v}.downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
        `${v}.downwardAPI.resourceFieldRef.containerName: Required value`,
      ],
    ],
    [
      "[NET-262] refuses resources of no container in particular, and divisors that do not belong to the resource",
      volume({ downwardAPI: { items: divided } }),
      [
        ...["1k", "10m"].map(() => divisorFault("cpu", "cpu", "1m and 1")),
        ...["1m", "2Mi", "10"].map(() => divisorFault("memory", "memory", bytes)),
        divisorFault("ephemeral-storage", "local ephemeral storage", bytes),
        `${v}.downwardAPI.resourceFieldRef.containerName: Required value`,
      ],
    ],
    [
      "[NET-263] [NET-264] refuses projections that are in each other's way",
      volume({
        projected: {
          sources: [
            { secret: { name: "s", items: [{ key: "k", path: "same" }] } },
            { configMap: { name: "m", items: [{ key: "k", path: "same" }] }, secret: { name: "t" } },
            { serviceAccountToken: { path: "", expirationSeconds: 5 } },
            { serviceAccountToken: { path: "token", expirationSeconds: 4_294_967_297 } },
          ],
        },
      }),
      [
        `${v}.projected: Invalid value: "m": conflicting duplicate paths`,
        `${v}.projected.sources[1]: Forbidden: may not specify more than 1 volume type per source`,
        `${v}.projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes`,
        `${v}.projected.path: Required value`,
        `${v}.projected.sources[3].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
      ],
    ],
    [
      "[NET-266] refuses claims without names and such as an ephemeral volume will make",
      volume(
        { persistentVolumeClaim: { claimName: "" } },
        { persistentVolumeClaim: { claimName: "p-v2" } },
        {
          ephemeral: {
            volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
          },
        },
      ),
      [
        `${v}.persistentVolumeClaim.claimName: Required value`,
        'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v2": must not reference a PVC that gets created for an ephemeral volume',
      ],
    ],
    [
      "[NET-266] refuses an ephemeral volume whose claim would have no name that there can be",
      {
        metadata: { name: "p".repeat(251) },
        ...volume({
          ephemeral: {
            volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
          },
        }),
      },
      [`${v}.name: Invalid value: "v0": PVC name "${"p".repeat(251)}-v0": must be no more than 253 characters`],
    ],
    [
      "refuses a claim's template that is none",
      volume(
        { ephemeral: {} },
        {
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { name: "x", creationTimestamp: "2026-01-01T00:00:00Z" },
              spec: { accessModes: ["All"], volumeMode: "Tape" },
            },
          },
        },
      ),
      [
        `${v}.ephemeral.volumeClaimTemplate: Required value`,
        "spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume",
        "spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.creationTimestamp: Forbidden: cannot be set for an ephemeral volume",
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "All": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        "spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value",
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
      ],
    ],
    [
      "holds a claim's template to the rules of claims",
      volume({
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { annotations: { large: "ü".repeat(131_072) } },
            spec: {
              accessModes: ["ReadWriteOnce"],
              resources: { requests: { storage: "0" } },
              dataSource: { kind: "Backup", name: "" },
              dataSourceRef: { apiGroup: "-", kind: "Backup", name: "b", namespace: "x.y" },
            },
          },
        },
      }),
      [
        `${v}.ephemeral.volumeClaimTemplate.metadata.annotations: Too long: may not be more than 262144 bytes`,
        `${v}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero`,
        `${v}.ephemeral.volumeClaimTemplate.spec.dataSource.name: Required value`,
        `${v}.ephemeral.volumeClaimTemplate.spec.dataSource: Invalid value: "Backup": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
        `${v}.ephemeral.volumeClaimTemplate.spec.dataSourceRef.apiGroup: Invalid value: "-": ${dns1123SubdomainReasons("-")[0]}`,
        `${v}.ephemeral.volumeClaimTemplate.spec.dataSourceRef.namespace: Invalid value: "x.y": must not contain dots`,
        `${v}.ephemeral.volumeClaimTemplate.spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified`,
      ],
    ],
    [
      "refuses drivers and images without names",
      volume(
        { csi: { driver: "", nodePublishSecretRef: {} } },
        { csi: { driver: `d${"x".repeat(63)}` } },
        { image: { pullPolicy: "Maybe" } },
      ),
      [
        `${v}.csi.driver: Required value`,
        `${v}.csi.nodePublishSecretRef.name: Required value`,
        "spec.volumes[1].csi.driver: Too long: may not be more than 63 bytes",
        "spec.volumes[2].image.reference: Required value",
        'spec.volumes[2].image.pullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      "[NET-265] refuses storage systems' volumes that lack what they need",
      volume(
        { nfs: { server: "s", path: "x" } },
        { iscsi: { targetPortal: "", iqn: "abc", lun: 300, chapAuthSession: true } },
        { fc: {} },
        { rbd: { image: "" } },
        { azureDisk: { diskName: "d", diskURI: "x", kind: "Managed", cachingMode: "All" } },
        { gcePersistentDisk: { pdName: "", partition: 256 } },
        { flexVolume: { driver: "d", options: { "kubernetes.io/x": "1" } } },
        { quobyte: { registry: "host", volume: "v" } },
        { storageos: { volumeName: "A" } },
        { nfs: { server: "", path: "" } },
        { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04", lun: 255 } },
        { iscsi: { targetPortal: "1.2.3.4", iqn: `eui.${"0".repeat(16)}`, lun: -1 } },
        { iscsi: { targetPortal: "1.2.3.4", iqn: `naa.${"0".repeat(32)}`, lun: 0 } },
      ),
      [
        `${v}.nfs.path: Invalid value: "x": must be an absolute path`,
        "spec.volumes[1].iscsi.targetPortal: Required value",
        'spec.volumes[1].iscsi.iqn: Invalid value: "abc": must be valid format starting with iqn, eui, or naa',
        "spec.volumes[1].iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive",
        "spec.volumes[1].iscsi.secretRef: Required value",
        "spec.volumes[2].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both",
        "spec.volumes[3].rbd.monitors: Required value",
        "spec.volumes[3].rbd.image: Required value",
        'spec.volumes[4].azureDisk.cachingMode: Unsupported value: "All": supported values: "None", "ReadOnly", "ReadWrite"',
        'spec.volumes[4].azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
        "spec.volumes[5].persistentDisk.pdName: Required value",
        "spec.volumes[5].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive",
        'spec.volumes[6].flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
        'spec.volumes[7].quobyte.registry: Invalid value: "host": must be a host:port pair or multiple pairs separated by commas',
        "spec.volumes[8].storageos.volumeName: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "spec.volumes[9].nfs.server: Required value",
        "spec.volumes[9].nfs.path: Required value",
        'spec.volumes[9].nfs.path: Invalid value: "": must be an absolute path',
        'spec.volumes[10].iscsi.iqn: Invalid value: "iqn.2001-04": must be valid format',
        "spec.volumes[11].iscsi.lun: Invalid value: -1: must be between 0 and 255, inclusive",
      ],
    ],
  ])("%s", (_title, parts, refusals) => {
    expect(refusalsOf(parts)).toEqual(refusals);
  });

  it("fills in what storage systems take for granted", () => {
    const { spec } = podOf(
      volume(
        { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
        { secret: { secretName: "s" } },
        {},
        {
          azureDisk: { diskName: "d", diskURI: "u" },
        },
      ),
    );
    expect(spec?.volumes).toEqual([
      { name: "v0", iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0, iscsiInterface: "default" } },
      { name: "v1", secret: { secretName: "s", defaultMode: 420 } },
      { name: "v2", emptyDir: {} },
      {
        name: "v3",
        azureDisk: { diskName: "d", diskURI: "u", cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
      },
    ]);
  });

  it("[NET-258] [NET-259] [NET-263] stores the modes of files, the kind of a path and the lifetime of a token that nobody stated", () => {
    const items = [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }];
    const sources = [{ serviceAccountToken: { path: "token" } }];
    const { spec } = podOf(
      volume(
        { configMap: { name: "m" } },
        { secret: { secretName: "s" } },
        { downwardAPI: { items } },
        { projected: { sources } },
        { hostPath: { path: "/srv" } },
      ),
    );
    expect(spec?.volumes).toMatchObject([
      { configMap: { defaultMode: 420 } },
      { secret: { defaultMode: 420 } },
      { downwardAPI: { defaultMode: 420 } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
      { hostPath: { type: "" } },
    ]);
  });
});
