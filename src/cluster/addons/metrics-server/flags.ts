// The command line of metrics-server (cmd/metrics-server/app/options): the flags that its manifest and its FAQ name.

import { formatGoDuration, parseGoDuration } from "#cluster/api/duration.ts";
import { StartFailure } from "#cluster/images/system-images.ts";

export interface Flags {
  readonly securePort: number;
  readonly certificateDirectory: string;
  readonly resolutionMs: number;
  readonly requestTimeoutMs: number;
  readonly kubeletPort: number;
  /** The port in the node's status goes before `kubeletPort`. */
  readonly useNodeStatusPort: boolean;
  /** Certificates of kubelets are not verified. */
  readonly insecureTls: boolean;
  /** Types of node addresses, the best first. */
  readonly addressTypes: readonly string[];
}

const names = {
  securePort: "secure-port",
  certificateDirectory: "cert-dir",
  resolution: "metric-resolution",
  requestTimeout: "kubelet-request-timeout",
  kubeletPort: "kubelet-port",
  useNodeStatusPort: "kubelet-use-node-status-port",
  insecureTls: "kubelet-insecure-tls",
  addressTypes: "kubelet-preferred-address-types",
} as const;
/** How much is logged: taken, and without effect. */
const verbosity = "v";
const known: ReadonlySet<string> = new Set([...Object.values(names), verbosity]);
const switches: ReadonlySet<string> = new Set([names.useNodeStatusPort, names.insecureTls]);
const leastResolutionMs = 10_000;

/** Throws StartFailure. */
export function readFlags(args: readonly string[]): Flags {
  const values = valuesOf(args);
  const duration = (name: string, fallbackMs: number): number => {
    const text = values.get(name);
    if (text === undefined) return fallbackMs;
    const parsed = parseGoDuration(text);
    if ("error" in parsed) return refuse(name, text, parsed.error);
    return parsed.ms;
  };
  const whole = (name: string, fallback: number): number => {
    const text = values.get(name);
    if (text === undefined) return fallback;
    return /^\d+$/.test(text)
      ? Number(text)
      : refuse(name, text, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  };
  const isOn = (name: string): boolean => {
    const text = values.get(name) ?? "false";
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
    return refuse(name, text, `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  };
  const flags: Flags = {
    securePort: whole(names.securePort, 443),
    certificateDirectory: values.get(names.certificateDirectory) ?? "apiserver.local.config/certificates",
    resolutionMs: duration(names.resolution, 60_000),
    requestTimeoutMs: duration(names.requestTimeout, 10_000),
    kubeletPort: whole(names.kubeletPort, 10250),
    useNodeStatusPort: isOn(names.useNodeStatusPort),
    insecureTls: isOn(names.insecureTls),
    addressTypes: (values.get(names.addressTypes) ?? "Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP").split(","),
  };
  requireSensible(flags);
  return flags;
}

function valuesOf(args: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const [flag = "", inline] = (args[index] as string).split(/=(.*)/s, 2);
    if (!flag.startsWith("-")) continue;
    const name = flag.replace(/^--?/, "");
    if (!known.has(name)) throw new StartFailure(`Error: unknown flag: --${name}`);
    const value = inline ?? (switches.has(name) ? "true" : args[++index]);
    if (value === undefined) throw new StartFailure(`Error: flag needs an argument: --${name}`);
    values.set(name, value);
  }
  return values;
}

function refuse(name: string, text: string, cause: string): never {
  throw new StartFailure(`Error: invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${cause}`);
}

function requireSensible({ requestTimeoutMs, resolutionMs }: Flags): void {
  const [resolution, timeout] = [formatGoDuration(resolutionMs), formatGoDuration(requestTimeoutMs)];
  if (requestTimeoutMs <= 0) throw new StartFailure("Error: kubelet-request-timeout should be positive");
  if (resolutionMs < leastResolutionMs) {
    throw new StartFailure(`Error: metric-resolution should be a time duration at least 10s, but value ${resolution} provided`);
  }
  if (resolutionMs * 0.9 < requestTimeoutMs) {
    throw new StartFailure(
      `Error: metric-resolution should be larger than kubelet-request-timeout, but metric-resolution value ${resolution} kubelet-request-timeout value ${timeout} provided`,
    );
  }
}
