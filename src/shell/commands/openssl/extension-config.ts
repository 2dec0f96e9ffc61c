// Extensions from a section of a configuration: `basicConstraints=critical,CA:true`, `subjectAltName=@names` …

import { asciiLowerCase } from "#sim/ascii.ts";
import {
  type AlternativeName,
  alternativeNames,
  authorityKeyId,
  basicConstraints,
  type ExtendedUsage,
  type Extension,
  extendedKeyUsage,
  extendedUsageIds,
  type KeyUsage,
  keyUsage,
  keyUsageNames,
  subjectKeyId,
} from "#x509/extensions.ts";
import type { PublicKey } from "#x509/keys.ts";
import { type DistinguishedName, encodeName } from "#x509/names.ts";
import type { Configuration } from "./configuration.ts";
import { OpensslFailure, queued } from "./failure.ts";

/** Whose certificate is being made, and by whom; absent for requests, which cannot know. */
export interface ExtensionContext {
  readonly subject: PublicKey;
  readonly issuer?: {
    readonly publicKey: PublicKey;
    /** Of the issuer's own certificate. */
    readonly issuerName: DistinguishedName;
    readonly serial: bigint;
    readonly isSelf: boolean;
  };
}

export function extensionsOf(configuration: Configuration, section: string, context: ExtensionContext): readonly Extension[] {
  return [...configuration.section(section)].flatMap(([name, value]) => extensionOf(name, value, configuration, context));
}

/** One `name=value`; none for identifiers that say nothing here. Throws for what is not understood. */
export function extensionOf(
  name: string,
  text: string,
  configuration: Configuration,
  context: ExtensionContext,
): readonly Extension[] {
  const critical = /^critical\s*(,|$)/.test(text);
  const value = critical ? text.replace(/^critical\s*,?\s*/, "") : text;
  const items = value.split(",").map((item) => item.trim());
  switch (name) {
    case "basicConstraints": {
      const isAuthority = items.some((item) => /^CA:true$/i.test(item));
      const length = items.find((item) => /^pathlen:\d+$/i.test(item))?.slice("pathlen:".length);
      return [basicConstraints({ isAuthority, ...(length === undefined ? {} : { pathLength: Number(length) }) }, critical)];
    }
    case "keyUsage": {
      const usages = items.filter((item): item is KeyUsage => (keyUsageNames as readonly string[]).includes(item));
      if (usages.length !== items.length || usages.length === 0) throw fault(name, text);
      return [keyUsage(usages, critical)];
    }
    case "extendedKeyUsage": {
      const usages = items.filter((item): item is ExtendedUsage => item in extendedUsageIds);
      if (usages.length !== items.length || usages.length === 0) throw fault(name, text);
      return [{ ...extendedKeyUsage(usages), critical }];
    }
    case "subjectAltName": {
      const list = value.startsWith("@")
        ? namesOfSection(configuration, value.slice(1), text)
        : items.map((item) => nameOf(item, text));
      return [{ ...alternativeNames(list), critical }];
    }
    case "subjectKeyIdentifier":
      return value === "none" ? [] : [subjectKeyId(context.subject.id)];
    case "authorityKeyIdentifier": {
      const { issuer } = context;
      if (value === "none" || issuer === undefined) return [];
      const withIssuer = items.some((item) => item === "issuer:always");
      const own = { name: encodeName(issuer.issuerName), serial: issuer.serial };
      return [authorityKeyId(issuer.publicKey.id, withIssuer ? own : undefined)];
    }
    default:
      throw fault(name, text);
  }
}

function namesOfSection(configuration: Configuration, section: string, text: string): readonly AlternativeName[] {
  return [...configuration.section(section)].map(([name, value]) => nameOf(`${name.replace(/\.\d+$/, "")}:${value}`, text));
}

function nameOf(item: string, text: string): AlternativeName {
  const split = item.indexOf(":");
  const type = asciiLowerCase(item.slice(0, split).replace(/\.\d+$/, ""));
  const value = item.slice(split + 1).trim();
  if (split < 0 || (type !== "dns" && type !== "ip" && type !== "email" && type !== "uri")) throw fault("subjectAltName", text);
  if (type === "ip" && !/^(\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F:]+)$/.test(value)) throw fault("subjectAltName", text);
  return { kind: type, value };
}

function fault(name: string, value: string): OpensslFailure {
  return new OpensslFailure(
    `Error adding extensions\n${queued(`11000080:X509 V3 routines:X509V3_EXT_nconf_int:error in extension:../crypto/x509/v3_conf.c:48:section=default, name=${name}, value=${value}`)}`,
  );
}
