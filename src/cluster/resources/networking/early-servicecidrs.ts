// What is used of ServiceCIDRs from the start: the API server and its controller write the one that every cluster has.

import { subdomainName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";

export const earlyServiceCidrs = {
  ...specAndStatus,
  nameRule: subdomainName,
  subresources: [{ name: "status", kind: "ServiceCIDR", verbs: ["get", "patch", "update"] }],
} as const;
