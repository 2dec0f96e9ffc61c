// Signs approved requests for the signers of the cluster (pkg/controller/certificates/signer and authority). No cluster begins with requests:
// how one is signed comes with clients' programs.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Authority } from "#x509/certificate.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

export interface SigningOptions {
  readonly authority: Authority;
  readonly authorityNotAfterMs: number;
  /** `--cluster-signing-duration` */
  readonly durationMs: number;
}

export function signingController(options: SigningOptions): ControllerDefinition {
  const name = "certificatesigningrequest-signing-controller";
  return {
    name,
    serviceAccount: "certificate-controller",
    create({ simulation, client, informers }) {
      const requests = informers.informer(kinds.certificateSigningRequests);
      return {
        name,
        watches: [
          watchRule<CertificateSigningRequest>({
            resource: kinds.certificateSigningRequests,
            keys: (request, _previous, deleted) => (deleted ? [] : [request.metadata.name]),
          }),
        ],
        reconcile(key) {
          const request = requests.get(key);
          if (request !== undefined) latePasses.code.signRequest(request, options, client, simulation);
          return undefined;
        },
      };
    },
  };
}
