// The owners that the picture names above its drawing: what makes Pods, whoever else owns some, and bare Pods.

import type { ClusterView, PodView, WorkloadView } from "#lab/picture-view.ts";
import type { LetterOf } from "./letters.ts";
import { type Owner, ownerKey, ownerOf } from "./owner-marks.ts";
import { isSystemNamespace } from "./system.ts";

export interface Revision {
  /** "" for Pods without one. */
  readonly revision: string;
  readonly ready: number;
  readonly pods: number;
}

export interface OwnerBadge {
  readonly owner: Owner;
  /** What the inspector is asked for; undefined for owners of kinds that the picture does not know. */
  readonly resource: string | undefined;
  readonly count: string;
  readonly short: boolean;
  readonly text: string;
  readonly deleting: boolean;
  /** Those that have Pods. */
  readonly revisions: readonly Revision[];
}

/** An owner that is drawn as an object of the lab has no badge beside it. */
export function ownerBadges(view: ClusterView, showSystem: boolean): readonly OwnerBadge[] {
  const drawn = new Set(view.objects.map(({ kind, namespace, name }) => ownerKey({ namespace, kind, name })));
  const podsOf = new Map<string, PodView[]>();
  for (const pod of view.pods) {
    const key = ownerKey(ownerOf(pod));
    const pods = podsOf.get(key);
    if (pods === undefined) podsOf.set(key, [pod]);
    else pods.push(pod);
  }
  const known = view.workloads.map((workload) => ofWorkload(workload, podsOf));
  const keys = new Set(known.map(({ owner }) => ownerKey(owner)));
  const others = [...podsOf].flatMap(([key, pods]) => (keys.has(key) ? [] : ofPods(pods)));
  return [...known, ...others].filter(
    ({ owner }) => (showSystem || !isSystemNamespace(owner.namespace)) && !drawn.has(ownerKey(owner)),
  );
}

/** Its revisions with their letters, the oldest first. */
export function lettered(
  { owner, revisions }: OwnerBadge,
  letterOf: LetterOf,
): readonly (Revision & { readonly letter: string })[] {
  const { namespace, kind: ownerKind, name: ownerName } = owner;
  return revisions
    .map((one) => ({ ...one, letter: letterOf({ namespace, ownerKind, ownerName, revision: one.revision }) }))
    .sort((a, b) => (a.letter < b.letter ? -1 : 1));
}

function ofWorkload(workload: WorkloadView, podsOf: ReadonlyMap<string, readonly PodView[]>): OwnerBadge {
  const { namespace, kind, name, resource, count, short, text, deleting } = workload;
  const owner = { namespace, kind, name };
  return { owner, resource, count, short, text, deleting, revisions: revisionsOf(podsOf.get(ownerKey(owner)) ?? []) };
}

function ofPods(pods: readonly PodView[]): readonly OwnerBadge[] {
  const [first] = pods;
  if (first === undefined) return [];
  const owner = ownerOf(first);
  const isBare = owner.kind === "Pod";
  return [
    {
      owner,
      resource: isBare ? "pods" : undefined,
      count: isBare ? "" : String(pods.length),
      short: false,
      text: isBare ? first.statusText : "",
      deleting: isBare && first.shape === "terminating",
      revisions: revisionsOf(pods),
    },
  ];
}

function revisionsOf(pods: readonly PodView[]): readonly Revision[] {
  const counts = new Map<string, { ready: number; pods: number }>();
  for (const { revision, shape } of pods) {
    if (revision === "") continue;
    const count = counts.get(revision) ?? { ready: 0, pods: 0 };
    counts.set(revision, { ready: count.ready + (shape === "running" ? 1 : 0), pods: count.pods + 1 });
  }
  return [...counts].map(([revision, count]) => ({ revision, ...count }));
}
