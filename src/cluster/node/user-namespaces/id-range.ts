// The users and groups of a machine that its kubelet may give to Pods: all above the machine's own, or those that /etc/subuid and
// /etc/subgid keep for the user `kubelet` (pkg/kubelet/kubelet_pods.go: getKubeletMappings; userns_manager.go: MakeUserNsManager).

import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { type SubordinateRange, subordinateRanges } from "./subordinate-ids.ts";

/** KubeletConfiguration's userNamespaces.idsPerPod; also what it must be a multiple of. */
export const usualIdsPerPod = 65_536;

const user = "kubelet";
const allIds = 2 ** 32;
const directories = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"];

export interface IdRange {
  /** A multiple of `perPod`. */
  readonly first: number;
  /** For how many Pods. */
  readonly count: number;
  readonly perPod: number;
}

/** Where nothing is kept for the kubelet. */
export function usualRange(perPod = usualIdsPerPod): IdRange {
  return { first: perPod, count: Math.floor(allIds / perPod) - 1, perPod };
}

/** As the machine's files say it. Throws Error for a range that a kubelet does not start with. */
export function rangeOf(files: HostFiles, maxPods: number, perPod = usualIdsPerPod): IdRange {
  const { start, count } = mappings(files) ?? { start: perPod, count: allIds - perPod };
  if (start % perPod !== 0) throw new Error(`kubelet user assigned ID ${start} is not a multiple of ${perPod}`);
  if (start < perPod) throw new Error(`kubelet user assigned ID ${start} must be greater or equal to ${perPod}`);
  if (count % perPod !== 0) throw new Error(`kubelet user assigned IDs length ${count} is not a multiple of ${perPod}`);
  if (count / perPod < maxPods) throw new Error(`kubelet user assigned IDs are not enough to support ${maxPods} pods`);
  return { first: start, count: count / perPod, perPod };
}

/** What `getsubids kubelet` and `getsubids -g kubelet` print, where there are the user and the program. */
function mappings(files: HostFiles): SubordinateRange | undefined {
  if (!directories.some((directory) => files.exists(`${directory}/getsubids`))) return undefined;
  const text = (path: string): string => (files.exists(path) ? files.readText(path) : "");
  const entry = text("/etc/passwd")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === user);
  if (entry === undefined) return undefined;
  const ranges = (path: string) => subordinateRanges(text(path), user, entry[2]);
  const [users, groups] = [ranges("/etc/subuid"), ranges("/etc/subgid")];
  const retrieving = (ids: string) => `kubelet mappings: error retrieving additional ${ids} for user "${user}"`;
  if (users.length === 0) throw new Error(`${retrieving("uids")}: exit status 1`);
  if (groups.length === 0) throw new Error(retrieving("gids"));
  const printed = (list: readonly SubordinateRange[]) =>
    list.map(({ start, count }, index) => `${index}: ${user} ${start} ${count}\n`).join("");
  if (printed(users) !== printed(groups)) throw new Error(`kubelet mappings: mismatched subuids and subgids for user "${user}"`);
  if (users.length > 1)
    throw new Error(`kubelet mappings: error parsing line ${JSON.stringify(printed(users))}: it must contain only one line`);
  return users[0];
}
