// The node's own registry credentials: a file of docker's form, looked for in upstream's places and kept for five minutes
// (pkg/credentialprovider: ReadDockerConfigFile, CachingDockerConfigProvider).

import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type Keyring, KeyringError } from "./keyring.ts";
import { lateKeyring } from "./late-keyring.ts";

const lifetimeMs = 300_000;
/** The kubelet's directory, its working directory (`/`), its home (`/root`) and the root, for each of the forms. */
const places = [
  ["/var/lib/kubelet/config.json", "config.json"],
  ["/config.json", "config.json"],
  ["/root/.docker/config.json", "config.json"],
  ["/.docker/config.json", "config.json"],
  ["/var/lib/kubelet/.dockercfg", "dockercfg"],
  ["/.dockercfg", "dockercfg"],
  ["/root/.dockercfg", "dockercfg"],
] as const;

export class NodeKeyring {
  readonly #simulation: Simulation;
  readonly #files: HostFiles;
  #kept: Keyring = [];
  #keptUntilMs = 0;

  constructor(simulation: Simulation, files: HostFiles) {
    this.#simulation = simulation;
    this.#files = files;
  }

  /** What the first file that can be read holds; a file that has just been written is read when the last reading is five minutes old. */
  entries(): Keyring {
    const { nowMs } = this.#simulation;
    if (nowMs >= this.#keptUntilMs) {
      this.#kept = this.#read();
      this.#keptUntilMs = nowMs + lifetimeMs;
    }
    return this.#kept;
  }

  #read(): Keyring {
    for (const [path, form] of places) {
      if (!this.#files.exists(path)) continue;
      try {
        return lateKeyring.code.keyringOf(this.#files.readText(path), form);
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error;
      }
    }
    return [];
  }
}
