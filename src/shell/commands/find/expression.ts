import type { FileStat } from "#sim/files.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../../text/date-text.ts";
import { matchesPattern } from "../../text/pattern.ts";
import { posixRegex } from "../../text/regex.ts";
import { groupName, userName } from "../../toolkit/accounts.ts";
import { baseName } from "../../toolkit/base-name.ts";
import { modeText } from "../../toolkit/file-modes.ts";
import { runCommandLine } from "../../toolkit/other-programs.ts";
import { type Tool, ToolFailure } from "../../toolkit/tool.ts";

export interface Found {
  readonly path: string;
  readonly stat: FileStat;
  readonly depth: number;
  prune: boolean;
}

type Test = (found: Found) => Sys<boolean>;

export class Expression {
  readonly #tool: Tool;
  readonly #words: readonly string[];
  #position = 0;
  acts = false;
  minDepth = 0;
  maxDepth = Number.POSITIVE_INFINITY;
  depthFirst = false;
  readonly atEnd: (() => Sys<void>)[] = [];

  constructor(tool: Tool, words: readonly string[]) {
    this.#tool = tool;
    this.#words = words;
  }

  parse(): Test {
    if (this.#words.length === 0) return always;
    const test = this.#or();
    if (this.#position < this.#words.length)
      throw new ToolFailure(`paths must precede expression: \`${this.#words[this.#position]}'`);
    return test;
  }

  #or(): Test {
    let left = this.#and();
    while (this.#words[this.#position] === "-o" || this.#words[this.#position] === "-or") {
      this.#position += 1;
      const [first, second] = [left, this.#and()];
      left = function* (found) {
        return (yield* first(found)) || (yield* second(found));
      };
    }
    return left;
  }

  #and(): Test {
    let left = this.#not();
    for (;;) {
      const word = this.#words[this.#position];
      if (word === undefined || word === "-o" || word === "-or" || word === ")") return left;
      if (word === "-a" || word === "-and") this.#position += 1;
      const [first, second] = [left, this.#not()];
      left = function* (found) {
        return (yield* first(found)) && (yield* second(found));
      };
    }
  }

  #not(): Test {
    const word = this.#words[this.#position];
    if (word === "!" || word === "-not") {
      this.#position += 1;
      const inner = this.#not();
      return function* (found) {
        return !(yield* inner(found));
      };
    }
    return this.#primary();
  }

  #argument(name: string): string {
    const word = this.#words[this.#position];
    if (word === undefined) throw new ToolFailure(`missing argument to \`${name}'`);
    this.#position += 1;
    return word;
  }

  #number(name: string): (value: number) => boolean {
    const text = this.#argument(name);
    const match = /^([-+]?)(\d+)([ckMGwb]?)$/u.exec(text);
    if (match === null) throw new ToolFailure(`invalid argument \`${text}' to \`${name}'`);
    const wanted = Number(match[2]);
    return (value) => {
      if (match[1] === "+") return value > wanted;
      return match[1] === "-" ? value < wanted : value === wanted;
    };
  }

  #primary(): Test {
    const tool = this.#tool;
    const word = this.#words[this.#position] as string | undefined;
    this.#position += 1;
    if (word === undefined) throw new ToolFailure("expected an expression");
    const plain = (test: (found: Found) => boolean): Test =>
      function* (found) {
        return test(found);
      };
    const ageMs = (found: Found) => tool.self.nowMs - found.stat.modifiedMs;
    switch (word) {
      case "(": {
        const inner = this.#or();
        if (this.#words[this.#position] !== ")")
          throw new ToolFailure("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
        this.#position += 1;
        return inner;
      }
      case "-name":
      case "-iname": {
        const pattern = this.#argument(word);
        return plain((found) => matchesPattern(pattern, baseName(found.path), word === "-iname"));
      }
      case "-path":
      case "-wholename":
      case "-ipath": {
        const pattern = this.#argument(word);
        return plain((found) => matchesPattern(pattern, found.path, word === "-ipath"));
      }
      case "-regex": {
        const regex = posixRegex(`^(${this.#argument(word)})$`, { basic: false });
        return plain((found) => regex.test(found.path));
      }
      case "-type": {
        const letters = this.#argument(word).split(",");
        const type: { readonly [type: string]: string } = {
          file: "f",
          directory: "d",
          symlink: "l",
          fifo: "p",
          socket: "s",
          character: "c",
        };
        for (const letter of letters)
          if (!"fdlpscb".includes(letter)) throw new ToolFailure(`Unknown argument to -type: ${letter}`);
        return plain((found) => letters.includes(type[found.stat.type] ?? ""));
      }
      case "-size": {
        const suffix = /[ckMG]$/u.exec(this.#words[this.#position] ?? "")?.[0] ?? "b";
        const unit = { c: 1, k: 1024, M: 1024 ** 2, G: 1024 ** 3, b: 512 }[suffix as "c"] as number;
        const compare = this.#number(word);
        return plain((found) => compare(Math.ceil(found.stat.sizeBytes / unit)));
      }
      case "-mtime":
      case "-mmin": {
        const unit = word === "-mtime" ? 86_400_000 : 60_000;
        const compare = this.#number(word);
        return plain((found) => compare(Math.floor(ageMs(found) / unit)));
      }
      case "-newer": {
        const reference = tool.self.stat(this.#argument(word)).modifiedMs;
        return plain((found) => found.stat.modifiedMs > reference);
      }
      case "-empty":
        return plain((found) =>
          found.stat.type === "directory"
            ? tool.self.readdir(found.path).length === 0
            : found.stat.type === "file" && found.stat.sizeBytes === 0,
        );
      case "-user": {
        const name = this.#argument(word);
        return plain((found) => userName(tool.self, found.stat.uid) === name || String(found.stat.uid) === name);
      }
      case "-group": {
        const name = this.#argument(word);
        return plain((found) => groupName(tool.self, found.stat.gid) === name || String(found.stat.gid) === name);
      }
      case "-perm": {
        const mode = this.#argument(word);
        const bits = Number.parseInt(mode.replace(/^[-/]/u, ""), 8);
        return plain(({ stat }) => {
          if (mode.startsWith("-")) return (stat.permissions & bits) === bits;
          return mode.startsWith("/") ? (stat.permissions & bits) !== 0 : stat.permissions === bits;
        });
      }
      case "-executable":
        return plain((found) => (found.stat.permissions & 0o111) !== 0);
      case "-true":
        return always;
      case "-false":
        return plain(() => false);
      case "-prune":
        return plain((found) => {
          found.prune = true;
          return true;
        });
      case "-maxdepth":
        this.maxDepth = Number(this.#argument(word));
        return always;
      case "-mindepth":
        this.minDepth = Number(this.#argument(word));
        return always;
      case "-depth":
        this.depthFirst = true;
        return always;
      case "-xdev":
      case "-mount":
      case "-follow":
        return always;
      case "-print":
      case "-print0": {
        this.acts = true;
        return function* (found) {
          yield* tool.print(`${found.path}${word === "-print0" ? "\0" : "\n"}`);
          return true;
        };
      }
      case "-printf": {
        this.acts = true;
        const format = this.#argument(word);
        return function* (found) {
          yield* tool.print(formatFound(tool, format, found));
          return true;
        };
      }
      case "-ls": {
        this.acts = true;
        return function* (found) {
          yield* tool.print(
            `${found.stat.inode} ${modeText(found.stat)} ${found.stat.links} ${userName(tool.self, found.stat.uid)} ${groupName(tool.self, found.stat.gid)} ${found.stat.sizeBytes} ${formatDate("%b %e %H:%M", found.stat.modifiedMs)} ${found.path}\n`,
          );
          return true;
        };
      }
      case "-delete": {
        this.acts = true;
        this.depthFirst = true;
        return function* (found) {
          if (found.stat.type === "directory") tool.self.rmdir(found.path);
          else tool.self.unlink(found.path);
          return true;
        };
      }
      case "-quit":
        return plain(() => {
          throw new ToolFailure("", 0);
        });
      case "-exec":
      case "-ok":
      case "-execdir":
        return this.#exec(word);
      default:
        throw new ToolFailure(
          tool.gnu
            ? word.startsWith("-")
              ? `unknown predicate \`${word}'`
              : `paths must precede expression: \`${word}'`
            : `unrecognized: ${word}`,
        );
    }
  }

  #exec(name: string): Test {
    const tool = this.#tool;
    this.acts = true;
    const words: string[] = [];
    for (;;) {
      const word = this.#words[this.#position];
      if (word === undefined) throw new ToolFailure(`missing argument to \`${name}'`);
      this.#position += 1;
      if (word === ";" || (word === "+" && words.at(-1) === "{}")) {
        if (word === ";") {
          return function* (found) {
            yield* tool.flush();
            return (
              (yield* runCommandLine(
                tool,
                words.map((each) => each.replaceAll("{}", found.path)),
              )) === 0
            );
          };
        }
        break;
      }
      words.push(word);
    }
    const paths: string[] = [];
    this.atEnd.push(function* () {
      if (paths.length === 0) return;
      yield* tool.flush();
      if ((yield* runCommandLine(tool, [...words.slice(0, -1), ...paths])) !== 0) tool.status = 1;
    });
    return function* (found) {
      paths.push(found.path);
      return true;
    };
  }
}

const always: Test = function* () {
  return true;
};

function formatFound(tool: Tool, format: string, found: Found): string {
  const { stat, path } = found;
  const slash = path.lastIndexOf("/");
  const values: { readonly [letter: string]: string } = {
    p: path,
    f: baseName(path),
    h: slash < 0 ? "." : path.slice(0, slash),
    s: String(stat.sizeBytes),
    m: stat.permissions.toString(8),
    M: modeText(stat),
    u: userName(tool.self, stat.uid),
    g: groupName(tool.self, stat.gid),
    U: String(stat.uid),
    G: String(stat.gid),
    d: String(found.depth),
    y: modeText(stat)[0] === "-" ? "f" : (modeText(stat)[0] as string),
    l: stat.type === "symlink" ? tool.self.readlink(path) : "",
    "%": "%",
  };
  return format
    .replace(/\\n/gu, "\n")
    .replace(/\\t/gu, "\t")
    .replace(/\\0/gu, "\0")
    .replace(/%(?:T(.)|(.))/gu, (all, time: string | undefined, letter: string | undefined) => {
      if (time === undefined) return values[letter as string] ?? all;
      return time === "@" ? (stat.modifiedMs / 1000).toFixed(1) : formatDate(`%${time}`, stat.modifiedMs);
    });
}
