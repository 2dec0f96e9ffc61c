// Nodes as frames, pods as glyphs. A pod keeps its element while it lives, so that a move is seen as a move.

import { type Signal, useSignal } from "@preact/signals";
import { Component } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { showsZone } from "./frame-head.ts";
import { Glyph } from "./glyphs.tsx";
import { type Highlight, highlightedPods } from "./highlight.ts";
import { inspectItem, itemProps, moveInPicture } from "./items.ts";
import { type Frame, layoutPicture } from "./layout.ts";
import type { LetterOf } from "./letters.ts";
import { keyOf, linksOf } from "./links.ts";
import { ObjectPlate, Ties } from "./objects.tsx";
import type { MarkOf } from "./owner-marks.ts";
import type { PlacedPod } from "./pod-rows.ts";
import { LinkEnds, Links, MorePlate, ServicePlate, TerminalPlate } from "./services.tsx";
import "./services.css";
import { isSystemNamespace } from "./system.ts";
import { drawnTies } from "./ties.ts";
import { Traffic } from "./traffic.tsx";
import { Trays, TrayTags } from "./trays.tsx";

/** More pods than this jump to their places: moving them all at once explains nothing, and costs every frame. */
const movedMost = 150;

interface DrawingProps {
  readonly desk: Desk;
  readonly showSystem: boolean;
  readonly letterOf: LetterOf;
  readonly markOf: MarkOf;
  readonly highlighted: Signal<Highlight>;
}

export function ClusterDrawing(props: DrawingProps) {
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
  const view = props.desk.past.cluster.value;
  return (
    <div class="drawing" ref={place}>
      {width.value > 0 && view.nodes.length > 0 && <Drawing {...props} width={width.value} />}
    </div>
  );
}

function Drawing({ desk, showSystem, letterOf, markOf, highlighted, width }: DrawingProps & { readonly width: number }) {
  const { t } = desk;
  const view = desk.past.cluster.value;
  const [terminalText, deletingText] = [t("workbench.picture.terminal"), t("workbench.picture.deleting")];
  const picture = layoutPicture(view, { widthPx: width, showSystem, letterOf, markOf, terminalText, deletingText });
  const links = linksOf(picture, highlighted.value);
  const own = view.pods.filter((pod) => showSystem || !isSystemNamespace(pod.namespace));
  const summary = t("workbench.picture.summary", {
    nodes: view.nodes.length,
    pods: own.length,
    running: own.filter((pod) => pod.shape === "running").length,
  });
  const lit = highlightedPods(view, highlighted.value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing
    <svg
      class="cluster"
      role="group"
      aria-label={summary}
      width={picture.width}
      height={picture.height}
      data-many={picture.pods.length > movedMost}
      data-highlight={lit !== undefined}
      data-service={highlighted.value?.kind === "service"}
      onKeyDown={(event) => moveInPicture(event)}
      onClick={({ target }) => inspectItem(desk, target)}
    >
      {picture.frames.map((frame, index) => (
        <NodeFrame key={`frame-${frame.name}`} desk={desk} frame={frame} first={index === 0} />
      ))}
      <Trays trays={picture.trays} />
      <Links links={links} highlighted={highlighted.value} />
      <Ties ties={drawnTies(picture, view, highlighted.value)} />
      <TrayTags trays={picture.trays} />
      {/* Below the plates: their names stay readable. */}
      {desk.past.atMs.value === undefined && <Traffic desk={desk} view={view} picture={picture} />}
      {picture.objects.map((placed) => (
        <ObjectPlate key={`object-${placed.object.uid}`} desk={desk} placed={placed} highlighted={highlighted} />
      ))}
      {picture.moreObjects !== undefined && <MorePlate plate={picture.moreObjects} />}
      {picture.terminal !== undefined && <TerminalPlate plate={picture.terminal} />}
      {picture.services.map((placed) => (
        <ServicePlate key={`service-${keyOf(placed.service)}`} desk={desk} placed={placed} highlighted={highlighted} />
      ))}
      {picture.moreServices !== undefined && <MorePlate plate={picture.moreServices} />}
      {picture.pods.map((placed) => (
        <Pod key={placed.pod.uid} desk={desk} placed={placed} lit={lit?.has(placed.pod.uid) === true} />
      ))}
      <LinkEnds links={links} highlighted={highlighted.value} />
    </svg>
  );
}

interface NodeFrameProps {
  readonly desk: Desk;
  readonly frame: Frame;
  /** Where the Tab key comes in. */
  readonly first: boolean;
}

function NodeFrame({ desk, frame, first }: NodeFrameProps) {
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
      {...(unplaced ? {} : itemProps(`nodes//${frame.name}`, [frame.name, ...remarks].join(", "), first))}
    >
      <rect x="0.75" y="0.75" width={frame.width - 1.5} height={frame.height - 1.5} rx="4" />
      {!unplaced && <circle class="lamp" cx="14" cy="14" r="3.4" />}
      <text class="frame-name" x={unplaced ? 10 : 24} y="18.5">
        {unplaced ? t("workbench.picture.unplaced") : frame.name}
        {showsZone(frame, frame.width) && <tspan class="frame-remark"> {frame.zone}</tspan>}
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

interface PodProps {
  readonly desk: Desk;
  readonly placed: PlacedPod;
  readonly lit: boolean;
}

/** A pod that looks and stands as before is not drawn again: of hundreds a few change at a time. */
class Pod extends Component<PodProps> {
  override shouldComponentUpdate(next: Readonly<PodProps>): boolean {
    return next.lit !== this.props.lit || !looksAlike(next.placed, this.props.placed);
  }

  render({ desk, placed, lit }: PodProps) {
    const words = inWords(desk, placed);
    return (
      <g
        class="pod"
        data-lit={lit}
        data-shape={placed.shape}
        data-system={isSystemNamespace(placed.pod.namespace)}
        style={{ transform: `translate(${placed.x}px, ${placed.y}px)` }}
        {...itemProps(`pods/${placed.pod.namespace}/${placed.pod.name}`, words, false)}
      >
        <title>{words}</title>
        <circle class="ring" r={placed.size / 2 + 3} />
        <Glyph shape={placed.shape} size={placed.size} letter={placed.letter} />
      </g>
    );
  }
}

function looksAlike(a: PlacedPod, b: PlacedPod): boolean {
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.size === b.size &&
    a.shape === b.shape &&
    a.letter === b.letter &&
    // The worker sends a Pod that is as before as the same object.
    a.pod === b.pod
  );
}

function inWords({ t }: Desk, { pod, letter }: PlacedPod): string {
  const owner = pod.ownerKind === "" ? "" : `${pod.ownerKind}/${pod.ownerName}`;
  const revision = letter === "" ? "" : t("workbench.picture.revision", { letter });
  return [
    `${pod.namespace}/${pod.name}`,
    `${pod.statusText} ${pod.ready} (${t(`workbench.picture.shapes.${pod.shape}`)})`,
    [owner, revision].filter((part) => part !== "").join(" · "),
    pod.ip,
    pod.heldBy.length === 0 ? "" : `finalizers: ${pod.heldBy.join(", ")}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
