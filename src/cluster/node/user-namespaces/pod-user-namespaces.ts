// Which users and groups of the machine stand for those of Pods with `hostUsers: false` (pkg/kubelet/userns/userns_manager.go).

import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError, wordsOf } from "#sim/errors.ts";
import type { UserNamespace } from "#sim/process/user-namespace.ts";
import type { Machine } from "../host/machine.ts";
import type { IdRange } from "./id-range.ts";

const podsDirectory = "/var/lib/kubelet/pods";
/** In a Pod's directory: what it has, also for a kubelet that starts anew. */
const mappingsFile = "userns";

interface IdMapping {
  readonly hostId: number;
  readonly containerId: number;
  readonly length: number;
}

export class PodUserNamespaces {
  readonly #machine: Machine;
  readonly #range: IdRange;
  /** By the Pod's UID. */
  readonly #given = new Map<string, UserNamespace>();

  /** Throws Error for a Pod on the disk whose IDs are not of the range. */
  constructor(machine: Machine, range: IdRange) {
    this.#machine = machine;
    this.#range = range;
    const { files } = machine;
    for (const uid of files.exists(podsDirectory) ? files.readdir(podsDirectory) : []) {
      try {
        this.#onDisk(uid);
      } catch (error) {
        throw new Error(`record pod mappings for existing pod ${JSON.stringify(uid)}: ${wordsOf(error)}`);
      }
    }
  }

  /** Those that the Pod has, or new ones. Throws Error when there are none. */
  of(uid: string): UserNamespace {
    let known: UserNamespace | undefined;
    try {
      known = this.#onDisk(uid);
    } catch (error) {
      throw new Error(`user namespace: ${wordsOf(error)}`);
    }
    return known ?? this.#create(uid);
  }

  release(uid: string): void {
    if (!this.#given.delete(uid)) return;
    this.#machine.files.removeAll(`${podsDirectory}/${uid}/${mappingsFile}`);
  }

  #create(uid: string): UserNamespace {
    const { simulation, files } = this.#machine;
    const { first, count, perPod } = this.#range;
    if (this.#given.size >= count)
      throw new Error("create user namespace: could not find an empty slot to allocate a user namespace");
    const used = new Set([...this.#given.values()].map(({ hostId }) => hostId));
    // Anywhere in the range, then the next free ones (pkg/registry/core/service/allocator: randomScanStrategy).
    let slot = simulation.random.below(count);
    while (used.has(first + slot * perPod)) slot = (slot + 1) % count;
    const namespace = { hostId: first + slot * perPod, length: perPod };
    const mappings: readonly IdMapping[] = [{ hostId: namespace.hostId, containerId: 0, length: perPod }];
    try {
      const text = JSON.stringify({ uidMappings: mappings, gidMappings: mappings });
      files.writeFile(`${podsDirectory}/${uid}/${mappingsFile}`, text, { permissions: 0o600 });
    } catch (error) {
      if (error instanceof SysError) throw new Error(`create user namespace: ${asciiLowerCase(error.message)}`);
      throw error;
    }
    this.#given.set(uid, namespace);
    return namespace;
  }

  /** Throws Error for what this range does not give. */
  #onDisk(uid: string): UserNamespace | undefined {
    const { files } = this.#machine;
    const path = `${podsDirectory}/${uid}/${mappingsFile}`;
    const text = files.exists(path) ? files.readText(path) : "";
    return text === "" ? undefined : this.#record(uid, mappingOf(text));
  }

  #record(uid: string, { hostId, length }: UserNamespace): UserNamespace {
    const { first, count, perPod } = this.#range;
    if (length !== perPod) throw new Error(`wrong user namespace length ${length}`);
    if (hostId % perPod !== 0) throw new Error(`wrong user namespace offset specified ${hostId}`);
    const known = this.#given.get(uid);
    if (known !== undefined && known.hostId !== hostId)
      throw new Error(`different user namespace range already used by pod ${JSON.stringify(uid)}`);
    if (known !== undefined) return known;
    if (hostId < first || hostId >= first + count * perPod) throw new Error(`id ${hostId} is out of range`);
    if ([...this.#given.values()].some((other) => other.hostId === hostId))
      throw new Error(`range picked for pod ${JSON.stringify(uid)} already taken`);
    const namespace = { hostId, length };
    this.#given.set(uid, namespace);
    return namespace;
  }
}

function mappingOf(text: string): UserNamespace {
  let parsed: { readonly uidMappings?: readonly IdMapping[]; readonly gidMappings?: readonly IdMapping[] };
  try {
    parsed = readJson(text) as typeof parsed;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Error(`invalid user namespace mappings file: ${error.message}`);
    throw error;
  }
  const { uidMappings: [uids, ...more] = [], gidMappings: [gids, ...others] = [] } = parsed;
  const wrong = "invalid user namespace configuration:";
  if (uids === undefined || more.length > 0) throw new Error(`${wrong} no more than one mapping allowed.`);
  if (gids === undefined || others.length > 0) throw new Error(`${wrong} GID and UID mappings should be identical.`);
  const { hostId, containerId, length } = uids;
  if (hostId !== gids.hostId || containerId !== gids.containerId || length !== gids.length)
    throw new Error(`${wrong} GID and UID mapping should be identical`);
  if (containerId !== 0) throw new Error(`${wrong} UID 0 must be mapped`);
  return { hostId, length };
}
