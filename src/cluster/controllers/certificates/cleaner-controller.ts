// Deletes requests that nobody needs any more (pkg/controller/certificates/cleaner): issued, denied and failed ones an hour
// after that, pending ones after a day, and those whose certificate has run out. Approved ones that nobody signs stay.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { unlessRefused } from "#cluster/client/retry.ts";
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
        unlessRefused(() => client.delete(kinds.certificateSigningRequests, { namespace: "", name: request.metadata.name }));
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
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, pendingMs, nowMs);
  const [certificate] = status?.certificate ? readCertificates(atob(status.certificate)) : [];
  return conditions.some(({ type, lastUpdateTime }) => {
    const isLong = isOlder(lastUpdateTime, decidedMs, nowMs);
    if (type === "Approved") return certificate !== undefined && (isLong || nowMs > certificate.notAfterMs);
    return isLong && (type === "Denied" || type === "Failed");
  });
}

function isOlder(time: string | undefined, ageMs: number, nowMs: number): boolean {
  return nowMs - (tryParseTime(time ?? "") ?? nowMs) > ageMs;
}
