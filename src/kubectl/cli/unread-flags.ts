// Flags of kubectl that no code here acts on. Either nobody could see that they act in this world, or they are refused: nothing is
// taken and then ignored. A test goes over all commands and their flags.

import { KubectlError } from "../errors.ts";
import type { Flags } from "./flags.ts";

interface UnreadFlag {
  readonly name: string;
  /** Commands that have it, each with those below it; all without. */
  readonly of?: readonly string[];
}

/** Flags without an effect that anybody could see, and why. */
export const silentFlags: readonly (UnreadFlag & { readonly because: string })[] = [
  { name: "concurrency", of: ["diff"], because: "what is printed does not depend on how many objects are compared at a time" },
  { name: "disable-compression", because: "answers reach kubectl as they are; HTTP would unpack them unseen" },
  { name: "keepalive", of: ["proxy"], because: "connections are not kept by empty packets" },
  { name: "log-flush-frequency", because: "a line of the log is written at once" },
  { name: "openapi-patch", of: ["apply"], because: "both sources of merge rules say the same of every kind" },
  { name: "pod-running-timeout", of: ["cluster-info dump"], because: "Pods are dumped as they are, without waiting for one" },
  { name: "profile-output", because: "it names the file of a profile, and --profile is refused" },
  ...["filename", "force", "grace-period", "kustomize", "recursive", "timeout"].map((name) => ({
    name,
    of: ["run"],
    because: "upstream, too, overrides what it says or never looks at it",
  })),
  { name: "prune-allowlist", of: ["diff"], because: "it belongs to --prune, which is refused" },
  { name: "retries", of: ["cp"], because: "a copy out of a container is never cut off half-way" },
  { name: "save-config", of: ["create service"], because: "upstream takes and forgets it" },
  { name: "use-protocol-buffers", of: ["top"], because: "metrics read the same in either encoding" },
  { name: "wait", of: ["apply", "replace", "run"], because: "upstream, too, lets something else decide whether they wait" },
  { name: "www-prefix", of: ["proxy"], because: "it belongs to --www, which is refused" },
];

/** Flags that are refused, but for values by which they ask for nothing. */
export const refusedFlags: readonly (UnreadFlag & { readonly harmless: readonly string[] })[] = [
  { name: "as-current-user", of: ["kustomize"], harmless: ["false"] },
  { name: "detach-keys", of: ["attach", "run"], harmless: ["ctrl-p,ctrl-q"] },
  { name: "enable-alpha-plugins", of: ["kustomize"], harmless: ["false"] },
  { name: "enable-helm", of: ["kustomize"], harmless: ["false"] },
  { name: "enable-managedby-label", of: ["kustomize"], harmless: ["false"] },
  { name: "env", of: ["kustomize"], harmless: [] },
  { name: "helm-api-versions", of: ["kustomize"], harmless: [] },
  { name: "helm-command", of: ["kustomize"], harmless: ["helm"] },
  { name: "helm-debug", of: ["kustomize"], harmless: ["false"] },
  { name: "helm-kube-version", of: ["kustomize"], harmless: [""] },
  { name: "kuberc", harmless: ["", "off"] },
  { name: "match-server-version", harmless: ["false"] },
  { name: "mount", of: ["kustomize"], harmless: [] },
  { name: "network", of: ["kustomize"], harmless: ["false"] },
  { name: "network-name", of: ["kustomize"], harmless: ["bridge"] },
  { name: "overwrite", of: ["apply"], harmless: ["true"] },
  { name: "profile", harmless: ["none"] },
  { name: "reorder", of: ["kustomize"], harmless: ["legacy"] },
  { name: "vmodule", harmless: [""] },
];

function concerns({ of }: UnreadFlag, path: string): boolean {
  return of === undefined || of.some((command) => path === command || path.startsWith(`${command} `));
}

/** The entry of a command's flag in one of the tables above. `debug` has a --profile of its own, which it reads. */
export function unreadFlag<Entry extends UnreadFlag>(table: readonly Entry[], path: string, name: string): Entry | undefined {
  if (path === "debug" && name === "profile") return undefined;
  return table.find((entry) => entry.name === name && concerns(entry, path));
}

/** Throws KubectlError for a flag that asks for what is not there. */
export function refuseUnreadFlags(path: string, flags: Flags): void {
  for (const [name, value] of flags.given()) {
    const entry = unreadFlag(refusedFlags, path, name);
    if (entry === undefined || entry.harmless.includes(value)) continue;
    throw new KubectlError(`--${name} is not part of this release of the embedded kubectl`);
  }
}
