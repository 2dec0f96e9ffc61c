// The operators of test, [ and [[.

import { SysError } from "#sim/errors.ts";
import type { FileStat } from "#sim/files.ts";
import type { Process } from "#sim/program.ts";

/** A refused expression, in the words behind `test: `. */
export class TestError extends Error {}

/** What the operators need to know of a shell; programs have only the process. */
export interface TestContext {
  readonly self: Process;
  readonly isVariableSet: (name: string) => boolean;
  readonly isOptionSet: (name: string) => boolean;
  /** Reads a number: [[ ]] evaluates arithmetic, test wants digits. */
  readonly number: (text: string) => bigint;
  /** The process's descriptor behind a shell's. */
  readonly descriptor: (fd: number) => number | undefined;
}

export const unaryOperators = new Set("-a -b -c -d -e -f -g -h -k -n -o -p -r -s -t -u -v -w -x -z -G -L -N -O -R -S".split(" "));
export const binaryOperators = new Set("= == != < > =~ -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" "));

export function plainNumber(text: string): bigint {
  if (!/^\s*[-+]?\d+\s*$/u.test(text)) throw new TestError(`${text}: integer expression expected`);
  return BigInt(text.trim().replace(/^\+/u, ""));
}

/** Operators that look at a text. */
const textTests: { readonly [operator: string]: (operand: string, context: TestContext) => boolean } = {
  "-z": (operand) => operand === "",
  "-n": (operand) => operand !== "",
  "-v": (operand, context) => context.isVariableSet(operand),
  "-o": (operand, context) => context.isOptionSet(operand),
  "-t": (operand, context) => {
    const fd = context.descriptor(Number(operand));
    return fd !== undefined && context.self.isTty(fd);
  },
};

/** Operators that ask what a file is. */
const typeOperators: { readonly [operator: string]: FileStat["type"] } = {
  "-f": "file",
  "-d": "directory",
  "-h": "symlink",
  "-L": "symlink",
  "-p": "fifo",
  "-S": "socket",
  "-c": "character",
};

/** Operators that ask for a bit that one's own class of users has, and for a bit that a file has. */
const accessOperators: { readonly [operator: string]: number } = { "-r": 4, "-w": 2, "-x": 1 };
const bitOperators: { readonly [operator: string]: number } = { "-u": 0o4000, "-g": 0o2000, "-k": 0o1000 };

export function testUnary(context: TestContext, operator: string, operand: string): boolean {
  const textTest = textTests[operator];
  if (textTest !== undefined) return textTest(operand, context);
  const stat = statOf(context.self, operand, operator === "-h" || operator === "-L");
  return stat !== undefined && testFile(context.self, operator, stat);
}

/** Of a file that is there: for operators that are not named here that is enough. */
function testFile(self: Process, operator: string, stat: FileStat): boolean {
  const type = typeOperators[operator];
  if (type !== undefined) return stat.type === type;
  const access = accessOperators[operator];
  if (access !== undefined) return allowed(self, stat, access);
  const bit = bitOperators[operator];
  if (bit !== undefined) return (stat.permissions & bit) !== 0;
  if (operator === "-s") return stat.sizeBytes > 0;
  if (operator === "-O") return stat.uid === self.uid;
  if (operator === "-G") return stat.gid === self.gid;
  return operator !== "-b" && operator !== "-R";
}

function allowed(self: Process, stat: FileStat, bit: number): boolean {
  if (self.uid === 0) return bit !== 1 || stat.type === "directory" || (stat.permissions & 0o111) !== 0;
  let shift = 0;
  if (stat.uid === self.uid) shift = 6;
  else if (stat.gid === self.gid) shift = 3;
  return ((stat.permissions >> shift) & bit) !== 0;
}

function statOf(self: Process, path: string, link = false): FileStat | undefined {
  try {
    return link ? self.lstat(path) : self.stat(path);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

const comparisons: { readonly [operator: string]: <T extends string | bigint>(left: T, right: T) => boolean } = {
  "=": (left, right) => left === right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
  "-eq": (left, right) => left === right,
  "-ne": (left, right) => left !== right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

export function testBinary(context: TestContext, operator: string, left: string, right: string): boolean {
  const compare = comparisons[operator];
  if (compare !== undefined)
    return operator.startsWith("-") ? compare(context.number(left), context.number(right)) : compare(left, right);
  const first = statOf(context.self, left);
  const second = statOf(context.self, right);
  if (operator === "-ef") return first !== undefined && second !== undefined && first.inode === second.inode;
  const newer = operator === "-nt" ? first : second;
  const older = operator === "-nt" ? second : first;
  if (newer === undefined) return false;
  return older === undefined || newer.modifiedMs > older.modifiedMs;
}

/** Evaluates the arguments of `test` (without a closing `]`). Throws TestError. */
export function evaluateTest(context: TestContext, args: readonly string[]): boolean {
  if (args.length === 0) return false;
  if (args.length === 1) return args[0] !== "";
  let position = 0;
  const next = () => args[position++];
  const or = (): boolean => {
    let value = and();
    while (args[position] === "-o") {
      position += 1;
      const right = and();
      value = value || right;
    }
    return value;
  };
  const and = (): boolean => {
    let value = not();
    while (args[position] === "-a" && position + 1 < args.length) {
      position += 1;
      const right = not();
      value = value && right;
    }
    return value;
  };
  const not = (): boolean => {
    if (
      args[position] === "!" &&
      position + 1 < args.length &&
      !(binaryOperators.has(args[position + 1] as string) && args.length - position === 3)
    ) {
      position += 1;
      return !not();
    }
    return primary();
  };
  const primary = (): boolean => {
    const first = next();
    if (first === undefined) throw new TestError("argument expected");
    const operator = args[position];
    if (operator !== undefined && binaryOperators.has(operator) && position + 1 < args.length) {
      position += 2;
      return testBinary(context, operator, first, args[position - 1] as string);
    }
    if (first === "(" && args.length > 1) {
      const value = or();
      if (next() !== ")") throw new TestError("`)' expected");
      return value;
    }
    if (unaryOperators.has(first) && operator !== undefined) {
      position += 1;
      return testUnary(context, first, operator);
    }
    if (args.length === 2) throw new TestError(`${first}: unary operator expected`);
    return first !== "";
  };
  const value = or();
  if (position < args.length) {
    const operator = args[1] as string;
    throw new TestError(args.length === 3 ? `${operator}: binary operator expected` : "too many arguments");
  }
  return value;
}
