// The kubelet's command line, as kubeadm's drop-in of its unit puts it together: $KUBELET_KUBEADM_ARGS and $KUBELET_EXTRA_ARGS out of
// environment files. Those that act here are `acting`.

import { parseGoDuration } from "#cluster/api/duration.ts";
import type { Taint } from "#cluster/api/generated/types.ts";
import { knownFlagsOf } from "#cluster/zpages/flag-values.ts";
import { flagValues, WrongCommandLine, words } from "../../../component-flags.ts";
import type { ContainerGcPolicy } from "../container-gc.ts";
import { nodeLabelsOf, registerWithTaintsOf } from "./registration-flags.ts";
import { StartRefusal } from "./start-refusal.ts";

export interface KubeletFlags {
  /** A file or a directory; "": none. */
  readonly providerConfig: string;
  readonly providerDirectory: string;
  readonly containerGc: ContainerGcPolicy;
  /** Undefined: what the configuration says. */
  readonly allowedUnsafeSysctls: readonly string[] | undefined;
  /** These: undefined for what the configuration says. */
  readonly registerNode: boolean | undefined;
  readonly registerWithTaints: readonly Taint[] | undefined;
  readonly failSwapOn: boolean | undefined;
  readonly failCgroupV1: boolean | undefined;
  readonly containerRuntimeEndpoint: string | undefined;
  readonly imageServiceEndpoint: string | undefined;
  /** `external`, or "": none. */
  readonly cloudProvider: string;
  /** "": not given. */
  readonly nodeIp: string;
  readonly nodeLabels: { readonly [key: string]: string };
  /** pflag's words about given flags that will go. */
  readonly warnings: readonly string[];
  /** As they were written. */
  readonly written: readonly string[];
}

/** The journal is that of this verbosity, which kubeadm's package here sets. */
const verbosity = "3";
const minimumAge = "minimum-container-ttl-duration";
const perContainer = "maximum-dead-containers-per-container";
const total = "maximum-dead-containers";
const unsafeSysctls = "allowed-unsafe-sysctls";
const failSwapOn = "fail-swap-on";
const failCgroupV1 = "fail-cgroupv1";
const runtimeEndpoint = "container-runtime-endpoint";
const imageEndpoint = "image-service-endpoint";
const registerNode = "register-node";
const registerWithTaints = "register-with-taints";
const toConfiguration =
  "This parameter should be set via the config file specified by the kubelet's --config flag. See https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/ for more information.";
const instead = "Use --eviction-hard or --eviction-soft instead. Will be removed in a future version.";
const deprecated = new Map([
  ...[minimumAge, perContainer, total].map((name) => [name, instead] as const),
  ...[unsafeSysctls, failSwapOn, failCgroupV1, registerNode, registerWithTaints, runtimeEndpoint, imageEndpoint].map(
    (name) => [name, toConfiguration] as const,
  ),
]);
const providers = ["image-credential-provider-config", "image-credential-provider-bin-dir"];
const acting = new Set(["cloud-provider", "node-ip", "node-labels", ...providers, ...deprecated.keys()]);

/** Texts of /var/lib/kubelet/kubeadm-flags.env and /etc/default/kubelet. Throws StartRefusal. */
export function readFlags(kubeadmEnvironment: string, defaults: string): KubeletFlags {
  const variables = [variableOf(kubeadmEnvironment, "KUBELET_KUBEADM_ARGS"), variableOf(defaults, "KUBELET_EXTRA_ARGS")];
  const written = variables.flatMap(words);
  const values = valuesOf(["kubelet", ...written]);
  for (const [name, [value = ""]] of values) {
    if (acting.has(name) || (name === "v" && value === verbosity)) continue;
    throw new StartRefusal(`--${name}=${value}: not simulated`);
  }
  const last = (name: string): string => values.get(name)?.at(-1) ?? "";
  return {
    written,
    providerConfig: last("image-credential-provider-config"),
    providerDirectory: last("image-credential-provider-bin-dir"),
    containerGc: containerGcOf(values),
    allowedUnsafeSysctls: values.get(unsafeSysctls)?.flatMap((list) => (list === "" ? [] : list.split(","))),
    cloudProvider: last("cloud-provider"),
    nodeIp: last("node-ip"),
    nodeLabels: nodeLabelsOf(values.get("node-labels") ?? []),
    registerNode: read(values, registerNode, bool),
    registerWithTaints: values.has(registerWithTaints) ? registerWithTaintsOf(last(registerWithTaints)) : undefined,
    failSwapOn: read(values, failSwapOn, bool),
    failCgroupV1: read(values, failCgroupV1, bool),
    containerRuntimeEndpoint: values.get(runtimeEndpoint)?.at(-1),
    imageServiceEndpoint: values.get(imageEndpoint)?.at(-1),
    warnings: [...values.keys()].flatMap((name) => {
      const what = deprecated.get(name);
      return what === undefined ? [] : [`Flag --${name} has been deprecated, ${what}`];
    }),
  };
}

function containerGcOf(values: ReadonlyMap<string, readonly string[]>): ContainerGcPolicy {
  const age = read(values, minimumAge, (text) => {
    const parsed = parseGoDuration(text);
    return "ms" in parsed ? parsed.ms : parsed.error;
  });
  const each = read(values, perContainer, int32);
  const all = read(values, total, int32);
  return {
    ...(age === undefined ? {} : { minimumAgeMs: age }),
    ...(each === undefined ? {} : { perContainer: each }),
    ...(all === undefined ? {} : { total: all }),
  };
}

function int32(text: string): number | string {
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/u.test(text)) return `${parsing}: invalid syntax`;
  const value = Number(text);
  return value < -(2 ** 31) || value >= 2 ** 31 ? `${parsing}: value out of range` : value;
}

/** strconv.ParseBool */
function bool(text: string): boolean | string {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  if (["0", "f", "F", "FALSE", "false", "False"].includes(text)) return false;
  return `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
}

/** Of a flag that was given; `parse` answers with a text where it is wrong. */
function read<Value extends number | boolean>(
  values: ReadonlyMap<string, readonly string[]>,
  name: string,
  parse: (text: string) => Value | string,
): Value | undefined {
  const text = values.get(name)?.at(-1);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (typeof value !== "string") return value;
  throw new StartRefusal(`failed to parse kubelet flag: invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${value}`);
}

function valuesOf(argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const stray = argv.slice(1).find((word, index) => !word.startsWith("-") && (index === 0 || argv[index]?.includes("=") === true));
  if (stray !== undefined) throw new StartRefusal(`unknown command ${stray}`);
  try {
    return flagValues(argv, () => [knownFlagsOf("kubelet")]);
  } catch (error) {
    if (error instanceof WrongCommandLine) throw new StartRefusal(`failed to parse kubelet flag: ${error.message}`);
    throw error;
  }
}

/** A variable of a systemd environment file; the last assignment counts. */
function variableOf(text: string, name: string): string {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}=`));
  const value =
    lines
      .at(-1)
      ?.slice(name.length + 1)
      .trim() ?? "";
  return /^(["']).*\1$/su.test(value) ? value.slice(1, -1) : value;
}
