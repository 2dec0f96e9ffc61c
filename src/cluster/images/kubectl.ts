// Images that carry kubectl: upstream's own, without a shell, and alpine/k8s, with which people write small controllers.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image } from "./image.ts";
import { scratchFiles } from "./linux-files.ts";
import { alpineTools, debianTools } from "./tools.ts";

const kubectl: TreeEntry = { type: "program", program: lateProgram("kubectl"), sizeBytes: 58_601_656, permissions: 0o755 };

/** Of what Alpine's packages and the image bring, that which is known here. */
const alpineKubernetes: FileTree = new Map<string, TreeEntry>([
  ...alpineTools,
  ...[...debianTools].filter(([path]) => /^\/usr\/bin\/(?:curl|jq)$|^\/bin\/bash$/.test(path)),
  ["/usr/bin/kubectl", kubectl],
  ["/apps", { type: "directory" }],
]);

const plain: FileTree = new Map<string, TreeEntry>([...scratchFiles, ["/bin/kubectl", kubectl]]);

export const kubectlImages: readonly Image[] = ["1.36.0", "1.35.0"].flatMap((version) => [
  {
    repository: "registry.k8s.io/kubectl",
    tag: `v${version}`,
    digest: digestOf(`kubectl ${version}`),
    sizeBytes: 21_403_648,
    config: configOf(["/bin/kubectl"]),
    files: plain,
  },
  {
    repository: "docker.io/alpine/k8s",
    tag: version,
    digest: digestOf(`alpine/k8s ${version}`),
    sizeBytes: 271_581_184,
    config: { ...configOf([], ["/bin/sh"]), workingDir: "/apps" },
    files: alpineKubernetes,
  },
]);
