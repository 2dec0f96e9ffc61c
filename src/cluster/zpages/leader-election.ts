// What /configz tells of leader election, of every component that has one.

import type { JsonValue } from "#cluster/api/wire.ts";

/** component-base's LeaderElectionConfiguration, from the flags that every component has for it. */
export function leaderElectionOf(text: (name: string) => string): JsonValue {
  return {
    leaderElect: text("leader-elect") === "true",
    leaseDuration: text("leader-elect-lease-duration"),
    renewDeadline: text("leader-elect-renew-deadline"),
    retryPeriod: text("leader-elect-retry-period"),
    resourceLock: text("leader-elect-resource-lock"),
    resourceName: text("leader-elect-resource-name"),
    resourceNamespace: text("leader-elect-resource-namespace"),
  };
}
