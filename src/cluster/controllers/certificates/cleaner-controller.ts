// Deletes requests that nobody needs any more (pkg/controller/certificates/cleaner): approved and denied ones after an hour,
// pending ones after a day, and those whose certificate has run out.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { Timer } from "#sim/simulation.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";

const hourMs = 3_600_000;
const periodMs = hourMs;
const decidedMs = hourMs;
const pendingMs = 24 * hourMs;

export const certificateCleaner: ControllerDefinition = {
  name: "certificatesigningrequest-cleaner-controller",
  serviceAccount: "certificate-controller",
  create({ simulation, client, informers }) {
    const requests = informers.informer(kinds.certificateSigningRequests);
    let timer: Timer | undefined;
    const sweep = (): void => {
      timer = simulation.after(periodMs, sweep, { background: true });
      for (const request of [...requests.list()]) {
        if (!isOver(request, simulation.nowMs)) continue;
        try {
          client.delete(kinds.certificateSigningRequests, { namespace: "", name: request.metadata.name });
        } catch (error) {
          if (!isReason(error, "NotFound")) throw error;
        }
      }
    };
    return {
      name: "certificatesigningrequest-cleaner-controller",
      watches: [watchRule<CertificateSigningRequest>({ resource: kinds.certificateSigningRequests, keys: () => [] })],
      start: sweep,
      stop: () => simulation.cancel(timer),
      reconcile: () => undefined,
    };
  },
};

function isOver({ metadata, status }: Stored<CertificateSigningRequest>, nowMs: number): boolean {
  const conditions = status?.conditions ?? [];
  const [certificate] = status?.certificate ? readCertificates(atob(status.certificate)) : [];
  if (certificate !== undefined && nowMs > certificate.notAfterMs) return true;
  const decided = conditions.filter(({ type }) => type === "Approved" || type === "Denied" || type === "Failed");
  if (decided.length > 0)
    return decided.some(({ lastUpdateTime }) => nowMs - (tryParseTime(lastUpdateTime ?? "") ?? nowMs) > decidedMs);
  return nowMs - (tryParseTime(metadata.creationTimestamp) ?? nowMs) > pendingMs;
}
