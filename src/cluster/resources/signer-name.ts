// Names of certificate signers, `example.com/signer` (pkg/apis/core/validation, ValidateSignerName).

import { dns1123LabelReasons, dns1123SubdomainReasons, maxLabelLength, maxSubdomainLength } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "./field-errors.ts";

/** A domain, a slash, a label and a subdomain joined by a dot. */
const maximumLength = maxSubdomainLength + 1 + maxSubdomainLength + 1 + maxLabelLength;

export function validateSignerName(name: string, path: Path, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  const [domain = "", rest, ...more] = name.split("/");
  if (rest === undefined || more.length > 0) {
    errors.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  if (domain.length > maxSubdomainLength) errors.tooLong(path, maxSubdomainLength);
  const labels = domain.split(".");
  validateLabels(domain, labels, dns1123LabelReasons, path, errors);
  if (labels.length < 2) errors.invalid(path, domain, "should be a domain with at least two segments separated by dots");
  validateLabels(rest, rest.split("."), dns1123SubdomainReasons, path, errors);
  if (name.length > maximumLength) errors.tooLong(path, maximumLength);
}

/** Only the first faulty label is told of. */
function validateLabels(
  segment: string,
  labels: readonly string[],
  rule: (label: string) => readonly string[],
  path: Path,
  errors: FieldErrors,
): void {
  for (const label of labels) {
    const reasons = rule(label);
    for (const reason of reasons) errors.invalid(path, segment, `validating label ${JSON.stringify(label)}: ${reason}`);
    if (reasons.length > 0) return;
  }
}
