// The controller's annotations: how the locations of an Ingress behave. Those that are known and do nothing here are told in the log; what
// would keep people out and is not simulated closes the location, as a wrong value of it does.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Ingress } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";
import { parseRange, type Range } from "../network/addresses.ts";

export interface Canary {
  readonly weight: number;
  readonly weightTotal: number;
  readonly header: string;
  readonly headerValue: string;
  readonly cookie: string;
}

export interface Affinity {
  readonly cookieName: string;
  /** "": the path of the location. */
  readonly cookiePath: string;
  readonly expiresSeconds: number | undefined;
  readonly maxAgeSeconds: number | undefined;
}

export interface LocationSettings {
  /** "" where nothing is rewritten. */
  readonly rewriteTarget: string;
  readonly useRegex: boolean;
  readonly sslRedirect: boolean;
  readonly forceSslRedirect: boolean;
  readonly keepsTrailingSlash: boolean;
  readonly appRoot: string;
  readonly redirect: { readonly url: string; readonly code: number } | undefined;
  /** Who may come; undefined: everyone. */
  readonly allow: readonly Range[] | undefined;
  readonly deny: readonly Range[];
  /** 0: any. */
  readonly maximumBodyBytes: number;
  readonly connectMs: number;
  readonly readMs: number;
  /** The Pods speak HTTPS. */
  readonly isSecure: boolean;
  readonly upstreamHost: string;
  readonly forwardedPrefix: string;
  /** The Service's own address instead of its Pods'. */
  readonly serviceUpstream: boolean;
  readonly affinity: Affinity | undefined;
  readonly canary: Canary | undefined;
  /** Why nobody is let in. */
  readonly denied: string | undefined;
}

/** A line of the log. */
export interface Complaint {
  readonly severity: "W" | "E";
  readonly place: string;
  readonly message: string;
}

export const usualSettings: LocationSettings = {
  rewriteTarget: "",
  useRegex: false,
  sslRedirect: true,
  forceSslRedirect: false,
  keepsTrailingSlash: false,
  appRoot: "",
  redirect: undefined,
  allow: undefined,
  deny: [],
  maximumBodyBytes: 1_048_576,
  connectMs: 5_000,
  readMs: 60_000,
  isSecure: false,
  upstreamHost: "",
  forwardedPrefix: "",
  serviceUpstream: false,
  affinity: undefined,
  canary: undefined,
  denied: undefined,
};

/** Those of who may come in that are not simulated. */
const guards = /^(?:auth-|enable-global-auth$|satisfy$|enable-modsecurity|modsecurity-|enable-owasp)/;

export function readAnnotations(
  { metadata }: Stored<Ingress>,
  prefix: string,
): { readonly settings: LocationSettings; readonly complaints: readonly Complaint[] } {
  const reader = new AnnotationReader(metadata.annotations ?? {}, prefix);
  const settings = settingsOf(reader);
  const ingress = `${metadata.namespace ?? ""}/${metadata.name}`;
  for (const name of reader.unread) {
    if (guards.test(name)) reader.deny(`${prefix}/${name} is not simulated`);
    else
      reader.complain("annotations.go:146", `Ingress ${JSON.stringify(ingress)}: ${prefix}/${name}: not simulated, has no effect`);
  }
  const { denied } = reader;
  if (denied !== undefined)
    reader.complain(
      "annotations.go:168",
      `"error reading Ingress annotation" err=${JSON.stringify(denied)} ingress=${JSON.stringify(ingress)}`,
      "E",
    );
  return { settings: { ...settings, denied }, complaints: reader.complaints };
}

function settingsOf(reader: AnnotationReader): LocationSettings {
  const usual = usualSettings;
  const allow = reader.ranges(["allowlist-source-range", "whitelist-source-range"]);
  return {
    rewriteTarget: reader.text("rewrite-target"),
    useRegex: reader.flag("use-regex", false),
    sslRedirect: reader.flag("ssl-redirect", usual.sslRedirect),
    forceSslRedirect: reader.flag("force-ssl-redirect", false),
    keepsTrailingSlash: reader.flag("preserve-trailing-slash", false),
    appRoot: appRootOf(reader),
    redirect: redirectOf(reader),
    allow: allow.length === 0 ? undefined : allow,
    deny: reader.ranges(["denylist-source-range"]),
    maximumBodyBytes: bodyBytesOf(reader),
    connectMs: reader.whole("proxy-connect-timeout", usual.connectMs / 1000) * 1000,
    readMs: reader.whole("proxy-read-timeout", usual.readMs / 1000) * 1000,
    isSecure: isSecure(reader),
    upstreamHost: reader.text("upstream-vhost"),
    forwardedPrefix: reader.text("x-forwarded-prefix"),
    serviceUpstream: reader.flag("service-upstream", false),
    affinity: affinityOf(reader),
    canary: canaryOf(reader),
    denied: undefined,
  };
}

function appRootOf(reader: AnnotationReader): string {
  const path = reader.text("app-root");
  if (path === "" || path.startsWith("/")) return path;
  reader.complain(
    "main.go:205",
    `Annotation app-root contains an invalid value: parse ${JSON.stringify(path)}: invalid URI for request`,
  );
  return "";
}

function redirectOf(reader: AnnotationReader): LocationSettings["redirect"] {
  const code = reader.whole("permanent-redirect-code", 301);
  const [temporary, permanent] = [reader.text("temporal-redirect"), reader.text("permanent-redirect")];
  const temporaryCode = reader.whole("temporal-redirect-code", 302);
  if (temporary !== "") return { url: temporary, code: temporaryCode };
  return permanent === "" ? undefined : { url: permanent, code: code < 300 || code > 308 ? 301 : code };
}

const sizeUnits: { readonly [unit: string]: number } = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function bodyBytesOf(reader: AnnotationReader): number {
  const text = reader.text("proxy-body-size");
  const [, digits, unit = ""] = /^(\d+)([kmg]?)$/i.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * (sizeUnits[asciiLowerCase(unit)] ?? 1);
  if (text !== "") reader.complain("main.go:310", `${reader.nameOf("proxy-body-size")} is invalid, defaulting to '1m'`);
  return usualSettings.maximumBodyBytes;
}

function isSecure(reader: AnnotationReader): boolean {
  const protocol = reader.text("backend-protocol");
  if (/^https$/i.test(protocol)) return true;
  if (protocol !== "" && !/^http$/i.test(protocol))
    reader.complain(
      "main.go:81",
      `Protocol ${protocol} is not a valid value for the backend-protocol annotation here. Using HTTP as protocol`,
    );
  return false;
}

function affinityOf(reader: AnnotationReader): Affinity | undefined {
  const type = reader.text("affinity");
  const seconds = (name: string): number | undefined => (reader.text(name) === "" ? undefined : reader.whole(name, 0));
  const affinity: Affinity = {
    cookieName: reader.text("session-cookie-name") || "INGRESSCOOKIE",
    cookiePath: reader.text("session-cookie-path"),
    expiresSeconds: seconds("session-cookie-expires"),
    maxAgeSeconds: seconds("session-cookie-max-age"),
  };
  if (type === "cookie") return affinity;
  if (type !== "") reader.complain("main.go:307", `No default affinity found for type ${type}`);
  return undefined;
}

function canaryOf(reader: AnnotationReader): Canary | undefined {
  const canary: Canary = {
    weight: reader.whole("canary-weight", 0),
    weightTotal: reader.whole("canary-weight-total", 100),
    header: reader.text("canary-by-header"),
    headerValue: reader.text("canary-by-header-value"),
    cookie: reader.text("canary-by-cookie"),
  };
  return reader.flag("canary", false) ? canary : undefined;
}

class AnnotationReader {
  readonly complaints: Complaint[] = [];
  readonly #annotations: { readonly [name: string]: string };
  readonly #prefix: string;
  readonly #read = new Set<string>();
  denied: string | undefined;

  constructor(annotations: { readonly [name: string]: string }, prefix: string) {
    this.#annotations = annotations;
    this.#prefix = prefix;
  }

  /** Of this controller, without the prefix. */
  get unread(): readonly string[] {
    const begin = `${this.#prefix}/`;
    return Object.keys(this.#annotations)
      .filter((name) => name.startsWith(begin))
      .map((name) => name.slice(begin.length))
      .filter((name) => !this.#read.has(name));
  }

  nameOf(name: string): string {
    return `${this.#prefix}/${name}`;
  }

  complain(place: string, message: string, severity: Complaint["severity"] = "W"): void {
    this.complaints.push({ severity, place, message });
  }

  deny(why: string): void {
    this.denied ??= why;
  }

  text(name: string): string {
    this.#read.add(name);
    return (this.#annotations[this.nameOf(name)] ?? "").trim();
  }

  flag(name: string, usual: boolean): boolean {
    const text = this.text(name);
    if (/^(?:1|t|true)$/i.test(text)) return true;
    if (/^(?:0|f|false)$/i.test(text)) return false;
    if (text !== "") this.complain("main.go:155", `${name} is invalid, defaulting to '${usual}'`);
    return usual;
  }

  whole(name: string, usual: number): number {
    const text = this.text(name);
    if (/^-?\d+$/.test(text)) return Number(text);
    if (text !== "") this.complain("main.go:125", `${name} is invalid, defaulting to '${usual}'`);
    return usual;
  }

  /** The first of the names that is there counts. */
  ranges(names: readonly string[]): readonly Range[] {
    const text = names.map((name) => this.text(name)).find((each) => each !== "") ?? "";
    const parts = text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const found = parts.flatMap((part) => rangeOf(part) ?? []);
    const [wrong] = parts.filter((part) => rangeOf(part) === undefined);
    // As long as one of them is good, the others are left out.
    if (found.length === 0 && wrong !== undefined)
      this.deny(`the annotation does not contain a valid IP address or network: invalid CIDR address: ${wrong}`);
    return found;
  }
}

function rangeOf(text: string): Range | undefined {
  const [, address = "", prefix = "32"] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  const isRange = address !== "" && address.split(".").every((part) => Number(part) <= 255) && Number(prefix) <= 32;
  return isRange ? parseRange(text) : undefined;
}
