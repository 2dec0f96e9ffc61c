// Says that the picture shows the past, and leads back. It lies over the picture's foot: nothing moves when it comes.

import type { Desk } from "../desk.ts";
import { clockText } from "../times.ts";

export function PastBanner({ desk }: { readonly desk: Desk }) {
  const atMs = desk.past.atMs.value;
  if (atMs === undefined) return null;
  const time = `${clockText(atMs)} UTC`;
  return (
    <p class="past-banner">
      <span>{desk.t("workbench.panels.past.banner", { time })}</span>
      <button class="button small" type="button" onClick={desk.past.returnToNow}>
        {desk.t("workbench.panels.past.back")}
      </button>
    </p>
  );
}
