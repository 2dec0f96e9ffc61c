// Tells kubelets how long they may keep ConfigMaps and Secrets without asking: the more nodes, the longer. A kubelet that
// watches, as is the default, does not heed it (pkg/controller/ttl).

import type { Node } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";

const annotation = "node.alpha.kubernetes.io/ttl";

/** Steps overlap, so that a cluster at an edge does not go back and forth. */
const steps: readonly { readonly fewest: number; readonly most: number; readonly seconds: number }[] = [
  { fewest: 0, most: 100, seconds: 0 },
  { fewest: 90, most: 500, seconds: 15 },
  { fewest: 450, most: 1000, seconds: 30 },
  { fewest: 900, most: 2000, seconds: 60 },
  { fewest: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 },
];

export const nodeTtlController: ControllerDefinition = {
  name: "ttl-controller",
  serviceAccount: "ttl-controller",
  create({ client, informers }) {
    const nodes = informers.informer(kinds.nodes);
    let count = 0;
    let step = 0;
    /** A node came or went: one step at most, as upstream. */
    const counted = (change: number): void => {
      count += change;
      const { fewest, most } = steps[step] as (typeof steps)[number];
      if (count > most) step += 1;
      else if (count < fewest) step -= 1;
    };
    return {
      name: "ttl-controller",
      watches: [
        watchRule<Node>({
          resource: kinds.nodes,
          keys(node, previous, deleted) {
            if (deleted) counted(-1);
            else if (previous === undefined) counted(1);
            return deleted ? [] : [node.metadata.name];
          },
        }),
      ],
      reconcile(key) {
        const node = nodes.get(key);
        const wanted = String(steps[step]?.seconds);
        if (node === undefined || node.metadata.annotations?.[annotation] === wanted) return undefined;
        client.patch(kinds.nodes, { namespace: "", name: key }, "strategic", {
          metadata: { annotations: { [annotation]: wanted } },
        });
        return undefined;
      },
    };
  },
};
