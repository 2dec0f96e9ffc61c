// external-provisioner (github.com/kubernetes-csi/external-provisioner): makes volumes for claims of its driver's classes, and removes those
// that nobody claims any more.

import { ApiError } from "#cluster/api/errors.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { classOfClaim, waitsForConsumer } from "#cluster/volumes/classes.ts";
import { annotations, referenceTo } from "#cluster/volumes/matching.ts";
import { RpcError } from "./driver-api.ts";
import { driverName, provisionerFinalizer } from "./driver-names.ts";
import { isForPopulator, sourceOf, Unservable } from "./provision-source.ts";
import { bytesText, callFault, driverOf, ownParameters, Sidecar, type SidecarOptions } from "./sidecar.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };
const fsTypeParameter = "csi.storage.k8s.io/fstype";
const cloneFinalizer = "provisioner.storage.kubernetes.io/cloning-protection";
/** Of secrets that a driver would need to delete the volume: none here. */
const noSecrets = {
  "volume.kubernetes.io/provisioner-deletion-secret-name": "",
  "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
};

type Claim = Stored<PersistentVolumeClaim>;
type Volume = Stored<PersistentVolume>;

/** Keys: `claim/NAMESPACE/NAME`, `source/NAMESPACE/NAME` of claims that others are made from, and `volume/NAME`. */
export class Provisioner extends Sidecar {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #events: EventRecorder;
  readonly #identity: string;
  readonly #component: string;

  constructor(options: SidecarOptions) {
    super(options, retry);
    const { simulation, client, self } = options;
    this.#claims = this.informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.informers.informer(kinds.persistentVolumes);
    this.#classes = this.informers.informer(kinds.storageClasses);
    this.#attachments = this.informers.informer(kinds.volumeAttachments);
    this.#identity = `${simulation.nowMs}-${simulation.random.below(10_000)}-${driverName}`;
    this.#component = `${driverName}_${self.hostname}_${simulation.random.uuid()}`;
    this.#events = new EventRecorder(simulation, client, { component: this.#component });
    this.#claims.addHandler((claim, _previous, deleted) => {
      if (deleted) this.queue.forget(`claim/${keyOf(claim)}`);
      else if (this.#isOurs(claim)) this.queue.add(`claim/${keyOf(claim)}`);
      if (!deleted && claim.metadata.deletionTimestamp !== undefined) this.queue.add(`source/${keyOf(claim)}`);
    });
    this.#classes.addHandler((changed) => {
      for (const claim of this.#claims.list())
        if (classOfClaim(claim) === changed.metadata.name && this.#isOurs(claim)) this.queue.add(`claim/${keyOf(claim)}`);
    });
    this.#volumes.addHandler((volume, _previous, deleted) => {
      if (!deleted && isOwn(volume)) this.queue.add(`volume/${volume.metadata.name}`);
    });
  }

  override start(): void {
    this.say("I", "csi-provisioner.go:176", '"Version" version="v6.1.0"');
    this.say("I", "csi-provisioner.go:259", `"Detected CSI driver" driver=${JSON.stringify(driverName)}`);
    this.say("I", "controller.go:824", `"Starting provisioner controller" component=${JSON.stringify(this.#component)}`);
    super.start();
  }

  protected pass(key: string): boolean {
    const name = key.slice(key.indexOf("/") + 1);
    if (key.startsWith("claim/")) {
      const claim = this.#claims.get(name);
      return claim === undefined || !this.#isOurs(claim) || this.#provision(claim);
    }
    if (key.startsWith("source/")) return this.#releaseSource(name);
    const volume = this.#volumes.get(name);
    if (volume === undefined) return true;
    if (isToGo(volume)) return this.#remove(volume);
    this.#guard(volume);
    return true;
  }

  #isOurs(claim: Claim): boolean {
    if ((claim.spec?.volumeName ?? "") !== "") return false;
    const storageClass = this.#classes.get(classOfClaim(claim));
    if (storageClass?.provisioner !== driverName) return false;
    const { [annotations.storageProvisioner]: provisioner, [annotations.selectedNode]: node } = claim.metadata.annotations ?? {};
    return provisioner === driverName && (node !== undefined || !waitsForConsumer(storageClass));
  }

  #provision(claim: Claim): boolean {
    const className = classOfClaim(claim);
    const storageClass = this.#classes.get(className);
    if (storageClass === undefined || this.#volumes.get(`pvc-${claim.metadata.uid}`) !== undefined) return true;
    if (isForPopulator(claim)) {
      this.#events.normal(claim, "Provisioning", "Assuming an external populator will provision the volume");
      return true;
    }
    this.#events.normal(claim, "Provisioning", `External provisioner is provisioning volume for claim "${keyOf(claim)}"`);
    this.say("I", "event.go:389", `"Event occurred" object="${keyOf(claim)}" kind="PersistentVolumeClaim" reason="Provisioning"`);
    try {
      const name = this.#make(claim, storageClass);
      this.#events.normal(claim, "ProvisioningSucceeded", `Successfully provisioned volume ${name}`);
      this.say("I", "controller.go:955", `"Volume is provisioned" PVC="${keyOf(claim)}" PV="${name}"`);
      return true;
    } catch (error) {
      const fault = error instanceof Unservable ? error.message : callFault(error);
      if (fault === undefined) throw error;
      const message = `failed to provision volume with StorageClass "${className}": ${fault}`;
      this.#events.warning(claim, "ProvisioningFailed", message);
      this.say(
        "E",
        "controller.go:974",
        `"Unhandled Error" err=${JSON.stringify(`error syncing claim "${claim.metadata.uid}": ${message}`)}`,
      );
      return false;
    }
  }

  /** The name of the volume. */
  #make(claim: Claim, storageClass: Stored<StorageClass>): string {
    const { spec = {} } = claim;
    if (spec.selector !== undefined) throw new Unservable("claim Selector is not supported");
    const name = `pvc-${claim.metadata.uid}`;
    const accessModes = spec.accessModes ?? [];
    const volumeMode = spec.volumeMode ?? "Filesystem";
    const storage = spec.resources?.requests?.["storage"] ?? "0";
    const sizeBytes = quantityValue(parseQuantity(storage));
    const { fsType, parameters } = parametersOf(storageClass);
    const source = sourceOf({ client: this.options.client, claims: this.#claims, volumes: this.#volumes }, claim, storageClass);
    if (source !== undefined && "volume" in source) this.#holdSource(claim);
    const driver = driverOf(this.options.self);
    const attributesClass = spec.volumeAttributesClassName ?? "";
    const attributes = attributesClass === "" ? undefined : this.#attributesOf(attributesClass);
    const made = driver.createVolume({ name, sizeBytes, accessModes, volumeMode, parameters, attributes, source });
    const reclaimPolicy = storageClass.reclaimPolicy ?? "Delete";
    const terms = [
      {
        matchExpressions: Object.entries(driver.nodeInfo().topology).map(([key, value]) => ({
          key,
          operator: "In",
          values: [value],
        })),
      },
    ];
    const volume: Draft<PersistentVolume> = {
      metadata: {
        name,
        annotations: { ...noSecrets, [annotations.provisionedBy]: driverName },
        ...(reclaimPolicy === "Delete" ? { finalizers: [provisionerFinalizer] } : {}),
      },
      spec: {
        accessModes,
        capacity: { storage: bytesText(made.sizeBytes) },
        claimRef: referenceTo(claim),
        csi: {
          driver: driverName,
          ...(volumeMode === "Filesystem" ? { fsType } : {}),
          volumeAttributes: { "storage.kubernetes.io/csiProvisionerIdentity": this.#identity },
          volumeHandle: made.handle,
        },
        ...(storageClass.mountOptions === undefined ? {} : { mountOptions: storageClass.mountOptions }),
        nodeAffinity: { required: { nodeSelectorTerms: terms } },
        persistentVolumeReclaimPolicy: reclaimPolicy,
        storageClassName: storageClass.metadata.name,
        ...(attributesClass === "" ? {} : { volumeAttributesClassName: attributesClass }),
        volumeMode,
      },
    };
    try {
      this.options.client.create(kinds.persistentVolumes, volume);
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
    }
    return name;
  }

  /** Throws Unservable. */
  #attributesOf(name: string): VolumeAttributesClass["parameters"] {
    try {
      const { driverName: itsDriver, parameters } = this.options.client.get(kinds.volumeAttributesClasses, { namespace: "", name });
      if (itsDriver === driverName) return parameters;
      const about = `VAC ${name} referenced in PVC is for driver ${itsDriver}`;
      throw new Unservable(`${about} which does not match driver name ${driverName}`);
    } catch (error) {
      if (error instanceof ApiError) throw new Unservable(error.message);
      throw error;
    }
  }

  /** A claim that another is made from stays until that is done. */
  #holdSource(claim: Claim): void {
    const source = this.#claims.get(`${claim.metadata.namespace ?? ""}/${claim.spec?.dataSource?.name ?? ""}`);
    if (source === undefined || source.metadata.finalizers?.includes(cloneFinalizer) === true) return;
    const finalizers = [...(source.metadata.finalizers ?? []), cloneFinalizer];
    this.options.client.update(kinds.persistentVolumeClaims, { ...source, metadata: { ...source.metadata, finalizers } });
  }

  /** False: it is still copied. */
  #releaseSource(key: string): boolean {
    const source = this.#claims.get(key);
    if (source?.metadata.finalizers?.includes(cloneFinalizer) !== true) return true;
    const { name, namespace = "" } = source.metadata;
    for (const { spec, status } of this.#claims.listNamespace(namespace)) {
      const { kind, name: from } = spec?.dataSource ?? {};
      if (kind === "PersistentVolumeClaim" && from === name && status?.phase === "Pending") return false;
    }
    const finalizers = source.metadata.finalizers.filter((each) => each !== cloneFinalizer);
    this.options.client.update(kinds.persistentVolumeClaims, { ...source, metadata: { ...source.metadata, finalizers } });
    return true;
  }

  /** One that is to go with its storage does not go before it, whoever deletes it; the policy may change (HonorPVReclaimPolicy). */
  #guard(volume: Volume): void {
    const { metadata, spec, status } = volume;
    const isGuarded = metadata.finalizers?.includes(provisionerFinalizer) === true;
    const goesWithStorage = spec?.persistentVolumeReclaimPolicy === "Delete";
    if (isGuarded === goesWithStorage) return;
    if (goesWithStorage && (metadata.deletionTimestamp !== undefined || status?.phase !== "Bound")) return;
    const others = (metadata.finalizers ?? []).filter((each) => each !== provisionerFinalizer);
    const finalizers = goesWithStorage ? [...others, provisionerFinalizer] : others;
    this.options.client.update(kinds.persistentVolumes, { ...volume, metadata: { ...metadata, finalizers } });
  }

  #remove(volume: Volume): boolean {
    const { name } = volume.metadata;
    try {
      for (const { spec } of this.#attachments.list())
        if (spec.source.persistentVolumeName === name)
          throw new Unservable(`persistentvolume ${name} is still attached to node ${spec.nodeName}`);
      driverOf(this.options.self).deleteVolume(volume.spec?.csi?.volumeHandle ?? "");
    } catch (error) {
      const fault = error instanceof Unservable ? error.message : callFault(error);
      if (fault === undefined) throw error;
      this.#events.warning(volume, "VolumeFailedDelete", fault);
      this.say("E", "controller.go:1007", `"Volume deletion failed" PV="${name}" err=${JSON.stringify(fault)}`);
      return false;
    }
    const { client } = this.options;
    try {
      const left = client.delete(kinds.persistentVolumes, { namespace: "", name });
      const finalizers = left.metadata.finalizers?.filter((each) => each !== provisionerFinalizer) ?? [];
      if (finalizers.length !== (left.metadata.finalizers ?? []).length)
        client.update(kinds.persistentVolumes, { ...left, metadata: { ...left.metadata, finalizers } });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    this.say("I", "controller.go:1550", `"Volume deleted" PV="${name}"`);
    return true;
  }
}

/** Without what is meant for the provisioner itself. Throws Unservable. */
function parametersOf({ parameters = {} }: StorageClass): {
  readonly fsType: string;
  readonly parameters: { readonly [key: string]: string };
} {
  const { [fsTypeParameter]: fsType = "ext4", ...rest } = parameters;
  const reserved = Object.keys(rest).find((key) => key.startsWith(ownParameters));
  if (reserved !== undefined)
    throw new Unservable(
      `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "${reserved}" with reserved namespace ${ownParameters}`,
    );
  if (fsType !== "ext4") throw new RpcError("InvalidArgument", `unsupported fsType ${fsType}`);
  return { fsType, parameters: rest };
}

/** What this provisioner has made. */
function isOwn({ metadata, spec }: Volume): boolean {
  return metadata.annotations?.[annotations.provisionedBy] === driverName && spec?.csi?.driver === driverName;
}

/** Released ones with the policy Delete, also when somebody deletes them. */
function isToGo({ metadata, spec, status }: Volume): boolean {
  if (spec?.persistentVolumeReclaimPolicy !== "Delete" || status?.phase !== "Released") return false;
  return metadata.deletionTimestamp === undefined || metadata.finalizers?.includes(provisionerFinalizer) === true;
}
