// Profiles of a configuration: found whole before the scheduler starts, made when it has watches to make plugins of
// (framework/runtime/framework.go, NewFramework).

import { quote } from "#cluster/api/json-write.ts";
import { usualBindTimeoutMs, usualCandidateNodes } from "../default-profile.ts";
import type { Plugin } from "../framework.ts";
import type { PluginParts, PostFilter, Profile, WeightedPlugin } from "../profile.ts";
import { makePlugin, withoutFilter, withoutPreFilter, withoutPreScore } from "./configured-plugins.ts";
import { inTreePlugins } from "./in-tree-plugins.ts";
import { ownFaults } from "./plugin-args.ts";
import { type Lineup, lineupOf, ProfileFault, scoreWeights } from "./plugin-sets.ts";
import { type PluginArgs, pointNames } from "./shapes.ts";
import type { WholeProfile } from "./validation.ts";

/** A profile of which nothing is open but its plugins. */
export interface SoundProfile {
  readonly name: string;
  readonly percentageOfNodesToScore: number | undefined;
  readonly lineup: Lineup;
  readonly weights: ReadonlyMap<string, number>;
  readonly args: PluginArgs;
}

/** Throws ProfileFault. */
export function soundProfiles(profiles: readonly WholeProfile[], ignoredByScheduler: readonly string[]): readonly SoundProfile[] {
  const sound: SoundProfile[] = [];
  for (const profile of profiles) {
    try {
      sound.push(soundProfile(profile, ignoredByScheduler));
    } catch (error) {
      if (!(error instanceof ProfileFault)) throw error;
      throw new ProfileFault(
        `initializing profiles: creating profile for scheduler name ${profile.schedulerName}: ${error.message}`,
      );
    }
    const [first, last] = [sound[0], sound.at(-1)].map((one) => one?.lineup.queueSort[0] ?? "");
    if (first !== last) {
      const sorts = `${quote(last ?? "")}, first: ${quote(first ?? "")}`;
      throw new ProfileFault(
        `initializing profiles: different queue sort plugins for profile ${quote(profile.schedulerName)}: ${sorts}`,
      );
    }
  }
  return sound;
}

function soundProfile(profile: WholeProfile, ignoredByScheduler: readonly string[]): SoundProfile {
  const { schedulerName: name, plugins, pluginConfig, percentageOfNodesToScore } = profile;
  const given = Object.fromEntries(pluginConfig.map((one) => [one.name, one.args])) as PluginArgs;
  // Resources that an extender sees to take the place of those that the arguments name.
  const args: PluginArgs =
    ignoredByScheduler.length === 0
      ? given
      : { ...given, NodeResourcesFit: { ...given.NodeResourcesFit, ignoredResources: ignoredByScheduler } };
  const needed = new Set([...pointNames, "multiPoint" as const].flatMap((point) => plugins[point].enabled.map((one) => one.name)));
  for (const plugin of inTreePlugins.keys()) {
    const fault = needed.has(plugin) ? ownFaults(plugin as keyof PluginArgs, args) : undefined;
    if (fault !== undefined) throw new ProfileFault(`initializing plugin ${quote(plugin)}: ${fault}`);
  }
  const lineup = lineupOf(plugins);
  const sorts = lineup.queueSort.length;
  const forName = `for profile with scheduler name ${quote(name)}`;
  if (sorts !== 1) throw new ProfileFault(`only one queue sort plugin required ${forName}, but got ${sorts}`);
  if (lineup.bind.length === 0) throw new ProfileFault(`at least one bind plugin is needed ${forName}`);
  return { name, percentageOfNodesToScore, lineup, weights: scoreWeights(plugins), args };
}

export function makeProfiles(profiles: readonly SoundProfile[], parts: PluginParts): ReadonlyMap<string, Profile> {
  return new Map(profiles.map((profile) => [profile.name, makeProfile(profile, parts)]));
}

function makeProfile({ lineup, args, weights, percentageOfNodesToScore }: SoundProfile, parts: PluginParts): Profile {
  const byName = new Map<string, Plugin>();
  for (const name of new Set(Object.values(lineup).flat())) {
    const plugin = makePlugin(name, args, parts);
    if (plugin !== undefined) byName.set(name, plugin);
  }
  const { minCandidateNodesPercentage, minCandidateNodesAbsolute } = args.DefaultPreemption ?? {};
  const timeout = args.VolumeBinding?.bindTimeoutSeconds;
  return {
    preEnqueue: present(lineup.preEnqueue.map((name) => byName.get(name))).filter((plugin) => plugin.preEnqueue !== undefined),
    ...filtering(lineup, byName),
    scoring: scoring(lineup, byName, weights),
    postFilters: lineup.postFilter as readonly PostFilter[],
    candidateNodes: {
      percentage: minCandidateNodesPercentage ?? usualCandidateNodes.percentage,
      absolute: minCandidateNodesAbsolute ?? usualCandidateNodes.absolute,
    },
    preBinding: present(lineup.preBind.map((name) => byName.get(name))).filter((plugin) => plugin.preBind !== undefined),
    bindTimeoutMs: timeout === undefined ? usualBindTimeoutMs : timeout * 1000,
    percentageOfNodesToScore,
    byName,
  };
}

function present(plugins: readonly (Plugin | undefined)[]): readonly Plugin[] {
  return plugins.filter((plugin) => plugin !== undefined);
}

function filtering(lineup: Lineup, byName: ReadonlyMap<string, Plugin>): Pick<Profile, "filtering" | "filterOrder"> {
  const prepared = present(
    lineup.preFilter.map((name) => {
      const plugin = byName.get(name);
      return plugin === undefined || lineup.filter.includes(name) ? plugin : withoutFilter(plugin);
    }),
  );
  const others = lineup.filter
    .filter((name) => !lineup.preFilter.includes(name))
    .map((name) =>
      inTreePlugins.get(name)?.has("preFilter") === true ? withoutPreFilter(name, byName.get(name)) : byName.get(name),
    );
  return { filtering: [...prepared, ...present(others)], filterOrder: lineup.filter };
}

function scoring(
  lineup: Lineup,
  byName: ReadonlyMap<string, Plugin>,
  weights: ReadonlyMap<string, number>,
): readonly WeightedPlugin[] {
  return lineup.score.flatMap((name) => {
    const plugin = byName.get(name);
    if (plugin?.prepareScore === undefined) return [];
    const isPrepared = inTreePlugins.get(name)?.has("preScore") !== true || lineup.preScore.includes(name);
    return [{ plugin: isPrepared ? plugin : withoutPreScore(plugin), weight: weights.get(name) ?? 1 }];
  });
}
