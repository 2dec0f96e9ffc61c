// The command line of the Ingress controller. Names of all flags of controllers of its kind are known, so that a wrong one is refused;
// which of them act here, `actingIngressFlags` says.

import { flagValues, type GivenFlags, type KnownFlags, WrongCommandLine, words } from "../component-flags.ts";
import { duration, fraction, numberOf, whole } from "../controllers/number-flags.ts";

export interface IngressFlags {
  readonly controllerClass: string;
  /** The value of the annotation kubernetes.io/ingress.class. */
  readonly ingressClass: string;
  readonly classByName: boolean;
  readonly watchWithoutClass: boolean;
  /** "" for all. */
  readonly watchNamespace: string;
  /** NAMESPACE/NAME, or "". */
  readonly publishService: string;
  readonly publishAddresses: readonly string[];
  readonly updateStatus: boolean;
  readonly clearStatusAtEnd: boolean;
  readonly usesInternalAddresses: boolean;
  readonly statusIntervalMs: number;
  /** NAMESPACE/NAME, or "". */
  readonly defaultBackend: string;
  readonly defaultCertificate: string;
  readonly electionId: string;
  readonly electionMs: number;
  readonly elects: boolean;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly healthPort: number;
  readonly healthHost: string;
  readonly healthPath: string;
  readonly annotationsPrefix: string;
  /** Passes a second, at most. */
  readonly syncRate: number;
  readonly shutdownMs: number;
  readonly postShutdownMs: number;
  readonly refusesCatchAll: boolean;
  readonly refusesExternalNames: boolean;
  readonly writesSyncEvents: boolean;
  readonly given: GivenFlags;
}

/** Of the class and of IngressClasses that the add-on brings. */
export const usualControllerClass = "sim.example/ingress-controller";

export const actingIngressFlags: readonly string[] = words(`
  annotations-prefix controller-class default-backend-service default-ssl-certificate disable-catch-all disable-leader-election
  disable-svc-external-name disable-sync-events election-id election-ttl health-check-path healthz-host healthz-port http-port
  https-port ingress-class ingress-class-by-name post-shutdown-grace-period publish-service publish-status-address
  report-node-internal-ip-address shutdown-grace-period status-update-interval sync-rate-limit update-status
  update-status-on-shutdown watch-ingress-without-class watch-namespace`);

const knownFlags: KnownFlags = {
  names: [
    ...actingIngressFlags,
    ...words(`
  alsologtostderr apiserver-host bucket-factor certificate-authority configmap deep-inspect default-server-port disable-full-test
  dynamic-configuration-retries enable-annotation-validation enable-metrics enable-ssl-chain-completion enable-ssl-passthrough
  enable-topology-aware-routing exclude-socket-metrics health-check-timeout internal-logger-address kubeconfig length-buckets
  logtostderr max-buckets metrics-per-host metrics-per-undefined-host monitor-max-batch-size profiler-address profiler-port
  profiling report-status-classes size-buckets ssl-passthrough-proxy-port status-port stderrthreshold stream-port sync-period
  tcp-services-configmap time-buckets udp-services-configmap v validating-webhook validating-webhook-certificate
  validating-webhook-key version vmodule watch-namespace-selector`),
  ],
  boolean: words(`
  alsologtostderr deep-inspect disable-catch-all disable-full-test disable-leader-election disable-svc-external-name
  disable-sync-events enable-annotation-validation enable-metrics enable-ssl-chain-completion enable-ssl-passthrough
  enable-topology-aware-routing ingress-class-by-name logtostderr metrics-per-host metrics-per-undefined-host profiling
  report-node-internal-ip-address report-status-classes update-status update-status-on-shutdown version
  watch-ingress-without-class`),
};

/** What would make another program of it: refused rather than left lying. */
const unsimulated = words("apiserver-host certificate-authority kubeconfig validating-webhook watch-namespace-selector version");

/** `argv` with the program's name first. Throws WrongCommandLine. */
export function ingressFlags(argv: readonly string[]): IngressFlags {
  const given = flagValues(argv, () => [knownFlags]);
  const text = (name: string, usual = ""): string => given.get(name)?.at(-1) ?? usual;
  const seconds = (name: string, usual: number): number => numberOf(given, name, usual, whole) * 1000;
  const port = (name: string, usual: number): number => numberOf(given, name, usual, whole);
  const other = unsimulated.find((name) => !["", "false"].includes(text(name)));
  if (other !== undefined) throw new WrongCommandLine(`--${other}=${text(other)}: not simulated`, true);
  const publishService = text("publish-service");
  const publishAddresses = text("publish-status-address").split(/,\s*/).filter(Boolean);
  if (publishService !== "" && publishAddresses.length > 0)
    throw new WrongCommandLine("flags --publish-service and --publish-status-address are mutually exclusive", true);
  const electionMs = numberOf(given, "election-ttl", 30_000, duration);
  return {
    controllerClass: text("controller-class", usualControllerClass),
    ingressClass: text("ingress-class", "nginx"),
    classByName: isTrue(given, "ingress-class-by-name", false),
    watchWithoutClass: isTrue(given, "watch-ingress-without-class", false),
    watchNamespace: text("watch-namespace"),
    publishService,
    publishAddresses,
    updateStatus: isTrue(given, "update-status", true),
    clearStatusAtEnd: isTrue(given, "update-status-on-shutdown", true),
    usesInternalAddresses: isTrue(given, "report-node-internal-ip-address", false),
    statusIntervalMs: seconds("status-update-interval", 60),
    defaultBackend: text("default-backend-service"),
    defaultCertificate: text("default-ssl-certificate"),
    electionId: text("election-id", "ingress-controller-leader"),
    electionMs: electionMs <= 0 ? 30_000 : electionMs,
    elects: !isTrue(given, "disable-leader-election", false),
    httpPort: port("http-port", 80),
    httpsPort: port("https-port", 443),
    healthPort: port("healthz-port", 10254),
    healthHost: text("healthz-host"),
    healthPath: text("health-check-path", "/healthz"),
    annotationsPrefix: text("annotations-prefix", "nginx.ingress.kubernetes.io"),
    syncRate: numberOf(given, "sync-rate-limit", 0.3, fraction),
    shutdownMs: seconds("shutdown-grace-period", 0),
    postShutdownMs: seconds("post-shutdown-grace-period", 10),
    refusesCatchAll: isTrue(given, "disable-catch-all", false),
    refusesExternalNames: isTrue(given, "disable-svc-external-name", false),
    writesSyncEvents: !isTrue(given, "disable-sync-events", false),
    given,
  };
}

function isTrue(given: GivenFlags, name: string, usual: boolean): boolean {
  const text = given.get(name)?.at(-1) ?? String(usual);
  if (/^(?:1|t|T|true|True|TRUE)$/.test(text)) return true;
  if (/^(?:0|f|F|false|False|FALSE)$/.test(text)) return false;
  const problem = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${problem}`, false);
}
