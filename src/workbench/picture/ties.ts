// The lines of owner references and of bonds: between the objects of the lab, and from Pods to them.

import type { ClusterView, Tie } from "#lab/picture-view.ts";
import type { Highlight } from "./highlight.ts";
import type { Picture } from "./layout.ts";
import { curve } from "./links.ts";

export interface DrawnTie extends Pick<Tie, "kind"> {
  readonly key: string;
  /** An SVG path from the dependent to its owner, from the user to what it uses. */
  readonly path: string;
  readonly start: { readonly x: number; readonly y: number };
  readonly lit: boolean | undefined;
}

/** With more of them one would see nothing but lines: then Pods have theirs when an object is pointed at. */
const mostTies = 60;

/** Room for the arrow's head. */
const headPx = 5;

interface Box {
  readonly isPod: boolean;
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export function drawnTies(picture: Picture, view: ClusterView, highlight: Highlight): readonly DrawnTie[] {
  const boxes = new Map<string, Box>([
    ...picture.objects.map(
      ({ object, x, y, width, height }) => [object.uid, { isPod: false, x: x + width / 2, top: y, bottom: y + height }] as const,
    ),
    ...picture.pods.map(
      ({ pod, x, y, size }) => [pod.uid, { isPod: true, x, top: y - size / 2 - 2, bottom: y + size / 2 + 2 }] as const,
    ),
  ]);
  const at = highlight?.kind === "object" ? highlight.uid : undefined;
  const areMany = view.ties.length > mostTies;
  return view.ties.flatMap(({ kind, from, to }) => {
    const [tail, head] = [boxes.get(from), boxes.get(to)];
    const isAt = at === from || at === to;
    if (tail === undefined || head === undefined || (areMany && tail.isPod && !isAt)) return [];
    const lit = at === undefined ? undefined : isAt;
    return [{ kind, key: `${kind} ${from} ${to}`, ...between(tail, head, kind === "owner" ? headPx : 0), lit }];
  });
}

function between(tail: Box, head: Box, room: number): Pick<DrawnTie, "path" | "start"> {
  const isAbove = head.bottom <= tail.top;
  // Side by side, or what owns itself: an arc over both.
  const isBeside = !isAbove && head.top < tail.bottom;
  const start = { x: tail.x, y: isAbove || isBeside ? tail.top : tail.bottom };
  const end = { x: head.x, y: isAbove ? head.bottom + room : head.top - room };
  const bend = isBeside ? Math.min(tail.top, head.top) - 14 : (start.y + end.y) / 2;
  return { path: `M${curve(start, end, bend).points}`, start };
}
