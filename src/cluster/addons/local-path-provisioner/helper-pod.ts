// The Pods that make and remove directories on nodes, with the scripts of the ConfigMap local-path-config.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Draft } from "#cluster/api/objects.ts";

export interface HelperAct {
  readonly kind: "create" | "delete";
  readonly volume: string;
  readonly node: string;
  readonly path: string;
  /** `Filesystem` or `Block`: for the scripts to judge. */
  readonly mode: string;
  readonly sizeBytes: number;
}

const helperImage = "busybox:1.37";
const scripts = { create: "setup", delete: "teardown" } as const;

export function helperName({ kind, volume }: HelperAct): string {
  return `helper-pod-${kind}-${volume}`;
}

export function helperPod(act: HelperAct, namespace: string): Draft<Pod> {
  const { kind, node, path, mode, sizeBytes } = act;
  const parent = path.slice(0, path.lastIndexOf("/"));
  return {
    metadata: { name: helperName(act), namespace },
    spec: {
      nodeName: node,
      restartPolicy: "Never",
      serviceAccountName: "local-path-provisioner-service-account",
      tolerations: [{ operator: "Exists" }],
      containers: [
        {
          name: "helper-pod",
          image: helperImage,
          imagePullPolicy: "IfNotPresent",
          command: ["/bin/sh", `/script/${scripts[kind]}`],
          args: ["-p", path, "-s", String(sizeBytes), "-m", mode],
          env: [
            { name: "VOL_DIR", value: path },
            { name: "VOL_MODE", value: mode },
            { name: "VOL_SIZE_BYTES", value: String(sizeBytes) },
          ],
          volumeMounts: [
            { name: "script", mountPath: "/script" },
            { name: "data", mountPath: parent },
          ],
        },
      ],
      volumes: [
        { name: "data", hostPath: { path: parent, type: "DirectoryOrCreate" } },
        {
          name: "script",
          configMap: {
            name: "local-path-config",
            items: [
              { key: "setup", path: "setup" },
              { key: "teardown", path: "teardown" },
            ],
          },
        },
      ],
    },
  };
}
