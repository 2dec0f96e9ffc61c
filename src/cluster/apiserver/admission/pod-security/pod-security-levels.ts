// The Pod Security Standards that a namespace asks for by its labels (k8s.io/pod-security-admission/api).

import { type FieldErrors, field } from "#cluster/resources/field-errors.ts";

/** From the most lenient to the strictest. */
export const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

export interface LevelVersion {
  readonly level: Level;
  /** The minor of 1.x; Infinity for `latest`. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const prefix = "pod-security.kubernetes.io/";
const open: LevelVersion = { level: "privileged", minor: Number.POSITIVE_INFINITY };

/** What holds where nothing is said. */
export const openPolicy: Policy = { enforce: open, audit: open, warn: open };

/** `restricted:latest`, `baseline:v1.31` */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Number.POSITIVE_INFINITY ? "latest" : `v1.${minor}`}`;
}

export function sameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** Above zero when `a` is stricter than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

/**
 * The policy of a namespace. Labels that cannot be read count as `restricted` to enforce and as `privileged` to audit and
 * warn of; each is an error.
 */
export function policyOf(labels: { readonly [key: string]: string } | undefined, errors?: FieldErrors): Policy {
  if (labels === undefined) return openPolicy;
  const read = <T>(name: string, parse: (text: string) => T | undefined, detail: string, fallback: T, absent: T): T => {
    const text = labels[prefix + name];
    if (text === undefined) return absent;
    const parsed = parse(text);
    if (parsed === undefined) errors?.invalid(field("metadata", "labels").key(prefix + name), text, detail);
    return parsed ?? fallback;
  };
  const level = (mode: string, fallback: Level): Level =>
    read<Level>(mode, parseLevel, `must be one of ${levels.join(", ")}`, fallback, open.level);
  const minor = (mode: string): number =>
    read(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"', open.minor, open.minor);
  const enforce = { level: level("enforce", "restricted"), minor: minor("enforce") };
  const audit = { level: level("audit", "privileged"), minor: minor("audit") };
  const warn = { level: level("warn", "privileged"), minor: minor("warn") };
  return { enforce, audit, warn: warnedOf(labels, enforce, warn) };
}

/** Who enforces and says nothing of warnings is warned of the same. */
function warnedOf(labels: { readonly [key: string]: string }, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const says = (name: string): boolean => labels[prefix + name] !== undefined;
  const isValid = parseLevel(labels[`${prefix}enforce`] ?? "") !== undefined;
  if (says("warn") || !isValid || compareLevels(enforce.level, warn.level) <= 0) return warn;
  return { level: enforce.level, minor: says("warn-version") ? warn.minor : enforce.minor };
}

function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

function parseVersion(text: string): number | undefined {
  if (text === "latest") return Number.POSITIVE_INFINITY;
  const match = /^v1\.(\d|[1-9]\d*)$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
