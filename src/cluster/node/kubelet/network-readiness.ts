// Whether the runtime can give Pods a network: as containerd, which is ready once a plugin's configuration lies in
// /etc/cni/net.d. (Where in the cluster the plugin's addresses come from is its own affair.)

import { rootCaller } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { DirectoryInode } from "#sim/filesystem/inode.ts";

const folder = "/etc/cni/net.d";
const suffixes = [".conf", ".conflist", ".json"];
/** The directory may itself be replaced. */
const looksPerBind = 10;

/** Told apart by reference. */
const none: readonly string[] = [];
const notReady: readonly string[] = [
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
];

export class NetworkReadiness {
  readonly #files: HostFiles;
  #directory: DirectoryInode | undefined;
  #version = -1;
  #problems = notReady;
  #looks = 0;

  constructor(files: HostFiles) {
    this.#files = files;
  }

  /** Why the node has no network for Pods, in the kubelet's words; the same list as long as nothing changes. Asked for often. */
  get problems(): readonly string[] {
    if (this.#problems !== none || this.#looks % looksPerBind === 0) this.#bind();
    this.#looks += 1;
    const directory = this.#directory;
    if (directory === undefined) this.#problems = notReady;
    else if (directory.version !== this.#version) {
      this.#version = directory.version;
      const isReady = directory.names(rootCaller).some((name) => suffixes.some((suffix) => name.endsWith(suffix)));
      this.#problems = isReady ? none : notReady;
    }
    return this.#problems;
  }

  /** The directory itself: walking the path costs more than looking at it. */
  #bind(): void {
    // Of the machine's own layer, so that a change is a change of this very directory.
    const root = this.#files.exists(folder) ? this.#files.bind(folder).root : undefined;
    const directory = root instanceof DirectoryInode ? root : undefined;
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.#version = -1;
  }
}
