// DenyServiceExternalIPs: no Service gets external addresses that it did not have (plugin/pkg/admission/network/denyserviceexternalips).

import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";

export const denyServiceExternalIps: AdmissionPlugin = {
  name: "DenyServiceExternalIPs",
  operations: ["CREATE", "UPDATE"],
  kind: "Service",
  handles: ofObjects,
  validate(attributes) {
    const addresses = (attributes.object["spec"] as ServiceSpec | undefined)?.externalIPs ?? [];
    const known = (attributes.old?.["spec"] as ServiceSpec | undefined)?.externalIPs ?? [];
    if (addresses.every((address) => known.includes(address))) return;
    throw notAdmitted(attributes, "Use of external IPs is denied by admission control");
  },
};
