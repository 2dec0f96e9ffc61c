// Images mounted into containers, read-only (containerd: internal/cri/server/container_image_mount.go).

import { rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode, type Inode, SymlinkInode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { ImageMount } from "./cri.ts";

const stateDirectory = "/run/containerd/io.containerd.grpc.v1.cri";
const maximumLinks = 40;

export type ImageMounts =
  | { readonly ok: true; readonly mounts: readonly Mount[] }
  | { readonly ok: false; readonly message: string };

/** What a container gets of its images, or why it cannot be created. */
export function mountsOfImages(kernel: Kernel, sandboxId: string, wanted: readonly ImageMount[]): ImageMounts {
  const mounts: Mount[] = [];
  for (const { path, image, subPath } of wanted) {
    const fileSystem = kernel.createOverlay(image.image.files);
    const found = subPath === "" ? fileSystem.root : directoryAt(fileSystem.root, subPath);
    if (typeof found === "string") {
      const digest = image.reference.replace(/^.*:/u, "");
      const target = `${stateDirectory}/image-volumes/${sandboxId}/${digest}`;
      const [quoted, at] = [JSON.stringify(subPath), JSON.stringify(target)];
      const cause = found === "file" ? `only directory subpath is supported, subpath: ${quoted}, mountpoint: ${at} ` : found;
      const message = `failed to ensure image subpath ${quoted} in ${at}: ${cause}`;
      return { ok: false, message: `failed to mount image volume: ImageVolumeMountFailed: ${message}` };
    }
    mounts.push({ path: path.startsWith("/") ? path : `/${path}`, fileSystem, root: found, readOnly: true });
  }
  return { ok: true, mounts };
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
