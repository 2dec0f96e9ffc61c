// How the status of a claim tells of its growth; resizers and kubelets write it in turns
// (external-resizer: pkg/util, pkg/controller/resize_status.go; pkg/volume/util/resize_util.go).

import type { PersistentVolumeClaimCondition } from "#cluster/api/generated/types.ts";
import type { Claim } from "./matching.ts";

type GrowthState =
  | "ControllerResizeInProgress"
  | "ControllerResizeInfeasible"
  | "NodeResizePending"
  | "NodeResizeInProgress"
  | "NodeResizeInfeasible";

const conditionTypes = ["Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError"] as const;

const growthConditions: ReadonlySet<string> = new Set(conditionTypes);

export interface Growth {
  /** What the claim asks for. */
  readonly requested: string;
  /** What there is for Pods. */
  readonly capacity: string;
  /** What the growth that goes on, or went on last, leads to. */
  readonly allocated: string | undefined;
  /** "": none goes on. */
  readonly state: string;
}

export function growthOf({ spec, status }: Claim): Growth {
  return {
    requested: spec?.resources?.requests?.["storage"] ?? "0",
    capacity: status?.capacity?.["storage"] ?? "0",
    allocated: status?.allocatedResources?.["storage"],
    state: status?.allocatedResourceStatuses?.["storage"] ?? "",
  };
}

export interface GrowthChange {
  readonly condition?: { readonly type: (typeof conditionTypes)[number]; readonly message?: string; readonly time: string };
  /** Whether other conditions of growth stay. */
  readonly keepsConditions: boolean;
  /** "": it is over. */
  readonly state?: GrowthState | "";
  readonly allocated?: string;
  readonly capacity?: string;
}

/** The claim as it says so. */
export function withGrowth(claim: Claim, { condition, keepsConditions, state, allocated, capacity }: GrowthChange): Claim {
  const { conditions = [], allocatedResourceStatuses = {}, ...status } = claim.status ?? {};
  const { storage: before, ...others } = allocatedResourceStatuses;
  const now = state ?? before ?? "";
  const states = now === "" ? others : { ...others, storage: now };
  const told = toldConditions(conditions, condition, keepsConditions);
  return {
    ...claim,
    status: {
      ...status,
      ...(capacity === undefined ? {} : { capacity: { ...status.capacity, storage: capacity } }),
      ...(allocated === undefined ? {} : { allocatedResources: { ...status.allocatedResources, storage: allocated } }),
      ...(Object.keys(states).length === 0 ? {} : { allocatedResourceStatuses: states }),
      ...(told.length === 0 ? {} : { conditions: told }),
    },
  };
}

/** A condition takes the place of the one of its type; the first comes last. */
function toldConditions(
  before: readonly PersistentVolumeClaimCondition[],
  change: GrowthChange["condition"],
  keepsConditions: boolean,
): readonly PersistentVolumeClaimCondition[] {
  const told = (): readonly PersistentVolumeClaimCondition[] => {
    if (change === undefined) return [];
    const { type, message, time } = change;
    return [{ type, status: "True", lastTransitionTime: time, ...(message === undefined ? {} : { message }) }];
  };
  const isKnown = before.some(({ type }) => type === change?.type);
  const kept = before.flatMap((each) => {
    if (each.type === change?.type) return told();
    return keepsConditions || !growthConditions.has(each.type) ? [each] : [];
  });
  return isKnown ? kept : [...kept, ...told()];
}
