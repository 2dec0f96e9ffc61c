// From a path to something that runs: programs of images, their copies, and `#!` scripts.

import { decodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { Program } from "../program.ts";
import { type FileContext, resolveExisting } from "./calls.ts";
import { checkAccess, FileInode, mayAccess } from "./inode.ts";

/** A program, and the argv that it gets: a script's interpreter sees the script's path as an argument. */
export interface Executable {
  readonly program: Program;
  readonly argv: readonly string[];
  /** Whom it runs as, where that is not who starts it. */
  readonly setUid?: number | undefined;
}

const elfMagic = "\x7fELF\x02\x01\x01\x00";
const maximumInterpreters = 4;

/** Programs by the marker that stands in their files' content, so that `cp` of a binary gives a binary. */
export class ProgramRegistry {
  readonly #programs: Program[] = [];
  readonly #numbers = new Map<Program, number>();

  contentOf(program: Program): string {
    let number = this.#numbers.get(program);
    if (number === undefined) {
      number = this.#programs.push(program) - 1;
      this.#numbers.set(program, number);
    }
    return `${elfMagic}${number}\n`;
  }

  find(content: string): Program | undefined {
    if (!content.startsWith(elfMagic)) return undefined;
    return this.#programs[Number.parseInt(content.slice(elfMagic.length), 10)];
  }
}

/** Throws ENOENT, EACCES (not a file, or no execute permission), ENOEXEC. */
export function findExecutable(context: FileContext, registry: ProgramRegistry, path: string, argv: readonly string[]): Executable {
  let file = path;
  let words = argv;
  for (let depth = 0; depth <= maximumInterpreters; depth += 1) {
    const { inode } = resolveExisting(context, file, true);
    if (!(inode instanceof FileInode)) throw new SysError("EACCES");
    checkAccess(inode, context, 1);
    const setUid = setUidOf(inode, context);
    if (inode.program !== undefined) return { program: inode.program, argv: words, setUid };
    const content = inode.content();
    const firstLine = decodeUtf8(content.subarray(0, 256)).split("\n", 1)[0] ?? "";
    const copied = registry.find(firstLine);
    if (copied !== undefined) return { program: copied, argv: words, setUid };
    const interpreter = /^#![ \t]*(\S+)(?:[ \t]+(.*?))?[ \t]*$/.exec(firstLine);
    if (interpreter === null) throw new SysError("ENOEXEC");
    const argument = interpreter[2];
    words = [interpreter[1] as string, ...(argument === undefined || argument === "" ? [] : [argument]), file, ...words.slice(1)];
    file = interpreter[1] as string;
  }
  throw new SysError("ELOOP");
}

/** The owner of a set-user-ID program (execve(2)). There is one user ID: the effective one. */
function setUidOf(inode: FileInode, { restrictions, userNamespace }: FileContext): number | undefined {
  const isKept = (inode.permissions & 0o4000) === 0 || restrictions?.noNewPrivileges === true || userNamespace !== undefined;
  return isKept ? undefined : inode.uid;
}

export const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** As execvp: a name without a slash is looked for along PATH. Throws ENOENT when it is nowhere, EACCES when only unusable files are. */
export function searchPath(context: FileContext, name: string, pathVariable: string | undefined): string {
  if (name.includes("/")) return name;
  let denied = false;
  for (const directory of (pathVariable ?? defaultPath).split(":")) {
    const candidate = `${directory === "" ? "." : directory}/${name}`;
    const end = context.mountNamespace.walk(context, context.cwd, candidate, { follow: true, change: false });
    const isFile = typeof end !== "string" && end.inode instanceof FileInode;
    if (isFile && mayAccess(end.inode, context, 1)) return candidate;
    if (isFile || end === "EACCES") denied = true;
  }
  throw new SysError(denied ? "EACCES" : "ENOENT");
}
