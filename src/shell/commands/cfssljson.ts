// cfssljson: what cfssl prints, into files: certificate, key and request.

import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { goReason, parseJson, readText } from "./cfssl/documents.ts";
import { CfsslFailure, type FlagNames, readGoFlags } from "./cfssl/go-flags.ts";
import { versionText } from "./cfssl.ts";

const names: FlagNames = {
  switches: "bare stdout version",
  valued: "f",
  unsupported: "",
  usage: `Usage of cfssljson:
  -bare
    	the response from CFSSL is not wrapped in the API standard response
  -f string
    	JSON input (default "-")
  -stdout
    	output the response instead of saving to a file
  -version
    	print version and exit
`,
};

type Fields = { readonly [name: string]: unknown };

/** What cfssl's server answers, around the fields. */
interface Answer {
  readonly success?: boolean;
  readonly result?: Fields;
  readonly errors?: readonly { readonly message?: string }[];
}

/** Fields by their two names, with what is behind the file's name and what may be done with it. */
const parts = [
  { fields: ["cert", "certificate"], ending: ".pem", permissions: 0o664 },
  { fields: ["key", "private_key"], ending: "-key.pem", permissions: 0o600 },
  { fields: ["csr", "certificate_request"], ending: ".csr", permissions: 0o644 },
] as const;

export const cfssljson: Program = function* (self) {
  try {
    return yield* split(self);
  } catch (error) {
    if (!(error instanceof CfsslFailure)) throw error;
    yield* self.write(2, `${error.message.replace(/\n$/u, "")}\n`);
    return error.status;
  }
};

function* split(self: Process): Sys<number> {
  const flags = readGoFlags("cfssljson", self.argv.slice(1), names);
  if (flags.has("version")) {
    yield* self.write(1, versionText);
    return 0;
  }
  const fields = yield* fieldsOf(self, flags.value("f") || "-", flags.has("bare"));
  const base = flags.operands[0] ?? "cert";
  for (const { fields: known, ending, permissions } of parts) {
    const text = known.map((name) => fields[name]).find((value): value is string => typeof value === "string" && value !== "");
    if (text === undefined) continue;
    if (flags.has("stdout")) yield* self.write(1, `${text}\n`);
    else write(self, base + ending, text, permissions);
  }
  return 0;
}

function* fieldsOf(self: Process, path: string, isBare: boolean): Sys<Fields> {
  const text = yield* readInput(self, path);
  const document = jsonOf(text) as Fields | null;
  if (isBare) return document ?? {};
  const { success, result, errors } = (document ?? {}) as Answer;
  if (success === true) return result ?? {};
  const lines = (errors ?? []).map(({ message = "" }) => `\t${message}\n`);
  throw new CfsslFailure(`Request failed:\n${lines.join("")}`);
}

function* readInput(self: Process, path: string): Sys<string> {
  try {
    return yield* readText(self, path);
  } catch (error) {
    throw told("Failed to read input", error);
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw told("Failed to parse input", error);
  }
}

function told(what: string, error: unknown): unknown {
  return error instanceof CfsslFailure ? new CfsslFailure(`${what}: ${error.message}`) : error;
}

function write(self: Process, path: string, text: string, permissions: number): void {
  try {
    self.writeFile(path, encodeUtf8(text), { permissions });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new CfsslFailure(`open ${path}: ${goReason(error)}`);
  }
}
