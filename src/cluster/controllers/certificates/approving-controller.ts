// Approves the requests of kubelets for client certificates, if the asker may have them approved
// (pkg/controller/certificates/approver). All other requests wait for somebody.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { attributeOf } from "#x509/names.ts";
import { readRequestPem } from "#x509/request.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
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

const firstRetryMs = 200;
const longestRetryMs = 1_000_000;

export const approvingController: ControllerDefinition = {
  name: "certificatesigningrequest-approving-controller",
  serviceAccount: "certificate-controller",
  create({ client, informers }) {
    const requests = informers.informer(kinds.certificateSigningRequests);
    /** How often a kubelet's request was not approved. The right may come later, so it is asked for again, ever more rarely. */
    const refusals = new Map<string, number>();
    return {
      name: "certificatesigningrequest-approving-controller",
      watches: [
        watchRule<CertificateSigningRequest>({
          resource: kinds.certificateSigningRequests,
          keys: (request) => [request.metadata.name],
        }),
      ],
      reconcile(key) {
        const request = requests.get(key);
        const approvals = request === undefined ? [] : approvalsFor(request);
        if (request === undefined || approvals.length === 0) {
          refusals.delete(key);
          return undefined;
        }
        const granted = approvals.find(({ subresource }) => isAllowed(client, request, subresource));
        if (granted !== undefined) {
          approve(client, request, granted);
          return undefined;
        }
        const refused = refusals.get(key) ?? 0;
        refusals.set(key, refused + 1);
        return { requeueAfterMs: Math.min(longestRetryMs, firstRetryMs * 2 ** refused), background: true };
      },
    };
  },
};

/** What an undecided request of a kubelet can be approved for; none for other requests. */
function approvalsFor({ spec, status }: Request): readonly Approval[] {
  const isDecided = status?.conditions?.some(({ type }) => type === "Approved" || type === "Denied") === true;
  if (isDecided || status?.certificate || spec.signerName !== kubeletClient) return [];
  const wanted = readRequestPem(atob(spec.request));
  if (wanted === undefined || signerFault(kubeletClient, wanted, spec.usages ?? []) !== undefined) return [];
  return spec.username === attributeOf(wanted.subject, "CN") ? [forItself, forAnyNode] : [forAnyNode];
}

function isAllowed(client: Client, { spec }: Request, subresource: string): boolean {
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

function approve(client: Client, request: Request, { message }: Approval): void {
  const condition = { type: "Approved", status: "True", reason: "AutoApproved", message };
  const status = { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] };
  client.update(kinds.certificateSigningRequests, { ...request, status }, { subresource: "approval" });
}
