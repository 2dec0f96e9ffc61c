// For what a request can be approved by itself, whether the asker may have that, and the approval.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { attributeOf } from "#x509/names.ts";
import { readRequestPem } from "#x509/request.ts";
import { kubeletClient, signerFault } from "./signers.ts";

type Request = Stored<CertificateSigningRequest>;

/** A reason to approve: the right to create `certificatesigningrequests/<subresource>`. */
interface Approval {
  readonly subresource: string;
  readonly message: string;
}

const forItself: Approval = {
  subresource: "selfnodeclient",
  message: "Auto approving self kubelet client certificate after SubjectAccessReview.",
};
const forAnyNode: Approval = {
  subresource: "nodeclient",
  message: "Auto approving kubelet client certificate after SubjectAccessReview.",
};

/** What an undecided request of a kubelet can be approved for; none for other requests. */
export function approvalsFor({ spec, status }: Request): readonly Approval[] {
  const isDecided = status?.conditions?.some(({ type }) => type === "Approved" || type === "Denied") === true;
  if (isDecided || status?.certificate || spec.signerName !== kubeletClient) return [];
  const wanted = readRequestPem(atob(spec.request));
  if (wanted === undefined || signerFault(kubeletClient, wanted, spec.usages ?? []) !== undefined) return [];
  return spec.username === attributeOf(wanted.subject, "CN") ? [forItself, forAnyNode] : [forAnyNode];
}

export function isAllowed(client: Client, { spec }: Request, subresource: string): boolean {
  const { username: user = "", uid, groups = [], extra } = spec;
  const review = client.create(kinds.subjectAccessReviews, {
    metadata: {},
    spec: {
      user,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
      resourceAttributes: { group: "certificates.k8s.io", resource: "certificatesigningrequests", subresource, verb: "create" },
    },
  });
  return review.status?.allowed === true;
}

export function approve(client: Client, request: Request, { message }: Approval): void {
  const condition = { type: "Approved", status: "True", reason: "AutoApproved", message };
  const status = { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] };
  client.update(kinds.certificateSigningRequests, { ...request, status }, { subresource: "approval" });
}
