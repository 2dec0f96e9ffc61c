// What a kube-scheduler process is told: flags, and the KubeSchedulerConfiguration that --config names (`configuration/`).

import type { LeaderElectionTiming } from "#cluster/client/leader-election.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { flagValues, type GivenFlags, WrongCommandLine, words } from "../component-flags.ts";
import { lateFlagNames } from "../late-flag-names.ts";
import type { LeaderElectionFields } from "./configuration/shapes.ts";
import { lateConfiguration } from "./late-configuration.ts";
import { type SchedulingSettings, usualSettings } from "./scheduling-loop.ts";

export interface SchedulerSettings {
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace: string;
  readonly timing?: LeaderElectionTiming | undefined;
  /** "" for none: the process acts as the service account of its Pod. */
  readonly kubeconfig: string;
  /** Fields of the file that do nothing here. */
  readonly idle: readonly string[];
  /** `self` is the process that extenders are called from. */
  readonly schedulingOf: (self: Process, simulation: Simulation) => SchedulingSettings;
  readonly given: GivenFlags;
}

export const actingSchedulerFlags: readonly string[] = words(`
  config kubeconfig leader-elect leader-elect-resource-name leader-elect-resource-namespace secure-port`);

/** `readFile` throws for what is not there. Throws WrongCommandLine. */
export function schedulerSettings(
  argv: readonly string[],
  readFile: (path: string) => string,
  usual?: ReadonlySet<string>,
): SchedulerSettings {
  const given = flagValues(argv, () => [lateFlagNames.code.knownFlagsOf("kube-scheduler")], usual);
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const path = last("config");
  // Of the flags beside a file only those of the leader election count, where they are given.
  const elect = last("leader-elect");
  const [resourceName, resourceNamespace] = [last("leader-elect-resource-name"), last("leader-elect-resource-namespace")];
  const election: LeaderElectionFields = {
    ...(elect === undefined ? {} : { leaderElect: elect === "true" }),
    ...(resourceName === undefined ? {} : { resourceName }),
    ...(resourceNamespace === undefined ? {} : { resourceNamespace }),
  };
  if (path !== undefined) return { ...settingsOfFile(path, election, readFile), given };
  return {
    leaderElect: election.leaderElect ?? true,
    leaseName: resourceName ?? "kube-scheduler",
    leaseNamespace: resourceNamespace ?? "kube-system",
    kubeconfig: last("kubeconfig") ?? "",
    idle: [],
    schedulingOf: () => usualSettings,
    given,
  };
}

function settingsOfFile(
  path: string,
  election: LeaderElectionFields,
  readFile: (path: string) => string,
): Omit<SchedulerSettings, "given"> {
  const read = (file: string): string => {
    try {
      return readFile(file);
    } catch (error) {
      throw new WrongCommandLine(`open ${file}: ${asciiLowerCase(wordsOf(error))}`, true);
    }
  };
  const { code } = lateConfiguration;
  try {
    return code.fileSettings(read(path), election, read);
  } catch (error) {
    if (error instanceof code.ConfigurationFault || error instanceof code.ProfileFault)
      throw new WrongCommandLine(error.message, true);
    throw error;
  }
}
