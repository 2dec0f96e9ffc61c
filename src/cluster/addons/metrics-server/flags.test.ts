import { describe, expect, it } from "vitest";
import { readFlags } from "./flags.ts";
import { usualArguments, usualFlags } from "./usual-flags.ts";

describe("metrics-server's command line", () => {
  it("is read as its manifest writes it", () => {
    expect(readFlags(usualArguments)).toEqual(usualFlags);
  });

  it("has upstream's defaults, and takes values as words of their own", () => {
    expect(readFlags(["--metric-resolution", "20s", "--kubelet-insecure-tls=false", "-v", "2"])).toEqual({
      securePort: 443,
      certificateDirectory: "apiserver.local.config/certificates",
      resolutionMs: 20_000,
      requestTimeoutMs: 10_000,
      kubeletPort: 10250,
      useNodeStatusPort: false,
      insecureTls: false,
      addressTypes: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"],
    });
  });

  it.each([
    ["--metric-resolution=5s", "Error: metric-resolution should be a time duration at least 10s, but value 5s provided"],
    [
      "--metric-resolution=11s",
      "Error: metric-resolution should be larger than kubelet-request-timeout, but metric-resolution value 11s kubelet-request-timeout value 10s provided",
    ],
    ["--kubelet-request-timeout=0s", "Error: kubelet-request-timeout should be positive"],
    ["--metric-resolution=soon", 'Error: invalid argument "soon" for "--metric-resolution" flag: time: invalid duration "soon"'],
    [
      "--kubelet-insecure-tls=ja",
      'Error: invalid argument "ja" for "--kubelet-insecure-tls" flag: strconv.ParseBool: parsing "ja": invalid syntax',
    ],
    ["--kubelet-insecure", "Error: unknown flag: --kubelet-insecure"],
    ["--secure-port", "Error: flag needs an argument: --secure-port"],
  ])("%s is refused", (flag, message) => {
    expect(() => readFlags([flag])).toThrow(message);
  });
});
