// What a controller has written for an object that it looks after, and whether its copies show it yet: before, it makes no further pass
// over the object (pkg/controller/util/consistency; since v1.36 for ReplicaSets, DaemonSets, StatefulSets and Jobs).

import { qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { TryAgain } from "./controller.ts";

/** The copy of a resource is older than what the controller has written itself: the pass is tried again with back-off. */
export class StaleCopy extends TryAgain {}

interface Written {
  readonly ownerUid: string;
  /** The newest resource version that was written. */
  readonly versions: Map<ResourceType<unknown>, string>;
}

export class OwnWrites {
  readonly #informers: InformerFactory;
  readonly #byKey = new Map<string, Written>();

  constructor(informers: InformerFactory) {
    this.#informers = informers;
  }

  /** `owner`: on whose behalf. A deletion says no version, so it is not noted. */
  wrote<T>(key: string, ownerUid: string, resource: ResourceType<T>, object: Stored<T>): void {
    let written = this.#byKey.get(key);
    if (written?.ownerUid !== ownerUid) {
      written = { ownerUid, versions: new Map() };
      this.#byKey.set(key, written);
    }
    const version = object.metadata.resourceVersion ?? "0";
    if (isOlder(written.versions.get(resource) ?? "0", version)) written.versions.set(resource, version);
  }

  /** Throws StaleCopy. */
  requireSeen(key: string, ownerUid: string): void {
    const written = this.#byKey.get(key);
    if (written === undefined) return;
    if (written.ownerUid === ownerUid) {
      for (const [resource, wrote] of written.versions) {
        const read = this.#informers.informer(resource).lastVersion;
        if (isOlder(read, wrote))
          throw new StaleCopy(
            `read version: ${read} is not as new as written version: ${wrote} for group resource ${qualifiedResource(resource)}`,
          );
      }
    }
    this.#byKey.delete(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}

function isOlder(one: string, other: string): boolean {
  return Number(one) < Number(other);
}
