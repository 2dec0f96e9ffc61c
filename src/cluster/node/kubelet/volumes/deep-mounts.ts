// A mount of a volume with what the machine has mounted below it: the runtime binds both ("rbind"), and may go on doing so.

import type { VolumeMount } from "#cluster/api/generated/types.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { mountsBelow } from "#sim/filesystem/mounting.ts";
import type { Mount, Propagation } from "#sim/filesystem/mounts.ts";
import type { Sandbox } from "../../runtime/cri.ts";
import { ConfigError } from "../environment.ts";

const propagations: { readonly [mode: string]: Propagation } = { HostToContainer: "slave", Bidirectional: "shared" };

/** Throws ConfigError where the runtime cannot do what the mount asks for. */
export function deepMounts(files: HostFiles, mount: VolumeMount, volume: Mount, sandbox: Sandbox): readonly Mount[] {
  const isRecursivelyReadOnly = isDeeplyReadOnly(mount, sandbox.runtimeType);
  // A link on the way is followed, as the machine's own mounts are named without.
  const source =
    volume.source === undefined || volume.root?.type !== "directory" ? volume.source : files.realDirectory(volume.source);
  const propagation = propagations[mount.mountPropagation ?? ""];
  const whole: Mount = { ...volume, source, propagation, isRecursivelyReadOnly };
  // With IDs of its own a container gets the volume alone.
  if (source === undefined || sandbox.config.userNamespace !== undefined) return [whole];
  const below = mountsBelow(files.mountNamespace, source, volume.path);
  return [whole, ...(isRecursivelyReadOnly ? below.map((each) => ({ ...each, readOnly: true })) : below)];
}

function isDeeplyReadOnly({ name, readOnly, recursiveReadOnly = "Disabled" }: VolumeMount, runtimeType: string): boolean {
  if (readOnly !== true || recursiveReadOnly === "Disabled") return false;
  if (runtimeType === "io.containerd.runc.v2") return true;
  if (recursiveReadOnly === "IfPossible") return false;
  const why = `volume ${JSON.stringify(name)} requested recursive read-only mode, but it is not supported by the runtime`;
  throw new ConfigError(`failed to resolve recursive read-only mode: ${why}`);
}
