// Where everything stands in the cluster picture: pure geometry from the cluster's view and the width at hand.

import type { ClusterView, PodShape, PodView, ServiceView } from "#lab/session.ts";

export interface PlacedPod {
  readonly pod: PodView;
  /** Centre, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Width and height of its glyph. */
  readonly size: number;
  readonly shape: PodShape;
  /** "A", "B" … for the generations of one owner; "" for an owner without generations. */
  readonly letter: string;
}

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
  readonly counts: readonly { readonly shape: PodShape; readonly count: number; readonly x: number; readonly y: number }[];
}

/** A box in the row of Services, which lies between the control plane and the workers. */
export interface Plate {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** As it is written on the plate. */
  readonly text: string;
}

export interface PlacedService extends Plate {
  readonly service: ServiceView;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
  readonly pods: readonly PlacedPod[];
  readonly services: readonly PlacedService[];
  /** Services for which the row has no room; the table has all. */
  readonly moreServices: Plate | undefined;
  /** The learner's machine, from which Services are asked too; there as soon as there is a Service. */
  readonly terminal: Plate | undefined;
}

export interface LayoutOptions {
  readonly widthPx: number;
  readonly showSystem: boolean;
  /** The letter of a pod's generation, stable over time. */
  readonly letterOf: (pod: PodView) => string;
  readonly terminalText: string;
}

const gap = 10;
const padding = 10;
const headerHeight = 26;
/** A second line of the header, where a node of the row has something to say about itself. */
const remarkHeight = 16;
const leastFrameWidth = 124;
const leastFrameHeight = 68;
/** System pods, unless asked for, are small marks at the right of their node's header. */
const headerGlyph = 8;
const mostInHeader = 8;
const glyphSizes = [24, 18, 13, 9] as const;
/** More rows than this at one size: the next smaller size is tried. */
const rowsWanted = 5;
/** More pods than this in one frame are shown as counts. */
const drawnPerFrame = 400;

const plateHeight = 26;
const plateGap = 8;
/** The mark at the left of a plate. */
const plateGlyph = 16;
const mostPlateRows = 2;
const longestName = 24;
/** Between Services and workers: here the lines spread. */
const linkGap = 22;

const systemNamespaces: ReadonlySet<string> = new Set([
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "local-path-storage",
  "ingress-nginx",
]);

/** Whether what lives there belongs to the cluster itself rather than to the learner. */
export function isSystemNamespace(namespace: string): boolean {
  return systemNamespaces.has(namespace);
}

/** The API server's own Service lies among the learner's. */
export function isSystemService({ namespace, name }: ServiceView): boolean {
  return isSystemNamespace(namespace) || (namespace === "default" && name === "kubernetes");
}

export function layoutPicture(view: ClusterView, options: LayoutOptions): Picture {
  const podsOf = podsByNode(view, (pod) => options.showSystem || !isSystemNamespace(pod.namespace));
  const systemPodsOf = podsByNode(view, (pod) => !options.showSystem && isSystemNamespace(pod.namespace) && pod.nodeName !== "");
  const unplaced = podsOf.get("") ?? [];
  const controlPlane = view.nodes.filter((node) => node.controlPlane);
  const workers = view.nodes.filter((node) => !node.controlPlane);
  const frames: Frame[] = [];
  const pods: PlacedPod[] = [];
  let y = 0;

  const row = (nodes: readonly Omit<Frame, "x" | "y" | "width" | "height" | "counts">[], columns: number): void => {
    const width = (options.widthPx - gap * (columns - 1)) / columns;
    for (let start = 0; start < nodes.length; start += columns) {
      const members = nodes.slice(start, start + columns);
      const header = members.some((node) => !node.ready || node.unschedulable) ? headerHeight + remarkHeight : headerHeight;
      const filled = members.map((node) => fill(podsOf.get(node.name) ?? [], width, header, options.letterOf));
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
        pods.push(
          ...[...content.pods, ...inHeader(systemPodsOf.get(node.name) ?? [], width)].map((placed) => ({
            ...placed,
            x: x + placed.x,
            y: y + placed.y,
          })),
        );
      }
      y += height + gap;
    }
  };

  const columnsFor = (count: number): number =>
    Math.max(1, Math.min(count, Math.floor((options.widthPx + gap) / (leastFrameWidth + gap))));
  const waiting = unplaced.length > 0 ? [{ name: "", zone: "", ready: true, unschedulable: false, controlPlane: false }] : [];
  const upper = [...controlPlane, ...waiting];
  if (upper.length > 0) row(upper, columnsFor(upper.length));
  const plates = placeServices(view.services, y, options);
  if (plates.height > 0) y += plates.height + linkGap;
  if (workers.length > 0) row(workers, columnsFor(workers.length));
  const { services, moreServices, terminal } = plates;
  return { width: options.widthPx, height: Math.max(0, y - gap), frames, pods, services, moreServices, terminal };
}

function placeServices(all: readonly ServiceView[], top: number, { widthPx, showSystem, terminalText }: LayoutOptions) {
  const wanted = all.filter((service) => showSystem || !isSystemService(service));
  if (wanted.length === 0) return { services: [], moreServices: undefined, terminal: undefined, height: 0 };
  let x = 0;
  let rows = 0;
  const place = (text: string): Plate => {
    const width = Math.min(widthPx, plateWidth(text));
    if (x > 0 && x + width > widthPx) {
      x = 0;
      rows += 1;
    }
    const plate = { x, y: top + rows * (plateHeight + plateGap), width, height: plateHeight, text };
    x += width + plateGap;
    return plate;
  };
  const terminal = place(terminalText);
  const services: PlacedService[] = [];
  let moreServices: Plate | undefined;
  for (const [index, service] of wanted.entries()) {
    const text = `${shortened(service.name)} → ${service.endpoints.length}`;
    const isFull = rows === mostPlateRows - 1 && x + plateWidth(text) + plateGap + plateWidth("+99") > widthPx;
    if (isFull && index < wanted.length - 1) {
      moreServices = place(`+${wanted.length - index}`);
      break;
    }
    services.push({ ...place(text), service });
  }
  return { services, moreServices, terminal, height: (rows + 1) * (plateHeight + plateGap) - plateGap };
}

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;
}

/** Wide enough for the text in 13 px; Han and kana are as wide as they are high. */
function plateWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letter > "\u2e80" ? 13 : 7.1;
  return Math.ceil(width) + 2 * padding + plateGlyph;
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
  for (const list of byNode.values()) list.sort(byOwnerAndRevision);
  return byNode;
}

function byOwnerAndRevision(a: PodView, b: PodView): number {
  return (
    compare(a.namespace, b.namespace) ||
    compare(a.ownerName, b.ownerName) ||
    compare(a.revision, b.revision) ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Content {
  readonly height: number;
  readonly pods: readonly PlacedPod[];
  readonly counts: Frame["counts"];
}

/** Pods of one frame in rows, each owner's after a small gap. */
function fill(pods: readonly PodView[], width: number, header: number, letterOf: (pod: PodView) => string): Content {
  if (pods.length > drawnPerFrame) return countByShape(pods, width, header);
  const inner = width - 2 * padding;
  for (const size of glyphSizes) {
    const content = inRows(pods, inner, size, header, letterOf);
    const last = size === glyphSizes[glyphSizes.length - 1];
    if (last || content.rows <= rowsWanted)
      return { height: header + content.height + (pods.length > 0 ? padding : 0), pods: content.placed, counts: [] };
  }
  return { height: header + padding, pods: [], counts: [] };
}

function inHeader(pods: readonly PodView[], width: number): readonly PlacedPod[] {
  const pitch = headerGlyph + 3;
  return pods.slice(0, mostInHeader).map((pod, index) => ({
    pod,
    x: width - padding - headerGlyph / 2 - index * pitch,
    y: headerHeight / 2 + 1,
    size: headerGlyph,
    shape: pod.shape,
    letter: "",
  }));
}

function inRows(pods: readonly PodView[], inner: number, size: number, header: number, letterOf: (pod: PodView) => string) {
  const pitch = size + Math.max(3, size / 5);
  const placed: PlacedPod[] = [];
  let x = 0;
  let rows = 1;
  let before: PodView | undefined;
  for (const pod of pods) {
    if (before !== undefined && (before.ownerName !== pod.ownerName || before.namespace !== pod.namespace)) x += size / 2;
    if (x > 0 && x + size > inner) {
      x = 0;
      rows += 1;
    }
    placed.push({
      pod,
      x: padding + x + size / 2,
      y: header + 4 + (rows - 1) * pitch + size / 2,
      size,
      shape: pod.shape,
      letter: letterOf(pod),
    });
    x += pitch;
    before = pod;
  }
  return { placed, rows, height: pods.length === 0 ? 0 : rows * pitch + 4 };
}

function countByShape(pods: readonly PodView[], width: number, header: number): Content {
  const totals = new Map<PodShape, number>();
  for (const pod of pods) totals.set(pod.shape, (totals.get(pod.shape) ?? 0) + 1);
  const columns = Math.max(1, Math.floor((width - 2 * padding) / 64));
  const counts = [...totals].map(([shape, count], index) => ({
    shape,
    count,
    x: padding + (index % columns) * 64 + 10,
    y: header + 14 + Math.floor(index / columns) * 26,
  }));
  return { height: header + Math.ceil(counts.length / columns) * 26 + padding, pods: [], counts };
}
