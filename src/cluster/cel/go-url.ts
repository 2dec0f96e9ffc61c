// URLs as Go's net/url reads them (url.go of go1.26): what it accepts, what it makes of the parts, and its words for what it refuses.
// Go works on bytes: inside, a text is a string of its UTF-8 bytes, a character for each.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { isIpv4, isIpv6 } from "./addresses.ts";

/** A text that is no URL; the message is Go's. */
export class UrlFault extends Error {}

type Mode = "path" | "host" | "zone" | "userinfo" | "fragment" | "query";

const ownCharacters = /[A-Za-z0-9\-_.~]/;
const hostCharacters = /[!$&'()*+,;=:[\]<>"]/;
const pathCharacters = /[$&+,/:;=@]/;
const plainPath = /^(?:[!$&'()*+,;=:@[\]%/A-Za-z0-9\-_.~])*$/;

export class GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly #rawPath: string;
  readonly #rawQuery: string;

  /** Parse, behind ParseRequestURI as the CEL library does it. Throws UrlFault. */
  constructor(text: string) {
    parsed(text, true);
    const bytes = toBytes(text);
    const mark = bytes.indexOf("#");
    const { scheme, host, path, query } = parsed(mark < 0 ? text : fromBytes(bytes.slice(0, mark)), false);
    if (mark >= 0) naming(text, () => unescaped(bytes.slice(mark + 1), "fragment"));
    this.scheme = scheme;
    this.host = fromBytes(host);
    this.#rawPath = path;
    this.#rawQuery = query;
  }

  get hostname(): string {
    const host = splitHost(this.host)[0];
    return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  }

  get port(): string {
    return splitHost(this.host)[1];
  }

  get escapedPath(): string {
    const path = this.#rawPath;
    if (plainPath.test(path) || path === "*") return path;
    return [...unescaped(path, "path")].map((byte) => (isKept(byte, "path") ? byte : percent(byte))).join("");
  }

  /** Pairs that do not parse are left out. */
  get query(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const pair of this.#rawQuery.split("&")) {
      if (pair === "" || pair.includes(";")) continue;
      const [name = "", ...value] = pair.split("=");
      try {
        const key = fromBytes(unescaped(name, "query"));
        const text = fromBytes(unescaped(value.join("="), "query"));
        found.set(key, [...(found.get(key) ?? []), text]);
      } catch (error) {
        if (!(error instanceof UrlFault)) throw error;
      }
    }
    return found;
  }
}

/** What ParseRequestURI takes: `format: uri` of a schema, isURL() of an expression. */
export function isRequestUri(text: string): boolean {
  try {
    parsed(text, true);
    return true;
  } catch (error) {
    if (error instanceof UrlFault) return false;
    throw error;
  }
}

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

function parsed(text: string, viaRequest: boolean): Parts {
  return naming(text, () => parts(toBytes(text), viaRequest));
}

function naming<Made>(text: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UrlFault)) throw error;
    throw new UrlFault(`parse ${goQuoted(text)}: ${error.message}`);
  }
}

function parts(text: string, viaRequest: boolean): Parts {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlFault("net/url: invalid control character in URL");
  if (text === "" && viaRequest) throw new UrlFault("empty url");
  const none = { scheme: "", host: "", path: "", query: "" };
  if (text === "*") return { ...none, path: "*" };
  if (text.startsWith(":")) throw new UrlFault("missing protocol scheme");
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  const scheme = asciiLowerCase(found ?? "");
  const [rest, query] = cut(found === undefined ? text : text.slice(found.length + 1), "?");
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...none, scheme, query };
    if (viaRequest) throw new UrlFault("invalid URI for request");
    if (cut(rest, "/")[0].includes(":")) throw new UrlFault("first path segment in URL cannot contain colon");
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || (!viaRequest && !rest.startsWith("///")));
  const slash = hasAuthority ? rest.indexOf("/", 2) : 0;
  const end = slash < 0 ? rest.length : slash;
  const host = hasAuthority ? hostOf(scheme, rest.slice(2, end)) : "";
  const path = rest.slice(end);
  unescaped(path, "path");
  return { scheme, host, path, query };
}

function hostOf(scheme: string, authority: string): string {
  const at = authority.lastIndexOf("@");
  const host = checkedHost(scheme, authority.slice(at + 1));
  if (at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlFault("net/url: invalid userinfo");
  for (const part of cut(user, ":")) unescaped(part, "userinfo");
  return host;
}

function checkedHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) throw new UrlFault("invalid IP-literal");
  if (bracket === 0) return literalHost(host);
  const first = host.indexOf(":");
  const isStrict = scheme === "http" || scheme === "https";
  if (first >= 0) requirePort(host.slice(isStrict ? first : host.lastIndexOf(":")));
  return unescaped(host, "host");
}

/** `[fe80::1%25en0]:80` */
function literalHost(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new UrlFault("missing ']' in host");
  const port = host.slice(close + 1);
  requirePort(port);
  const literal = host.slice(1, close);
  const zone = literal.indexOf("%25");
  const address =
    zone < 0 ? unescaped(literal, "host") : unescaped(literal.slice(0, zone), "host") + unescaped(literal.slice(zone), "zone");
  const [plain] = cut(address, "%");
  if (plain === address && isIpv4(address)) throw new UrlFault("invalid IP-literal");
  if (!isIpv6(plain) || address.endsWith("%")) {
    throw new UrlFault(`invalid host: ParseAddr(${goQuoted(fromBytes(address))}): unable to parse IP`);
  }
  return `[${address}]${port}`;
}

const port = /^(?::[0-9]*)?$/;

function requirePort(text: string): void {
  if (!port.test(text)) throw new UrlFault(`invalid port ${goQuoted(fromBytes(text))} after host`);
}

/** Host and port; a host without brackets may have colons before the last. */
function splitHost(host: string): readonly [string, string] {
  const colon = host.lastIndexOf(":");
  return colon >= 0 && port.test(host.slice(colon)) ? [host.slice(0, colon), host.slice(colon + 1)] : [host, ""];
}

function isKept(byte: string, mode: Mode): boolean {
  if (ownCharacters.test(byte)) return true;
  if (mode === "path") return pathCharacters.test(byte);
  return (mode === "host" || mode === "zone") && hostCharacters.test(byte);
}

/** Throws UrlFault. */
function unescaped(text: string, mode: Mode): string {
  const isHost = mode === "host" || mode === "zone";
  let result = "";
  for (let index = 0; index < text.length; index += 1) {
    const byte = text.charAt(index);
    if (byte === "%") {
      const sequence = text.slice(index, index + 3);
      const made = byteOf(sequence, mode);
      if (made === undefined) throw new UrlFault(`invalid URL escape ${quotedBytes(sequence)}`);
      result += made;
      index += 2;
    } else if (isHost && byte < "\u0080" && !isKept(byte, mode)) {
      throw new UrlFault(`invalid character ${goQuoted(byte)} in host name`);
    } else result += byte === "+" && mode === "query" ? " " : byte;
  }
  return result;
}

/** The byte that an escape stands for where it may. */
function byteOf(sequence: string, mode: Mode): string | undefined {
  if (!/^%[0-9A-Fa-f]{2}$/.test(sequence)) return undefined;
  const byte = String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  if (sequence === "%25") return byte;
  if (mode === "host" && byte < "\u0080") return undefined;
  return mode === "zone" && byte !== " " && !isKept(byte, "host") ? undefined : byte;
}

function percent(byte: string): string {
  return `%${asciiUpperCase(byte.charCodeAt(0).toString(16).padStart(2, "0"))}`;
}

function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function toBytes(text: string): string {
  return [...encodeUtf8(text)].map((byte) => String.fromCharCode(byte)).join("");
}

function fromBytes(bytes: string): string {
  return decodeUtf8(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** As %q writes it. */
function goQuoted(text: string): string {
  return JSON.stringify(text).replace(/\\u00([01][0-9a-f])|\u007f/g, (_all, hex: string | undefined) => {
    const named: { readonly [hex: string]: string } = { "07": "\\a", "0b": "\\v" };
    return named[hex ?? ""] ?? `\\x${hex ?? "7f"}`;
  });
}

/** Bytes that are half a character are written as bytes. */
function quotedBytes(bytes: string): string {
  const text = fromBytes(bytes);
  if (!text.includes("\ufffd")) return goQuoted(text);
  const parts = [...bytes].map((byte) => (byte < "\u0080" ? goQuoted(byte).slice(1, -1) : `\\x${byte.charCodeAt(0).toString(16)}`));
  return `"${parts.join("")}"`;
}
