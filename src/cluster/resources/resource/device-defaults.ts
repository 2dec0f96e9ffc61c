// Defaults of requests for devices (pkg/apis/resource/v1/defaults.go).

import type { DeviceRequest, DeviceToleration, ResourceClaimSpec } from "#cluster/api/generated/types.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";

interface Allocated {
  readonly allocationMode?: string;
  readonly count?: Int64;
  readonly tolerations?: readonly DeviceToleration[];
}

export function claimSpecDefaults(spec: ResourceClaimSpec): ResourceClaimSpec {
  return changed(spec, "devices", (devices) => changed(devices, "requests", (requests) => each(requests, requestDefaults)));
}

function requestDefaults(request: DeviceRequest): DeviceRequest {
  const exact = changed(request, "exactly", allocationDefaults);
  return changed(exact, "firstAvailable", (requests) => each(requests, allocationDefaults));
}

/** One device, unless all are asked for. */
function allocationDefaults<A extends Allocated>(request: A): A {
  const moded = filled<Allocated>(withoutZero<Allocated>(request, "allocationMode", "count"), { allocationMode: "ExactCount" });
  const counted = moded.allocationMode === "ExactCount" ? filled(moded, { count: 1 }) : moded;
  return changed(counted, "tolerations", (tolerations) => each(tolerations, tolerationDefaults)) as A;
}

function tolerationDefaults(toleration: DeviceToleration): DeviceToleration {
  return filled(withoutZero(toleration, "operator"), { operator: "Equal" });
}
