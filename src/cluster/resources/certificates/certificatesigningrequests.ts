// Requests for certificates, with the state of their approval and the signed result.

import { humanDuration } from "#cluster/api/duration.ts";
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "#cluster/api/generated/types.ts";
import { certificateSigningRequests as type } from "#cluster/api/kinds.ts";
import { formatTime } from "#cluster/api/time.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed, type WriteFacts } from "../definition.ts";
import { pathSegmentName } from "../name-rules.ts";
import { validateRequest, validateRequestStatusUpdate, validateRequestUpdate } from "./validation.ts";

type Request = Typed<CertificateSigningRequest>;

export const certificateSigningRequests = defineResource<CertificateSigningRequest>(type, {
  shortNames: ["csr"],
  nameRule: pathSegmentName,
  resetPaths: [["spec"], ["status"]],
  subresources: [
    { name: "approval", kind: "CertificateSigningRequest", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "CertificateSigningRequest", verbs: ["get", "patch", "update"] },
  ],
  /** Who asks is what the server knows, not what the request says. */
  prepareForCreate: (request, { user }) => {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
    const { name, uid, groups, extra } = user;
    return {
      ...request,
      spec: {
        ...spec,
        username: name,
        ...(uid === undefined || uid === "" ? {} : { uid }),
        groups,
        ...(extra === undefined ? {} : { extra }),
      },
      status: {},
    };
  },
  prepareForUpdate: (request, old) => ({ ...request, spec: old.spec, status: old.status ?? {} }),
  prepareForStatusUpdate: (request, old, facts) => ({ ...request, spec: old.spec, status: timed(request, old, facts) }),
  subresourceStrategies: {
    approval: (request, old, facts) => {
      const { conditions } = timed(request, old, facts);
      const { conditions: _former, ...status } = old.status ?? {};
      return { ...request, spec: old.spec, status: { ...status, ...(conditions === undefined ? {} : { conditions }) } };
    },
  },
  validate: (request, errors) => validateRequest(request, undefined, errors),
  validateUpdate: validateRequestUpdate,
  validateStatusUpdate: validateRequestStatusUpdate,
  selectableFields: { "spec.signerName": ({ spec }) => spec.signerName },
  columns: [nameColumn, ageColumn, column("SignerName"), column("Requestor"), column("RequestedDuration"), column("Condition")],
  row: (request, context) => {
    const { signerName, username = "", expirationSeconds } = request.spec;
    const duration = expirationSeconds === undefined ? "<none>" : humanDuration(expirationSeconds * 1000);
    return [nameCell(request), ageCell(request, context), signerName || "<none>", username, duration, conditionCell(request)];
  },
});

/** The status with the times of new and changed conditions filled in. */
function timed(request: Request, old: Request, { nowMs }: WriteFacts): NonNullable<Request["status"]> {
  const { conditions } = request.status ?? {};
  if (conditions === undefined) return request.status ?? {};
  const now = formatTime(nowMs);
  const filled = conditions.map((condition): CertificateSigningRequestCondition => {
    const before = old.status?.conditions?.find((other) => other.type === condition.type);
    const lastTransitionTime =
      condition.lastTransitionTime ?? (before?.status === condition.status ? before.lastTransitionTime : undefined) ?? now;
    return { ...condition, lastUpdateTime: condition.lastUpdateTime ?? now, lastTransitionTime };
  });
  return { ...request.status, conditions: filled };
}

function conditionCell({ status }: Request): string {
  const types = new Set((status?.conditions ?? []).map((condition) => condition.type));
  const decision = ["Denied", "Approved"].find((type) => types.has(type)) ?? "Pending";
  return `${decision}${types.has("Failed") ? ",Failed" : ""}${status?.certificate ? ",Issued" : ""}`;
}
