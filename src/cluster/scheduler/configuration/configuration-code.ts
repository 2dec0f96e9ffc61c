// What a configuration file comes to: settings of the process, and how it schedules.

import type { LeaderElectionTiming } from "#cluster/client/leader-election.ts";
import type { Certificate } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { SchedulingSettings } from "../scheduling-loop.ts";
import { ConfigurationFault, readConfigurationFile } from "./configuration-file.ts";
import { type ExtenderCall, processTransport } from "./extender-transport.ts";
import { extenderChain } from "./http-extender.ts";
import { makeProfiles, soundProfiles } from "./profiles.ts";
import type { ExtenderFields, ExtenderTls, LeaderElectionFields } from "./shapes.ts";
import type { WholeConfiguration } from "./validation.ts";

export { ConfigurationFault } from "./configuration-file.ts";
export { ProfileFault } from "./plugin-sets.ts";

export interface FileSettings {
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace: string;
  readonly timing: LeaderElectionTiming;
  readonly kubeconfig: string;
  /** Fields that are right and do nothing here. */
  readonly idle: readonly string[];
  readonly schedulingOf: (self: Process, simulation: Simulation) => SchedulingSettings;
}

/** client-go, tools/leaderelection. */
const jitterFactor = 1.2;

/** `readFile` throws for what is not there. Throws ConfigurationFault, ProfileFault. */
export function fileSettings(text: string, flags: LeaderElectionFields, readFile: (path: string) => string): FileSettings {
  const configuration = readConfigurationFile(text, flags);
  const { leaderElection, extenders = [], clientConnection } = configuration;
  const { leaderElect, renewDeadline, retryPeriod } = leaderElection;
  const secured = extenders.map((fields) => ({ fields, tls: tlsOf(fields, readFile) }));
  const ignored = extenders.flatMap(({ managedResources = [] }) =>
    managedResources.flatMap(({ name = "", ignoredByScheduler }) => (ignoredByScheduler === true ? [name] : [])),
  );
  const profiles = soundProfiles(configuration.profiles, ignored);
  const schedulingOf = (self: Process, simulation: Simulation): SchedulingSettings => ({
    profiles: profiles.map(({ name }) => name),
    makeProfiles: (parts) => makeProfiles(profiles, parts),
    percentageOfNodesToScore: configuration.percentageOfNodesToScore ?? 0,
    backoff: {
      firstMs: configuration.podInitialBackoffSeconds * 1000,
      mostMs: configuration.podMaxBackoffSeconds * 1000,
    },
    extenders: secured.length === 0 ? undefined : extenderChain(secured, processTransport(self, simulation)),
  });
  if (leaderElect && renewDeadline <= retryPeriod * jitterFactor)
    throw new ConfigurationFault("couldn't create leader elector: renewDeadline must be greater than retryPeriod*JitterFactor");
  const { resourceName, resourceNamespace, leaseDuration } = leaderElection;
  return {
    leaderElect,
    leaseName: resourceName,
    leaseNamespace: resourceNamespace,
    timing: { leaseDurationMs: leaseDuration, renewDeadlineMs: renewDeadline, retryPeriodMs: retryPeriod },
    kubeconfig: clientConnection?.kubeconfig ?? "",
    idle: idleFields(configuration),
    schedulingOf,
  };
}

function idleFields({ parallelism, clientConnection = {}, ...others }: WholeConfiguration): readonly string[] {
  const { acceptContentTypes, contentType, qps = 50, burst = 100 } = clientConnection;
  const isIdle: { readonly [field: string]: boolean } = {
    parallelism: parallelism !== 16,
    "clientConnection.acceptContentTypes": (acceptContentTypes ?? "") !== "",
    "clientConnection.contentType": !["", "application/vnd.kubernetes.protobuf"].includes(contentType ?? ""),
    "clientConnection.qps": qps !== 0 && qps !== 50,
    "clientConnection.burst": burst !== 0 && burst !== 100,
    enableProfiling: others.enableProfiling === false,
    enableContentionProfiling: others.enableContentionProfiling === false,
    delayCacheUntilActive: others.delayCacheUntilActive === true,
  };
  return Object.keys(isIdle).filter((field) => isIdle[field] === true);
}

/** Throws ConfigurationFault for what client-go would not build a connection of. */
function tlsOf({ tlsConfig = {}, enableHTTPS }: ExtenderFields, readFile: (path: string) => string): ExtenderCall["tls"] {
  const ca = pemOf(tlsConfig, "ca", readFile);
  const isInsecure = tlsConfig.insecure === true || (enableHTTPS === true && ca === undefined);
  const refuse = (text: string): never => {
    throw new ConfigurationFault(`couldn't build extenders: ${text}`);
  };
  if (ca !== undefined && tlsConfig.insecure === true)
    refuse("specifying a root certificates file with the insecure flag is not allowed");
  const authorities = ca === undefined ? [] : certificatesOf(ca);
  if (ca !== undefined && authorities.length === 0) refuse("unable to load root certificates: unable to parse bytes as PEM block");
  const [own] = certificatesOf(ownPem(tlsConfig, readFile) ?? "");
  return {
    ...(isInsecure ? {} : { authorities }),
    ...(own === undefined ? {} : { certificate: own }),
    ...((tlsConfig.serverName ?? "") === "" ? {} : { serverName: tlsConfig.serverName as string }),
  };
}

/** A certificate counts with its key alone. */
function ownPem(tlsConfig: ExtenderTls, readFile: (path: string) => string): string | undefined {
  const certificate = pemOf(tlsConfig, "cert", readFile);
  return pemOf(tlsConfig, "key", readFile) === undefined ? undefined : certificate;
}

/** What the configuration has itself comes before a file. */
function pemOf(tls: ExtenderTls, which: "ca" | "cert" | "key", readFile: (path: string) => string): string | undefined {
  const data = tls[`${which}Data`] ?? "";
  const path = tls[`${which}File`] ?? "";
  if (data !== "") return atob(data);
  return path === "" ? undefined : readFile(path);
}

function certificatesOf(pem: string): readonly Certificate[] {
  try {
    return readCertificates(pem);
  } catch {
    return [];
  }
}
