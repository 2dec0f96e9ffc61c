// Shells and their commands for images that have them.

import { commandFiles } from "#shell/command-files.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { debianFiles, scratchFiles } from "./linux-files.ts";

/** Without the links of merged /usr where commands stand in both places. */
const debianBase = [...debianFiles].filter(([path]) => path !== "/bin");

/** Debian with bash and GNU's commands; its bash shows who and where one is, as on Debian. */
export const debianTools: FileTree = new Map<string, TreeEntry>([
  ...debianBase,
  ["/etc/bash.bashrc", { type: "file", content: "PS1='\\u@\\h:\\w\\$ '\n" }],
  ...commandFiles("gnu"),
]);

/** What a Debian image of a server carries: no curl, no jq, no editors, no tools for processes or the network. */
export const slimDebianTools: FileTree = new Map(
  [...debianTools].filter(
    ([path]) =>
      !/\/(?:curl|jq|dig|host|vi|vim|nano|edit|less|more|ps|top|pgrep|pkill|nslookup|ping|nc|wget|free|kill|uptime|watch|xxd|ip|ss|netstat|ifconfig|arp|route|killall|pidof|telnet)$/.test(
        path,
      ),
  ),
);

const directory: TreeEntry = { type: "directory" };

/** busybox with all its applets. */
export const busyboxTools: FileTree = new Map<string, TreeEntry>([
  ...scratchFiles,
  ["/etc/passwd", { type: "file", content: "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n" }],
  ["/etc/group", { type: "file", content: "root:x:0:\nwheel:x:10:root\nnobody:x:65534:\n" }],
  ["/etc/hosts", { type: "file", content: "" }],
  ["/etc/hostname", { type: "file", content: "" }],
  ["/etc/resolv.conf", { type: "file", content: "" }],
  ["/home", directory],
  ["/root", { type: "directory", permissions: 0o700 }],
  ["/usr/bin", directory],
  ["/usr/sbin", directory],
  ["/var", directory],
  ...commandFiles("busybox"),
]);

/** Its nslookup is older than the one that knows types of records. */
export const busybox28Tools: FileTree = new Map([
  ...busyboxTools,
  ...["busybox", "nslookup"].map((name): [string, TreeEntry] => [
    `/bin/${name}`,
    { type: "program", program: lateProgram(`busybox-1.28/${name}`), sizeBytes: 1_001_112, permissions: 0o755 },
  ]),
]);

const alpineRelease =
  'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.2\nPRETTY_NAME="Alpine Linux v3.22"\nHOME_URL="https://alpinelinux.org/"\n';

/** `/etc/os-release` says which distribution it is. */
export function withRelease(files: FileTree, content: string): FileTree {
  return new Map<string, TreeEntry>([...files, ["/etc/os-release", { type: "file", content }]]);
}

const alpineUsers = `root:x:0:0:root:/root:/bin/sh
bin:x:1:1:bin:/bin:/sbin/nologin
daemon:x:2:2:daemon:/sbin:/sbin/nologin
guest:x:405:100:guest:/dev/null:/sbin/nologin
nobody:x:65534:65534:nobody:/:/sbin/nologin
`;

/** Those that root is in, as `id` tells, and a few more. */
const alpineGroups = `root:x:0:root
bin:x:1:root,bin,daemon
daemon:x:2:root,bin,daemon
sys:x:3:root,bin
adm:x:4:root,daemon
disk:x:6:root
wheel:x:10:root
floppy:x:11:root
dialout:x:20:root
tape:x:26:root
video:x:27:root
www-data:x:82:
nobody:x:65534:
`;

export const alpineTools: FileTree = new Map<string, TreeEntry>([
  ...withRelease(busyboxTools, alpineRelease),
  ...["/lib", "/media", "/mnt", "/opt", "/run", "/sbin", "/srv"].map((path): [string, TreeEntry] => [path, directory]),
  ...["cache", "empty", "lib", "log", "mail", "opt", "spool", "tmp"].map((name): [string, TreeEntry] => [
    `/var/${name}`,
    directory,
  ]),
  ["/var/run", { type: "symlink", target: "../run" }],
  ["/etc/passwd", { type: "file", content: alpineUsers }],
  ["/etc/group", { type: "file", content: alpineGroups }],
]);

/** The files with a further line in /etc/passwd, and one in /etc/group. */
export function withUser(files: FileTree, user: string, group: string): FileTree {
  const added = ([path, line]: readonly [string, string]): [string, TreeEntry] => {
    const entry = files.get(path);
    return [path, { type: "file", content: `${entry?.type === "file" ? entry.content : ""}${line}\n` }];
  };
  return new Map([...files, added(["/etc/passwd", user]), added(["/etc/group", group])]);
}

/** Server images that bring curl have the real one, whatever their base. */
export function withCurl(files: FileTree): FileTree {
  return new Map<string, TreeEntry>([...files, ...[...debianTools].filter(([path]) => path.endsWith("/curl"))]);
}
