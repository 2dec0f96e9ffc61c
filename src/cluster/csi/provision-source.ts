// What a claim's volume begins with: the content of a snapshot, or of another claim's volume
// (external-provisioner: getSnapshotSource, getPVCSource).

import { ApiError } from "#cluster/api/errors.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { type Claim, isBoundTo } from "#cluster/volumes/matching.ts";
import type { NewVolume } from "./driver-api.ts";
import { driverName } from "./driver-names.ts";
import { type Content, pointsTo, type Snapshot, volumeSnapshotContents, volumeSnapshots } from "./snapshot-kinds.ts";

/** What the provisioner itself finds wrong. */
export class Unservable extends Error {}

interface Sources {
  readonly client: Client;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
}

/** Somebody else fills its volume. */
export function isForPopulator({ spec }: Claim): boolean {
  const { kind } = spec?.dataSource ?? {};
  return kind !== undefined && kind !== "VolumeSnapshot" && kind !== "PersistentVolumeClaim";
}

/** Throws Unservable. */
export function sourceOf(sources: Sources, claim: Claim, storageClass: Stored<StorageClass>): NewVolume["source"] {
  const { kind, name = "" } = claim.spec?.dataSource ?? {};
  if (kind === undefined) return undefined;
  try {
    return kind === "VolumeSnapshot"
      ? { snapshot: snapshotSource(sources, claim, name) }
      : { volume: claimSource(sources, claim, name, storageClass) };
  } catch (error) {
    if (!(error instanceof Unservable)) throw error;
    throw new Unservable(`error getting handle for DataSource Type ${kind} by Name ${name}: ${error.message}`);
  }
}

/** The handle of the snapshot. */
function snapshotSource({ client }: Sources, claim: Claim, name: string): string {
  const snapshot = snapshotNamed(client, claim.metadata.namespace ?? "", name);
  if (snapshot.metadata.deletionTimestamp !== undefined) throw new Unservable(`snapshot ${name} is currently being deleted`);
  const content = contentOf(client, snapshot);
  if (content === undefined) throw new Unservable(`snapshot ${name} not bound`);
  if (snapshot.status?.readyToUse !== true) throw new Unservable(`snapshot ${name} is not Ready`);
  const handle = content.status?.snapshotHandle;
  if (handle === undefined) throw new Unservable(`snapshot handle ${name} is not available`);
  const { restoreSize } = snapshot.status;
  const [asked, least] = [requestOf(claim), quantityValue(parseQuantity(restoreSize ?? "0"))];
  if (asked < least)
    throw new Unservable(`requested volume size ${asked} is less than the size ${least} for the source snapshot ${name}`);
  return handle;
}

function snapshotNamed(client: Client, namespace: string, name: string): Snapshot {
  try {
    return client.get(volumeSnapshots, { namespace, name });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Unservable(`error getting snapshot ${name} from api server: ${error.message}`);
  }
}

/** Undefined where the two do not belong to one another, or it is another driver's. */
function contentOf(client: Client, snapshot: Snapshot): Content | undefined {
  const name = snapshot.status?.boundVolumeSnapshotContentName;
  if (name === undefined) return undefined;
  try {
    const content = client.get(volumeSnapshotContents, { namespace: "", name });
    return pointsTo(content, snapshot) && content.spec.driver === driverName ? content : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The handle of the volume. */
function claimSource({ claims, volumes }: Sources, claim: Claim, name: string, storageClass: StorageClass): string {
  const { namespace = "" } = claim.metadata;
  const source = claims.get(`${namespace}/${name}`);
  if (source === undefined) {
    const cause = `persistentvolumeclaim ${JSON.stringify(name)} not found`;
    throw new Unservable(`error getting PVC ${name} (namespace ${JSON.stringify(namespace)}) from api server: ${cause}`);
  }
  const phase = source.status?.phase ?? "";
  if (phase !== "Bound") {
    const status = `{${phase} [] map[] [] map[] map[] <nil> <nil>}`;
    throw new Unservable(`the PVC DataSource ${name} must have a status of Bound.  Got ${status}`);
  }
  if (source.metadata.deletionTimestamp !== undefined)
    throw new Unservable(`the PVC DataSource ${name} is currently being deleted`);
  if (source.spec?.storageClassName === undefined) throw new Unservable(`the source PVC (${name}) storageclass cannot be empty`);
  const [asked, least] = [requestOf(claim), requestOf(source)];
  if (asked < least) {
    const rule = "new PVC request must be greater than or equal in size to the specified PVC data source";
    throw new Unservable(`error, ${rule}, requested ${asked} but source is ${least}`);
  }
  const volume = volumes.get(source.spec.volumeName ?? "");
  const { csi, volumeMode = "Filesystem" } = volume?.spec ?? {};
  const isWhole = volume !== undefined && isBoundTo(volume, source) && volume.status?.phase === "Bound";
  if (!isWhole || csi?.driver !== storageClass.provisioner) throw new Unservable("claim in dataSource not bound or invalid");
  const wanted = claim.spec?.volumeMode ?? "Filesystem";
  if (wanted !== volumeMode) {
    const rule = "the source PVC and destination PVCs must have the same volume mode for cloning";
    throw new Unservable(`${rule}.  Source is ${volumeMode}, but new PVC requested ${wanted}`);
  }
  return csi.volumeHandle;
}

function requestOf({ spec }: Claim): number {
  return quantityValue(parseQuantity(spec?.resources?.requests?.["storage"] ?? "0"));
}
