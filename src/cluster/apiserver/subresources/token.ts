// serviceaccounts/token: makes a token for an account, bound to a pod or to nothing but the account (TokenRequest).

import { conflict, invalid, notFound } from "#cluster/api/errors.ts";
import type { AuthenticationV1TokenRequest, TokenRequestSpec } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { type Machinery, type ResourceRequest, storedObject } from "../machinery.ts";
import { defaultAudience } from "../service-account-tokens.ts";

const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;

/** Throws NotFound for the account or the pod, Conflict for another pod of that name, Invalid for a life too short. */
export function requestToken(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const account = storedObject(machinery, request);
  if (account === undefined) throw notFound({ group: "", resource: "serviceaccounts" }, request.name);
  const { spec } = body as AuthenticationV1TokenRequest;
  const seconds = spec?.expirationSeconds ?? defaultSeconds;
  requireLifetime(seconds);
  const audiences = spec?.audiences === undefined || spec.audiences.length === 0 ? [defaultAudience] : spec.audiences;
  const pod = boundPod(machinery, request, spec?.boundObjectRef);
  const expirationMs = machinery.simulation.nowMs + seconds * 1000;
  const token = machinery.tokens.issue({
    namespace: request.namespace,
    serviceAccount: { name: request.name, uid: account.metadata.uid ?? "" },
    ...(pod === undefined ? {} : { pod }),
    audiences,
    expirationMs,
  });
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: request.name, namespace: request.namespace, creationTimestamp: formatTime(machinery.simulation.nowMs) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: (spec?.boundObjectRef ?? null) as JsonValue },
    status: { token, expirationTimestamp: formatTime(expirationMs) },
  };
}

function requireLifetime(seconds: number): void {
  const errors = new FieldErrors();
  const path = field("spec", "expirationSeconds");
  if (seconds < minSeconds) errors.invalid(path, seconds, "may not specify a duration less than 10 minutes");
  if (seconds > maxSeconds) errors.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds");
  if (!errors.isEmpty) throw invalid({ group: "authentication.k8s.io", resource: "TokenRequest" }, "", errors.causes);
}

function boundPod(
  machinery: Machinery,
  request: ResourceRequest,
  reference: TokenRequestSpec["boundObjectRef"],
): { readonly name: string; readonly uid: string } | undefined {
  if (reference === undefined || reference === null || reference.kind !== "Pod") return undefined;
  const name = reference.name ?? "";
  const pod = machinery.store.table("pods").get(`${request.namespace}/${name}`);
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, name);
  const uid = pod.metadata.uid ?? "";
  if (reference.uid && reference.uid !== uid) {
    const cause = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", resource: "pods" }, name, cause);
  }
  return { name, uid };
}
