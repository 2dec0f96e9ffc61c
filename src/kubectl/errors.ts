// What ends a kubectl command, and the words it ends with.

import { ApiError } from "#cluster/api/errors.ts";
import { wordsOf } from "#sim/errors.ts";

/** A failure that kubectl itself found. Printed with `error: ` before it. */
export class KubectlError extends Error {}

/** A failure of which a part stands on stdout. */
export class PrintedError extends KubectlError {
  readonly printed: string;

  constructor(message: string, printed: string) {
    super(message);
    this.printed = printed;
  }
}

/** Ends the command with `code`; prints `message` as it is when it is not empty. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message = "") {
    super(message);
    this.code = code;
  }
}

/** The request did not get an answer. `host` is `host:port` of the server. */
export class ConnectionError extends Error {
  readonly host: string;
  readonly refused: boolean;

  constructor(host: string, message: string, refused: boolean) {
    super(message);
    this.host = host;
    this.refused = refused;
  }
}

/** Several failures; one alone is thrown as itself (see `throwAll`). */
export class AggregateFailure extends Error {
  readonly errors: readonly Error[];
  /** One alone is worded as one of a list, without `error: ` before it. */
  readonly evenOne: boolean;

  constructor(errors: readonly Error[], evenOne = false) {
    const texts = [...new Set(errors.map((error) => error.message))];
    super(texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`);
    this.errors = errors;
    this.evenOne = evenOne;
  }
}

/** Kubeconfig that cannot be used: one problem is printed after `error: `, several as a list below `Error in configuration: `. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `[${problems.join(", ")}]`);
    this.problems = problems;
  }
}

/** As `throwAll`, for lists that upstream keeps a list even with one entry. */
export function throwList(errors: readonly Error[]): void {
  if (errors.length > 0) throw new AggregateFailure(errors, true);
}

/** Throws nothing for none, the one, or an aggregate. */
export function throwAll(errors: readonly Error[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateFailure(errors);
}

/** What went wrong in reading, as it stands among the failures of the objects that were read: several are one entry. */
export function asOneEntry(errors: readonly Error[]): readonly Error[] {
  return errors.length < 2 ? errors : [new KubectlError(new AggregateFailure(errors).message)];
}

/** A usage error with its pointer to the help. */
export function usageError(commandPath: string, message: string): KubectlError {
  return new KubectlError(`${message}\nSee '${`kubectl ${commandPath}`.trim()} -h' for help and examples`);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.reason === "NotFound";
}

function standardMessage(error: Error): string | undefined {
  if (error instanceof ApiError) {
    if (error.reason === "Unauthorized") return `error: You must be logged in to the server (${error.message})`;
    return error.reason === "" ? `Error from server: ${error.message}` : `Error from server (${error.reason}): ${error.message}`;
  }
  if (error instanceof ConnectionError) {
    return error.refused
      ? `The connection to the server ${error.host} was refused - did you specify the right host or port?`
      : `Unable to connect to the server: ${error.message}`;
  }
  return undefined;
}

/** One error as it stands in a list of several, without `error: `. */
export function messageInList(error: Error): string {
  return standardMessage(error) ?? wordsOf(error);
}

function invalidMessage(error: ApiError): string {
  const details = error.status.details;
  if (details === undefined) return error.message === "" ? "The request is invalid" : `The request is invalid: ${error.message}`;
  const causes = details.causes ?? [];
  const { kind = "", name = "" } = details;
  let subject = "The request is invalid";
  if (kind !== "" || name !== "") subject = `The ${kind} ${JSON.stringify(name)} is invalid`;
  else if (error.message !== "" && causes.length === 0) subject += `: ${error.message}`;
  const texts = [...new Set(causes.map((cause) => `${cause.field ?? ""}: ${cause.message ?? ""}`))];
  if (texts.length === 0) return subject;
  if (texts.length === 1) return `${subject}: ${texts[0]}`;
  return `${subject}: \n${texts.map((text) => `* ${text}`).join("\n")}`;
}

function flatten(error: AggregateFailure): readonly Error[] {
  return error.errors.flatMap((inner) => (inner instanceof AggregateFailure ? flatten(inner) : [inner]));
}

/** What is printed on stderr (ends with a newline unless empty) and the exit code. */
export function describeFailure(error: Error): { readonly text: string; readonly code: number } {
  if (error instanceof ExitError) return { text: error.message === "" ? "" : `${error.message}\n`, code: error.code };
  if (error instanceof AggregateFailure) {
    if (error.errors.length === 1 && !error.evenOne) return describeFailure(error.errors[0]!);
    return {
      text: flatten(error)
        .map((inner) => `${messageInList(inner)}\n`)
        .join(""),
      code: 1,
    };
  }
  if (error instanceof ApiError && error.reason === "Invalid") return { text: `${invalidMessage(error)}\n`, code: 1 };
  if (error instanceof ConfigurationError) {
    const [only] = error.problems;
    if (error.problems.length === 1 && only !== undefined) return { text: `error: ${error.message}\n`, code: 1 };
    return { text: `Error in configuration: \n${error.problems.map((problem) => `* ${problem}\n`).join("")}`, code: 1 };
  }
  const standard = standardMessage(error);
  if (standard !== undefined) return { text: `${standard}\n`, code: 1 };
  const words = wordsOf(error);
  const text = words.startsWith("error: ") ? words : `error: ${words}`;
  return { text: text.endsWith("\n") ? text : `${text}\n`, code: 1 };
}
