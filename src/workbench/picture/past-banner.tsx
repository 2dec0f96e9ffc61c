// Says that the picture shows the past, and leads back. It lies over the picture's foot: nothing moves when it comes.

import type { Desk } from "../desk.ts";

export function PastBanner({ desk }: { readonly desk: Desk }) {
  const atMs = desk.past.atMs.value;
  if (atMs === undefined) return null;
  // Cluster time is UTC, as in the cluster's own logs.
  const time = `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
  return (
    <p class="past-banner">
      <span>{desk.t("workbench.panels.past.banner", { time })}</span>
      <button class="button small" type="button" onClick={desk.past.returnToNow}>
        {desk.t("workbench.panels.past.back")}
      </button>
    </p>
  );
}
