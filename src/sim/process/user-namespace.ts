// User namespaces: their users and groups from 0 on stand for others of the machine (user_namespaces(7)). A process keeps the IDs that it has
// in its own; who is in another one sees them translated.

export interface UserNamespace {
  /** What 0 stands for on the machine, of users and of groups. */
  readonly hostId: number;
  readonly length: number;
}

/** Shown for an ID that no ID of the namespace stands for (/proc/sys/kernel/overflowuid). */
export const overflowId = 65_534;

/** On the machine; `namespace` undefined: it is the machine's own. */
export function hostIdOf(id: number, namespace: UserNamespace | undefined): number {
  return id + (namespace?.hostId ?? 0);
}

/** An ID of the machine as one of the namespace; undefined: none stands for it. */
export function ownIdOf(hostId: number, namespace: UserNamespace | undefined): number | undefined {
  const id = hostId - (namespace?.hostId ?? 0);
  return isMapped(id, namespace) ? id : undefined;
}

export function isMapped(id: number, namespace: UserNamespace | undefined): boolean {
  return namespace === undefined || (id >= 0 && id < namespace.length);
}

/** As /proc/<pid>/uid_map and gid_map tell it to whoever is in the same namespace, or on the machine. */
export function mapText(namespace: UserNamespace | undefined): string {
  const { hostId, length } = namespace ?? { hostId: 0, length: 4_294_967_295 };
  return `${[0, hostId, length].map((number) => String(number).padStart(10)).join(" ")}\n`;
}
