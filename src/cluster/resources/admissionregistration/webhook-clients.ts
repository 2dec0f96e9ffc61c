// Where a webhook is called: a URL or a Service (apiserver, pkg/util/webhook/validation.go).

import { dns1123SubdomainReasons, portNumberReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

interface ServiceReference {
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
  readonly port?: number;
}

const form = "; desired format: https://host[/path]";

export function validateWebhookUrl(text: string, path: Path, errors: FieldErrors): void {
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
  const [, scheme = "", user, host = "", , query = "", fragment = ""] = match ?? [];
  if (scheme !== "https") errors.invalid(path, scheme, `'https' is the only allowed URL scheme${form}`);
  if (host === "") errors.invalid(path, host, `host must be specified${form}`);
  if (user !== undefined) errors.invalid(path, user, "user information is not permitted in the URL");
  if (fragment !== "") errors.invalid(path, fragment, "fragments are not permitted in the URL");
  if (query !== "") errors.invalid(path, query, "query parameters are not permitted in the URL");
}

export function validateWebhookService(
  { name, namespace, path: urlPath, port = 443 }: ServiceReference,
  path: Path,
  errors: FieldErrors,
): void {
  if (!name) errors.required(path.child("name"));
  if (!namespace) errors.required(path.child("namespace"));
  const reasons = portNumberReasons(port);
  if (reasons.length > 0) errors.invalid(path.child("port"), port, `port is not valid: ${reasons.join(", ")}`);
  if (urlPath !== undefined) validatePath(urlPath, path.child("path"), errors);
}

function validatePath(urlPath: string, path: Path, errors: FieldErrors): void {
  if (urlPath === "" || urlPath === "/") return;
  if (urlPath === "//") {
    errors.invalid(path, urlPath, "segment[0] may not be empty");
    return;
  }
  if (!urlPath.startsWith("/")) errors.invalid(path, urlPath, "must start with a '/'");
  const steps = urlPath.slice(1).replace(/\/$/, "").split("/");
  steps.forEach((step, index) => {
    if (step === "") errors.invalid(path, urlPath, `segment[${index}] may not be empty`);
    else for (const reason of dns1123SubdomainReasons(step)) errors.invalid(path, urlPath, `segment[${index}]: ${reason}`);
  });
}
