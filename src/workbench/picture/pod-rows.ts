// The Pods of one node's frame: in rows, each owner's in a tray of its own, smaller the more there are.

import type { PodShape, PodView } from "#lab/picture-view.ts";
import { type MarkOf, type Owner, type OwnerMark, ownerKey, ownerOf } from "./owner-marks.ts";

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

/** One owner's Pods in one row of one frame. */
export interface Tray {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly hue: number;
  /** At the beginning of an owner's first row in a frame; "" in the rows that follow. */
  readonly tag: string;
  readonly tagWidth: number;
  readonly fontSize: number;
}

export interface ShapeCount {
  readonly shape: PodShape;
  readonly count: number;
  readonly x: number;
  readonly y: number;
}

export interface Content {
  readonly height: number;
  readonly pods: readonly PlacedPod[];
  readonly trays: readonly Tray[];
  readonly counts: readonly ShapeCount[];
}

export interface RowOptions {
  readonly width: number;
  /** Height of the frame's header. */
  readonly header: number;
  readonly letterOf: (pod: PodView) => string;
  readonly markOf: MarkOf;
}

export const padding = 10;
const glyphSizes = [24, 18, 13, 9] as const;
/** More rows than this at one size: the next smaller size is tried. */
const rowsWanted = 5;
/** More pods than this in one frame are shown as counts. */
const drawnPerFrame = 400;
/** More bare Pods than this in one frame stand together, without their names. */
const namedBarePods = 8;
const letterWidth = 0.62;

export function fill(pods: readonly PodView[], options: RowOptions): Content {
  const { width, header } = options;
  if (pods.length > drawnPerFrame) return countByShape(pods, width, header);
  const groups = byOwner(pods, options.markOf);
  for (const size of glyphSizes) {
    const content = inRows(groups, size, size === glyphSizes.at(-1) ? Number.POSITIVE_INFINITY : rowsWanted, options);
    if (content !== undefined) return { ...content, height: header + content.height + (pods.length > 0 ? padding : 0) };
  }
  throw new Error("no size of glyphs");
}

interface Group {
  readonly owner: Owner;
  readonly mark: OwnerMark;
  readonly pods: readonly PodView[];
}

/** By namespace and owner, an owner's by revision and name. */
function byOwner(pods: readonly PodView[], markOf: MarkOf): readonly Group[] {
  const areNamed = pods.filter(({ ownerKind }) => ownerKind === "").length <= namedBarePods;
  const groups = new Map<string, { readonly owner: Owner; readonly pods: PodView[] }>();
  for (const pod of pods) {
    const owner = ownerOf(pod);
    const shared = owner.kind === "Pod" && !areNamed ? { ...owner, name: "" } : owner;
    const key = ownerKey(shared);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { owner: shared, pods: [pod] });
    else group.pods.push(pod);
  }
  return [...groups.values()]
    .map(({ owner, pods: members }) => ({
      owner,
      mark: owner.name === "" ? { hue: 0, tag: "Pod" } : markOf(owner),
      pods: members.sort((a, b) => compare(a.revision, b.revision) || compare(a.name, b.name)),
    }))
    .sort(
      (a, b) =>
        compare(a.owner.namespace, b.owner.namespace) || compare(a.owner.name, b.owner.name) || compare(a.owner.kind, b.owner.kind),
    );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Undefined when more than `mostRows` would be needed. */
function inRows(
  groups: readonly Group[],
  size: number,
  mostRows: number,
  { width, header, letterOf }: RowOptions,
): Content | undefined {
  const inner = width - padding;
  const pitch = size + Math.max(3, size / 5);
  const rowPitch = size + Math.max(4, size / 3);
  const rim = Math.max(1.5, size / 8);
  const fontSize = Math.max(9, Math.min(11, size - 4));
  const pods: PlacedPod[] = [];
  const trays: Tray[] = [];
  let x = padding;
  let row = 0;
  const middle = (): number => header + 4 + row * rowPitch + size / 2;
  for (const { owner, mark, pods: members } of groups) {
    const tagWidth = Math.ceil(mark.tag.length * fontSize * letterWidth + 7);
    const lead = x > padding ? rim + size / 4 : 0;
    if (x > padding && x + lead + tagWidth + rim + size + rim > inner) {
      x = padding;
      row += 1;
      if (row === mostRows) return undefined;
    } else x += lead;
    let start = x;
    let tag = mark.tag;
    const close = (): void => {
      const [key, top] = [`${ownerKey(owner)} ${row}`, middle() - size / 2 - rim];
      const tray = { key, x: start, y: top, width: x - start, height: size + 2 * rim };
      trays.push({ ...tray, hue: mark.hue, tag, tagWidth: tag === "" ? 0 : tagWidth, fontSize });
    };
    x += tagWidth + rim;
    for (const [index, pod] of members.entries()) {
      if (index > 0 && x + size + rim > inner) {
        close();
        row += 1;
        if (row === mostRows) return undefined;
        tag = "";
        start = padding;
        x = padding + rim;
      }
      pods.push({ pod, x: x + size / 2, y: middle(), size, shape: pod.shape, letter: letterOf(pod) });
      x += index === members.length - 1 || x + pitch + size + rim > inner ? size + rim : pitch;
    }
    close();
  }
  return { pods, trays, counts: [], height: groups.length === 0 ? 0 : (row + 1) * rowPitch + 4 };
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
  return { height: header + Math.ceil(counts.length / columns) * 26 + padding, pods: [], trays: [], counts };
}
