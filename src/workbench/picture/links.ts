// The lines from Services to their endpoints, and the ways that connections take through the picture.

import type { Flow } from "#history/flow-log.ts";
import type { ClusterView, ServiceView } from "#lab/picture-view.ts";
import type { Highlight } from "./highlight.ts";
import type { Frame, Picture } from "./layout.ts";
import type { PlacedService, Plate } from "./plates.ts";
import type { PlacedPod } from "./pod-rows.ts";

export interface Link {
  readonly key: string;
  readonly service: ServiceView;
  readonly uid: string;
  /** An SVG path. */
  readonly path: string;
  /** Where it ends at the Pod. */
  readonly end: Point;
}

/** With more of them one would see nothing but lines: then they are drawn for the Service that is pointed at. */
const mostLinks = 60;

export function linksOf(picture: Picture, highlight: Highlight): readonly Link[] {
  const podOf = new Map(picture.pods.map((placed) => [placed.pod.uid, placed]));
  const ofService = (placed: PlacedService): readonly Link[] =>
    placed.service.endpoints.flatMap((uid) => {
      const pod = podOf.get(uid);
      const { service } = placed;
      if (pod === undefined) return [];
      const { points, end } = toPod(placed, pod);
      return [{ key: `${keyOf(service)} ${uid}`, service, uid, path: `M${points}`, end }];
    });
  const count = picture.services.reduce((sum, { service }) => sum + service.endpoints.length, 0);
  const shown = count <= mostLinks ? picture.services : picture.services.filter(({ service }) => isAt(service, highlight));
  return shown.flatMap(ofService);
}

/** One way through the picture that connections took at one moment. */
export interface Way {
  readonly path: string;
  /** Where it ends, for the mark of a failure. */
  readonly x: number;
  readonly y: number;
  readonly count: number;
  readonly failed: boolean;
}

/** Where to draw what went over the wire; what the picture does not show is left out. */
export function waysOf(flows: readonly Flow[], view: ClusterView, picture: Picture): readonly Way[] {
  const podOf = new Map(picture.pods.flatMap((placed) => (placed.pod.ip === "" ? [] : [[placed.pod.ip, placed] as const])));
  const frameOf = new Map(
    view.nodes.flatMap(({ name, address }) => {
      const frame = picture.frames.find((one) => one.name === name);
      return frame === undefined ? [] : [[address, frame] as const];
    }),
  );
  return flows.flatMap((flow) => {
    const asked = serviceOf(flow, view);
    const placed = asked && picture.services.find(({ service }) => service === asked);
    if (asked !== undefined && placed === undefined) return [];
    const pod = podOf.get(flow.to);
    const start = startOf(flow.from, podOf, frameOf, picture);
    if (start === undefined || (placed === undefined && (pod === undefined || pod === start))) return [];
    const legs = [
      ...(placed === undefined ? [{ points: `${start.x} ${start.y}`, end: start }] : [toPlate(start, placed)]),
      ...(pod === undefined ? [] : [placed === undefined ? { points: `${pod.x} ${pod.y}`, end: pod } : toPod(placed, pod)]),
    ];
    const { x, y } = (legs.at(-1) as Leg).end;
    return [{ path: `M${legs.map(({ points }) => points).join("L")}`, x, y, count: flow.count, failed: flow.failed > 0 }];
  });
}

/** The Service that a connection was for: by its address, or by a port that every node answers on for it. */
export function serviceOf({ asked, port }: Flow, view: ClusterView): ServiceView | undefined {
  const isNode = view.nodes.some(({ address }) => address === asked);
  return view.services.find(({ clusterIp, nodePorts }) => clusterIp === asked || (isNode && nodePorts.includes(port)));
}

export function keyOf({ namespace, name }: ServiceView): string {
  return `${namespace}/${name}`;
}

function isAt({ namespace, name }: ServiceView, highlight: Highlight): boolean {
  return highlight?.kind === "service" && highlight.namespace === namespace && highlight.name === name;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

function startOf(
  from: string,
  podOf: ReadonlyMap<string, PlacedPod>,
  frameOf: ReadonlyMap<string, Frame>,
  { terminal }: Picture,
): Point | undefined {
  const frame = frameOf.get(from);
  if (frame !== undefined) return { x: frame.x + 14, y: frame.y + 14 };
  return podOf.get(from) ?? (terminal && { x: middleOf(terminal), y: terminal.y });
}

function middleOf({ x, width }: Plate): number {
  return round(x + width / 2);
}

/** A part of a way: the points of an SVG path, and the last of them. */
interface Leg {
  readonly points: string;
  readonly end: Point;
}

/** From a point to the near edge of a plate; from beside it in an arc over its neighbours. */
function toPlate(start: Point, plate: Plate): Leg {
  const isBelow = start.y > plate.y + plate.height;
  const end = { x: middleOf(plate), y: isBelow ? plate.y + plate.height : plate.y };
  return curve(start, end, start.y === plate.y ? plate.y - 9 : (start.y + end.y) / 2);
}

function toPod(plate: Plate, pod: PlacedPod): Leg {
  const isBelow = pod.y > plate.y;
  const start = { x: middleOf(plate), y: isBelow ? plate.y + plate.height : plate.y };
  const reach = pod.size / 2 + 2;
  const end = { x: round(pod.x), y: round(isBelow ? pod.y - reach : pod.y + reach) };
  return curve(start, end, (start.y + end.y) / 2);
}

/** Leaves and arrives upright; `bend` is where it goes across. */
export function curve(start: Point, end: Point, bend: number): Leg {
  const across = round(bend);
  const [x1, y1, x2, y2] = [round(start.x), round(start.y), round(end.x), round(end.y)];
  return { points: `${x1} ${y1}C${x1} ${across} ${x2} ${across} ${x2} ${y2}`, end };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
