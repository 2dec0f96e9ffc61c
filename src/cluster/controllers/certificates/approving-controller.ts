// Approves the requests of kubelets for client certificates, if the asker may have them approved
// (pkg/controller/certificates/approver). All other requests wait for somebody. How it is judged comes with clients' programs.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

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
        const approvals = request === undefined ? [] : latePasses.code.approvalsFor(request);
        if (request === undefined || approvals.length === 0) {
          refusals.delete(key);
          return undefined;
        }
        const granted = approvals.find(({ subresource }) => latePasses.code.isAllowed(client, request, subresource));
        if (granted !== undefined) {
          latePasses.code.approve(client, request, granted);
          return undefined;
        }
        const refused = refusals.get(key) ?? 0;
        refusals.set(key, refused + 1);
        return { requeueAfterMs: Math.min(longestRetryMs, firstRetryMs * 2 ** refused), background: true };
      },
    };
  },
};
