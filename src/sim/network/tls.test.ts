import { describe, expect, it } from "vitest";
import type { Certificate, TlsClient } from "../net.ts";
import { shownTo, verifyServer } from "./tls.ts";

const authority: Certificate = {
  commonName: "ca",
  organizations: [],
  alternativeNames: [],
  issuer: "ca",
  notBeforeMs: 0,
  notAfterMs: 1000,
};
const known: Certificate = { ...authority, alternativeNames: ["web", "10.0.0.1"], isSignedBy: (signer) => signer === authority };
const unknown: Certificate = { ...known, alternativeNames: ["web"], isSignedBy: () => false };
const bare: Certificate = { ...known, alternativeNames: [] };
const trusting = { authorities: [authority] };

describe("what a client says of a server's certificate", () => {
  it.each<readonly [TlsClient, Certificate, number, string | undefined]>([
    [{ serverName: "web", ...trusting }, known, 500, undefined],
    [{ serverName: "10.0.0.1", ...trusting }, known, 500, undefined],
    [{ serverName: "elsewhere" }, unknown, 2000, undefined],
    [{ serverName: "web", ...trusting }, known, 2000, "x509: certificate has expired or is not yet valid"],
    [{ serverName: "api", ...trusting }, known, 500, "x509: certificate is valid for web, not api"],
    [{ serverName: "web", ...trusting }, unknown, 500, "x509: certificate signed by unknown authority"],
    [
      { serverName: "10.0.0.1", ...trusting },
      unknown,
      500,
      "x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs",
    ],
    [
      { serverName: "10.0.0.1", ...trusting, asksAuthorityFirst: true },
      unknown,
      500,
      "x509: certificate signed by unknown authority",
    ],
    [{ serverName: "ca", ...trusting }, bare, 500, "x509: certificate is not valid for any names, but wanted to match ca"],
    [{ serverName: "ca", ...trusting, asksAuthorityFirst: true }, bare, 500, undefined],
    [
      { serverName: "ca", ...trusting, asksAuthorityFirst: true },
      { ...bare, namesHosts: true },
      500,
      "x509: certificate is not valid for any names, but wanted to match ca",
    ],
    [{ serverName: "web", ...trusting, asksAuthorityFirst: true }, bare, 500, "x509: certificate is valid for ca, not web"],
  ])("%j", (client, certificate, nowMs, text) => {
    expect(verifyServer(client, certificate, nowMs)?.tls).toBe(text);
  });
});

describe("what a server with several certificates shows", () => {
  const server = { certificate: authority, certificateFor: (name: string) => (name === "web" ? known : undefined) };

  it.each([
    ["web", known],
    ["elsewhere", authority],
    ["10.0.0.1", authority],
  ])("%s", (serverName, certificate) => {
    expect(shownTo({ serverName }, server)).toBe(certificate);
  });
});
