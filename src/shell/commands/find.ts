// find and xargs.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { FileStat } from "#sim/files.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { matchesPattern } from "../text/pattern.ts";
import { posixRegex } from "../text/regex.ts";
import { baseName } from "./cp.ts";
import { groupName, userName } from "./identity.ts";
import { modeText } from "./ls.ts";
import { type CommandDefinition, linesOf, runCommandLine, type Tool, ToolFailure } from "./tool.ts";

interface Found {
  readonly path: string;
  readonly stat: FileStat;
  readonly depth: number;
  prune: boolean;
}

type Test = (found: Found) => Sys<boolean>;

class Expression {
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
    return (value) => (match[1] === "+" ? value > wanted : match[1] === "-" ? value < wanted : value === wanted);
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
        return plain(({ stat }) =>
          mode.startsWith("-")
            ? (stat.permissions & bits) === bits
            : mode.startsWith("/")
              ? (stat.permissions & bits) !== 0
              : stat.permissions === bits,
        );
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
    .replace(/%(?:T(.)|(.))/gu, (all, time: string | undefined, letter: string | undefined) =>
      time !== undefined
        ? time === "@"
          ? (stat.modifiedMs / 1000).toFixed(1)
          : formatDate(`%${time}`, stat.modifiedMs)
        : (values[letter as string] ?? all),
    );
}

export const find: CommandDefinition = {
  name: "find",
  *run(tool) {
    const words = [...tool.operands];
    let follow = false;
    while (words[0] === "-L" || words[0] === "-H" || words[0] === "-P") follow = words.shift() === "-L";
    const at = words.findIndex((word) => /^[-(!]/u.test(word));
    const paths = at < 0 ? words : words.slice(0, at);
    const expression = new Expression(tool, at < 0 ? [] : words.slice(at));
    const test = expression.parse();
    const visit = function* (path: string, depth: number): Sys<void> {
      const stat = follow ? tool.self.stat(path) : tool.self.lstat(path);
      const found: Found = { path, stat, depth, prune: false };
      const apply = function* (): Sys<void> {
        if (depth < expression.minDepth) return;
        if ((yield* test(found)) && !expression.acts) yield* tool.print(`${path}\n`);
      };
      if (!expression.depthFirst) yield* apply();
      if (stat.type === "directory" && depth < expression.maxDepth && depth < 128 && !found.prune) {
        yield* tool.eachOperand(
          [path],
          function* () {
            for (const name of tool.self.readdir(path))
              yield* visit(path.endsWith("/") ? path + name : `${path}/${name}`, depth + 1);
          },
          (each, error) => (tool.gnu ? `‘${each}’: ${error.message}` : `${each}: ${error.message}`),
        );
      }
      if (expression.depthFirst) yield* apply();
    };
    yield* tool.eachOperand(
      paths.length === 0 ? ["."] : paths,
      (path) => visit(path, 0),
      (path, error) => (tool.gnu ? `‘${path}’: ${error.message}` : `${path}: ${error.message}`),
    );
    for (const finish of expression.atEnd) yield* finish();
    return 0;
  },
};

function splitWords(tool: Tool, text: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (/\s/u.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else if (char === "'" || char === '"') {
      const end = text.indexOf(char, i + 1);
      if (end < 0)
        throw new ToolFailure(
          `unmatched ${char === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`,
        );
      current = (current ?? "") + text.slice(i + 1, end);
      i = end;
    } else if (char === "\\") current = (current ?? "") + (text[++i] ?? "");
    else current = (current ?? "") + char;
  }
  if (current !== undefined) words.push(current);
  if (words.length > 100_000) throw new ToolFailure(`argument list too long for ${tool.name}`);
  return words;
}

export const xargs: CommandDefinition = {
  name: "xargs",
  options: "n,max-args= I,replace= i L,max-lines= 0,null r,no-run-if-empty t,verbose d,delimiter= P,max-procs= p s= x a=",
  usage: "xargs [OPTIONS] [PROG ARGS]",
  inOrder: true,
  *run(tool) {
    const text = decodeUtf8(yield* tool.readAll(tool.value("a") ?? "-"));
    const replace = tool.value("I");
    const delimiter = tool.value("d");
    const items = tool.has("0")
      ? text.split("\0").filter((item, index, all) => index < all.length - 1 || item !== "")
      : delimiter !== undefined
        ? text.replace(/\n$/u, "").split(delimiter.replace(/\\n/gu, "\n").replace(/\\t/gu, "\t"))
        : replace !== undefined || tool.has("L")
          ? linesOf(text)
              .map((line) => line.trim())
              .filter((line) => line !== "")
          : splitWords(tool, text);
    const command = tool.operands.length === 0 ? ["echo"] : tool.operands;
    const size = tool.has("n") ? Number(tool.value("n")) : tool.has("L") ? Number(tool.value("L")) : 5000;
    const lines: (readonly string[])[] = [];
    if (replace !== undefined) for (const item of items) lines.push(command.map((word) => word.replaceAll(replace, item)));
    else {
      for (let i = 0; i < items.length; i += size) {
        const part = items.slice(i, i + size);
        lines.push([...command, ...(tool.has("L") ? part.flatMap((line) => splitWords(tool, line)) : part)]);
      }
      if (items.length === 0 && !tool.has("r") && tool.gnu) lines.push(command);
    }
    let status = 0;
    for (const words of lines) {
      if (tool.has("t")) yield* tool.self.write(2, `${words.join(" ")}\n`);
      const code = yield* runCommandLine(tool, words);
      if (code === 255) {
        yield* tool.warn(`${words[0]}: exited with status 255; aborting`);
        return 124;
      }
      if (code === 127 || code === 126) return code;
      if (code !== 0) status = 123;
    }
    return status;
  },
};
