// Nodes as frames, pods as glyphs. A pod keeps its element while it lives, so that a move is seen as a move.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PodView } from "#lab/session.ts";
import type { Desk } from "../desk.ts";
import { Glyph } from "./glyphs.tsx";
import { type Frame, isSystemPod, layoutPicture, type PlacedPod } from "./layout.ts";
import type { LetterOf } from "./letters.ts";

/** Narrower frames have no room for the zone beside the name; the table and `kubectl get nodes` have it. */
const zoneFromPx = 150;

interface DrawingProps {
  readonly desk: Desk;
  readonly showSystem: boolean;
  readonly letterOf: LetterOf;
  /** "<namespace>/<owner>" whose pods stand out; "" for none. */
  readonly highlighted: string;
}

export function ClusterDrawing({ desk, showSystem, letterOf, highlighted }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useEffect(() => {
    if (place.current === null) return;
    const element = place.current;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) width.value = element.clientWidth;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  const view = desk.past.cluster.value;
  return (
    <div class="drawing" ref={place}>
      {width.value > 0 && view.nodes.length > 0 && (
        <Drawing desk={desk} showSystem={showSystem} letterOf={letterOf} highlighted={highlighted} width={width.value} />
      )}
    </div>
  );
}

function Drawing({ desk, showSystem, letterOf, highlighted, width }: DrawingProps & { readonly width: number }) {
  const { t } = desk;
  const view = desk.past.cluster.value;
  const picture = layoutPicture(view, { widthPx: width, showSystem, letterOf });
  const own = view.pods.filter((pod) => showSystem || !isSystemPod(pod));
  const summary = t("workbench.picture.summary", {
    nodes: view.nodes.length,
    pods: own.length,
    running: own.filter((pod) => pod.shape === "running").length,
  });
  return (
    <svg
      class="cluster"
      role="img"
      aria-label={summary}
      width={picture.width}
      height={picture.height}
      data-highlight={highlighted !== ""}
    >
      {picture.frames.map((frame) => (
        <NodeFrame key={`frame-${frame.name}`} desk={desk} frame={frame} />
      ))}
      {picture.pods.map((placed) => (
        <Pod
          key={placed.pod.uid}
          desk={desk}
          placed={placed}
          lit={highlighted === `${placed.pod.namespace}/${placed.pod.ownerName}`}
        />
      ))}
    </svg>
  );
}

function NodeFrame({ desk, frame }: { readonly desk: Desk; readonly frame: Frame }) {
  const { t } = desk;
  const remarks = [
    ...(frame.ready ? [] : [t("workbench.picture.notReady")]),
    ...(frame.unschedulable ? [t("workbench.picture.unschedulable")] : []),
  ];
  const unplaced = frame.name === "";
  return (
    <g
      class="frame"
      data-ready={frame.ready}
      data-unschedulable={frame.unschedulable}
      data-unplaced={unplaced}
      transform={`translate(${frame.x} ${frame.y})`}
    >
      <rect x="0.75" y="0.75" width={frame.width - 1.5} height={frame.height - 1.5} rx="4" />
      {!unplaced && <circle class="lamp" cx="14" cy="14" r="3.4" />}
      <text class="frame-name" x={unplaced ? 10 : 24} y="18.5">
        {unplaced ? t("workbench.picture.unplaced") : frame.name}
        {frame.zone !== "" && frame.width >= zoneFromPx && <tspan class="frame-remark"> {frame.zone}</tspan>}
      </text>
      {remarks.length > 0 && (
        <text class="frame-state" x="10" y="35">
          {remarks.join(" · ")}
        </text>
      )}
      {frame.counts.map(({ shape, count, x, y }) => (
        <g key={shape} transform={`translate(${x - frame.x} ${y - frame.y})`}>
          <Glyph shape={shape} size={18} />
          <text class="frame-count" x="14" y="5">
            {count}
          </text>
        </g>
      ))}
    </g>
  );
}

function Pod({ desk, placed, lit }: { readonly desk: Desk; readonly placed: PlacedPod; readonly lit: boolean }) {
  return (
    <g
      class="pod"
      data-lit={lit}
      data-system={isSystemPod(placed.pod)}
      style={{ transform: `translate(${placed.x}px, ${placed.y}px)` }}
    >
      <title>{inWords(desk, placed.pod)}</title>
      <Glyph shape={placed.shape} size={placed.size} letter={placed.letter} />
    </g>
  );
}

function inWords(desk: Desk, pod: PodView): string {
  return [
    `${pod.namespace}/${pod.name}`,
    `${pod.statusText} ${pod.ready} (${desk.t(`workbench.picture.shapes.${pod.shape}`)})`,
    pod.ip,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
