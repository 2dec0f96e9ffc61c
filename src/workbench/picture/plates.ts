// Boxes of the picture that are neither node nor Pod: Services with the learner's machine, and the objects of the lab.

import type { ClusterView, ServiceView, ShownObject } from "#lab/picture-view.ts";
import { isSystemNamespace, isSystemService } from "./system.ts";
import { textWidth } from "./text-width.ts";

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

export interface PlacedObject extends Plate {
  readonly object: ShownObject;
  /** Its kind, and that it is to be deleted. */
  readonly head: string;
  /** Its finalizers; "" without. */
  readonly foot: string;
}

export interface PlateOptions {
  readonly widthPx: number;
  readonly showSystem: boolean;
  readonly terminalText: string;
  /** Said of an object whose deletion waits. */
  readonly deletingText: string;
}

const gap = 8;
const sides = 20;
const serviceHeight = 26;
/** The mark at the left of a Service's plate. */
const serviceGlyph = 16;
const mostServiceRows = 2;
const longestName = 24;

const objectHeight = 38;
const footHeight = 15;
const longestFoot = 34;
const longestFinalizer = 20;
/** Between owners and what they own: here the lines run. */
export const lineGap = 22;
const mostObjects = 40;

export function placeServices(all: readonly ServiceView[], top: number, { widthPx, showSystem, terminalText }: PlateOptions) {
  const wanted = all.filter((service) => showSystem || !isSystemService(service));
  if (wanted.length === 0) return { services: [], moreServices: undefined, terminal: undefined, height: 0 };
  let x = 0;
  let rows = 0;
  const widthOf = (text: string): number => textWidth(text, 13) + sides + serviceGlyph;
  const place = (text: string): Plate => {
    const width = Math.min(widthPx, widthOf(text));
    if (x > 0 && x + width > widthPx) {
      x = 0;
      rows += 1;
    }
    const plate = { x, y: top + rows * (serviceHeight + gap), width, height: serviceHeight, text };
    x += width + gap;
    return plate;
  };
  const terminal = place(terminalText);
  const services: PlacedService[] = [];
  let moreServices: Plate | undefined;
  for (const [index, service] of wanted.entries()) {
    const text = `${shortened(service.name, longestName)} → ${service.endpoints.length}`;
    const isFull = rows === mostServiceRows - 1 && x + widthOf(text) + gap + widthOf("+99") > widthPx;
    if (isFull && index < wanted.length - 1) {
      moreServices = place(`+${wanted.length - index}`);
      break;
    }
    services.push({ ...place(text), service });
  }
  return { services, moreServices, terminal, height: (rows + 1) * (serviceHeight + gap) - gap };
}

/** What owns or holds others stands above them. */
export function placeObjects({ objects: all, ties }: ClusterView, top: number, options: PlateOptions) {
  const wanted = all.filter(({ namespace }) => options.showSystem || !isSystemNamespace(namespace));
  const depths = depthsOf(wanted, ties);
  const objects: PlacedObject[] = [];
  const areSpread = new Set(wanted.map(({ namespace }) => namespace).filter((namespace) => namespace !== "")).size > 1;
  const shown = wanted.slice(0, mostObjects);
  let y = top;
  for (let depth = 0; depth <= Math.max(0, ...depths.values()); depth += 1) {
    const tier = shown.filter(({ uid }) => depths.get(uid) === depth).map((object) => writtenOn(object, areSpread, options));
    if (tier.length === 0) continue;
    if (y > top) y += lineGap;
    let x = 0;
    let height = 0;
    for (const plate of tier) {
      const width = Math.min(options.widthPx, plate.width);
      if (x > 0 && x + width > options.widthPx) {
        y += height + gap;
        [x, height] = [0, 0];
      }
      objects.push({ ...plate, x, y, width });
      x += width + gap;
      height = Math.max(height, plate.height);
    }
    y += height;
  }
  const left = wanted.length - shown.length;
  const moreObjects = left > 0 ? { x: 0, y: y + 2, width: 60, height: serviceHeight, text: `+${left}` } : undefined;
  return { objects, moreObjects, height: y - top + (moreObjects === undefined ? 0 : serviceHeight + 2) };
}

function writtenOn(object: ShownObject, areSpread: boolean, { deletingText }: PlateOptions): Omit<PlacedObject, "x" | "y"> {
  const { kind, namespace, name, text: status, deleting, finalizers } = object;
  const head = deleting ? `${kind} · ${deletingText}` : kind;
  const prefix = areSpread && namespace !== "" ? `${namespace}/` : "";
  const text = `${prefix}${shortened(name, longestName)}${status === "" ? "" : ` · ${status}`}`;
  const foot = shortened(finalizers.map(withoutLongDomain).join(" "), longestFoot);
  const width = Math.max(textWidth(head, 12), textWidth(text, 13), foot === "" ? 0 : textWidth(foot, 12) + 14) + sides;
  return { object, head, text, foot, width, height: objectHeight + (foot === "" ? 0 : footHeight) };
}

/** How many owners (or volumes) stand above each object; owners that own each other count once. */
function depthsOf(objects: readonly ShownObject[], ties: ClusterView["ties"]): ReadonlyMap<string, number> {
  const above = new Map<string, string[]>(objects.map(({ uid }) => [uid, []]));
  for (const { from, to } of ties) if (above.has(to)) above.get(from)?.push(to);
  const depths = new Map<string, number>();
  const depthOf = (uid: string, seen: ReadonlySet<string>): number => {
    const known = depths.get(uid);
    if (known !== undefined) return known;
    const over = (above.get(uid) ?? []).filter((one) => one !== uid && !seen.has(one));
    return Math.max(0, ...over.map((one) => 1 + depthOf(one, new Set([...seen, uid]))));
  };
  for (const { uid } of objects) depths.set(uid, depthOf(uid, new Set()));
  return depths;
}

/** `…/pvc-protection`; the whole name is in the plate's title and in the table. */
function withoutLongDomain(finalizer: string): string {
  return finalizer.length <= longestFinalizer ? finalizer : finalizer.replace(/^.*\//, "…/");
}

function shortened(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}
