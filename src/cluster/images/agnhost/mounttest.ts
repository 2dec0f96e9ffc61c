// agnhost mounttest: writes files and tells what is known of them, in one order whatever the order of the flags.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { FileStat } from "#sim/files.ts";
import type { Process, Sys } from "#sim/program.ts";
import { command } from "./command.ts";
import { goQuoted } from "./go-words.ts";
import { reasonOf } from "./http-client.ts";

const initialContent = "mount-tester new file\n";
const retryMs = 2000;

export const mounttest = command({
  flags: {
    "fs-type": "",
    "file-mode": "",
    "file-perm": "",
    "file-owner": "",
    "new-file-0644": "",
    "new-file-0666": "",
    "new-file-0660": "",
    "new-file-0777": "",
    "file-content": "",
    "file-content-in-loop": "",
    "retry-time": 180,
    "break-on-expected-content": true,
  },
  *run(self, { flags }) {
    self.umask(0);
    let failed = false;
    const step = function* (path: string, print: () => Sys<void>, error: (reason: SysError) => string): Sys<void> {
      if (path === "") return;
      try {
        yield* print();
      } catch (thrown) {
        if (!(thrown instanceof SysError)) throw thrown;
        failed = true;
        yield* self.write(1, `${error(thrown)}\n`);
      }
    };
    const of = (call: string, path: string) => (reason: SysError) => `error from ${call}(${goQuoted(path)}): ${reasonOf(reason)}`;
    const stated = (path: string) => (reason: SysError) => `error from Stat(${goQuoted(path)}): stat ${path}: ${reasonOf(reason)}`;
    const say = (text: string) => self.write(1, `${text}\n`);

    const fsPath = flags["fs-type"];
    yield* step(fsPath, () => say(`mount type of ${goQuoted(fsPath)}: ${fileSystemOf(self, fsPath)}`), of("statfs", fsPath));
    for (const mode of ["0644", "0666", "0660", "0777"] as const) {
      const path = flags[`new-file-${mode}`];
      const write = function* (): Sys<void> {
        self.writeFile(path, initialContent, { permissions: Number.parseInt(mode, 8) });
      };
      const before: boolean = failed;
      failed = false;
      yield* step(path, write, (reason) => `error writing new file ${goQuoted(path)}: open ${path}: ${reasonOf(reason)}`);
      if (!failed) yield* step(path, () => say(contentOf(self, path)), unreadable(path));
      failed ||= before;
    }
    const { "file-mode": modePath, "file-perm": permissionPath, "file-owner": ownerPath, "file-content": contentPath } = flags;
    yield* step(modePath, () => say(`mode of file ${goQuoted(modePath)}: ${modeText(self.stat(modePath))}`), stated(modePath));
    const permissions = () => permissionText(self.stat(permissionPath).permissions);
    yield* step(permissionPath, () => say(`perms of file ${goQuoted(permissionPath)}: -${permissions()}`), stated(permissionPath));
    const owner = function* (): Sys<void> {
      const { uid, gid } = self.stat(ownerPath);
      yield* say(`owner UID of ${goQuoted(ownerPath)}: ${uid}\nowner GID of ${goQuoted(ownerPath)}: ${gid}`);
    };
    yield* step(ownerPath, owner, of("stat", ownerPath));
    yield* step(contentPath, () => say(contentOf(self, contentPath)), unreadable(contentPath));
    const loopPath = flags["file-content-in-loop"];
    if (loopPath !== "") {
      const read = yield* readInLoop(self, loopPath, flags["retry-time"] * 1000, flags["break-on-expected-content"]);
      failed ||= !read;
    }
    return failed ? 1 : 0;
  },
});

function contentOf(self: Process, path: string): string {
  return `content of file ${goQuoted(path)}: ${decodeUtf8(self.readFile(path))}`;
}

function unreadable(path: string): (reason: SysError) => string {
  return (reason) => `error reading file content for ${goQuoted(path)}: ${callOf(reason)} ${path}: ${reasonOf(reason)}`;
}

/** Which call of os.ReadFile fails so. */
function callOf(reason: SysError): string {
  return reason.code === "EISDIR" ? "read" : "open";
}

/** Whether the last time it could be read. */
function* readInLoop(self: Process, path: string, forMs: number, untilExpected: boolean): Sys<boolean> {
  let isRead = true;
  for (const beganMs = self.nowMs; self.nowMs - beganMs < forMs; yield* self.sleep(retryMs)) {
    let content: string;
    try {
      content = decodeUtf8(self.readFile(path));
      isRead = true;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      isRead = false;
      yield* self.write(1, `Error reading file ${path}: ${callOf(error)} ${path}: ${reasonOf(error)}, retrying\n`);
      continue;
    }
    yield* self.write(1, `content of file ${goQuoted(path)}: ${content}\n`);
    if (!untilExpected) continue;
    if (content === initialContent) break;
    yield* self.write(1, `Unexpected content. Expected: ${initialContent}. Retrying\n`);
  }
  return isRead;
}

/** Magic numbers of statfs(2), in decimal: only tmpfs is called by its name. */
const magic: { readonly [type: string]: string } = {
  tmpfs: "tmpfs",
  cgroup: "2613483",
  cgroup2: "1667723888",
  devpts: "7377",
  devtmpfs: "tmpfs",
  ext4: "61267",
  mqueue: "427819522",
  nfs4: "26985",
  overlay: "2035054128",
  proc: "40864",
  sysfs: "1650812274",
  xfs: "1481003842",
};

/** Throws SysError for a path that leads nowhere. */
function fileSystemOf(self: Process, path: string): string {
  const place = self.realpath(path);
  self.stat(place);
  const isBelow = (mount: string) => mount === "/" || place === mount || place.startsWith(`${mount}/`);
  const mounts = self.mounts().filter((mount) => isBelow(mount.path));
  const longest = mounts.reduce((best, mount) => (mount.path.length >= best.length ? mount.path : best), "");
  // Of several at one place the last one covers the others.
  const type = mounts.findLast((mount) => mount.path === longest)?.type ?? "overlay";
  return magic[type] ?? "0";
}

/** `rw-r--r--` */
function permissionText(permissions: number): string {
  return [..."rwxrwxrwx"].map((letter, index) => ((permissions >> (8 - index)) & 1 ? letter : "-")).join("");
}

const typeLetters: { readonly [type in FileStat["type"]]: string } = {
  file: "",
  directory: "d",
  symlink: "L",
  fifo: "p",
  socket: "S",
  character: "D",
};

/** fs.FileMode's own text: `-rw-r--r--`, `dtrwxrwxrwx`. */
function modeText({ type, permissions }: FileStat): string {
  const special = [
    typeLetters[type],
    permissions & 0o4000 ? "u" : "",
    permissions & 0o2000 ? "g" : "",
    type === "character" ? "c" : "",
    permissions & 0o1000 ? "t" : "",
  ].join("");
  return `${special === "" ? "-" : special}${permissionText(permissions)}`;
}
