// The shapes, marks and lines that are on the picture now, with their words.

import type { JSX } from "preact";
import type { PodView, ShownObject, Tie } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import { Glyph } from "./glyphs.tsx";
import { isSystemNamespace } from "./system.ts";

interface LegendProps {
  readonly desk: Desk;
  readonly pods: readonly PodView[];
  readonly hasServices: boolean;
  readonly objects: readonly ShownObject[];
  readonly ties: readonly Tie[];
}

export function Legend({ desk, pods, hasServices, objects, ties }: LegendProps) {
  const { t } = desk;
  const shapes = [...new Set(pods.map((pod) => pod.shape))].sort();
  const isEmpty = shapes.length === 0 && objects.length === 0;
  // A cluster that is still starting has not been looked at: nothing is said about it.
  if (isEmpty && desk.session.state.value.kind !== "ready") return null;
  if (isEmpty && !hasServices) return <p class="legend-empty">{t("workbench.picture.nothing")}</p>;
  const isOwned = ({ ownerKind, namespace }: PodView) => ownerKind !== "" && !isSystemNamespace(namespace);
  const marks = [
    { mark: "ownerTray", isShown: pods.some(isOwned) },
    { mark: "revisionLetter", isShown: pods.some((pod) => isOwned(pod) && pod.revision !== "") },
    { mark: "endpointLine", isShown: hasServices },
    { mark: "connection", isShown: hasServices },
    { mark: "failedConnection", isShown: hasServices },
    { mark: "ownerArrow", isShown: ties.some(({ kind }) => kind === "owner") },
    { mark: "bond", isShown: ties.some(({ kind }) => kind === "bond") },
    { mark: "deleting", isShown: objects.some(({ deleting }) => deleting) },
    { mark: "finalizer", isShown: objects.some(({ finalizers }) => finalizers.length > 0) },
  ] as const;
  return (
    <ul class="legend" aria-label={t("workbench.picture.legend")}>
      {shapes.map((shape) => (
        <li key={shape}>
          <svg width="14" height="14" viewBox="-10 -10 20 20" aria-hidden="true">
            <Glyph shape={shape} size={20} />
          </svg>
          {t(`workbench.picture.shapes.${shape}`)}
        </li>
      ))}
      {marks.map(
        ({ mark, isShown }) =>
          isShown && (
            <li key={mark}>
              <svg class="legend-mark" width="24" height="14" aria-hidden="true" data-mark={mark}>
                {drawings[mark]}
              </svg>
              {t(`workbench.picture.${mark}`)}
            </li>
          ),
      )}
    </ul>
  );
}

type Mark =
  | "ownerTray"
  | "revisionLetter"
  | "endpointLine"
  | "connection"
  | "failedConnection"
  | "ownerArrow"
  | "bond"
  | "deleting"
  | "finalizer";

const drawings: Readonly<Record<Mark, JSX.Element>> = {
  ownerTray: (
    <>
      <rect class="tray-ground" x="0.75" y="0.75" width="22" height="12.5" rx="3" />
      <rect class="tray-tag" x="0.75" y="2.5" width="9" height="9" rx="2" />
    </>
  ),
  revisionLetter: (
    <>
      <circle class="solid" cx="12" cy="7" r="6.5" />
      <text x="12" y="10.4">
        A
      </text>
    </>
  ),
  endpointLine: (
    <>
      <path d="M1 7h18" />
      <circle class="end" cx="20" cy="7" r="3" />
    </>
  ),
  connection: (
    <>
      <path class="way" d="M1 7h21" />
      <circle class="dot" cx="12" cy="7" r="3.2" />
    </>
  ),
  failedConnection: (
    <>
      <path class="way" d="M1 7h18" />
      <path class="cross" d="M9 3l8 8m0-8l-8 8" />
    </>
  ),
  ownerArrow: (
    <>
      <path d="M1 7h15" />
      <path class="head" d="M15 3l8 4-8 4z" />
    </>
  ),
  bond: (
    <>
      <path d="M3 7h18" />
      <circle class="end" cx="3.5" cy="7" r="2.6" />
    </>
  ),
  deleting: <rect class="box" x="1" y="1.5" width="21" height="11" rx="3" />,
  finalizer: <path d="M7 7h10v5.5h-10zM9 7v-2a3 3 0 0 1 6 0v2" />,
};
