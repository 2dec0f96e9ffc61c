import { expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { kubectlWorld } from "../kubectl.test-kit.ts";

it("[POD-487] describes a Pod with its class of service", () => {
  const world = kubectlWorld();
  const both = { cpu: "100m", memory: "64Mi" };
  const create = (name: string, resources: object) =>
    world.client.create(pods, {
      metadata: { name, namespace: "default" },
      spec: { containers: [{ name: "main", image: "nginx", resources }] },
    });
  create("guaranteed", { limits: both });
  create("burstable", { requests: both });
  create("besteffort", {});
  const classOf = (name: string) => /^QoS Class:.*$/mu.exec(world.run(`describe pod ${name}`).stdout)?.[0];
  expect(classOf("guaranteed")).toBe("QoS Class:                   Guaranteed");
  expect(classOf("burstable")).toBe("QoS Class:                   Burstable");
  expect(classOf("besteffort")).toBe("QoS Class:                   BestEffort");
});

it("[NET-443] [NET-444] tells where files and variables come from", () => {
  const world = kubectlWorld();
  const key = (name: string, source: string, object: string) => ({ name, valueFrom: { [source]: { name: object, key: "k" } } });
  world.client.create(pods, {
    metadata: { name: "p", namespace: "default" },
    spec: {
      automountServiceAccountToken: false,
      volumes: [
        { name: "foo", secret: { secretName: "mysecret" } },
        { name: "conf", configMap: { name: "x", optional: true } },
        { name: "tmp", emptyDir: {} },
        { name: "host", hostPath: { path: "/srv" } },
        { name: "claim", persistentVolumeClaim: { claimName: "data" } },
        { name: "about", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
        { name: "driver", csi: { driver: "csi.example.com" } },
        { name: "net", nfs: { server: "nas", path: "/a" } },
        { name: "oci", image: { reference: "nginx" } },
        {
          name: "all",
          projected: {
            sources: [
              { secret: { name: "mysecret" } },
              { configMap: { name: "x", optional: true } },
              { serviceAccountToken: { path: "token" } },
              { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
            ],
          },
        },
        { name: "small", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
        {
          name: "made",
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { labels: { a: "1", b: "2" }, annotations: { note: "x" } },
              spec: {
                accessModes: ["ReadWriteOnce"],
                storageClassName: "fast",
                resources: { requests: { storage: "1Gi" } },
                dataSource: { kind: "PersistentVolumeClaim", name: "old" },
              },
            },
          },
        },
        { name: "cluster", cephfs: { monitors: ["m1", "m2"], user: "ada", secretRef: { name: "key" } } },
        { name: "target", iscsi: { targetPortal: "nas:3260", iqn: "iqn.2001-04.com.example:x", lun: 1 } },
        { name: "flexible", flexVolume: { driver: "example.com/d", options: { b: "2", a: "1" } } },
      ],
      containers: [
        {
          name: "main",
          image: "nginx",
          env: [key("USER", "secretKeyRef", "mysecret"), key("ZONE", "configMapKeyRef", "x")],
          envFrom: [{ secretRef: { name: "mysecret" } }, { prefix: "P_", configMapRef: { name: "x" } }],
          volumeMounts: [
            { name: "foo", mountPath: "/etc/foo", readOnly: true },
            { name: "tmp", mountPath: "/tmp", subPath: "html" },
          ],
        },
      ],
    },
  });
  const said = world.run("describe pod p").stdout.replace(/ +/g, " ");
  for (const text of [
    "/etc/foo from foo (ro)\n",
    '/tmp from tmp (rw,path="html")\n',
    "USER: <set to the key 'k' in secret 'mysecret'> Optional: false\n",
    "ZONE: <set to the key 'k' of config map 'x'> Optional: false\n",
    "mysecret Secret Optional: false\n",
    "x ConfigMap with prefix 'P_' Optional: false\n",
    " foo:\n Type: Secret (a volume populated by a Secret)\n SecretName: mysecret\n Optional: false\n",
    " conf:\n Type: ConfigMap (a volume populated by a ConfigMap)\n Name: x\n Optional: true\n",
    " tmp:\n Type: EmptyDir (a temporary directory that shares a pod's lifetime)\n Medium: \n SizeLimit: <unset>\n",
    " Type: HostPath (bare host directory volume)\n Path: /srv\n HostPathType: \n",
    " Type: PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)\n ClaimName: data\n ReadOnly: false\n",
    " Type: DownwardAPI (a volume populated by information about the pod)\n Items:\n metadata.labels -> labels\n",
    " Type: CSI (a Container Storage Interface (CSI) volume source)\n Driver: csi.example.com\n",
    " Type: NFS (an NFS mount that lasts the lifetime of a pod)\n Server: nas\n Path: /a\n ReadOnly: false\n",
    " Type: Image (a container image or OCI artifact)\n Reference: nginx\n",
    " all:\n Type: Projected (a volume that contains injected data from multiple sources)\n SecretName: mysecret\n Optional: false\n ConfigMapName: x\n Optional: true\n TokenExpirationSeconds: 3600\n DownwardAPI: true\n",
    " Medium: Memory\n SizeLimit: 64Mi\n",
    " Type: EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)\n StorageClass: fast\n Volume: \n Labels: a=1\n b=2\n Annotations: note: x\n Capacity: \n Access Modes: \n VolumeMode: Filesystem\n DataSource:\n Kind: PersistentVolumeClaim\n Name: old\n",
    " Type: CephFS (a CephFS mount on the host that shares a pod's lifetime)\n Monitors: [m1 m2]\n Path: \n User: ada\n SecretFile: \n SecretRef: &LocalObjectReference{Name:key,}\n ReadOnly: false\n",
    " IQN: iqn.2001-04.com.example:x\n Lun: 1\n ISCSIInterface default\n FSType: \n ReadOnly: false\n Portals: []\n DiscoveryCHAPAuth: false\n SessionCHAPAuth: false\n SecretRef: nil\n InitiatorName: <none>\n",
    " Driver: example.com/d\n FSType: \n SecretRef: nil\n ReadOnly: false\n Options: map[a:1 b:2]\n",
  ])
    expect(said).toContain(text);
});
