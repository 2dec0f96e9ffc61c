// Distinguished names as openssl reads and prints them.

import { type DistinguishedName, isAttributeName } from "#x509/names.ts";
import type { Configuration } from "./configuration.ts";
import { OpensslFailure } from "./failure.ts";

const longNames: { readonly [name: string]: string } = {
  countryName: "C",
  stateOrProvinceName: "ST",
  localityName: "L",
  organizationName: "O",
  organizationalUnitName: "OU",
  commonName: "CN",
  emailAddress: "emailAddress",
  domainComponent: "DC",
};

/** `C`, `countryName`, `0.organizationName` → `C`, `C`, `O`; undefined for others. */
export function shortNameOf(name: string): string | undefined {
  const bare = name.replace(/^\d+\./, "");
  const short = longNames[bare] ?? bare;
  return isAttributeName(short) ? short : undefined;
}

/** `/C=FR/O=dev/CN=jane`, with `\/` for a slash inside. `command` begins the complaint. */
export function readSubject(text: string, command: string): DistinguishedName {
  if (!text.startsWith("/")) {
    throw new OpensslFailure(
      `${command}: subject name is expected to be in the format /type0=value0/type1=value1/type2=... where characters may be escaped by \\. This name is not in that format: '${text}'`,
    );
  }
  const parts = text.slice(1).match(/(?:\\.|[^/\\])+/g) ?? [];
  return parts.flatMap((part) => {
    const split = part.indexOf("=");
    const type = shortNameOf(split < 0 ? part : part.slice(0, split));
    const value = split < 0 ? "" : part.slice(split + 1).replace(/\\(.)/g, "$1");
    if (type === undefined || value === "") return [];
    return [{ type, value }];
  });
}

/** The subject of a configuration that asks nothing (`prompt = no`). */
export function configuredSubject(configuration: Configuration, section: string): DistinguishedName {
  return [...configuration.section(section)].flatMap(([name, value]) => {
    const type = shortNameOf(name);
    return type === undefined || value === "" ? [] : [{ type, value }];
  });
}

/** `C = FR, O = "Acme, Inc", CN = a b` */
export function oneLine(name: DistinguishedName): string {
  return name
    .map(({ type, value }) => `${type} = ${/[,+"<>;#]|^\s|\s$/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : value}`)
    .join(", ");
}

/** RFC 2253: the other way round, without blanks. */
export function reversedLine(name: DistinguishedName): string {
  return [...name]
    .reverse()
    .map(({ type, value }) => `${type}=${value.replace(/[,+"\\<>;]/g, "\\$&")}`)
    .join(",");
}

/** `/C=FR/CN=jane` */
export function slashed(name: DistinguishedName): string {
  return name.map(({ type, value }) => `/${type}=${value}`).join("");
}
