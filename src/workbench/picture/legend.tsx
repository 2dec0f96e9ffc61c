// The shapes that are on the picture now, with their words.

import type { PodView } from "#lab/session.ts";
import type { Desk } from "../desk.ts";
import { Glyph } from "./glyphs.tsx";

export function Legend({ desk, pods }: { readonly desk: Desk; readonly pods: readonly PodView[] }) {
  const shapes = [...new Set(pods.map((pod) => pod.shape))].sort();
  // A cluster that is still starting has not been looked at: nothing is said about it.
  if (shapes.length === 0 && desk.session.state.value.kind !== "ready") return null;
  if (shapes.length === 0) return <p class="legend-empty">{desk.t("workbench.picture.nothing")}</p>;
  return (
    <ul class="legend" aria-label={desk.t("workbench.picture.legend")}>
      {shapes.map((shape) => (
        <li key={shape}>
          <svg width="14" height="14" viewBox="-10 -10 20 20" aria-hidden="true">
            <Glyph shape={shape} size={20} />
          </svg>
          {desk.t(`workbench.picture.shapes.${shape}`)}
        </li>
      ))}
    </ul>
  );
}
