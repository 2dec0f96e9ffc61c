// What a kubelet's command line says of its Node's registration: --node-labels, --register-node, --register-with-taints.

import type { Taint } from "#cluster/api/generated/types.ts";
import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { wordsOf } from "#sim/errors.ts";
import { checkNodeLabels } from "./node-label-check.ts";
import { StartRefusal } from "./start-refusal.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Pairs of one flag or several, the last value of a key (ConfigurationMap); throws StartRefusal for what a kubelet may not say. */
export function nodeLabelsOf(texts: readonly string[]): { readonly [key: string]: string } {
  const pairs = texts.flatMap((text) => text.split(",")).filter((pair) => pair !== "");
  const labels = Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0 ? [pair.trim(), ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
  try {
    checkNodeLabels(labels);
  } catch (error) {
    throw new StartRefusal(`failed to validate kubelet flags: ${wordsOf(error)}`);
  }
  return labels;
}

/** `key=value:effect` or `key:effect`, with commas between them (pkg/util/taints); throws StartRefusal. */
export function registerWithTaintsOf(text: string): readonly Taint[] {
  if (text === "") return [];
  return text.split(",").map((spec) => {
    const taint = taintOf(spec);
    if (typeof taint === "string") throw wrongArgument(text, "register-with-taints", taint);
    return taint;
  });
}

function taintOf(spec: string): Taint | string {
  const [body = "", effect, ...rest] = spec.split(":");
  if (rest.length > 0) return `invalid taint spec: ${spec}`;
  if (effect !== undefined && !effects.includes(effect)) return `invalid taint effect: ${effect}, unsupported taint effect`;
  const [key = "", value = "", ...more] = effect === undefined ? [body] : body.split("=");
  if (more.length > 0) return `invalid taint spec: ${spec}`;
  const reasons = value === "" ? [] : labelValueReasons(value);
  const problems = reasons.length > 0 ? reasons : qualifiedNameReasons(key);
  if (problems.length > 0) return `invalid taint spec: ${spec}, ${problems.join("; ")}`;
  return { key, effect: effect ?? "", ...(value === "" ? {} : { value }) };
}

function wrongArgument(text: string, flag: string, problem: string): StartRefusal {
  return new StartRefusal(
    `failed to parse kubelet flag: invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${problem}`,
  );
}
