// The objects that a lab has in its picture, and what they have to do with each other and with the Pods.

import type { Pod } from "#cluster/api/generated/types.ts";
import { kindsByPlural } from "#cluster/api/kinds.ts";
import { qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import type { ObjectLister } from "./cluster-view.ts";
import type { PictureWish } from "./definition.ts";
import type { ShownObject, Tie } from "./picture-view.ts";
import { usedObjects } from "./pod-uses.ts";
import { workloadText } from "./workload-views.ts";

/** Every cluster has them, and nobody's lab is about them; whoever wants one in the picture names it. By kind. */
const everybodys: { readonly [kind: string]: readonly string[] } = {
  ConfigMap: ["kube-root-ca.crt"],
  PriorityClass: ["system-cluster-critical", "system-node-critical"],
};

/** `priorityclasses.scheduling.k8s.io` */
const kindsWithGroup = new Map([...kindsByPlural.values()].map((type) => [qualifiedResource(type), type]));

/** Fields beyond the metadata that the picture reads, of whatever kind has them. */
interface AnyKind {
  readonly spec?: { readonly volumeName?: string };
  readonly status?: { readonly phase?: string };
}

interface Found {
  readonly type: ResourceType<unknown>;
  readonly object: Stored<AnyKind>;
}

export interface Shown {
  readonly objects: readonly ShownObject[];
  readonly ties: readonly Tie[];
}

/** `customTypes`: the custom kinds that there are. */
export function shownObjects(
  wishes: readonly PictureWish[],
  list: ObjectLister,
  pods: readonly Stored<Pod>[],
  customTypes: () => readonly ResourceType<unknown>[],
): Shown {
  if (wishes.length === 0) return { objects: [], ties: [] };
  const found = new Map<string, Found>();
  for (const { resource, name } of wishes) {
    const type =
      kindsByPlural.get(resource) ??
      kindsWithGroup.get(resource) ??
      customTypes().find((custom) => qualifiedResource(custom) === resource);
    if (type === undefined) continue;
    for (const object of list(type) as readonly Stored<AnyKind>[]) {
      const isWanted = name === "" ? !everybodys[type.kind]?.includes(object.metadata.name) : object.metadata.name === name;
      if (isWanted) found.set(object.metadata.uid, { type, object });
    }
  }
  return { objects: [...found.values()].map(shownObject), ties: tiesOf(found, pods) };
}

function shownObject({ type, object }: Found): ShownObject {
  const { uid, namespace = "", name, deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata;
  const deleting = deletionTimestamp !== undefined;
  return {
    uid,
    resource: qualifiedResource(type),
    kind: type.kind,
    namespace,
    name,
    text: statusOf(type, object, deleting),
    deleting,
    finalizers,
    owners: ownerReferences.map((owner) => ({ uid: owner.uid, kind: owner.kind, name: owner.name })),
  };
}

/** As under STATUS where a kind has that column: claims and volumes on their way out are `Terminating`, whatever their phase. */
function statusOf(type: ResourceType<unknown>, object: Stored<AnyKind>, deleting: boolean): string {
  const isStorage = type.kind === "PersistentVolumeClaim" || type.kind === "PersistentVolume";
  if (isStorage && deleting) return "Terminating";
  return object.status?.phase ?? workloadText(type, object);
}

function tiesOf(found: ReadonlyMap<string, Found>, pods: readonly Stored<Pod>[]): readonly Tie[] {
  const uidOf = new Map(
    [...found.values()].map(({ type, object: { metadata } }) => [
      `${type.plural}/${metadata.namespace ?? ""}/${metadata.name}`,
      metadata.uid,
    ]),
  );
  const bond = (from: string, key: string): readonly Tie[] => {
    const to = uidOf.get(key);
    return to === undefined ? [] : [{ kind: "bond", from, to }];
  };
  const owners = ({ metadata }: Stored<unknown>): readonly Tie[] =>
    (metadata.ownerReferences ?? [])
      .filter(({ uid }) => found.has(uid))
      .map(({ uid }) => ({ kind: "owner", from: metadata.uid, to: uid }));
  return [
    ...[...found.values()].flatMap(({ type, object }) => {
      const volume = type.kind === "PersistentVolumeClaim" ? object.spec?.volumeName : undefined;
      return [...owners(object), ...(volume === undefined ? [] : bond(object.metadata.uid, `persistentvolumes//${volume}`))];
    }),
    ...pods.flatMap((pod) => [...owners(pod), ...usedObjects(pod).flatMap((key) => bond(pod.metadata.uid, key))]),
  ];
}
