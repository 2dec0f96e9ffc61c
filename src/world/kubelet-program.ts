// /usr/bin/kubelet as one types it on a node: its version. The kubelet that runs is systemd's, and no process here.

import { defaultKubeletVersion } from "#cluster/node/kubelet/node-status.ts";
import type { Program } from "#sim/program.ts";

export const kubelet: Program = function* (self) {
  const [option = "", ...more] = self.argv.slice(1);
  if (option === "--version" && more.length === 0) {
    yield* self.write(1, `Kubernetes ${defaultKubeletVersion}\n`);
    return 0;
  }
  yield* self.write(2, "kubelet: anything but --version: not simulated; see systemctl status kubelet\n");
  return 1;
};
