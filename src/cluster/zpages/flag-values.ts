// The value of each flag of a component, as pflag prints it: what the command line says, and the default of all others.

import { formatGoDuration, parseGoDuration } from "#cluster/api/duration.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { flagValues, type KnownFlags, words } from "#cluster/component-flags.ts";
import { checkGates } from "../feature-gates.ts";
import { flagDefaults } from "./flag-defaults.ts";

/** Those that print their pairs in order, and take several times. */
const pairFlags: ReadonlySet<string> = new Set(words("feature-gates runtime-config node-labels kube-reserved system-reserved"));
/** The kubelet says it in its own words. */
const checksGates: ReadonlySet<string> = new Set(["kube-apiserver", "kube-controller-manager", "kube-scheduler"]);
const defaultsOf = new Map<string, ReadonlyMap<string, string>>();

/** Throws TypeError for a component whose flags are not known, WrongCommandLine for a command line that it refuses. */
export function flagValuesOf(component: string, argv: readonly string[]): ReadonlyMap<string, string> {
  const defaults = defaultsFor(component);
  const given = flagValues(argv, () => [namesOf(component)]);
  const values = new Map(defaults);
  for (const [name, texts] of given) values.set(name, printed(name, defaults.get(name) ?? "", texts));
  // It is known by the address that it tells others.
  if (values.get("external-hostname") === "") values.set("external-hostname", values.get("advertise-address") ?? "");
  return values;
}

/** Which flags a component has, and which of their values it refuses. Throws TypeError. */
export function knownFlagsOf(component: string): KnownFlags {
  return { ...namesOf(component), ...(checksGates.has(component) ? { check: checkGates } : {}) };
}

/** `--help` is asked of no component here. */
function namesOf(component: string): KnownFlags {
  const all = [...defaultsFor(component)].filter(([name]) => name !== "help");
  return {
    names: all.map(([name]) => name),
    boolean: all.flatMap(([name, value]) => (value === "true" || value === "false" ? [name] : [])),
  };
}

function defaultsFor(component: string): ReadonlyMap<string, string> {
  const known = defaultsOf.get(component);
  if (known !== undefined) return known;
  const text = flagDefaults[component];
  if (text === undefined) throw new TypeError(`no flags are known of ${component}`);
  const made = new Map(text.trim().split("\n").map(nameAndValue));
  defaultsOf.set(component, made);
  return made;
}

function nameAndValue(line: string): [string, string] {
  const equals = line.indexOf("=");
  return [line.slice(0, equals), line.slice(equals + 1)];
}

function printed(name: string, usual: string, texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  if (pairFlags.has(name)) {
    const pairs = new Map(texts.flatMap((text) => text.split(",")).map((pair) => nameAndValue(pair.trim())));
    return [...pairs]
      .sort(([a], [b]) => compareBytes(a, b))
      .map((pair) => pair.join("="))
      .join(",");
  }
  if (usual.startsWith("[")) return `[${texts.join(",")}]`;
  const duration = /^\d+(\.\d+)?(h|m|s|ms)/.test(usual) ? parseGoDuration(last) : undefined;
  return duration !== undefined && "ms" in duration ? formatGoDuration(duration.ms) : last;
}
