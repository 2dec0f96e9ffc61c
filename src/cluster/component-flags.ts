// The command lines of the control plane's components, as pflag reads them (k8s.io/component-base/cli): which flags were given,
// and what is wrong with them. What a flag does is its component's matter.

/** A command line that the process ends with; `logged` when upstream says it in its log rather than plainly. */
export class WrongCommandLine extends Error {
  readonly logged: boolean;

  constructor(message: string, logged: boolean) {
    super(message);
    this.logged = logged;
  }
}

export interface KnownFlags {
  /** A wrong name is refused. */
  readonly names: readonly string[];
  /** Those of them that stand alone; all others take the next word where they have no `=`. */
  readonly boolean: readonly string[];
}

/** What every component knows: authentication, authorization, serving, leader election, logs, versions. */
export const commonFlags: KnownFlags = {
  names: words(`
  allow-metric-labels allow-metric-labels-manifest authentication-kubeconfig authentication-skip-lookup
  authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure authorization-always-allow-paths
  authorization-kubeconfig authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address
  cert-dir client-ca-file contention-profiling disable-http2-serving disabled-metrics emulated-version
  emulation-forward-compatible feature-gates http2-max-streams-per-connection kube-api-burst kube-api-content-type kube-api-qps
  kubeconfig leader-elect leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock
  leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period log-flush-frequency
  log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream logging-format master
  permit-address-sharing permit-port-sharing profiling requestheader-allowed-names requestheader-client-ca-file
  requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers requestheader-username-headers
  secure-port show-hidden-metrics-for-version tls-cert-file tls-cipher-suites tls-curve-preferences tls-min-version
  tls-private-key-file tls-sni-cert-key v version vmodule`),
  boolean: words(`
  authentication-skip-lookup authentication-tolerate-lookup-failure contention-profiling disable-http2-serving
  emulation-forward-compatible leader-elect log-json-split-stream log-text-split-stream permit-address-sharing
  permit-port-sharing profiling version`),
};

export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The values of each flag that was given, in their order; `argv` with the program's name first. Throws WrongCommandLine. */
export function flagValues(argv: readonly string[], ...known: readonly KnownFlags[]): ReadonlyMap<string, readonly string[]> {
  const names = new Set(known.flatMap((flags) => flags.names));
  const boolean = new Set(known.flatMap((flags) => flags.boolean));
  const values = new Map<string, string[]>();
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const [, written = "", equals, text = ""] = /^--?([^=]*)(=?)(.*)$/s.exec(word) ?? [];
    if (!word.startsWith("-")) continue;
    // Underscores are taken for hyphens.
    const name = written.replaceAll("_", "-");
    if (!names.has(name)) throw new WrongCommandLine(`unknown flag: --${written}`, false);
    let value = equals === "" && boolean.has(name) ? "true" : text;
    if (equals === "" && !boolean.has(name)) {
      index += 1;
      const next = argv[index];
      if (next === undefined) throw new WrongCommandLine(`flag needs an argument: --${name}`, false);
      value = next;
    }
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  return values;
}
