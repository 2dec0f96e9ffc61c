// printf's format language, shared by the shell builtin, the command and awk.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import { expandEscapes } from "./escapes.ts";
import { quoteWord } from "./quote.ts";

export interface Formatted {
  readonly text: string;
  /** Words that were not numbers where a number was asked for. */
  readonly problems: readonly string[];
}

const directive =
  /%(?:%|([-+ 0#']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q|j|z|t)*(?:\(([^)]*)\)T|([diouxXfFeEgGcsbqa])))|%(.?)/gsu;

/** Repeats the format while arguments are left, as the shell's printf does. `time` formats `%(…)T`. */
export function formatShell(format: string, args: readonly string[], time: (format: string, seconds: number) => string): Formatted {
  const problems: string[] = [];
  const prepared = expandEscapes(format, false);
  let text = "";
  let used = 0;
  let stop = prepared.stopped;
  do {
    const before = used;
    let match = 0;
    let ended = false;
    const piece = prepared.text.replace(directive, (all, ...found) => {
      const [flags, width, precision, timeFormat, kind, bad] = found;
      if (ended) return "";
      if (all === "%%") return "%";
      if (bad !== undefined) {
        problems.push(`\`${bad === "" ? "%" : bad}': invalid format character`);
        ended = true;
        stop = true;
        return "";
      }
      match += 1;
      const take = () => args[used++];
      const options = readOptions(flags, width, precision, () => toInteger(take() ?? "0", problems));
      if (timeFormat !== undefined) {
        const at = take();
        return pad(time(timeFormat === "" ? "%T" : timeFormat, at === undefined || at === "-1" ? -1 : Number(at)), options);
      }
      const argument = take();
      if (kind === "b") {
        const escaped = expandEscapes(argument ?? "", true);
        if (escaped.stopped) {
          stop = true;
          ended = true;
        }
        return pad(escaped.text, options);
      }
      if (kind === "q") return pad(quoteWord(argument ?? ""), options);
      return formatOne(kind, argument, options, problems);
    });
    text += piece;
    if (match === 0 || used === before) break;
  } while (used < args.length && !stop);
  return { text, problems };
}

/** Wider fields are not made, whatever memory there is. */
const maximumWidth = 16 * 1024 ** 2;

export interface FormatOptions {
  readonly left: boolean;
  readonly zero: boolean;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

export function readOptions(
  flags: string | undefined,
  width: string | undefined,
  precision: string | undefined,
  star: () => number,
): FormatOptions {
  const set = flags ?? "";
  let wide = width === "*" ? star() : Number(width ?? 0);
  const left = set.includes("-") || wide < 0;
  wide = Math.abs(wide);
  if (wide > maximumWidth) throw new SysError("ENOMEM");
  const given = precision === "*" ? star() : Number(precision ?? 0);
  const exact = precision === undefined ? undefined : given;
  return {
    left,
    zero: set.includes("0") && !left,
    sign: ["+", " "].find((each) => set.includes(each)) ?? "",
    alternate: set.includes("#"),
    width: wide,
    precision: exact === undefined || exact < 0 ? undefined : Math.min(exact, 100),
  };
}

function pad(text: string, options: FormatOptions): string {
  return options.left ? text.padEnd(options.width) : text.padStart(options.width);
}

/** A shell number: decimal, 0x, 0 octal, or 'c for a character's code. */
export function toInteger(text: string, problems: string[]): number {
  const trimmed = text.trim();
  if (/^['"]/u.test(trimmed)) return trimmed.codePointAt(1) ?? 0;
  const match = /^([-+]?)(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)/iu.exec(trimmed);
  if (match === null) {
    if (trimmed !== "") problems.push(`${text}: invalid number`);
    return 0;
  }
  if (match[0] !== trimmed && !/^[-+]?\d+\.\d*$/u.test(trimmed)) problems.push(`${text}: invalid number`);
  else if (match[0] !== trimmed) problems.push(`${text}: invalid number`);
  const digits = match[2] as string;
  const value = /^0[0-7]+$/u.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return match[1] === "-" ? -value : value;
}

function toFloat(text: string, problems: string[]): number {
  const value = Number(text.trim() === "" ? "0" : text);
  if (!Number.isNaN(value)) return value;
  if (/^['"]/u.test(text)) return text.codePointAt(1) ?? 0;
  problems.push(`${text}: invalid number`);
  const lead = Number.parseFloat(text);
  return Number.isNaN(lead) ? 0 : lead;
}

/** One conversion. */
export function formatOne(kind: string, argument: string | undefined, options: FormatOptions, problems: string[]): string {
  if (kind === "s")
    return pad(options.precision === undefined ? (argument ?? "") : (argument ?? "").slice(0, options.precision), options);
  if (kind === "c") return pad([...(argument ?? "")][0] ?? "", options);
  const numeric = argument ?? "0";
  if ("feEgGFa".includes(kind)) return number(formatFloat(kind, toFloat(numeric, problems), options), options, true);
  const value = toInteger(numeric, problems);
  const magnitude = Math.abs(value);
  let digits: string;
  if (kind === "d" || kind === "i" || (kind === "u" && value >= 0)) digits = BigInt(Math.trunc(magnitude)).toString();
  else {
    const unsigned = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    const [base, prefix] = bases[kind] ?? [16, "0x"];
    digits = unsigned.toString(base);
    if (options.alternate && value !== 0) digits = prefix + digits;
    if (kind === "X") digits = asciiUpperCase(digits);
  }
  if (options.precision !== undefined) digits = digits.padStart(options.precision, "0");
  const signed = kind === "d" || kind === "i";
  const sign = value < 0 ? "-" : options.sign;
  return number((signed ? sign : "") + digits, options, options.precision === undefined);
}

const bases: { readonly [kind: string]: readonly [base: number, prefix: string] } = { o: [8, "0"], u: [10, ""] };

function number(text: string, options: FormatOptions, zeroAllowed: boolean): string {
  if (!options.zero || !zeroAllowed) return pad(text, options);
  const sign = /^[-+ ]/u.test(text) ? (text[0] as string) : "";
  return sign + text.slice(sign.length).padStart(options.width - sign.length, "0");
}

function formatFloat(kind: string, value: number, options: FormatOptions): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : options.sign;
  const magnitude = Math.abs(value);
  if (!Number.isFinite(magnitude)) return sign + (Number.isNaN(magnitude) ? "nan" : "inf");
  const precision = options.precision ?? 6;
  const lower = asciiLowerCase(kind);
  let text: string;
  if (lower === "f" || lower === "a") text = magnitude.toFixed(precision);
  else if (lower === "e") text = exponent(magnitude.toExponential(precision));
  else text = general(magnitude, precision === 0 ? 1 : precision, options.alternate);
  return sign + (kind === asciiUpperCase(kind) ? asciiUpperCase(text) : text);
}

function exponent(text: string): string {
  return text.replace(/e([-+])(\d)$/u, "e$10$2");
}

/** %g: the shorter of %e and %f, without trailing zeros. */
export function general(value: number, precision: number, keepZeros = false): string {
  if (value === 0) return "0";
  const power = Number(value.toExponential(precision - 1).split("e")[1]);
  const plain = power >= -4 && power < precision;
  const text = plain ? value.toFixed(Math.max(0, precision - 1 - power)) : value.toExponential(precision - 1);
  if (keepZeros) return exponent(text);
  return exponent(text.replace(/(\.\d*?)0+(?=e|$)/u, "$1").replace(/\.(?=e|$)/u, ""));
}
