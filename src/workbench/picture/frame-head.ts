// The head of a node's frame: its name, its zone, and at the right a small mark for each of its system Pods.

import type { PodView } from "#lab/picture-view.ts";
import { type PlacedPod, padding } from "./pod-rows.ts";
import { textWidth } from "./text-width.ts";

export const headHeight = 26;
const nameX = 24;
const nameSize = 13;
const zoneSize = 12;
/** Narrower frames have no room for the zone beside the name; the table and `kubectl get nodes` have it. */
const zoneFromPx = 150;
const glyph = 8;
const pitch = glyph + 3;
const mostGlyphs = 8;

interface Head {
  readonly name: string;
  readonly zone: string;
}

export function showsZone({ zone }: Head, width: number): boolean {
  return zone !== "" && width >= zoneFromPx;
}

/** System Pods, unless asked for, stand beside the name; where that leaves too little room, in two lines, and only as many as fit. */
export function inHead(pods: readonly PodView[], head: Head, width: number): readonly PlacedPod[] {
  const zone = showsZone(head, width) ? textWidth(` ${head.zone}`, zoneSize) : 0;
  const columns = Math.max(0, Math.floor((width - padding - nameX - textWidth(head.name, nameSize) - zone) / pitch));
  const count = Math.min(pods.length, mostGlyphs, 2 * columns);
  const lines = count > columns ? 2 : 1;
  const perLine = Math.ceil(count / lines);
  return pods.slice(0, count).map((pod, index) => ({
    pod,
    x: width - padding - glyph / 2 - (index % perLine) * pitch,
    y: headHeight / 2 + 1 + (Math.floor(index / perLine) - (lines - 1) / 2) * (glyph + 2),
    size: glyph,
    shape: pod.shape,
    letter: "",
  }));
}
