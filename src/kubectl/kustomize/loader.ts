// Where a kustomization's files and folders are looked for: files in or below its own folder, other kustomizations anywhere but above.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { KubectlError } from "../errors.ts";

/** An absolute path without `.` and `..`. */
export function resolved(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Whether a path is taken for a repository or a file elsewhere, as kustomize tells them from folders. */
function isRemote(path: string): boolean {
  return /^(?:git::)?(?:(?:ssh|https?|file):\/\/|[a-z][a-z0-9-]*@|github\.com[/:])/i.test(path);
}

function refuseRemote(path: string): void {
  if (isRemote(path)) throw new KubectlError(`remote resources are not simulated: '${path}'`);
}

export class Loader {
  readonly root: string;
  readonly #self: Process;
  readonly #referrer: Loader | undefined;
  readonly #restricted: boolean;

  /** `restricted`: files outside the root are refused. */
  private constructor(self: Process, root: string, restricted: boolean, referrer?: Loader) {
    this.#self = self;
    this.root = root;
    this.#restricted = restricted;
    this.#referrer = referrer;
  }

  /** At the folder that a command line names. Throws KubectlError. */
  static at(self: Process, path: string, restricted: boolean): Loader {
    refuseRemote(path);
    return new Loader(self, confirmedFolder(self, path), restricted);
  }

  /** At the folder of another kustomization. Throws KubectlError. */
  below(path: string): Loader {
    if (path === "") throw new KubectlError("new root cannot be empty");
    refuseRemote(path);
    if (path.startsWith("/")) throw new KubectlError(`new root '${path}' cannot be absolute`);
    const root = confirmedFolder(this.#self, resolved(this.root, path));
    for (let visited: Loader | undefined = this; visited !== undefined; visited = visited.#referrer) {
      if (isInOrBelow(visited.root, root))
        throw new KubectlError(`cycle detected: candidate root '${root}' contains visited root '${visited.root}'`);
    }
    return new Loader(this.#self, root, this.#restricted, this);
  }

  /** Throws KubectlError. */
  text(path: string): string {
    return this.#read(path, (full) => this.#self.readText(full));
  }

  /** Throws KubectlError. */
  bytes(path: string): Bytes {
    return this.#read(path, (full) => this.#self.readFile(full));
  }

  #read<T>(path: string, read: (full: string) => T): T {
    refuseRemote(path);
    const full = this.#allowed(resolved(this.root, path));
    try {
      return read(full);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new KubectlError(`open ${full}: ${asciiLowerCase(error.message)}`);
    }
  }

  #allowed(path: string): string {
    if (!this.#restricted) return path;
    const { folder, file } = cleaned(this.#self, path);
    if (file === "") throw new KubectlError(`'${path}' must resolve to a file`);
    if (!isInOrBelow(folder, this.root)) throw new KubectlError(`security; file '${path}' is not in or below '${this.root}'`);
    return resolved(folder, file);
  }
}

function isInOrBelow(folder: string, root: string): boolean {
  return root === "/" || folder === root || folder.startsWith(`${root}/`);
}

function confirmedFolder(self: Process, path: string): string {
  const notThere = "must build at directory";
  if (path === "") throw new KubectlError(`${notThere}: directory path cannot be empty`);
  const { folder, file } = cleaned(self, path, `${notThere}: not a valid directory: `);
  if (file !== "") throw new KubectlError(`${notThere}: '${path}': file is not directory`);
  return folder;
}

/** The folder behind all links, and the file's name, "" for a folder. */
function cleaned(self: Process, path: string, before = ""): { readonly folder: string; readonly file: string } {
  const absolute = resolved(self.cwd, path);
  try {
    const real = self.realpath(absolute);
    if (self.stat(real).type === "directory") return { folder: real, file: "" };
    const at = real.lastIndexOf("/");
    return { folder: real.slice(0, at) || "/", file: real.slice(at + 1) };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const fault = asciiLowerCase(error.message);
    throw new KubectlError(`${before}evalsymlink failure on '${path}' : lstat ${firstMissing(self, absolute)}: ${fault}`);
  }
}

/** The first part of an absolute path that cannot be reached. */
function firstMissing(self: Process, path: string): string {
  const parts = path.split("/");
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  return prefixes.find((part) => part !== "" && !self.exists(part)) ?? path;
}
