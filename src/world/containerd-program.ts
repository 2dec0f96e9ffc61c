// /usr/bin/containerd and its client ctr as one types them on a node: the version. The one that runs is systemd's, and no process here.

import { containerdReleases } from "#cluster/node/runtime/releases.ts";
import type { Program } from "#sim/program.ts";
import type { RuntimeMachine } from "./crictl-call.ts";

/** `find` gives the machine of a host name. */
export function containerd(find: (hostname: string) => RuntimeMachine | undefined): Program {
  return function* (self) {
    const node = find(self.hostname);
    const [option = "", ...more] = self.argv.slice(1);
    if (node !== undefined && ["--version", "-v"].includes(option) && more.length === 0) {
      const { name, revision } = containerdReleases[node.runtime.installed];
      yield* self.write(1, `containerd containerd.io ${name} ${revision}\n`);
      return 0;
    }
    yield* self.write(2, "containerd: anything but --version: not simulated; see systemctl status containerd\n");
    return 1;
  };
}

const insteadOfCtr =
  "ctr: not simulated; crictl here lists, pulls and removes images and looks at containers, crane on the workstation copies and tags images\n";

/** containerd's own client says what does its work here. */
export const ctr: Program = function* (self) {
  yield* self.write(2, insteadOfCtr);
  return 1;
};
