// The signers that the controller manager plays, and what each of them puts its name to (pkg/controller/certificates/signer,
// pkg/apis/certificates/helpers.go).

import { extensionIds, readAlternativeNames } from "#x509/extensions.ts";
import { attributeOf, attributesOf } from "#x509/names.ts";
import type { CertificateRequest } from "#x509/request.ts";

const apiServerClient = "kubernetes.io/kube-apiserver-client";
export const kubeletClient = "kubernetes.io/kube-apiserver-client-kubelet";
const kubeletServing = "kubernetes.io/kubelet-serving";
const legacyUnknown = "kubernetes.io/legacy-unknown";

type Check = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const checks: { readonly [signer: string]: Check } = {
  [apiServerClient]: (_request, usages) => apiServerClientFault(usages),
  [kubeletClient]: kubeletClientFault,
  [kubeletServing]: kubeletServingFault,
  [legacyUnknown]: () => undefined,
};

export function isKnownSigner(signer: string): boolean {
  return signer in checks;
}

/** Why the signer refuses a request; undefined when it does not. */
export function signerFault(signer: string, request: CertificateRequest, usages: readonly string[]): string | undefined {
  return checks[signer]?.(request, usages);
}

function apiServerClientFault(usages: readonly string[]): string | undefined {
  const strange = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (strange !== undefined) return `invalid usage for client certificate: ${strange}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

function kubeletClientFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  const kinds = alternativeKinds(request);
  if (kinds.has("dns")) return "DNS subjectAltNames are not allowed";
  if (kinds.has("email")) return "Email subjectAltNames are not allowed";
  if (kinds.has("ip")) return "IP subjectAltNames are not allowed";
  if (kinds.has("uri")) return "URI subjectAltNames are not allowed";
  if (!isNodeName(request)) return "subject common name does not begin with system:node:";
  return usageFault(usages, "client auth");
}

function kubeletServingFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  const kinds = alternativeKinds(request);
  if (!kinds.has("dns") && !kinds.has("ip")) return "DNS or IP subjectAltName is required";
  if (kinds.has("email")) return "Email subjectAltNames are not allowed";
  if (kinds.has("uri")) return "URI subjectAltNames are not allowed";
  const fault = usageFault(usages, "server auth");
  if (fault !== undefined) return fault;
  return isNodeName(request) ? undefined : "subject common name does not begin with system:node:";
}

function isOfNodes({ subject }: CertificateRequest): boolean {
  const organizations = attributesOf(subject, "O");
  return organizations.length === 1 && organizations[0] === "system:nodes";
}

function isNodeName({ subject }: CertificateRequest): boolean {
  return attributeOf(subject, "CN").startsWith("system:node:");
}

function alternativeKinds({ extensions }: CertificateRequest): ReadonlySet<string> {
  const names = extensions.find(({ id }) => id === extensionIds.alternativeNames);
  return new Set(names === undefined ? [] : readAlternativeNames(names.value).map(({ kind }) => kind));
}

/** Key encipherment is for RSA keys only, and may be left out. */
function usageFault(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [purpose, "digital signature", "key encipherment"].sort();
  const given = new Set(usages);
  const isRight = given.has(purpose) && given.has("digital signature") && [...given].every((usage) => wanted.includes(usage));
  return isRight ? undefined : `usages did not match [${wanted.join(" ")}]`;
}
