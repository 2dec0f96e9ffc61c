import { describe, expect, it } from "vitest";
import { WrongCommandLine } from "../../component-flags.ts";
import { peerSettings } from "./peer-flags.ts";

const proxy = { "proxy-client-cert-file": "/front.crt", "proxy-client-key-file": "/front.key" };

function settings(flags: { readonly [flag: string]: string }): ReturnType<typeof peerSettings> | string {
  try {
    return peerSettings(new Map(Object.entries(flags).map(([flag, value]) => [flag, [value]])));
  } catch (error) {
    if (error instanceof WrongCommandLine) return error.message;
    throw error;
  }
}

describe("flags about the other API servers", () => {
  it("[API-321] tell them where this one is, unless the gate is off; both parts of another address count together", () => {
    const usual = { isKnown: true, address: undefined, authorityFile: "", idleGates: [] };
    expect(settings({})).toEqual(usual);
    expect(settings({ ...proxy, "peer-ca-file": "/ca.crt" })).toEqual({ ...usual, authorityFile: "/ca.crt" });
    expect(settings({ "peer-advertise-ip": "10.0.0.1", "peer-advertise-port": "443" })).toEqual({
      ...usual,
      address: "10.0.0.1:443",
    });
    expect(settings({ "peer-advertise-ip": "10.0.0.1" })).toEqual(usual);
    expect(settings({ "feature-gates": "kube:UnknownVersionInteroperabilityProxy=f, Other=T" })).toEqual({
      ...usual,
      isKnown: false,
      idleGates: ["Other=true"],
    });
  });

  it.each([
    [{ "feature-gates": "A" }, 'invalid argument "A" for "--feature-gates" flag: missing bool value for A'],
    [
      { "feature-gates": "A=yes" },
      'invalid argument "A=yes" for "--feature-gates" flag: invalid value of A=yes, err: strconv.ParseBool: parsing "yes": invalid syntax',
    ],
    [{ "peer-ca-file": "/ca.crt" }, "error building peer proxy handler, proxy-cert-file not specified"],
    [
      { "peer-ca-file": "/ca.crt", "proxy-client-cert-file": "/front.crt" },
      "error building peer proxy handler, proxy-key-file not specified",
    ],
    [
      {
        ...proxy,
        "feature-gates": "UnknownVersionInteroperabilityProxy=false",
        "peer-ca-file": "/ca.crt",
        "peer-advertise-port": "443",
      },
      "[--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on, --peer-advertise-port requires UnknownVersionInteroperabilityProxy feature to be turned on]",
    ],
  ])("refuse %j", (flags, message) => {
    expect(settings(flags)).toBe(message);
  });
});
