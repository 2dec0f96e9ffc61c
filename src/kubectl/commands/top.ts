// kubectl top: needs the metrics API, which a cluster has only with metrics-server.

import type { Command } from "../context.ts";
import { KubectlError } from "../errors.ts";

function topCommand(path: "top node" | "top pod"): Command {
  return {
    path,
    *run(context) {
      const groups = yield* context.discovery().groups();
      if (!groups.some(({ name }) => name === "metrics.k8s.io")) throw new KubectlError("Metrics API not available");
      throw new KubectlError(`kubectl ${path} is not part of this release of the embedded kubectl`);
    },
  };
}

export const topCommands: readonly Command[] = [topCommand("top node"), topCommand("top pod")];
