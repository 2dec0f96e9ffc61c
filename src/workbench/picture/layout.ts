// Where everything stands in the cluster picture: pure geometry from the cluster's view and the width at hand.

import type { ClusterView, PodView } from "#lab/picture-view.ts";
import { headHeight, inHead } from "./frame-head.ts";
import type { MarkOf } from "./owner-marks.ts";
import { lineGap, type PlacedObject, type PlacedService, type Plate, placeObjects, placeServices } from "./plates.ts";
import { fill, type PlacedPod, type ShapeCount, type Tray } from "./pod-rows.ts";
import { isSystemNamespace } from "./system.ts";

export interface Frame {
  /** Node name; "" for pods that no node has yet. */
  readonly name: string;
  readonly zone: string;
  readonly ready: boolean;
  readonly unschedulable: boolean;
  readonly controlPlane: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pods per shape where they are too many to draw one by one; empty otherwise. */
  readonly counts: readonly ShapeCount[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
  readonly trays: readonly Tray[];
  readonly pods: readonly PlacedPod[];
  readonly services: readonly PlacedService[];
  /** Services for which the row has no room; the table has all. */
  readonly moreServices: Plate | undefined;
  /** The learner's machine, from which Services are asked too; there as soon as there is a Service. */
  readonly terminal: Plate | undefined;
  readonly objects: readonly PlacedObject[];
  /** Objects beyond those that are drawn; the table has all. */
  readonly moreObjects: Plate | undefined;
}

export interface LayoutOptions {
  readonly widthPx: number;
  readonly showSystem: boolean;
  /** The letter of a pod's generation, stable over time. */
  readonly letterOf: (pod: PodView) => string;
  readonly markOf: MarkOf;
  readonly terminalText: string;
  readonly deletingText: string;
}

const gap = 10;
/** A second line of the header, where a node of the row has something to say about itself. */
const remarkHeight = 16;
const leastFrameWidth = 124;
const leastFrameHeight = 68;

export function layoutPicture(view: ClusterView, options: LayoutOptions): Picture {
  const podsOf = podsByNode(view, (pod) => options.showSystem || !isSystemNamespace(pod.namespace));
  const systemPodsOf = podsByNode(view, (pod) => !options.showSystem && isSystemNamespace(pod.namespace) && pod.nodeName !== "");
  const unplaced = podsOf.get("") ?? [];
  const controlPlane = view.nodes.filter((node) => node.controlPlane);
  const workers = view.nodes.filter((node) => !node.controlPlane);
  const frames: Frame[] = [];
  const pods: PlacedPod[] = [];
  const trays: Tray[] = [];
  let y = 0;

  const row = (nodes: readonly Omit<Frame, "x" | "y" | "width" | "height" | "counts">[], columns: number): void => {
    const width = (options.widthPx - gap * (columns - 1)) / columns;
    for (let start = 0; start < nodes.length; start += columns) {
      const members = nodes.slice(start, start + columns);
      const header = members.some((node) => !node.ready || node.unschedulable) ? headHeight + remarkHeight : headHeight;
      const { letterOf, markOf } = options;
      const filled = members.map((node) => fill(podsOf.get(node.name) ?? [], { width, header, letterOf, markOf }));
      const tallest = Math.max(...filled.map((content) => content.height));
      // A worker is drawn with room for pods even when it has none.
      const height = members.some((node) => !node.controlPlane) ? Math.max(tallest, leastFrameHeight) : tallest;
      for (const [index, node] of members.entries()) {
        const x = index * (width + gap);
        const content = filled[index];
        if (content === undefined) continue;
        frames.push({
          ...node,
          x,
          y,
          width,
          height,
          counts: content.counts.map((entry) => ({ ...entry, x: x + entry.x, y: y + entry.y })),
        });
        const moved = <T extends { readonly x: number; readonly y: number }>(one: T): T => ({ ...one, x: x + one.x, y: y + one.y });
        trays.push(...content.trays.map((tray) => ({ ...moved(tray), key: `${node.name} ${tray.key}` })));
        pods.push(...[...content.pods, ...inHead(systemPodsOf.get(node.name) ?? [], node, width)].map(moved));
      }
      y += height + gap;
    }
  };

  const columnsFor = (count: number): number =>
    Math.max(1, Math.min(count, Math.floor((options.widthPx + gap) / (leastFrameWidth + gap))));
  const waiting = unplaced.length > 0 ? [{ name: "", zone: "", ready: true, unschedulable: false, controlPlane: false }] : [];
  const upper = [...controlPlane, ...waiting];
  if (upper.length > 0) row(upper, columnsFor(upper.length));
  const boxes = placeObjects(view, y, options);
  if (boxes.height > 0) y += boxes.height + lineGap;
  const plates = placeServices(view.services, y, options);
  if (plates.height > 0) y += plates.height + lineGap;
  if (workers.length > 0) row(workers, columnsFor(workers.length));
  const { services, moreServices, terminal } = plates;
  const { objects, moreObjects } = boxes;
  const height = Math.max(0, y - gap);
  return { width: options.widthPx, height, frames, trays, pods, services, moreServices, terminal, objects, moreObjects };
}

function podsByNode(view: ClusterView, wanted: (pod: PodView) => boolean): ReadonlyMap<string, readonly PodView[]> {
  const known = new Set(view.nodes.map((node) => node.name));
  const byNode = new Map<string, PodView[]>();
  for (const pod of view.pods) {
    if (!wanted(pod)) continue;
    const node = known.has(pod.nodeName) ? pod.nodeName : "";
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [pod]);
    else list.push(pod);
  }
  return byNode;
}
