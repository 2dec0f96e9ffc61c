// What is inside a CertificateSigningRequest: PKCS #10 in PEM in base64.

import { pemBlocks } from "#x509/pem.ts";
import { type CertificateRequest, isSelfSigned, readRequest } from "#x509/request.ts";

/** `request` is spec.request as JSON has it. Throws an Error with upstream's text for what is no request. */
export function parseRequest(request: string): CertificateRequest {
  const [block] = pemBlocks(textOf(request));
  if (block?.label !== "CERTIFICATE REQUEST") throw new Error("PEM block type must be CERTIFICATE REQUEST");
  return readRequest(block.bytes);
}

/** The same, and the requester has signed it. Requests with other keys than RSA cannot be checked and pass. */
export function parseSignedRequest(request: string): CertificateRequest {
  const parsed = parseRequest(request);
  if (isSelfSigned(parsed) === false) throw new Error("crypto/rsa: verification error");
  return parsed;
}

/** The text in a byte field; "" when it is not base64. */
export function textOf(bytes: string): string {
  try {
    return atob(bytes);
  } catch {
    return "";
  }
}
