// What the containers of etcd, the API server, the controller manager and schedulers start: their command lines, and when they give up.

import { lateAtRest } from "#cluster/apiserver/at-rest/late-at-rest.ts";
import { type Authenticator, authenticateToken } from "#cluster/apiserver/authentication.ts";
import { actingFlags, type ServerFlags, serverFiles, serverFlags } from "#cluster/apiserver/command-line.ts";
import { lateAudit } from "#cluster/apiserver/late-audit.ts";
import { lateRequests } from "#cluster/apiserver/late-requests.ts";
import type { ServerLog } from "#cluster/apiserver/log.ts";
import { latePeers } from "#cluster/apiserver/peers/late-peers.ts";
import { allowsPrivileged } from "#cluster/apiserver/privileged.ts";
import { usualVersions } from "#cluster/apiserver/runtime-config.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import { defaultAudience, InvalidToken } from "#cluster/apiserver/service-account-tokens.ts";
import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { type GivenFlags, idleFlags, WrongCommandLine } from "#cluster/component-flags.ts";
import { actingManagerFlags, managerFlags } from "#cluster/controllers/command-line.ts";
import { ControllerManager, type ControllerManagerOptions, managerUser } from "#cluster/controllers/controller-manager.ts";
import { usualTuning } from "#cluster/controllers/tuning.ts";
import { lateEtcd } from "#cluster/etcd/late-etcd.ts";
import type { EtcdFacts } from "#cluster/etcd/log.ts";
import { klogLater, logLater } from "#cluster/images/log-line.ts";
import { type Exit, type Part, StartFailure, type StartPart } from "#cluster/images/system-images.ts";
import { lateFlagNames } from "#cluster/late-flag-names.ts";
import { actingSchedulerFlags, schedulerSettings } from "#cluster/scheduler/configuration.ts";
import { Scheduler, schedulerUser } from "#cluster/scheduler/scheduler.ts";
import { actingEtcdFlags, etcdFiles, etcdFlags } from "#cluster/storage/etcd-command-line.ts";
import type { Store } from "#cluster/storage/store.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import { once } from "#sim/late.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { readCertificates, type X509Certificate } from "#x509/certificate.ts";
import type { ComponentServer } from "./component-answers.ts";
import { commandFailed, missingFile, readCommandLine, startLog, warnOfIdleFlags } from "./component-start.ts";
import type { EtcdMember } from "./etcd-cluster.ts";
import { lateComponentAnswers } from "./late-component-answers.ts";

type PeerSettings = ReturnType<typeof latePeers.code.peerSettings>;
type AuditLogSettings = ReturnType<typeof lateAudit.code.logSettings>;

/** How often, and how long, an API server that starts asks etcd before it gives up. */
const etcdAskMs = 1_000;
const etcdPatienceMs = 20_000;

const nothing = { stop: (): void => {} };

/** The flags that kubeadm gives a component. */
type UsualFlags = ReadonlySet<string>;

export interface EtcdPartOptions {
  readonly member: EtcdMember;
  /** The machines of this member and of all. */
  readonly machines: Pick<EtcdFacts, "member" | "members">;
  readonly usual: UsualFlags;
  readonly store: Store;
  /** Answers clients that show a certificate of the authority in that file. */
  readonly answer: (self: Process, authorityFile: string) => HttpHandler;
}

/** The data stay when the process ends: they are in /var/lib/etcd. */
export function etcdPart({ member, machines, usual, store, answer }: EtcdPartOptions): StartPart {
  return (self, exit) => {
    let facts: EtcdFacts;
    try {
      const { given, clientUrls } = etcdFlags(self.argv, usual);
      facts = { ...machines, argv: self.argv, given, isInitialized: member.hasJoined };
      const missing = missingFile(self, given, Object.fromEntries(etcdFiles.map((flag) => [flag, ""])));
      if (missing !== undefined) {
        exit(1, lateEtcd.code.failureLine(self, missing));
        return nothing;
      }
      for (const flag of idleFlags(given, actingEtcdFlags, usual)) logLater(self, 2, (at) => lateEtcd.code.idleFlagLine(at, flag));
      const file = (flag: string): string => given.get(flag)?.at(-1) ?? "";
      const directory = file("data-dir");
      const fault = self.exists(`${directory}/member`) ? lateEtcd.code.loadRestored(self, store, directory) : undefined;
      if (fault !== undefined) {
        exit(1, lateEtcd.code.failureLine(self, fault));
        return nothing;
      }
      const certificate = {
        get certificate() {
          return readCertificates(self.readText(file("cert-file")))[0] as X509Certificate;
        },
      };
      for (const url of clientUrls) {
        const { protocol, hostname, port } = new URL(url);
        const address = hostname === "localhost" ? "127.0.0.1" : hostname;
        const tls = protocol === "https:" ? { tls: certificate } : {};
        self.serveHttp({ port: Number(port), address, ...tls, handler: answer(self, file("trusted-ca-file")) });
      }
      logLater(self, 2, (at) => lateEtcd.code.startLines(at, facts));
      member.listen(clientUrls);
    } catch (error) {
      if (!(error instanceof WrongCommandLine)) throw error;
      exit(2, `${error.message}\n`);
      return nothing;
    }
    const forget = store.onCompacted.add((revision, forgotten) =>
      logLater(self, 2, (at) => lateEtcd.code.compactionLines(at, revision, forgotten)),
    );
    return {
      stop: () => {
        forget();
        if (self.exit === undefined) logLater(self, 2, (at) => lateEtcd.code.endLines(at, facts));
        member.close();
      },
    };
  };
}

export interface ApiServerPartOptions {
  readonly simulation: Simulation;
  readonly apiServer: ApiServer;
  readonly etcd: EtcdMember;
  readonly usual: UsualFlags;
  /** Opens the port once etcd answers. */
  readonly listen: (self: Process) => void;
}

export function apiServerPart({ simulation, apiServer, etcd, usual, listen }: ApiServerPartOptions): StartPart {
  return (self, exit) => {
    const command = readCommandLine(self, exit, () => serverCommand(self.argv, usual));
    if (command === undefined) return nothing;
    const { flags, auditLog } = command;
    const { peers } = command;
    const fault =
      missingFile(self, flags.given, serverFiles) ??
      (auditLog === undefined ? undefined : lateAudit.code.openAudit(self, auditLog, apiServer)) ??
      encryptionFault(self, flags, apiServer) ??
      kubeletAuthorityFault(self, flags, apiServer) ??
      peerFault(self, peers, apiServer) ??
      configure(apiServer, self.argv, flags);
    if (fault !== undefined) {
      apiServer.audit.sink = undefined;
      exit(1, commandFailed(self, fault));
      return nothing;
    }
    apiServer.frontProxies = once(() => lateRequests.code.frontProxiesOf(flags.given, (path) => self.readText(path)));
    const acting = auditLog === undefined ? actingFlags : [...actingFlags, ...lateAudit.code.actingAuditFlags];
    warnOfIdleFlags(self, flags.given, acting, usual);
    for (const gate of peers?.idleGates ?? [])
      klogLater(self, "W", "flags.go:64", `--feature-gates=${gate}: not simulated, has no effect`);
    for (const key of unsimulatedVersions(apiServer))
      klogLater(self, "W", "flags.go:64", `--runtime-config=${key}: not simulated, has no effect`);
    const log: ServerLog = (words) => logLater(self, 2, words);
    const { machinery } = apiServer.pipeline;
    const { admission } = machinery;
    log((at) => lateRequests.code.beginLines(at, apiServer.advertisedAddress, admission.all));
    etcd.lookFor(flags.etcdServers);
    const startMs = simulation.nowMs;
    let timer: Timer | undefined;
    const tryToStart = (): void => {
      if (apiServer.etcd.isReachable) {
        listen(self);
        const { served } = apiServer;
        log((at) => lateRequests.code.servingLines(at, served));
        machinery.log = log;
        apiServer.start();
      } else if (simulation.nowMs - startMs < etcdPatienceMs) {
        timer = simulation.after(etcdAskMs, tryToStart, { background: true });
      } else exit(1, commandFailed(self, "context deadline exceeded"));
    };
    tryToStart();
    return {
      stop: () => {
        simulation.cancel(timer);
        // A process that was killed says nothing any more.
        const isAsked = self.exit === undefined;
        if (isAsked && apiServer.running) log((at) => lateRequests.code.endLines(at));
        machinery.log = undefined;
        apiServer.stop(isAsked);
        apiServer.audit.sink?.close();
        apiServer.audit.sink = undefined;
      },
    };
  };
}

/** Values that were once encrypted stay so without the flag, and cannot be read. */
function encryptionFault(self: Process, { given }: ServerFlags, apiServer: ApiServer): string | undefined {
  const isAsked = [...given.keys()].some((name) => name.startsWith("encryption-"));
  return isAsked || apiServer.store.encryption !== undefined ? lateAtRest.code.useEncryption(self, apiServer, given) : undefined;
}

/** `--kubelet-certificate-authority`: without it, whatever a kubelet shows is taken. */
function kubeletAuthorityFault(self: Process, { given }: ServerFlags, apiServer: ApiServer): string | undefined {
  const path = given.get("kubelet-certificate-authority")?.at(-1) ?? "";
  apiServer.kubeletAuthorities = path === "" ? undefined : readCertificates(self.readText(path));
  return apiServer.kubeletAuthorities?.length === 0
    ? "unable to load root certificates: unable to parse bytes as PEM block"
    : undefined;
}

/** Flags that have to do with the other servers of the cluster; absent: none was given. */
function peerFault(self: Process, settings: PeerSettings | undefined, apiServer: ApiServer): string | undefined {
  const { isKnown = true, address, authorityFile = "" } = settings ?? {};
  apiServer.peerAddress = isKnown ? (address ?? apiServer.advertisedAddress) : undefined;
  apiServer.peers = undefined;
  return authorityFile === "" ? undefined : latePeers.code.usePeers(self.readText(authorityFile), apiServer);
}

const peerFlags = ["feature-gates", "peer-advertise-ip", "peer-advertise-port", "peer-ca-file"] as const;

/** `auditLog`, `peers`: absent where no flag asks for them. Throws WrongCommandLine. */
function serverCommand(
  argv: readonly string[],
  usual: UsualFlags,
): { readonly flags: ServerFlags; readonly auditLog?: AuditLogSettings; readonly peers?: PeerSettings } {
  const flags = serverFlags(argv, usual);
  const asksForAuditing = [...flags.given.keys()].some((name) => name.startsWith("audit-"));
  return {
    flags,
    ...(asksForAuditing ? { auditLog: lateAudit.code.logSettings(flags.given) } : {}),
    ...(peerFlags.some((name) => flags.given.has(name)) ? { peers: latePeers.code.peerSettings(flags.given) } : {}),
  };
}

/** Keys of `--runtime-config` that do nothing here. Throws Error for what upstream refuses. */
function unsimulatedVersions({ runtimeConfig, registry }: ApiServer): readonly string[] {
  return runtimeConfig.values.size === 0 ? [] : lateFlagNames.code.unsimulatedVersions(runtimeConfig, registry.all);
}

/** What is wrong with the settings, if anything. */
function configure(apiServer: ApiServer, argv: readonly string[], flags: ServerFlags): string | undefined {
  const { machinery } = apiServer.pipeline;
  try {
    const isConfigured = flags.given.has("runtime-config");
    apiServer.runtimeConfig = isConfigured ? lateFlagNames.code.runtimeConfigOf(argv) : usualVersions;
    unsimulatedVersions(apiServer);
    machinery.allowsPrivileged = allowsPrivileged(argv);
    apiServer.usePlugins(listFlag(argv, "enable-admission-plugins"), listFlag(argv, "disable-admission-plugins"));
  } catch (error) {
    if (!isOwnError(error)) throw error;
    return error.message;
  }
  apiServer.argv = argv;
  machinery.tolerationSeconds = flags.tolerationSeconds;
  apiServer.anonymousAuth = flags.anonymousAuth;
  apiServer.authorizer.use(flags.authorizationModes);
  return undefined;
}

/** What a flag of names separated by commas lists; it may occur several times. */
function listFlag(argv: readonly string[], name: string): readonly string[] {
  return argv.flatMap((argument, index) => {
    let given: string | undefined;
    if (argument === `--${name}`) given = argv[index + 1];
    else if (argument.startsWith(`--${name}=`)) given = argument.slice(name.length + 3);
    return (given ?? "").split(",").filter((word) => word !== "");
  });
}

export interface SchedulerPartOptions {
  readonly simulation: Simulation;
  readonly usual: UsualFlags;
  readonly clients: ClientFactory;
  /** Whose tokens count. */
  readonly authenticator: () => Authenticator;
  /** The scheduler that kubeadm installs: a process with a kubeconfig is this one. */
  readonly installed: Scheduler;
  /** Hands over how to end the process of the installed one. */
  readonly onInstalled: (exit: Exit) => void;
}

/** With a kubeconfig the scheduler of the cluster, without one a further scheduler that acts as its Pod's service account. */
export function schedulerPart(options: SchedulerPartOptions): StartPart {
  const { simulation, clients, authenticator, usual, installed, onInstalled } = options;
  return (self, exit) => {
    const settings = readCommandLine(self, exit, () => schedulerSettings(self.argv, (path) => self.readText(path), usual));
    if (settings === undefined) return nothing;
    const fault = missingComponentFile(self, settings.given);
    if (fault !== undefined) {
      exit(1, commandFailed(self, fault));
      return nothing;
    }
    warnOfIdleFlags(self, settings.given, actingSchedulerFlags, usual);
    for (const field of settings.idle) klogLater(self, "W", "configfile.go:92", `${field}: not simulated, has no effect`);
    const { leaderElect, leaseName, leaseNamespace, timing } = settings;
    const start = () => ({
      log: startLog(self, "server.go", 175, "Starting Kubernetes Scheduler"),
      leaderElect,
      lease: { name: leaseName, namespace: leaseNamespace },
      timing,
      settings: settings.schedulingOf(self, simulation),
    });
    const served = (scheduler: Scheduler, user: UserInfo): Part => ({
      stop: () => endScheduler(scheduler, self),
      serve: answersOf({
        simulation,
        clients,
        user,
        name: "kube-scheduler",
        argv: self.argv,
        lease: leaderElect ? leaseName || "kube-scheduler" : "",
        component: scheduler,
      }),
    });
    if (settings.kubeconfig !== "") {
      onInstalled(exit);
      installed.start(start());
      return served(installed, schedulerUser);
    }
    const user = serviceAccountOf(self, authenticator());
    if (user === undefined) {
      const message =
        "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";
      exit(1, commandFailed(self, message));
      return nothing;
    }
    const scheduler = new Scheduler({ simulation, clients, hostname: self.hostname, user, onExit: () => exit(1) });
    scheduler.start(start());
    return served(scheduler, user);
  };
}

/** Only a process that still lives has time for leave. */
function endScheduler(scheduler: Scheduler, self: Process): void {
  if (self.exit === undefined) scheduler.end();
  else scheduler.stop();
}

const tokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** Whom the token that is mounted into a container stands for; undefined without a token that counts. */
export function serviceAccountOf(self: Process, authenticator: Authenticator): UserInfo | undefined {
  try {
    return authenticateToken(self.readDraft(tokenFile), [defaultAudience], authenticator).user;
  } catch (error) {
    if (error instanceof SysError || error instanceof InvalidToken) return undefined;
    throw error;
  }
}

/** A client of the program in a Pod, as the account whose token is mounted there. Throws StartFailure without one. */
export function podClient(self: Process, clients: ClientFactory, authenticator: Authenticator, userAgent: string): Client {
  const user = serviceAccountOf(self, authenticator);
  if (user === undefined)
    throw new StartFailure(`unable to load in-cluster configuration: open ${tokenFile}: no such file or directory`);
  return clients.clientFor(user, userAgent);
}

type ManagerSettings = Omit<
  ControllerManagerOptions,
  | "controllers"
  | "terminatedPodThreshold"
  | "nodeGraceMs"
  | "evictionRates"
  | "autoscaling"
  | "tuning"
  | "useServiceAccountCredentials"
  | "onExit"
>;

export function controllerManagerPart(settings: ManagerSettings, usual: UsualFlags): StartPart {
  return (self, exit) => {
    const flags = readCommandLine(self, exit, () => managerFlags(self.argv, usual));
    if (flags === undefined) return nothing;
    const fault =
      missingComponentFile(self, flags.given) ??
      missingFile(self, flags.given, { "root-ca-file": "", "service-account-private-key-file": "" });
    if (fault !== undefined) {
      exit(1, commandFailed(self, fault));
      return nothing;
    }
    const { tuning } = flags;
    const acting = tuning === usualTuning ? actingManagerFlags : [...actingManagerFlags, ...lateFlagNames.code.tuningFlags];
    warnOfIdleFlags(self, flags.given, acting, usual);
    const { controllers, clusterCidr, terminatedPodThreshold, nodeGraceMs, evictionRates, signingMs, autoscaling } = flags;
    const { useServiceAccountCredentials } = flags;
    const manager = new ControllerManager({
      ...settings,
      ...(clusterCidr === undefined ? {} : { clusterCidr }),
      ...(settings.signing === undefined ? {} : { signing: { ...settings.signing, durationMs: signingMs } }),
      controllers,
      terminatedPodThreshold,
      nodeGraceMs,
      evictionRates,
      autoscaling,
      tuning,
      useServiceAccountCredentials,
      onExit: () => exit(1),
    });
    manager.start(startLog(self, "controllermanager.go", 191, "Starting"));
    const name = "kube-controller-manager";
    const serve = answersOf({ ...settings, user: managerUser, name, argv: self.argv, lease: name, component: manager });
    return { stop: () => manager.stop(), serve };
  };
}

/** What answers comes when somebody asks. */
function answersOf(server: Omit<ComponentServer, "startedMs">): NonNullable<Part["serve"]> {
  const startedMs = server.simulation.nowMs;
  return (...asked) => lateComponentAnswers.code.answer({ ...server, startedMs }, ...asked);
}

/** The files that every component but the API server reads first, in the words of clientcmd and of the delegated authentication. */
function missingComponentFile(self: Process, given: GivenFlags): string | undefined {
  const delegated = (what: string) => `failed to get delegated ${what} kubeconfig: `;
  return (
    missingFile(self, given, { kubeconfig: "" }, "stat") ??
    missingFile(self, given, { "authentication-kubeconfig": delegated("authentication").repeat(2) }, "stat") ??
    missingFile(self, given, {
      "client-ca-file": "unable to load client CA provider: ",
      "requestheader-client-ca-file": "unable to create request header authentication config: ",
    }) ??
    missingFile(self, given, { "authorization-kubeconfig": delegated("authorization") }, "stat")
  );
}
