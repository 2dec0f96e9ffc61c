// The kubeconfig file: reading, merging, and writing back. Entries remember the file they came from.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Flags } from "../cli/flags.ts";
import { DocumentError, isArray, isObject, type JsonObject, readDocuments, textAt, writeYaml } from "../documents.ts";
import { KubectlError } from "../errors.ts";

export type Section = "clusters" | "contexts" | "users";

/** The field that holds an entry's body in its section's list. */
export const bodyFields = { clusters: "cluster", contexts: "context", users: "user" } as const;

export interface Entry {
  readonly body: JsonObject;
  /** Path of the file that defines it. */
  readonly origin: string;
}

export interface KubeConfig {
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly currentContext: string;
  /** Files of the loading order, existing or not. */
  readonly files: readonly string[];
  /** Set by --kubeconfig. */
  readonly explicitFile: string | undefined;
}

export function homeOf(self: Process): string {
  return self.env.get("HOME") ?? "/root";
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  if (slash < 0) return ".";
  return slash === 0 ? "/" : path.slice(0, slash);
}

function usualFiles(self: Process): readonly string[] {
  const list = self.env.get("KUBECONFIG") ?? "";
  if (list === "") return [`${homeOf(self)}/.kube/config`];
  return [...new Set(list.split(":").filter((file) => file !== ""))];
}

const pathFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** The absolute folder of the file that an entry came from. */
function folderOf(self: Process, file: string): string {
  return directoryOf(file.startsWith("/") ? file : `${self.cwd}/${file}`);
}

/** The body with its file names made usable from anywhere: they are written relative to the file they stand in. */
export function withResolvedPaths(self: Process, { body, origin }: Entry): JsonObject {
  const fields: { [name: string]: JsonValue } = { ...body };
  for (const field of pathFields) {
    const path = fields[field];
    if (typeof path === "string" && path !== "" && !path.startsWith("/")) fields[field] = `${folderOf(self, origin)}/${path}`;
  }
  return fields;
}

/** An absolute path as it is written into `file`: relative when it lies below the file's folder. */
export function writtenPath(self: Process, file: string, path: string): string {
  const folder = `${folderOf(self, file)}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function readEntries(document: JsonObject, section: Section, file: string): ReadonlyMap<string, Entry> {
  const list = document[section];
  const entries = new Map<string, Entry>();
  if (!isArray(list)) return entries;
  for (const item of list) {
    const name = textAt(item, "name");
    const body = isObject(item) ? item[bodyFields[section]] : undefined;
    if (!entries.has(name)) entries.set(name, { body: isObject(body) ? body : {}, origin: file });
  }
  return entries;
}

/** One file; undefined when it does not exist. */
export function readKubeConfigFile(self: Process, file: string): KubeConfig | undefined {
  let text: string;
  try {
    text = self.readText(file);
  } catch (error) {
    if (error instanceof SysError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    if (error instanceof SysError) {
      const reason = asciiLowerCase(error.message);
      throw new KubectlError(`error loading config file ${JSON.stringify(file)}: open ${file}: ${reason}`);
    }
    throw error;
  }
  try {
    const [first] = readDocuments(text);
    const document = isObject(first) ? first : {};
    return {
      clusters: readEntries(document, "clusters", file),
      contexts: readEntries(document, "contexts", file),
      users: readEntries(document, "users", file),
      currentContext: textAt(document, "current-context"),
      files: [file],
      explicitFile: undefined,
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new KubectlError(`error loading config file ${JSON.stringify(file)}: ${error.message}`);
  }
}

function merge(first: ReadonlyMap<string, Entry>, second: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  return new Map([...second, ...first]);
}

/**
 * The files in effect: --kubeconfig alone, or the list in $KUBECONFIG, or ~/.kube/config. `mayBeNew`: the file that --kubeconfig names
 * need not exist yet.
 */
export function loadKubeConfig(self: Process, flags: Flags, mayBeNew: boolean): KubeConfig {
  const explicit = flags.text("kubeconfig");
  const files = explicit === "" ? usualFiles(self) : [explicit];
  let config: KubeConfig = {
    clusters: new Map(),
    contexts: new Map(),
    users: new Map(),
    currentContext: "",
    files,
    explicitFile: explicit === "" ? undefined : explicit,
  };
  for (const file of files) {
    const next = readKubeConfigFile(self, file);
    if (next === undefined) {
      if (explicit !== "" && !mayBeNew) throw new KubectlError(`stat ${explicit}: no such file or directory`);
      continue;
    }
    config = {
      ...config,
      clusters: merge(config.clusters, next.clusters),
      contexts: merge(config.contexts, next.contexts),
      users: merge(config.users, next.users),
      currentContext: config.currentContext === "" ? next.currentContext : config.currentContext,
    };
  }
  return config;
}

function byName(entries: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
  return [...entries].sort(([a], [b]) => compareTexts(a, b));
}

/** Fields that are written even when they are empty. */
const alwaysWritten = { clusters: { server: "" }, contexts: { cluster: "", user: "" }, users: {} } as const;

/** The document form: lists sorted by name, null for empty ones. */
export function documentOf(config: KubeConfig): JsonObject {
  const section = (name: Section) =>
    config[name].size === 0
      ? null
      : byName(config[name]).map(([key, entry]) => ({
          name: key,
          [bodyFields[name]]: { ...alwaysWritten[name], ...entry.body },
        }));
  return {
    apiVersion: "v1",
    clusters: section("clusters"),
    contexts: section("contexts"),
    "current-context": config.currentContext,
    kind: "Config",
    users: section("users"),
  };
}

/** Writes one file with the entries of `config` that belong to it. */
export function writeKubeConfigFile(self: Process, file: string, config: KubeConfig): void {
  const own = (entries: ReadonlyMap<string, Entry>) => new Map([...entries].filter(([, entry]) => entry.origin === file));
  const document = documentOf({
    ...config,
    clusters: own(config.clusters),
    contexts: own(config.contexts),
    users: own(config.users),
  });
  const parents = directoryOf(file).split("/");
  for (let length = 2; length <= parents.length; length += 1) {
    const directory = parents.slice(0, length).join("/");
    try {
      self.mkdir(directory, 0o755);
    } catch (error) {
      if (!(error instanceof SysError && error.code === "EEXIST")) throw error;
    }
  }
  self.writeFile(file, writeYaml(document), { permissions: 0o600 });
}
