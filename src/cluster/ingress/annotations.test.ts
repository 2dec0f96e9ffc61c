// What annotations say, and what is said of those that are wrong or do nothing here.

import { describe, expect, it } from "vitest";
import { WrongCommandLine } from "../component-flags.ts";
import { readAnnotations } from "./annotations.ts";
import { ingressFlags } from "./flags.ts";
import { ingress } from "./ingress.test-kit.ts";

const prefix = "nginx.ingress.kubernetes.io";

function read(annotations: { readonly [name: string]: string }) {
  const named = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value]));
  const { settings, complaints } = readAnnotations(ingress("web", {}, named), prefix);
  return { settings, said: complaints.map(({ message }) => message) };
}

describe("annotations", () => {
  it("say how locations behave", () => {
    const { settings, said } = read({
      "rewrite-target": "/$1",
      "ssl-redirect": "false",
      "force-ssl-redirect": "true",
      "proxy-body-size": "8m",
      "whitelist-source-range": "10.0.0.0/8, 172.18.0.1",
      affinity: "cookie",
      "session-cookie-name": "route",
      canary: "true",
      "canary-weight": "20",
      "permanent-redirect": "https://example.com",
    });
    expect(said).toEqual([]);
    expect(settings).toMatchObject({
      rewriteTarget: "/$1",
      sslRedirect: false,
      forceSslRedirect: true,
      maximumBodyBytes: 8 * 1024 * 1024,
      affinity: { cookieName: "route" },
      canary: { weight: 20, weightTotal: 100 },
      redirect: { url: "https://example.com", code: 301 },
    });
    expect(settings.allow).toHaveLength(2);
  });

  it("that are wrong have their defaults, and the log says so", () => {
    const { settings, said } = read({ "ssl-redirect": "perhaps", "proxy-body-size": "much" });
    expect(settings).toMatchObject({ sslRedirect: true, maximumBodyBytes: 1_048_576 });
    expect(said).toEqual([
      "ssl-redirect is invalid, defaulting to 'true'",
      "nginx.ingress.kubernetes.io/proxy-body-size is invalid, defaulting to '1m'",
    ]);
  });

  it("a wrong range lets nobody in", () => {
    const { settings } = read({ "allowlist-source-range": "everyone" });
    expect(settings.denied).toBe("the annotation does not contain a valid IP address or network: invalid CIDR address: everyone");
  });

  it("that do nothing here are told; what would keep people out closes the location", () => {
    const { settings, said } = read({ "enable-cors": "true", "auth-type": "basic" });
    expect(said[0]).toBe('Ingress "default/web": nginx.ingress.kubernetes.io/enable-cors: not simulated, has no effect');
    expect(settings.denied).toBe("nginx.ingress.kubernetes.io/auth-type is not simulated");
  });

  it("of other controllers are not read", () => {
    const { settings, complaints } = readAnnotations(ingress("web", {}, { "other.example.com/rewrite-target": "/x" }), prefix);
    expect([settings.rewriteTarget, complaints]).toEqual(["", []]);
  });
});

describe("flags", () => {
  const flags = (...argv: readonly string[]) => ingressFlags(["/ingress-controller", ...argv]);

  it("have the defaults that people know", () => {
    expect(flags()).toMatchObject({
      ingressClass: "nginx",
      httpPort: 80,
      httpsPort: 443,
      healthPort: 10254,
      healthPath: "/healthz",
      electionMs: 30_000,
      statusIntervalMs: 60_000,
      updateStatus: true,
      watchWithoutClass: false,
    });
  });

  it.each([
    ["--ingres-class=x", "unknown flag: --ingres-class"],
    ["--http-port=many", 'invalid argument "many" for "--http-port" flag: strconv.ParseInt: parsing "many": invalid syntax'],
    [
      "--update-status=perhaps",
      'invalid argument "perhaps" for "--update-status" flag: strconv.ParseBool: parsing "perhaps": invalid syntax',
    ],
    ["--validating-webhook=:8443", "--validating-webhook=:8443: not simulated"],
  ])("%s is refused", (flag, message) => {
    expect(() => flags(flag)).toThrow(WrongCommandLine);
    expect(() => flags(flag)).toThrow(message);
  });

  it("two sources of addresses are one too many", () => {
    expect(() => flags("--publish-service=a/b", "--publish-status-address=10.0.0.1")).toThrow(/mutually exclusive/);
  });
});
