// What the kubelet asks for credentials beside its own files: programs of the node. Their code comes late (`start/`).

import type { Task } from "../task.ts";
import type { Keyring } from "./keyring.ts";

export interface CredentialPlugins {
  /** What the plugins that a repository concerns answer, or have answered; none when they fail. */
  keyring(repository: string): Task<Keyring>;
}
