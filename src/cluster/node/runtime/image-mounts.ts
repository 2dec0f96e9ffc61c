// Images mounted into containers, read-only (containerd: internal/cri/server/container_image_mount.go).

import { rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode, type Inode, SymlinkInode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { ImageMount } from "./cri.ts";

const stateDirectory = "/run/containerd/io.containerd.grpc.v1.cri";
const maximumLinks = 40;

/** Why a container with them cannot be created. */
export function imageMountFault(kernel: Kernel, sandboxId: string, wanted: readonly ImageMount[]): string | undefined {
  for (const { image, subPath } of wanted) {
    const found = directoryAt(kernel.createOverlay(image.image.files).root, subPath);
    if (typeof found !== "string") continue;
    const digest = image.reference.replace(/^.*:/u, "");
    const target = `${stateDirectory}/image-volumes/${sandboxId}/${digest}`;
    const [quoted, at] = [JSON.stringify(subPath), JSON.stringify(target)];
    const cause = found === "file" ? `only directory subpath is supported, subpath: ${quoted}, mountpoint: ${at} ` : found;
    return `failed to mount image volume: ImageVolumeMountFailed: failed to ensure image subpath ${quoted} in ${at}: ${cause}`;
  }
  return undefined;
}

/** What a container gets of its images. */
export function mountsOfImages(kernel: Kernel, wanted: readonly ImageMount[]): readonly Mount[] {
  return wanted.flatMap(({ path, image, subPath }) => {
    const fileSystem = kernel.createOverlay(image.image.files);
    const root = directoryAt(fileSystem.root, subPath);
    return typeof root === "string" ? [] : [{ path: path.startsWith("/") ? path : `/${path}`, fileSystem, root, readOnly: true }];
  });
}

/** Links lead nowhere outside of the image. "file": it is there, and is no directory. */
function directoryAt(root: DirectoryInode, path: string): DirectoryInode | string {
  const opened = `openat ${path}:`;
  const parts = path.split("/");
  const above: DirectoryInode[] = [];
  let current: Inode = root;
  let links = 0;
  while (parts.length > 0) {
    const part = parts.shift() as string;
    if (part === "" || part === ".") continue;
    if (!(current instanceof DirectoryInode)) return `${opened} not a directory`;
    if (part === "..") {
      const parent = above.pop();
      if (parent === undefined) return `${opened} path escapes from parent`;
      current = parent;
      continue;
    }
    const next: Inode | undefined = current.lookup(part, rootCaller);
    if (next === undefined) return `${opened} no such file or directory`;
    if (next instanceof SymlinkInode) {
      links += 1;
      if (links > maximumLinks) return `${opened} too many levels of symbolic links`;
      if (next.target.startsWith("/")) return `${opened} path escapes from parent`;
      parts.unshift(...next.target.split("/"));
      continue;
    }
    above.push(current);
    current = next;
  }
  return current instanceof DirectoryInode ? current : "file";
}
