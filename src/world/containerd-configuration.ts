// Reads /etc/containerd/config.toml as containerd does when it starts. What of it the simulation does not act on is named.

import { parse, TomlError } from "smol-toml";
import { containerdConfiguration, criPlugin, runtimePlugin } from "#cluster/node/runtime/configuration-file.ts";
import { containerdConfigurationPath, plainRuntimes, type RuntimeSettings } from "#cluster/node/runtime/handlers.ts";

/** containerd does not start with this file; the message is its own. */
export class ContainerdConfigurationError extends Error {}

export interface ReadConfiguration {
  readonly runtimes: RuntimeSettings;
  /** Paths of settings that are not as they were at the start and have no effect here. */
  readonly withoutEffect: readonly string[];
}

type Table = { readonly [key: string]: unknown };

/** Throws ContainerdConfigurationError. */
export function readContainerdConfiguration(text: string): ReadConfiguration {
  const file = parsed(text);
  const version = file["version"] ?? 1;
  if (version !== 2 && version !== 3)
    throw new ContainerdConfigurationError(`containerd: failed to load config: unsupported config version: ${String(version)}`);
  const plugin = version === 3 ? runtimePlugin : criPlugin;
  const containerd = tableAt(file, ["plugins", plugin, "containerd"]);
  const tables = tableAt(containerd, ["runtimes"]);
  const handlers = Object.keys(tables).map((name) => ({ name, type: String(tableAt(tables, [name])["runtime_type"] ?? "") }));
  const given = containerd["default_runtime_name"];
  const disabled = file["disabled_plugins"];
  const isCriDisabled = Array.isArray(disabled) && disabled.includes(criPlugin);
  const settings = { defaultName: given === undefined ? "runc" : String(given), handlers, isCriDisabled };
  const before = flat(parsed(containerdConfiguration(plainRuntimes, version)));
  const now = flat(file);
  const own = ["plugins", plugin, "containerd"];
  const isRead = (path: string): boolean =>
    path === "version" ||
    (path === "disabled_plugins" && Array.isArray(disabled) && disabled.every((each) => each === criPlugin)) ||
    path === [...own, "default_runtime_name"].join(".") ||
    handlers.some(({ name }) => {
      const table = [...own, "runtimes", name].join(".");
      return path === `${table}.runtime_type` || path === `${table}.options.SystemdCgroup`;
    });
  const changed = [...now].filter(([path, value]) => before.get(path) !== value && !isRead(path)).map(([path]) => path);
  const gone = version === 3 ? [...before.keys()].filter((path) => !now.has(path) && !isRead(path) && !isOfRunc(path)) : [];
  return { runtimes: settings, withoutEffect: [...changed, ...gone] };
}

function isOfRunc(path: string): boolean {
  return path.includes(".runtimes.runc.");
}

function parsed(text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const cause = `(${error.line}, ${error.column}): ${error.message.split("\n")[0]?.replace("Invalid TOML document: ", "")}`;
    throw new ContainerdConfigurationError(
      `containerd: failed to load TOML from ${containerdConfigurationPath}: failed to unmarshal TOML: ${cause}`,
    );
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tableAt(table: Table, path: readonly string[]): Table {
  let current = table;
  for (const key of path) {
    const next = current[key];
    if (!isTable(next)) return {};
    current = next;
  }
  return current;
}

/** Settings by path; values as text. */
function flat(table: Table, above = ""): Map<string, string> {
  const result = new Map<string, string>();
  for (const [key, value] of Object.entries(table)) {
    const path = above === "" ? key : `${above}.${key}`;
    if (isTable(value)) for (const [below, each] of flat(value, path)) result.set(below, each);
    else result.set(path, JSON.stringify(value));
  }
  return result;
}
