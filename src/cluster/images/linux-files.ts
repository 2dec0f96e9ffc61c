// What images of Linux distributions have in common. The shell and its commands are put in by `tools.ts`.

import type { FileTree, TreeEntry } from "#sim/files.ts";

function file(content: string): TreeEntry {
  return { type: "file", content };
}

const passwd = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;

const group = "root:x:0:\ndaemon:x:1:\nwww-data:x:33:\nnogroup:x:65534:\n";

const debianRelease = `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
NAME="Debian GNU/Linux"
VERSION_ID="12"
VERSION="12 (bookworm)"
VERSION_CODENAME=bookworm
ID=debian
HOME_URL="https://www.debian.org/"
`;

const common: readonly (readonly [string, TreeEntry])[] = [
  ["/etc/hosts", file("")],
  ["/etc/hostname", file("")],
  ["/etc/resolv.conf", file("")],
  ["/home", { type: "directory" }],
  ["/mnt", { type: "directory" }],
  ["/root", { type: "directory", permissions: 0o700 }],
  ["/run", { type: "directory" }],
  ["/sys", { type: "directory" }],
  ["/tmp", { type: "directory", permissions: 0o1777 }],
  ["/usr/bin", { type: "directory" }],
  ["/usr/sbin", { type: "directory" }],
  ["/var/run", { type: "symlink", target: "/run" }],
];

/** Debian with merged /usr. */
export const debianFiles: FileTree = new Map<string, TreeEntry>([
  ...common,
  ["/bin", { type: "symlink", target: "usr/bin" }],
  ["/sbin", { type: "symlink", target: "usr/sbin" }],
  ["/etc/os-release", file(debianRelease)],
  ["/etc/passwd", file(passwd)],
  ["/etc/group", file(group)],
]);

/** Next to nothing: images built from scratch or distroless. */
export const scratchFiles: FileTree = new Map<string, TreeEntry>([
  ["/etc/passwd", file("root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n")],
  ["/etc/group", file("root:x:0:\nnobody:x:65534:\n")],
  ["/tmp", { type: "directory", permissions: 0o1777 }],
]);
