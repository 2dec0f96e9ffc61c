// Owners of Pods told apart: a hue and a few letters each, given in the order of first sight and kept for as long as the
// lab lasts. The letters stand for the owner where hues cannot be told apart.

import type { PodView } from "#lab/picture-view.ts";
import { isSystemNamespace } from "./system.ts";

export interface OwnerMark {
  /** 1 to 8 (`--owner-1` …); 0 for what has no hue: bare Pods and the cluster's own parts. */
  readonly hue: number;
  readonly tag: string;
}

export interface Owner {
  readonly namespace: string;
  /** "Pod" for a bare Pod, which stands for itself. */
  readonly kind: string;
  readonly name: string;
}

export type MarkOf = (owner: Owner) => OwnerMark;

const hues = 8;
const longestTag = 6;

/** Whom a Pod belongs to: its topmost owner; itself when it has none. */
export function ownerOf({ namespace, name, ownerKind, ownerName }: PodView): Owner {
  return ownerKind === "" ? { namespace, kind: "Pod", name } : { namespace, kind: ownerKind, name: ownerName };
}

export function ownerKey({ namespace, kind, name }: Owner): string {
  return `${namespace}/${kind}/${name}`;
}

/** A book of marks for one session. */
export function createMarks(): MarkOf {
  const marks = new Map<string, OwnerMark>();
  const tags = new Set<string>();
  let hued = 0;
  const makeMark = (owner: Owner): OwnerMark => {
    if (isSystemNamespace(owner.namespace)) return { hue: 0, tag: shortTag(owner.name) };
    const tag = untaken(shortTag(owner.name), tags);
    tags.add(tag);
    return { hue: owner.kind === "Pod" ? 0 : (hued++ % hues) + 1, tag };
  };
  return (owner) => {
    const key = ownerKey(owner);
    const known = marks.get(key);
    if (known !== undefined) return known;
    const mark = makeMark(owner);
    marks.set(key, mark);
    return mark;
  };
}

/** The name where it is short, else the first letters of its words, else its beginning: `web`, `nd` for `nginx-deployment`. */
function shortTag(name: string): string {
  if (name.length <= longestTag) return name;
  const words = name.split(/[-.]/).filter((word) => word !== "");
  const initials = words.map((word) => word.charAt(0)).join("");
  return (words.length > 1 ? initials : name).slice(0, longestTag - 2);
}

function untaken(tag: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? tag : `${tag}${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
