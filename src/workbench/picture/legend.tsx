// The shapes and lines that are on the picture now, with their words.

import type { PodView } from "#lab/session.ts";
import type { Desk } from "../desk.ts";
import { Glyph } from "./glyphs.tsx";

interface LegendProps {
  readonly desk: Desk;
  readonly pods: readonly PodView[];
  readonly hasServices: boolean;
}

/** Connections: taken by somebody, or not. */
const lines = ["connection", "failedConnection"] as const;

export function Legend({ desk, pods, hasServices }: LegendProps) {
  const shapes = [...new Set(pods.map((pod) => pod.shape))].sort();
  // A cluster that is still starting has not been looked at: nothing is said about it.
  if (shapes.length === 0 && desk.session.state.value.kind !== "ready") return null;
  if (shapes.length === 0 && !hasServices) return <p class="legend-empty">{desk.t("workbench.picture.nothing")}</p>;
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
      {hasServices &&
        lines.map((line) => (
          <li key={line}>
            <svg class="legend-line" width="22" height="14" aria-hidden="true" data-failed={line === "failedConnection"}>
              <path d="M1 7h18" />
              {line === "connection" ? <circle cx="12" cy="7" r="3.2" /> : <path class="cross" d="M9 3l8 8m0-8l-8 8" />}
            </svg>
            {desk.t(`workbench.picture.${line}`)}
          </li>
        ))}
    </ul>
  );
}
