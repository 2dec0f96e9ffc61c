// Who asks through another server: a front proxy names the user in headers, and shows a certificate that says that it may
// (apiserver's pkg/authentication/request/headerrequest).

import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { GivenFlags } from "../../component-flags.ts";

export interface RequestHeaderSettings {
  /** `--requestheader-client-ca-file` */
  readonly authorities: readonly Certificate[];
  /** `--requestheader-allowed-names`: common names of proxies; none: all that an authority signed. */
  readonly allowedNames: readonly string[];
}

const extraPrefix = "x-remote-extra-";

/** Without the file nobody's word is taken. */
export function frontProxiesOf(given: GivenFlags, readText: (path: string) => string): RequestHeaderSettings | undefined {
  const path = given.get("requestheader-client-ca-file")?.at(-1) ?? "";
  if (path === "") return undefined;
  const names = (given.get("requestheader-allowed-names") ?? []).flatMap((text) => text.split(","));
  return { authorities: readCertificates(readText(path)), allowedNames: names.filter((name) => name !== "") };
}

/** Undefined where the certificate is no proxy's, or names nobody. */
export function requestHeaderUser(
  headers: HttpHeaders,
  certificate: Certificate,
  { authorities, allowedNames }: RequestHeaderSettings,
  nowMs: number,
): UserInfo | undefined {
  const { "x-remote-user": name = "", "x-remote-uid": uid = "", "x-remote-group": groups = "" } = headers;
  const { commonName, notBeforeMs, notAfterMs } = certificate;
  if (name === "" || nowMs < notBeforeMs || nowMs > notAfterMs) return undefined;
  if (allowedNames.length > 0 && !allowedNames.includes(commonName)) return undefined;
  if (!authorities.some((authority) => certificate.isSignedBy?.(authority) === true)) return undefined;
  const extra: { [key: string]: readonly string[] } = {};
  for (const [header, value] of Object.entries(headers))
    if (header.startsWith(extraPrefix)) extra[decodedKey(header.slice(extraPrefix.length))] = valuesOf(value);
  return {
    name,
    groups: valuesOf(groups),
    ...(uid === "" ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function valuesOf(header: string): readonly string[] {
  return header === "" ? [] : header.split(", ");
}

/** A key that is no valid percent-encoding is taken as it is. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
