// The flags of the audit log (apiserver, pkg/server/options/audit.go).

import { parseGoDuration } from "#cluster/api/duration.ts";
import { type GivenFlags, WrongCommandLine, words } from "../../component-flags.ts";

export interface LogSettings {
  /** "" for none. */
  readonly policyFile: string;
  /** "" for none, `-` for standard output. */
  readonly path: string;
  readonly format: "json" | "legacy";
  readonly mode: "batch" | "blocking";
  readonly maxSizeMiB: number;
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  readonly compress: boolean;
  readonly batchMaxSize: number;
  readonly batchMaxWaitMs: number;
  readonly truncates: boolean;
  readonly maxEventBytes: number;
}

const modes = ["batch", "blocking", "blocking-strict"];
const formats = ["legacy", "json"];

/** Throws WrongCommandLine. */
export function logSettings(given: GivenFlags): LogSettings {
  const flags = new AuditFlags(given);
  const settings = {
    policyFile: flags.text("audit-policy-file", ""),
    path: flags.text("audit-log-path", ""),
    format: flags.text("audit-log-format", "json"),
    mode: flags.text("audit-log-mode", "blocking"),
    maxSizeMiB: flags.integer("audit-log-maxsize", 100),
    maxBackups: flags.integer("audit-log-maxbackup", 100),
    maxAgeDays: flags.integer("audit-log-maxage", 366),
    compress: flags.boolean("audit-log-compress"),
    batchMaxSize: flags.integer("audit-log-batch-max-size", 1),
    batchMaxWaitMs: flags.duration("audit-log-batch-max-wait"),
    truncates: flags.boolean("audit-log-truncate-enabled"),
    maxEventBytes: flags.integer("audit-log-truncate-max-event-size", 100 * 1024),
  };
  const maxBatchBytes = flags.integer("audit-log-truncate-max-batch-size", 10 * 1024 * 1024);
  if (settings.path !== "") {
    const faults = faultsOf(settings, flags, maxBatchBytes);
    if (faults.length > 0) throw new WrongCommandLine(faults.length === 1 ? String(faults[0]) : `[${faults.join(", ")}]`, true);
    if (settings.mode === "blocking-strict") throw new WrongCommandLine("--audit-log-mode=blocking-strict: not simulated", true);
  }
  return settings as LogSettings;
}

type Unchecked = { readonly [name in keyof LogSettings]: LogSettings[name] extends string ? string : LogSettings[name] };

function faultsOf(settings: Unchecked, flags: AuditFlags, maxBatchBytes: number): readonly string[] {
  const { mode, format, maxEventBytes } = settings;
  const faults: string[] = [];
  if (!modes.includes(mode)) faults.push(`invalid audit log mode ${mode}, allowed modes are ${JSON.stringify(modes.join(","))}`);
  else if (mode === "batch")
    faults.push(...batchFault(settings.batchMaxSize, flags.integer("audit-log-batch-buffer-size", 10_000)));
  if (maxEventBytes <= 0) faults.push(`invalid audit truncate log max event size ${maxEventBytes}, must be a positive number`);
  else if (maxBatchBytes < maxEventBytes)
    faults.push(
      `invalid audit truncate log max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`,
    );
  const version = flags.text("audit-log-version", "audit.k8s.io/v1");
  if (version !== "audit.k8s.io/v1") faults.push(versionFault(version));
  if (!formats.includes(format))
    faults.push(`invalid audit log format ${format}, allowed formats are ${JSON.stringify(formats.join(","))}`);
  const limits = { maxage: settings.maxAgeDays, maxbackup: settings.maxBackups, maxsize: settings.maxSizeMiB };
  for (const [name, value] of Object.entries(limits))
    if (value < 0) faults.push(`--audit-log-${name} ${value} can't be a negative number`);
  return faults;
}

function batchFault(maxSize: number, bufferSize: number): readonly string[] {
  if (bufferSize <= 0) return [`invalid audit batch log buffer size ${bufferSize}, must be a positive number`];
  return maxSize <= 0 ? [`invalid audit batch log max batch size ${maxSize}, must be a positive number`] : [];
}

function versionFault(version: string): string {
  if (version.split("/").length > 2) return `unexpected GroupVersion string: ${version}`;
  return `invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]`;
}

/** Flags that act here; the names of others of the audit log are known, and said to have no effect. */
export const actingAuditFlags: readonly string[] = words(`
  audit-policy-file audit-log-path audit-log-format audit-log-mode audit-log-maxsize audit-log-maxbackup audit-log-maxage
  audit-log-compress audit-log-version audit-log-batch-max-size audit-log-batch-max-wait audit-log-truncate-enabled
  audit-log-truncate-max-event-size audit-log-truncate-max-batch-size`);

/** The last value of each flag, as pflag reads it. */
class AuditFlags {
  readonly #given: GivenFlags;

  constructor(given: GivenFlags) {
    this.#given = given;
  }

  text(name: string, fallback: string): string {
    return this.#given.get(name)?.at(-1) ?? fallback;
  }

  integer(name: string, fallback: number): number {
    const text = this.text(name, String(fallback));
    if (!/^[+-]?\d{1,15}$/.test(text))
      throw invalid(name, text, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    return Number(text);
  }

  boolean(name: string): boolean {
    const text = this.text(name, "false");
    if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
    if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
    throw invalid(name, text, `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  }

  duration(name: string): number {
    const text = this.text(name, "0s");
    const parsed = parseGoDuration(text);
    if ("error" in parsed) throw invalid(name, text, parsed.error);
    return parsed.ms;
  }
}

function invalid(name: string, text: string, cause: string): WrongCommandLine {
  return new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${cause}`, false);
}
