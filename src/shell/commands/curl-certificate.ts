// What curl -v tells of a server's certificate (lib/vtls/openssl.c).

import { asciiLowerCase } from "#sim/ascii.ts";
import { civilDate } from "#sim/calendar.ts";
import type { Certificate } from "#sim/net.ts";
import { namesHosts } from "#sim/network/tls.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `authorities`: undefined where nobody looks whether they signed it. */
export function serverLines(server: Certificate, host: string, authorities: readonly Certificate[] | undefined): string {
  const isOwn = server.issuer === server.commonName;
  const issuer = isOwn ? nameOf(server) : `CN=${server.issuer}`;
  const lines = [
    "Server certificate:",
    ` subject: ${nameOf(server)}`,
    ` start date: ${dateText(server.notBeforeMs)}`,
    ` expire date: ${dateText(server.notAfterMs)}`,
    ...(authorities === undefined ? [] : matchLine(server, host)),
    ` issuer: ${issuer}`,
    ` ${verdict(isOwn, authorities)}`,
  ];
  return lines.map((line) => `* ${line}\n`).join("");
}

function nameOf({ organizations, commonName }: Certificate): string {
  return [...organizations.map((name) => `O=${name}`), ...(commonName === "" ? [] : [`CN=${commonName}`])].join("; ");
}

/** `Jan  5 10:00:00 2026 GMT` */
function dateText(ms: number): string {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  const clock = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":");
  return `${months[month - 1]} ${String(day).padStart(2)} ${clock} ${year} GMT`;
}

function matchLine({ alternativeNames }: Certificate, host: string): readonly string[] {
  const wanted = asciiLowerCase(host);
  const wildcard = wanted.replace(/^[^.]+/, "*");
  const match = alternativeNames.find((name) => [wanted, wildcard].includes(asciiLowerCase(name)));
  return match === undefined ? [] : [` subjectAltName: host "${host}" matched cert's "${match}"`];
}

function verdict(isOwn: boolean, authorities: readonly Certificate[] | undefined): string {
  if (authorities !== undefined) return "SSL certificate verify ok.";
  const problem = isOwn ? "self-signed certificate (18)" : "unable to get local issuer certificate (20)";
  return `SSL certificate verify result: ${problem}, continuing anyway.`;
}

/** Why a certificate is not one for the host (vtls/openssl.c's ossl_verifyhost). */
export function nameProblem(certificate: Certificate | undefined, host: string): string {
  const { commonName = "" } = certificate ?? {};
  if (certificate !== undefined && namesHosts(certificate)) {
    const kind = /^[\d.]+$/.test(host) ? "ipv4 address" : "hostname";
    return `no alternative certificate subject name matches target ${kind} '${host}'`;
  }
  if (commonName === "") return "unable to obtain common name from peer certificate";
  return `certificate subject name '${commonName}' does not match target hostname '${host}'`;
}
