// Which plugins act at which point: the default ones with what a profile enables and disables (apis/config/v1/default_plugins.go), and
// `multiPoint` spread over the points that its plugins extend (framework/runtime/framework.go).

import { quote } from "#cluster/api/json-write.ts";
import { defaultPlugins, goPoint, inTreePlugins } from "./in-tree-plugins.ts";
import { type PluginEntry, type PluginSet, type Plugins, type Point, pointNames } from "./shapes.ts";

/** A profile that cannot be made. */
export class ProfileFault extends Error {}

/** With the default plugins; every set is there. */
export type MergedPlugins = { readonly [point in Point | "multiPoint"]: Required<PluginSet> };

export function mergeWithDefaults(plugins: Plugins = {}): MergedPlugins {
  const merge = (point: Point | "multiPoint"): Required<PluginSet> =>
    mergeSets(point === "multiPoint" ? defaultPlugins : [], plugins[point] ?? {});
  const merged = [...pointNames, "multiPoint" as const].map((point) => [point, merge(point)]);
  return Object.fromEntries(merged) as MergedPlugins;
}

/** Default plugins that are enabled anew keep their place; all others come behind. */
function mergeSets(usual: readonly PluginEntry[], { enabled = [], disabled = [] }: PluginSet): Required<PluginSet> {
  const off = new Set(disabled.map(({ name }) => name));
  // Of several entries of one plugin the last one stands in for the default.
  const given = new Map(enabled.map((entry, index) => [entry.name, index]));
  const replacing = new Set<number>();
  const kept: PluginEntry[] = [];
  for (const entry of off.has("*") ? [] : usual) {
    if (off.has(entry.name)) continue;
    const index = given.get(entry.name);
    if (index !== undefined) replacing.add(index);
    kept.push(index === undefined ? entry : (enabled[index] as PluginEntry));
  }
  return { enabled: [...kept, ...enabled.filter((_entry, index) => !replacing.has(index))], disabled };
}

/** Names by point, in their order. */
export type Lineup = { readonly [point in Point]: readonly string[] };

/** Throws ProfileFault. */
export function lineupOf(plugins: MergedPlugins): Lineup {
  for (const point of pointNames) checkSet(point, plugins[point].enabled);
  const spread = pointNames.map((point) => [point, spreadOver(point, plugins)]);
  return Object.fromEntries(spread) as Lineup;
}

function checkSet(point: Point, enabled: readonly PluginEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of enabled) {
    const extended = inTreePlugins.get(name);
    if (extended === undefined) throw new ProfileFault(`${goPoint(point)} ${quote(name)} does not exist`);
    if (!extended.has(point)) throw new ProfileFault(`plugin ${quote(name)} does not extend ${goPoint(point)} plugin`);
    if (seen.has(name)) throw new ProfileFault(`plugin ${quote(name)} already registered as ${quote(goPoint(point))}`);
    seen.add(name);
  }
}

/** First what a point sets anew of `multiPoint`, then the rest of `multiPoint`, then what the point has beside it. */
function spreadOver(point: Point, plugins: MergedPlugins): readonly string[] {
  const own = plugins[point].enabled.map(({ name }) => name);
  const off = new Set(plugins[point].disabled.map(({ name }) => name));
  if (off.has("*")) return own;
  const overridden = new Set<string>();
  const shared: string[] = [];
  for (const { name } of plugins.multiPoint.enabled) {
    const extended = inTreePlugins.get(name);
    if (extended === undefined) throw new ProfileFault(`${goPoint(point)} ${quote(name)} does not exist`);
    if (!extended.has(point) || off.has(name)) continue;
    if (own.includes(name)) overridden.add(name);
    else if (shared.includes(name)) throw new ProfileFault(`plugin ${quote(name)} already registered as ${quote(goPoint(point))}`);
    else shared.push(name);
  }
  return [...own.filter((name) => overridden.has(name)), ...shared, ...own.filter((name) => !overridden.has(name))];
}

/**
 * Factors of scores. A weight of the point itself comes before one of `multiPoint`; 0 is 1. (That their sum stays below 2^63, which upstream
 * asks for too, no weights of 32 bits can break.)
 */
export function scoreWeights(plugins: MergedPlugins): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { name, weight = 0 } of [...plugins.score.enabled, ...plugins.multiPoint.enabled])
    if (!weights.has(name)) weights.set(name, weight === 0 ? 1 : weight);
  return weights;
}
