// serviceaccounts/token: makes a token for an account, bound to a pod, a secret, a node or nothing but the account
// (TokenRequest; pkg/registry/core/serviceaccount/storage/token.go).

import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { badRequest, conflict, invalid, notFound } from "#cluster/api/errors.ts";
import type { AuthenticationV1TokenRequest, Pod, TokenRequestSpec } from "#cluster/api/generated/types.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { BoundObject } from "#cluster/api/signed-tokens.ts";
import { formatTime } from "#cluster/api/time.ts";
import { isObject } from "#cluster/api/wire.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { type Machinery, storedObject } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { defaultAudience, type TokenClaims } from "../service-account-tokens.ts";

const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;
/** The lifetime that kubelets ask for; such a token is good for a year, so that programs which never read it again go on. */
const projectedSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;
const typeName = "AuthenticationV1TokenRequest";

/** Throws NotFound for the account or what the token is bound to, Conflict for another object of that name, Invalid. */
export function requestToken(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const account = storedObject(machinery, request);
  if (account === undefined) throw notFound({ group: "", resource: "serviceaccounts" }, request.name);
  const { metadata, spec } = decoded(body);
  const review: KubeObject = { apiVersion: "", kind: "TokenRequest", metadata: metadata ?? {}, spec };
  machinery.admission.mutate(request, "CREATE", review, undefined);
  requireSameName(request, metadata?.name ?? "", metadata?.namespace ?? "");
  const wantedSeconds = Number(spec?.expirationSeconds ?? defaultSeconds);
  requireLifetime(wantedSeconds);
  const seconds = Math.min(wantedSeconds, machinery.tokens.maxLifetimeSeconds ?? wantedSeconds);
  if (seconds < wantedSeconds) {
    request.warnings.push(`requested expiration of ${wantedSeconds} seconds shortened to ${seconds} seconds`);
  }
  const audiences = (spec?.audiences?.length ?? 0) === 0 ? [defaultAudience] : (spec?.audiences ?? []);
  machinery.admission.validate(request, "CREATE", review, undefined);
  const bound = boundObjects(machinery, request, spec?.boundObjectRef);
  const isExtended = bound.pod !== undefined && seconds === projectedSeconds && audiences.every((one) => one === defaultAudience);
  const { nowMs } = machinery.simulation;
  const claims = {
    namespace: request.namespace,
    serviceAccount: { name: request.name, uid: account.metadata.uid ?? "" },
    ...bound,
    audiences,
    lifetimeSeconds: isExtended ? extendedSeconds : seconds,
    ...(isExtended ? { warnAfterSeconds: seconds } : {}),
  };
  // In process only kubelets ask, who leave tokens unsigned until they are read.
  const token = machinery.tokens.issue(claims, request.answers === undefined);
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: request.name, namespace: request.namespace, creationTimestamp: formatTime(nowMs) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: (spec?.boundObjectRef ?? null) as JsonValue },
    status: { token, expirationTimestamp: formatTime(nowMs + seconds * 1000) },
  };
}

function decoded(body: JsonValue): AuthenticationV1TokenRequest {
  const { apiVersion = "", kind } = isObject(body) ? body : {};
  if (typeof kind === "string" && kind !== "" && kind !== "TokenRequest") {
    const version = String(apiVersion).split("/").at(-1) ?? "";
    throw badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a TokenRequest: converting (${version}.${kind}) to (authentication.TokenRequest): unknown conversion`,
    );
  }
  try {
    return decodeObject(typeName, body).value as AuthenticationV1TokenRequest;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`TokenRequest in version "v1" cannot be handled as a TokenRequest: ${error.message}`);
  }
}

function requireSameName(request: ResourceRequest, name: string, namespace: string): void {
  if (name !== "" && name !== request.name)
    throw otherThanAccount(request, "name", name, "must match the service account name if specified");
  if (namespace !== "" && namespace !== request.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

function otherThanAccount(request: ResourceRequest, part: string, value: string, detail: string): Error {
  const errors = new FieldErrors();
  errors.invalid(field("metadata", part), value, detail);
  return invalid({ group: "authentication.k8s.io", resource: "TokenRequest" }, request.name, errors.causes);
}

function requireLifetime(seconds: number): void {
  const errors = new FieldErrors();
  const path = field("spec", "expirationSeconds");
  if (seconds < minSeconds) errors.invalid(path, seconds, "may not specify a duration less than 10 minutes");
  if (seconds > maxSeconds) errors.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds");
  if (!errors.isEmpty) throw invalid({ group: "authentication.k8s.io", resource: "TokenRequest" }, "", errors.causes);
}

type Bound = Pick<TokenClaims, "pod" | "secret" | "node">;

function boundObjects(machinery: Machinery, request: ResourceRequest, reference: TokenRequestSpec["boundObjectRef"]): Bound {
  if (reference === undefined || reference === null) return {};
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const find = (resource: string, key: string): BoundObject & { readonly object: KubeObject } => {
    const object = machinery.store.table(resource).get(key);
    if (object === undefined) throw notFound({ group: "", resource }, name);
    requireUid(kind, object, uid);
    return { name, uid: object.metadata.uid ?? "", object };
  };
  const bare = ({ name: ownName, uid: ownUid }: BoundObject): BoundObject => ({ name: ownName, uid: ownUid });
  const isCore = !apiVersion.includes("/");
  if (isCore && kind === "Pod") {
    const pod = find("pods", `${request.namespace}/${name}`);
    return { pod: bare(pod), node: nodeOfPod(machinery, request, pod.object) };
  }
  if (isCore && kind === "Secret") return { secret: bare(find("secrets", `${request.namespace}/${name}`)) };
  if (isCore && kind === "Node") return { node: bare(find("nodes", name)) };
  const [group, version] = isCore ? ["", apiVersion] : (apiVersion.split("/") as [string, string]);
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

function requireUid(kind: string, object: KubeObject, uid: string): void {
  if (uid === "" || uid === object.metadata.uid) return;
  const cause = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: "", resource: kind }, object.metadata.name ?? "", cause);
}

function nodeOfPod(machinery: Machinery, request: ResourceRequest, pod: KubeObject): BoundObject | undefined {
  const { serviceAccountName, nodeName = "" } = (pod as KubeObject & Pick<Pod, "spec">).spec ?? {};
  if (serviceAccountName !== request.name) {
    const cause = `cannot bind token for serviceaccount ${JSON.stringify(request.name)} to pod running with different serviceaccount name.`;
    throw badRequest(cause);
  }
  if (nodeName === "") return undefined;
  const node = machinery.store.table("nodes").get(nodeName);
  return { name: nodeName, uid: node?.metadata.uid ?? "" };
}
