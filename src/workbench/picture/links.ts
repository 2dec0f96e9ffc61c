// The lines from Services to their endpoints, and the ways that connections take through the picture.

import type { ClusterView, Flow, ServiceView } from "#lab/session.ts";
import type { Highlight } from "./highlight.ts";
import type { Frame, Picture, PlacedPod, PlacedService, Plate } from "./layout.ts";

export interface Link {
  readonly key: string;
  readonly service: ServiceView;
  readonly uid: string;
  /** An SVG path. */
  readonly path: string;
}

/** With more of them one would see nothing but lines: then they are drawn for the Service that is pointed at. */
const mostLinks = 60;

export function linksOf(picture: Picture, highlight: Highlight): readonly Link[] {
  const podOf = new Map(picture.pods.map((placed) => [placed.pod.uid, placed]));
  const ofService = (placed: PlacedService): readonly Link[] =>
    placed.service.endpoints.flatMap((uid) => {
      const pod = podOf.get(uid);
      const { service } = placed;
      return pod === undefined ? [] : [{ key: `${keyOf(service)} ${uid}`, service, uid, path: `M${lineTo(placed, pod)}` }];
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
    const head = placed === undefined ? `${start.x} ${start.y}` : intoPlate(start, placed);
    const tail = pod === undefined ? "" : placed === undefined ? `L${pod.x} ${pod.y}` : `L${lineTo(placed, pod)}`;
    const path = `M${head}${tail}`;
    const { count, failed } = flow;
    return [{ path, ...endOf(path), count, failed: failed > 0 }];
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

/** The last point of a path whose segments are absolute. */
function endOf(path: string): Point {
  const [x = 0, y = 0] = path
    .split(/[ A-Z]/u)
    .slice(-2)
    .map(Number);
  return { x, y };
}

interface Point {
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

/** From a point to the near edge of a plate; from beside it in an arc over its neighbours. */
function intoPlate(start: Point, plate: Plate): string {
  const x = middleOf(plate);
  const isBelow = start.y > plate.y + plate.height;
  const y = isBelow ? plate.y + plate.height : plate.y;
  const bend = start.y === plate.y ? plate.y - 9 : round((start.y + y) / 2);
  return `${start.x} ${start.y}C${start.x} ${bend} ${x} ${bend} ${x} ${y}`;
}

/** The points of a line from a plate to a pod. */
function lineTo(plate: Plate, pod: PlacedPod): string {
  const x = middleOf(plate);
  const isBelow = pod.y > plate.y;
  const from = isBelow ? plate.y + plate.height : plate.y;
  const to = round(isBelow ? pod.y - pod.size / 2 - 2 : pod.y + pod.size / 2 + 2);
  const bend = round((from + to) / 2);
  return `${x} ${from}C${x} ${bend} ${round(pod.x)} ${bend} ${round(pod.x)} ${to}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
