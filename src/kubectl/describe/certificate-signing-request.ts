// CertificateSigningRequests: the decision about them, and what is in the request itself.

import { humanDuration } from "#cluster/api/duration.ts";
import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import { formatLabelSet } from "#cluster/api/labels.ts";
import { type AlternativeName, extensionIds, readAlternativeNames } from "#x509/extensions.ts";
import { attributeOf, attributesOf } from "#x509/names.ts";
import { type CertificateRequest, readRequestPem } from "#x509/request.ts";
import { type Description, orNone } from "./description.ts";
import { withEvents } from "./from-object.ts";
import { longTime } from "./when.ts";

/** By type or identifier; the common name and the serial number stand before them. */
const subjectFields: readonly (readonly [string, string])[] = [
  ["Organization", "O"],
  ["Organizational Unit", "OU"],
  ["Country", "C"],
  ["Locality", "L"],
  ["Province", "ST"],
  ["StreetAddress", "street"],
  ["PostalCode", "2.5.4.17"],
];
const nameFields: readonly (readonly [string, AlternativeName["kind"]])[] = [
  ["DNS Names", "dns"],
  ["Email Addresses", "email"],
  ["URIs", "uri"],
  ["IP Addresses", "ip"],
];

export const describeCertificateSigningRequest = withEvents<CertificateSigningRequest>((out, { metadata, spec, status }) => {
  out.field("Name", metadata.name);
  out.field("Labels", orNone(formatLabelSet(metadata.labels)));
  // All of them, on one line, unlike with other kinds.
  out.field("Annotations", orNone(formatLabelSet(metadata.annotations)));
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.field("Requesting User", spec.username ?? "");
  out.field("Signer", spec.signerName);
  if (spec.expirationSeconds !== undefined) out.field("Requested Duration", humanDuration(spec.expirationSeconds * 1000));
  out.field("Status", statusText(status));
  // The server takes nothing that is no request.
  describeRequest(out, readRequestPem(atob(spec.request)) as CertificateRequest);
});

function statusText(status: CertificateSigningRequest["status"]): string {
  const has = (type: string): boolean => status?.conditions?.some((condition) => condition.type === type) === true;
  const decision = ["Denied", "Approved"].find(has) ?? "Pending";
  return `${decision}${has("Failed") ? ",Failed" : ""}${status?.certificate ? ",Issued" : ""}`;
}

function describeRequest(out: Description, { subject, extensions }: CertificateRequest): void {
  out.line("Subject:");
  out.line(`\tCommon Name:\t${attributeOf(subject, "CN")}`);
  out.line(`\tSerial Number:\t${attributeOf(subject, "serialNumber")}`);
  for (const [title, type] of subjectFields) valuesBelow(out, title, attributesOf(subject, type));

  const extension = extensions.find(({ id }) => id === extensionIds.alternativeNames);
  const names = extension === undefined ? [] : readAlternativeNames(extension.value);
  if (names.length > 0) out.line("Subject Alternative Names:");
  for (const [title, wanted] of nameFields) {
    const values = names.filter(({ kind }) => kind === wanted).map(({ value }) => value);
    valuesBelow(out, title, values);
  }
}

function valuesBelow(out: Description, title: string, values: readonly string[]): void {
  for (const [index, value] of values.entries()) out.line(`\t${index === 0 ? `${title}:` : ""}\t${value}`);
}
