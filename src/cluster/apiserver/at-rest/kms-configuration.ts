// The kms provider's fields, with upstream's defaults and refusals (apiserver, pkg/apis/apiserver/v1/defaults.go and
// validation/validation_encryption.go).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { FieldErrors, Path } from "#cluster/resources/field-errors.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { KmsSettings } from "./kms-provider.ts";

export interface KmsFields {
  readonly apiVersion?: string;
  readonly name?: string;
  readonly cachesize?: number;
  readonly endpoint?: string;
  /** In ms. */
  readonly timeout?: number;
}

const usualTimeoutMs = 3_000;

/** `names`: of the providers before it. `reload`: whether the file may change while the server runs. */
export function validateKms(fields: KmsFields, path: Path, names: ReadonlySet<string>, reload: boolean, errors: FieldErrors): void {
  const { name = "", cachesize, endpoint = "", timeout = usualTimeoutMs } = fields;
  const apiVersion = fields.apiVersion || "v1";
  if (name === "") errors.required(path.child("name"), "name is a mandatory field for a provider");
  if (apiVersion !== "v1" && name.includes(":"))
    errors.invalid(path.child("name"), name, `invalid KMS provider name ${name}, must not contain ':'`);
  if ((reload || apiVersion !== "v1") && names.has(name))
    errors.invalid(path.child("name"), name, `duplicate KMS provider name ${name}, names must be unique`);
  if (timeout <= 0) errors.invalid(path.child("timeout"), formatGoDuration(timeout), "timeout should be a positive value");
  const fault = endpointFault(endpoint);
  if (fault !== undefined) errors.invalid(path.child("endpoint"), endpoint, fault);
  if (apiVersion !== "v1" && cachesize !== undefined)
    errors.invalid(path.child("cachesize"), cachesize, "cachesize is not supported in v2");
  if (apiVersion === "v1" && cachesize === 0)
    errors.invalid(path.child("cachesize"), cachesize, "cachesize should be a positive value, or negative to disable");
  if (apiVersion !== "v1" && apiVersion !== "v2")
    errors.invalid(
      path.child("apiVersion"),
      apiVersion,
      "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported",
    );
}

/** As Go reads URLs, as far as their scheme is concerned. */
function endpointFault(endpoint: string): string | undefined {
  if (endpoint === "") return "endpoint is a mandatory field for a kms";
  const malformed = (why: string): string => `invalid endpoint for kms provider, error: parse ${JSON.stringify(endpoint)}: ${why}`;
  if (endpoint.startsWith(":")) return malformed("missing protocol scheme");
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(endpoint);
  if (wrong !== null) return malformed(`invalid URL escape ${JSON.stringify(wrong[0])}`);
  const scheme = asciiLowerCase(/^([A-Za-z][A-Za-z0-9+.-]*):/.exec(endpoint)?.[1] ?? "");
  if (scheme === "" && /^[^/]*:/.test(endpoint)) return malformed("first path segment in URL cannot contain colon");
  return scheme === "unix" ? undefined : `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
}

/** Of fields that are valid; or why the server does not start with them. */
export function kmsSettings({ apiVersion, name = "", endpoint = "", timeout }: KmsFields): KmsSettings | string {
  if (apiVersion !== "v2")
    return "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.";
  const path = decodeURIComponent(endpoint.replace(/^[^:]*:(?:\/\/[^/?#]*)?/, "").replace(/[?#].*$/s, ""));
  // A name of Linux' own, outside the file system.
  const socket = path.startsWith("/@") ? path.slice(1) : path;
  return { name, socket, timeoutMs: timeout ?? usualTimeoutMs };
}
