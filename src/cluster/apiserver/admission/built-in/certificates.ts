// CertificateApproval, CertificateSigning and CertificateSubjectRestriction: who may decide about requests for certificates,
// who may sign them, and what nobody may ask for (plugin/pkg/admission/certificates).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { parseRequest } from "#cluster/resources/certificates/request-content.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { attributesOf } from "#x509/names.ts";
import type { Authorizer } from "../../authorization/authorizer.ts";
import { type AdmissionAttributes, type AdmissionOperation, type AdmissionPlugin, notAdmitted } from "../chain.ts";
import type { AdmissionWorld } from "../dynamic/matching.ts";

const kind = "CertificateSigningRequest";
const group = "certificates.k8s.io";
const clientSigner = "kubernetes.io/kube-apiserver-client";
const masters = "system:masters";

type Handles = (definition: ResourceDefinition, operation: AdmissionOperation, subresource: string) => boolean;
const handlesSubresource =
  (name: string): Handles =>
  (_definition, _operation, subresource) =>
    subresource === name;

export function certificateApproval({ authorizer }: AdmissionWorld): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    operations: ["UPDATE"],
    kind,
    handles: handlesSubresource("approval"),
    // The signer of the stored request counts, whatever the update says.
    validate: (attributes) => requireRight(attributes, authorizer, "approve"),
  };
}

export function certificateSigning({ authorizer }: AdmissionWorld): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    operations: ["UPDATE"],
    kind,
    handles: handlesSubresource("status"),
    validate(attributes) {
      const status = requestIn(attributes.object)?.status;
      const before = requestIn(attributes.old)?.status;
      if (status?.certificate === before?.certificate && semanticDeepEqual(status?.conditions, before?.conditions)) return;
      requireRight(attributes, authorizer, "sign");
    },
  };
}

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  operations: ["CREATE"],
  kind,
  handles: handlesSubresource(""),
  validate(attributes) {
    const { spec } = requestIn(attributes.object) ?? {};
    if (spec?.signerName !== clientSigner) return;
    // Validation has read it before.
    const { subject } = parseRequest(spec.request);
    if (!attributesOf(subject, "O").includes(masters)) return;
    throw notAdmitted(attributes, `use of ${clientSigner} signer with ${masters} group is not allowed`);
  },
};

function requestIn(object: AdmissionAttributes["old"]): CertificateSigningRequest | undefined {
  return object as CertificateSigningRequest | undefined;
}

function requireRight(attributes: AdmissionAttributes, authorizer: Authorizer, verb: "approve" | "sign"): void {
  const signer = requestIn(attributes.old)?.spec.signerName ?? "";
  if (mayUseSigner(authorizer, attributes.user, verb, signer)) return;
  throw notAdmitted(attributes, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`);
}

/** A right on `signers` by the signer's name, or on all of its domain (pkg/certauthorization). */
function mayUseSigner(authorizer: Authorizer, user: UserInfo, verb: string, signer: string): boolean {
  const domain = `${signer.split("/")[0] ?? ""}/*`;
  return [signer, domain].some(
    (name) => authorizer.decide({ user, verb, group, resource: "signers", subresource: "", namespace: "", name }).allowed,
  );
}
