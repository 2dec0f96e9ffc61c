// NodeRestriction: what a kubelet writes must be its own node, its lease, the pods that run on it
// (plugin/pkg/admission/noderestriction).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { type ApiError, forbidden, notFound } from "#cluster/api/errors.ts";
import type {
  AuthenticationV1TokenRequest,
  CSIDriver,
  NodeSpec,
  PersistentVolumeClaim,
  Pod,
} from "#cluster/api/generated/types.ts";
import { type KubeObject, qualifiedResource } from "#cluster/api/objects.ts";
import { mirrorAnnotation } from "#cluster/resources/core/pods/pod-annotation-validation.ts";
import type { Store } from "#cluster/storage/store.ts";
import { nodeNameOf } from "../../authorization/node.ts";
import { referencesOf } from "../../authorization/node-references.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { admissionName } from "../dynamic/matching.ts";
import { forbiddenLabels } from "./node-labels.ts";

const leaseNamespace = "kube-node-lease";

type Check = (node: string, attributes: AdmissionAttributes, store: Store) => void;
type StoredPod = KubeObject & Pick<Pod, "spec" | "status">;

/** By resource. */
const checks: { readonly [resource: string]: Check } = {
  pods: admitPod,
  nodes: admitNode,
  persistentvolumeclaims: admitClaim,
  serviceaccounts: admitToken,
  "leases.coordination.k8s.io": (node, attributes) => {
    if (attributes.namespace !== leaseNamespace) {
      throw refused(attributes, `can only access leases in the "${leaseNamespace}" system namespace`);
    }
    if (admissionName(attributes) !== node) {
      throw refused(attributes, "can only access node lease with the same name as the requesting node");
    }
  },
  "csinodes.storage.k8s.io": (node, attributes) => {
    if (admissionName(attributes) !== node) {
      throw refused(attributes, "can only access CSINode with the same name as the requesting node");
    }
  },
};

export function nodeRestriction(store: Store): AdmissionPlugin {
  const admit = (attributes: AdmissionAttributes): KubeObject => {
    const node = nodeNameOf(attributes.user);
    if (node !== undefined) checks[qualifiedResource(attributes.definition)]?.(node, attributes, store);
    return attributes.object;
  };
  return {
    name: "NodeRestriction",
    operations: ["CREATE", "UPDATE", "DELETE"],
    concerns: ({ user }) => nodeNameOf(user) !== undefined,
    mutate: admit,
    // A delete is only validated.
    validate: (attributes) => void (attributes.operation === "DELETE" && admit(attributes)),
  };
}

function refused(attributes: AdmissionAttributes, cause: string): ApiError {
  const { group, plural } = attributes.definition;
  return forbidden({ group, resource: plural }, admissionName(attributes), cause);
}

function admitPod(node: string, attributes: AdmissionAttributes, store: Store): void {
  const { operation, subresource, old } = attributes;
  if (subresource === "status") {
    admitPodStatus(node, attributes);
    return;
  }
  if (subresource === "eviction") {
    const pod = store.table("pods").get(`${attributes.namespace}/${attributes.name}`) as StoredPod | undefined;
    if (pod === undefined) throw notFound({ group: "", resource: "pods" }, attributes.name);
    if (pod.spec?.nodeName !== node) {
      throw refused(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
    }
    return;
  }
  if (subresource !== "") {
    const cause = `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
    throw refused(attributes, cause);
  }
  if (operation === "CREATE") admitMirrorPod(node, attributes, store);
  else if (operation !== "DELETE") {
    throw refused(attributes, `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`);
  } else if ((old as StoredPod | undefined)?.spec?.nodeName !== node) {
    throw refused(attributes, `node "${node}" can only delete pods with spec.nodeName set to itself`);
  }
}

function admitPodStatus(node: string, attributes: AdmissionAttributes): void {
  const old = attributes.old as StoredPod | undefined;
  const pod = attributes.object as StoredPod;
  if (attributes.operation !== "UPDATE") throw refused(attributes, `unexpected operation "${attributes.operation}"`);
  if (old?.spec?.nodeName !== node) {
    throw refused(attributes, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!semanticDeepEqual(old.metadata.labels ?? {}, pod.metadata.labels ?? {})) {
    throw refused(attributes, `node "${node}" cannot update labels through pod status`);
  }
  if (!semanticDeepEqual(old.status?.resourceClaimStatuses ?? [], pod.status?.resourceClaimStatuses ?? [])) {
    throw refused(attributes, `node "${node}" cannot update resource claim statues`);
  }
}

function admitMirrorPod(node: string, attributes: AdmissionAttributes, store: Store): void {
  const pod = attributes.object as StoredPod;
  const refuse = (cause: string): ApiError => refused(attributes, cause);
  if (pod.metadata.annotations?.[mirrorAnnotation] === undefined) {
    throw refuse(`pod does not have "${mirrorAnnotation}" annotation, node "${node}" can only create mirror pods`);
  }
  if (pod.spec?.nodeName !== node) throw refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
  const [owner, another] = pod.metadata.ownerReferences ?? [];
  if (another !== undefined) throw refuse(`node "${node}" can only create pods with a single owner reference set to itself`);
  if (owner === undefined || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    throw refuse(`node "${node}" can only create pods with an owner reference set to itself`);
  }
  if (owner.controller !== true) {
    throw refuse(`node "${node}" can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion === true) {
    throw refuse(`node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const stored = store.table("nodes").get(node);
  if (stored === undefined) throw notFound({ group: "", resource: "nodes" }, node);
  if (owner.uid !== stored.metadata.uid) {
    throw refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`);
  }
  requireNoReferences(node, pod, refuse);
}

function requireNoReferences(node: string, pod: StoredPod, refuse: (cause: string) => ApiError): void {
  const references = [...referencesOf(pod)];
  const cannot = (what: string): ApiError => refuse(`node "${node}" can not create pods that reference ${what}`);
  const refers = (resource: string): boolean => references.some((reference) => reference.startsWith(`${resource}/`));
  if (refers("serviceaccounts")) throw cannot("a service account");
  for (const resource of ["secrets", "configmaps"]) if (refers(resource)) throw cannot(resource);
  const trusts = pod.spec?.volumes?.some(({ projected }) => projected?.sources?.some((source) => source.clusterTrustBundle));
  if (trusts === true) throw cannot("clustertrustbundles");
  if (refers("persistentvolumeclaims")) throw cannot("persistentvolumeclaims");
}

function admitNode(node: string, attributes: AdmissionAttributes): void {
  const { operation, object, old } = attributes;
  const name = admissionName(attributes);
  if (name !== node) throw refused(attributes, `node "${node}" is not allowed to modify node "${name}"`);
  if (operation === "CREATE") {
    const labels = forbiddenLabels(object.metadata.labels, undefined);
    if (labels.length > 0) {
      throw refused(attributes, `node "${node}" is not allowed to set the following labels: ${labels.join(", ")}`);
    }
  }
  if (operation !== "UPDATE" || old === undefined) return;
  const taints = (one: KubeObject): unknown => (one["spec"] as NodeSpec | undefined)?.taints ?? [];
  if (!semanticDeepEqual(taints(object), taints(old))) {
    throw refused(attributes, `node "${node}" is not allowed to modify taints`);
  }
  if (!semanticDeepEqual(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])) {
    throw refused(attributes, `node "${node}" is not allowed to modify ownerReferences`);
  }
  const labels = forbiddenLabels(object.metadata.labels, old.metadata.labels);
  if (labels.length > 0) throw refused(attributes, `is not allowed to modify labels: ${labels.join(", ")}`);
}

function admitClaim(node: string, attributes: AdmissionAttributes): void {
  const { subresource, operation, object, old } = attributes;
  if (subresource !== "status") throw refused(attributes, "may only update PVC status");
  if (operation !== "UPDATE" || old === undefined) throw refused(attributes, `unexpected operation "${operation}"`);
  if (!semanticDeepEqual(withoutSize(object), withoutSize(old))) {
    const cause = `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`;
    throw refused(attributes, cause);
  }
}

function withoutSize(claim: KubeObject): KubeObject {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = claim.metadata;
  const { status = {} } = claim as KubeObject & PersistentVolumeClaim;
  const { capacity: _size, conditions: _conditions, allocatedResources: _allocated, ...rest } = status;
  const { allocatedResourceStatuses: _statuses, ...others } = rest;
  return { ...claim, metadata, status: others };
}

function admitToken(node: string, attributes: AdmissionAttributes, store: Store): void {
  if (attributes.operation !== "CREATE" || attributes.subresource !== "token") return;
  const reference = (attributes.object as KubeObject & AuthenticationV1TokenRequest).spec?.boundObjectRef;
  if (reference?.apiVersion !== "v1" || reference.kind !== "Pod" || !reference.name) {
    throw refused(attributes, "node requested token not bound to a pod");
  }
  if (!reference.uid) throw refused(attributes, "node requested token with a pod binding without a uid");
  const pod = store.table("pods").get(`${attributes.namespace}/${reference.name}`) as StoredPod | undefined;
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, reference.name);
  if (reference.uid !== pod.metadata.uid) {
    const cause = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refused(attributes, cause);
  }
  if (pod.spec?.nodeName !== node) throw refused(attributes, "node requested token bound to a pod scheduled on a different node");
  requireAudience(attributes, pod, store);
}

/** A kubelet gets tokens for the audiences that the pod's volumes ask for, and for the API server's own. */
function requireAudience(attributes: AdmissionAttributes, pod: StoredPod, store: Store): void {
  const { audiences = [] } = (attributes.object as KubeObject & AuthenticationV1TokenRequest).spec ?? {};
  const [audience = "", another] = audiences;
  if (another !== undefined) throw refused(attributes, "node may only request 0 or 1 audiences");
  if (audience === "" || [...audiencesOf(pod, store)].includes(audience)) return;
  const cause = `audience ${JSON.stringify(audience)} not found in pod spec volume, ${attributes.user.name} is not authorized to request tokens for this audience`;
  throw refused(attributes, cause);
}

function* audiencesOf(pod: StoredPod, store: Store): Iterable<string> {
  for (const { projected, csi } of pod.spec?.volumes ?? []) {
    for (const source of projected?.sources ?? []) yield source.serviceAccountToken?.audience ?? "";
    const driver = csi === undefined ? undefined : store.table("csidrivers.storage.k8s.io").get(csi.driver);
    for (const { audience } of (driver as (KubeObject & CSIDriver) | undefined)?.spec?.tokenRequests ?? []) yield audience;
  }
}
