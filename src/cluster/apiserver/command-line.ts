// The command line of kube-apiserver. Names of all of upstream's flags are known, so that a wrong one is refused; which of them act here,
// `actingFlags` says (and `runtime-config.ts`, `privileged.ts` read their own).

import { flagValues, type GivenFlags, isTrue, WrongCommandLine, words } from "../component-flags.ts";
import { lateFlagNames } from "../late-flag-names.ts";
import { type AuthorizationMode, isAuthorizationMode } from "./authorization/authorizer.ts";

export interface ServerFlags {
  readonly given: GivenFlags;
  readonly authorizationModes: readonly AuthorizationMode[];
  readonly anonymousAuth: boolean;
  readonly etcdServers: readonly string[];
  /** What a Pod gets that says nothing of its own: `--default-not-ready-toleration-seconds` and its like. */
  readonly tolerationSeconds: TolerationSeconds;
}

export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

export const usualTolerationSeconds: TolerationSeconds = { notReady: 300, unreachable: 300 };

export const actingFlags: readonly string[] = words(`
  allow-privileged anonymous-auth authorization-mode default-not-ready-toleration-seconds default-unreachable-toleration-seconds
  disable-admission-plugins enable-admission-plugins encryption-provider-config
  encryption-provider-config-automatic-reload etcd-servers feature-gates kubelet-certificate-authority
  peer-advertise-ip peer-advertise-port peer-ca-file runtime-config`);

/** Files without which the server does not start, in the order in which it reads them, and what it says before `open …`. */
export const serverFiles: { readonly [flag: string]: string } = {
  "service-account-signing-key-file": "failed to parse service-account-issuer-key-file: ",
  "tls-cert-file": "",
  "tls-private-key-file": "",
  "client-ca-file": "",
  "requestheader-client-ca-file": "",
  "service-account-key-file": "",
  "token-auth-file": "",
  "etcd-cafile": "",
  "etcd-certfile": "",
  "etcd-keyfile": "",
  "kubelet-certificate-authority": "",
  "kubelet-client-certificate": "",
  "kubelet-client-key": "",
  "peer-ca-file": "",
  "proxy-client-cert-file": "",
  "proxy-client-key-file": "",
};

/** `argv` with the program's name first; `usual` words are right. Throws WrongCommandLine. */
export function serverFlags(argv: readonly string[], usual: ReadonlySet<string>): ServerFlags {
  const given = flagValues(argv, () => [lateFlagNames.code.knownFlagsOf("kube-apiserver")], usual);
  const list = (name: string): readonly string[] => (given.get(name) ?? []).flatMap((text) => text.split(","));
  const modes = given.has("authorization-mode") ? list("authorization-mode") : ["AlwaysAllow"];
  const absent = modes.find((mode) => mode === "Webhook" || mode === "ABAC");
  if (absent !== undefined) throw new WrongCommandLine(`--authorization-mode=${absent}: not simulated`, true);
  const wrong = modes.filter((mode) => !isAuthorizationMode(mode));
  if (wrong.length > 0)
    throw new WrongCommandLine(
      wrong.map((mode) => `authorization-mode ${JSON.stringify(mode)} is not a valid mode`).join(", "),
      true,
    );
  const authorizationModes = modes.filter(isAuthorizationMode);
  return {
    given,
    authorizationModes,
    // Whoever may do everything must be somebody.
    anonymousAuth: isTrue(given, "anonymous-auth", true) && !authorizationModes.includes("AlwaysAllow"),
    etcdServers: list("etcd-servers"),
    tolerationSeconds: {
      notReady: seconds(given, "default-not-ready-toleration-seconds"),
      unreachable: seconds(given, "default-unreachable-toleration-seconds"),
    },
  };
}

function seconds(given: GivenFlags, name: string): number {
  const text = given.get(name)?.at(-1) ?? "300";
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  const problem = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${problem}`, false);
}
