// kubectl cp: files between this machine and a container, as an archive through exec and the container's own tar.

import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readTar, type TarEntry, TarError, tarEnd, writeTarEntry } from "#sim/tar.ts";
import { runRemoteSession } from "../client/remote-session.ts";
import type { Command, Context } from "../context.ts";
import type { JsonObject } from "../documents.ts";
import { ExitError, KubectlError } from "../errors.ts";
import { containerOf, findContainer, noSuchContainer } from "../resources/pods.ts";
import { select, selectionFromFlags } from "../resources/selection.ts";
import { sessionPath } from "./exec.ts";

interface Place {
  /** "" on this machine. */
  readonly pod: string;
  readonly namespace: string;
  readonly path: string;
}

function placeOf(context: Context, text: string): Place {
  const colon = text.indexOf(":");
  if (colon < 0) return { pod: "", namespace: "", path: text };
  const [first = "", second, ...rest] = text.slice(0, colon).split("/");
  if (first === "" || second === "" || rest.length > 0)
    throw new KubectlError("filespec must match the canonical format: [[namespace/]pod:]file/path");
  const path = text.slice(colon + 1);
  if (second === undefined) return { pod: first, namespace: context.namespace().name, path };
  return { pod: second, namespace: first, path };
}

function baseName(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

function folderOf(path: string): string {
  const slash = path.replace(/\/+$/, "").lastIndexOf("/");
  if (slash < 0) return "";
  return slash === 0 ? "/" : path.slice(0, slash);
}

interface Ran {
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  /** How it ended when it failed. */
  readonly failure: ExitError | undefined;
}

interface Remote {
  /** Runs a command in the container; `input` is its stdin. */
  run(command: readonly string[], input: Bytes | undefined): Sys<Ran>;
}

function* connect(context: Context, place: Place, notes: (text: string) => Sys<void>): Sys<Remote> {
  const { infos } = yield* select(context, {
    ...selectionFromFlags(context, [place.pod]),
    files: [],
    namespace: place.namespace,
    defaultType: "pods",
  });
  const pod: JsonObject = infos[0]?.object ?? {};
  const wanted = context.flags.text("container");
  if (wanted !== "" && findContainer(pod, wanted) === undefined) throw noSuchContainer(pod, wanted);
  const container = yield* containerOf(context, pod, wanted, false, notes);
  return {
    *run(command, input) {
      const stdout: Bytes[] = [];
      const stderr: Bytes[] = [];
      const path = sessionPath(pod, "exec", container, command, { stdin: input !== undefined, tty: false });
      const output = { stdout: (bytes: Bytes) => stdout.push(bytes.slice()), stderr: (bytes: Bytes) => stderr.push(bytes.slice()) };
      const options = { path, stdin: input !== undefined, rawTerminal: false, output, ...(input === undefined ? {} : { input }) };
      let failure: ExitError | undefined;
      try {
        yield* runRemoteSession(context.client(), options);
      } catch (error) {
        if (!(error instanceof ExitError)) throw error;
        failure = error;
      }
      return { stdout: concatBytes(stdout), stderr: concatBytes(stderr), failure };
    },
  };
}

/** The file, or the folder with all below it, under the name `as`. Owners are left to whoever unpacks. */
function entriesOf(self: Process, path: string, as: string): readonly TarEntry[] {
  const { type, permissions } = self.stat(path);
  const owner = { uid: 0, gid: 0, userName: "", groupName: "" };
  const common = { permissions, ...owner, modifiedMs: self.nowMs, target: "" };
  if (type !== "directory") return [{ ...common, name: as, type: "file", content: self.readFile(path) }];
  const inner = self.readdir(path).flatMap((name) => entriesOf(self, `${path}/${name}`, `${as}/${name}`));
  return [{ ...common, name: `${as}/`, type: "directory", content: noBytes }, ...inner];
}

function archiveOf(entries: readonly TarEntry[]): Bytes {
  try {
    return concatBytes([...entries.flatMap(writeTarEntry), tarEnd]);
  } catch (error) {
    if (error instanceof TarError) throw new KubectlError(error.message);
    throw error;
  }
}

function* upload(context: Context, source: Place, target: Place): Sys<void> {
  const { self, flags } = context;
  if (source.path === "" || target.path === "") throw new KubectlError("filepath can not be empty");
  try {
    self.stat(source.path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`${source.path} doesn't exist in local filesystem`);
  }
  const remote = yield* connect(context, target, (text) => context.err(text));
  const path = target.path.length > 1 ? target.path.replace(/\/$/, "") : target.path;
  const isFolder = (yield* remote.run(["test", "-d", path], undefined)).failure === undefined;
  const destination = isFolder ? `${path === "/" ? "" : path}/${baseName(source.path)}` : path;
  const archive = archiveOf(entriesOf(self, source.path, baseName(destination)));
  const options = flags.bool("no-preserve") ? ["--no-same-permissions", "--no-same-owner"] : [];
  const folder = folderOf(destination);
  const { stdout, stderr, failure } = yield* remote.run(
    ["tar", ...options, "-xmf", "-", ...(folder === "" ? [] : ["-C", folder])],
    archive,
  );
  yield* context.out(stdout);
  if (stderr.length > 0) yield* self.write(2, stderr);
  if (failure !== undefined) throw failure;
}

function* download(context: Context, source: Place, target: Place): Sys<void> {
  if (source.path === "" || target.path === "") throw new KubectlError("filepath can not be empty");
  // What exec would say on stderr, cp says on stdout.
  const remote = yield* connect(context, source, (text) => context.out(text));
  // tar's complaint is all that is said of a failure; the real one does not fail either.
  const { stdout, stderr } = yield* remote.run(["tar", "cf", "-", source.path], undefined);
  yield* context.out(stderr);
  const prefix = source.path.replace(/^\/+/, "").replace(/\/+$/, "");
  try {
    for (const entry of readTar(stdout)) unpack(context.self, entry, prefix, target.path);
  } catch (error) {
    if (error instanceof TarError) throw new KubectlError("archive/tar: invalid tar header");
    throw error;
  }
}

function unpack(self: Process, entry: TarEntry, prefix: string, target: string): void {
  const name = entry.name.replace(/^\/+/, "").replace(/\/+$/, "");
  if (!name.startsWith(prefix)) throw new KubectlError("tar contents corrupted");
  const path = `${target.replace(/\/+$/, "")}${name.slice(prefix.length)}`;
  const make = (folder: string): void => {
    if (folder === "" || folder === "/") return;
    try {
      self.mkdir(folder, 0o755);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      if (error.code !== "ENOENT") return;
      make(folderOf(folder));
      self.mkdir(folder, 0o755);
    }
  };
  make(entry.type === "directory" ? path : folderOf(path));
  if (entry.type === "file") self.writeFile(path, entry.content, { permissions: entry.permissions & 0o777 });
}

export const cp: Command = {
  path: "cp",
  *run(context) {
    const [from, to] = context.args;
    if (from === undefined || to === undefined || context.args.length !== 2)
      throw new KubectlError("source and destination are required");
    const source = placeOf(context, from);
    const target = placeOf(context, to);
    if (source.pod !== "" && target.pod !== "") throw new KubectlError("one of src or dest must be a local file specification");
    if (source.pod !== "") return yield* download(context, source, target);
    if (target.pod !== "") return yield* upload(context, source, target);
    throw new KubectlError("one of src or dest must be a remote file specification");
  },
};
