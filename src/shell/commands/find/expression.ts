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

/** Reads the arguments of one word of an expression and gives its test. */
type Primary = (expression: Expression, word: string) => Test;

const typeLetters: { readonly [type: string]: string } = {
  file: "f",
  directory: "d",
  symlink: "l",
  fifo: "p",
  socket: "s",
  character: "c",
};

function plain(test: (found: Found) => boolean): Test {
  return function* (found) {
    return test(found);
  };
}

/** What stands behind the paths: tests, actions, and what they say about the walk. */
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
    const word = this.#words[this.#position];
    this.#position += 1;
    if (word === undefined) throw new ToolFailure("expected an expression");
    const primary = Expression.#primaries.get(word);
    if (primary !== undefined) return primary(this, word);
    if (!this.#tool.gnu) throw new ToolFailure(`unrecognized: ${word}`);
    throw new ToolFailure(word.startsWith("-") ? `unknown predicate \`${word}'` : `paths must precede expression: \`${word}'`);
  }

  /** Behind its parenthesis. */
  #group(): Test {
    const inner = this.#or();
    if (this.#words[this.#position] !== ")")
      throw new ToolFailure("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    this.#position += 1;
    return inner;
  }

  #size(name: string): Test {
    const suffix = /[ckMG]$/u.exec(this.#words[this.#position] ?? "")?.[0] ?? "b";
    const unit = { c: 1, k: 1024, M: 1024 ** 2, G: 1024 ** 3, b: 512 }[suffix as "c"] as number;
    const compare = this.#number(name);
    return plain((found) => compare(Math.ceil(found.stat.sizeBytes / unit)));
  }

  #age(name: string, unitMs: number): Test {
    const compare = this.#number(name);
    return plain((found) => compare(Math.floor((this.#tool.self.nowMs - found.stat.modifiedMs) / unitMs)));
  }

  #type(name: string): Test {
    const letters = this.#argument(name).split(",");
    for (const letter of letters) if (!"fdlpscb".includes(letter)) throw new ToolFailure(`Unknown argument to -type: ${letter}`);
    return plain((found) => letters.includes(typeLetters[found.stat.type] ?? ""));
  }

  #permissions(name: string): Test {
    const mode = this.#argument(name);
    const bits = Number.parseInt(mode.replace(/^[-/]/u, ""), 8);
    if (mode.startsWith("-")) return plain(({ stat }) => (stat.permissions & bits) === bits);
    if (mode.startsWith("/")) return plain(({ stat }) => (stat.permissions & bits) !== 0);
    return plain(({ stat }) => stat.permissions === bits);
  }

  /** What prints for each that is found. */
  #printing(text: (found: Found) => string): Test {
    const tool = this.#tool;
    this.acts = true;
    return function* (found) {
      yield* tool.print(text(found));
      return true;
    };
  }

  #delete(): Test {
    const { self } = this.#tool;
    this.acts = true;
    this.depthFirst = true;
    return plain((found) => {
      if (found.stat.type === "directory") self.rmdir(found.path);
      else self.unlink(found.path);
      return true;
    });
  }

  #longLine({ path, stat }: Found): string {
    const { self } = this.#tool;
    const owner = `${userName(self, stat.uid)} ${groupName(self, stat.gid)}`;
    return `${stat.inode} ${modeText(stat)} ${stat.links} ${owner} ${stat.sizeBytes} ${formatDate("%b %e %H:%M", stat.modifiedMs)} ${path}\n`;
  }

  static readonly #named: Primary = (expression, word) => {
    const pattern = expression.#argument(word);
    return plain((found) => matchesPattern(pattern, baseName(found.path), word === "-iname"));
  };

  static readonly #path: Primary = (expression, word) => {
    const pattern = expression.#argument(word);
    return plain((found) => matchesPattern(pattern, found.path, word === "-ipath"));
  };

  static readonly #ignored: Primary = () => always;
  static readonly #run: Primary = (expression, word) => expression.#exec(word);

  static readonly #primaries: ReadonlyMap<string, Primary> = new Map<string, Primary>([
    ["(", (expression) => expression.#group()],
    ["-name", Expression.#named],
    ["-iname", Expression.#named],
    ["-path", Expression.#path],
    ["-wholename", Expression.#path],
    ["-ipath", Expression.#path],
    [
      "-regex",
      (expression, word) => {
        const regex = posixRegex(`^(${expression.#argument(word)})$`, { basic: false });
        return plain((found) => regex.test(found.path));
      },
    ],
    ["-type", (expression, word) => expression.#type(word)],
    ["-size", (expression, word) => expression.#size(word)],
    ["-mtime", (expression, word) => expression.#age(word, 86_400_000)],
    ["-mmin", (expression, word) => expression.#age(word, 60_000)],
    [
      "-newer",
      (expression, word) => {
        const reference = expression.#tool.self.stat(expression.#argument(word)).modifiedMs;
        return plain((found) => found.stat.modifiedMs > reference);
      },
    ],
    [
      "-empty",
      (expression) =>
        plain(({ stat, path }) => {
          if (stat.type === "directory") return expression.#tool.self.readdir(path).length === 0;
          return stat.type === "file" && stat.sizeBytes === 0;
        }),
    ],
    [
      "-user",
      (expression, word) => {
        const name = expression.#argument(word);
        return plain(({ stat }) => userName(expression.#tool.self, stat.uid) === name || String(stat.uid) === name);
      },
    ],
    [
      "-group",
      (expression, word) => {
        const name = expression.#argument(word);
        return plain(({ stat }) => groupName(expression.#tool.self, stat.gid) === name || String(stat.gid) === name);
      },
    ],
    ["-perm", (expression, word) => expression.#permissions(word)],
    ["-executable", () => plain((found) => (found.stat.permissions & 0o111) !== 0)],
    ["-true", Expression.#ignored],
    ["-false", () => plain(() => false)],
    [
      "-prune",
      () =>
        plain((found) => {
          found.prune = true;
          return true;
        }),
    ],
    [
      "-maxdepth",
      (expression, word) => {
        expression.maxDepth = Number(expression.#argument(word));
        return always;
      },
    ],
    [
      "-mindepth",
      (expression, word) => {
        expression.minDepth = Number(expression.#argument(word));
        return always;
      },
    ],
    [
      "-depth",
      (expression) => {
        expression.depthFirst = true;
        return always;
      },
    ],
    ["-xdev", Expression.#ignored],
    ["-mount", Expression.#ignored],
    ["-follow", Expression.#ignored],
    ["-print", (expression) => expression.#printing(({ path }) => `${path}\n`)],
    ["-print0", (expression) => expression.#printing(({ path }) => `${path}\0`)],
    [
      "-printf",
      (expression, word) => {
        const format = expression.#argument(word);
        return expression.#printing((found) => formatFound(expression.#tool, format, found));
      },
    ],
    ["-ls", (expression) => expression.#printing((found) => expression.#longLine(found))],
    ["-delete", (expression) => expression.#delete()],
    [
      "-quit",
      () =>
        plain(() => {
          throw new ToolFailure("", 0);
        }),
    ],
    ["-exec", Expression.#run],
    ["-ok", Expression.#run],
    ["-execdir", Expression.#run],
  ]);

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
