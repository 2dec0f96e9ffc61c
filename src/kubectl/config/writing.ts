// Changes to kubeconfig files: each entry is written to the file that defines it, new ones to the default file.

import type { Process } from "#sim/program.ts";
import type { JsonObject } from "../documents.ts";
import { type KubeConfig, readKubeConfigFile, type Section, writeKubeConfigFile } from "./kubeconfig.ts";

function exists(self: Process, file: string): boolean {
  return readKubeConfigFile(self, file) !== undefined;
}

/** The file that messages name and new entries go to: --kubeconfig, the first of the list that exists, else its last. */
export function defaultFile(self: Process, config: KubeConfig): string {
  if (config.explicitFile !== undefined) return config.explicitFile;
  return config.files.find((file) => exists(self, file)) ?? (config.files.at(-1) as string);
}

function emptyFile(file: string): KubeConfig {
  return { clusters: new Map(), contexts: new Map(), users: new Map(), currentContext: "", files: [file], explicitFile: undefined };
}

function change(self: Process, file: string, update: (config: KubeConfig) => KubeConfig): void {
  writeKubeConfigFile(self, file, update(readKubeConfigFile(self, file) ?? emptyFile(file)));
}

/** Sets (or, with undefined, removes) one entry. */
export function writeEntry(self: Process, config: KubeConfig, section: Section, name: string, body: JsonObject | undefined): void {
  const file = config[section].get(name)?.origin ?? defaultFile(self, config);
  change(self, file, (current) => {
    const entries = new Map(current[section]);
    if (body === undefined) entries.delete(name);
    else entries.set(name, { body, origin: file });
    return { ...current, [section]: entries };
  });
}

/**
 * Writes current-context to the default file, which comes before all others that are read; clears it ("") where it is first said. What is
 * so already is not written (client-go, clientcmd.writeCurrentContext).
 */
export function writeCurrentContext(self: Process, config: KubeConfig, name: string): void {
  if (name === config.currentContext) return;
  const says = (file: string): boolean => (readKubeConfigFile(self, file)?.currentContext ?? "") !== "";
  const holder = name === "" ? config.files.find(says) : undefined;
  change(self, config.explicitFile ?? holder ?? defaultFile(self, config), (current) => ({ ...current, currentContext: name }));
}
