// kube-proxy's modes beside iptables.

import { NftablesProxier } from "./nftables/nftables-proxier.ts";
import type { OtherParts, Proxier } from "./proxier.ts";

export function proxierFor(parts: OtherParts): Proxier {
  return new NftablesProxier(parts);
}
