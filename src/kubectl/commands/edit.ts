// kubectl edit: an object as YAML in the editor that the environment names, and a patch of what was changed.

import { ApiError } from "#cluster/api/errors.ts";
import { writeIndentedJson } from "#cluster/api/json-write.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { withLastApplied } from "../apply/last-applied.ts";
import { applyPatch } from "../apply/three-way.ts";
import { groupResource, pathOf } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import {
  arrayAt,
  DocumentError,
  isObject,
  type JsonObject,
  readDocuments,
  textAt,
  withValue,
  writeJson,
  writeYaml,
} from "../documents.ts";
import { ExitError, KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter, unknownFormat } from "../printers/object-printer.ts";
import { withRecord } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";

export const editHeading = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

export const edit: Command = {
  path: "edit",
  *run(context) {
    requireEditFormat(context);
    const wanted = { ...selectionFromFlags(context), typeAloneSelectsAll: true, latest: true };
    const { infos, errors } = yield* select(context, { ...wanted, subresource: context.flags.text("subresource") });
    throwAll(errors);
    if (infos.length === 0) throw new KubectlError("edit cancelled, no objects found");
    yield* editAll(context, infos, { heading: editHeading, submit });
  },
};

/** An editor's formats are fewer than a printer's. */
export function requireEditFormat(context: Context): void {
  const output = context.flags.text("output");
  if (!["", "json", "yaml", "kyaml"].includes(output)) throw unknownFormat(output, ["json", "kyaml", "yaml"]);
}

/** What stands above the text, and what becomes of an object that was changed: comment lines for the next round, or undefined when taken. */
export interface EditMode {
  readonly heading: string;
  /** The text of a change that was refused is said to be kept. */
  readonly keepsRefused?: boolean;
  submit(context: Context, info: Info, original: JsonObject, edited: JsonObject): Sys<string | undefined>;
}

export function* editOne(context: Context, info: Info, mode: EditMode): Sys<void> {
  yield* editAll(context, [info], mode);
}

/** Opens the editor until what was saved is taken, or nothing was changed. Several objects are edited as a List. */
function* editAll(context: Context, infos: readonly Info[], mode: EditMode): Sys<void> {
  const info = infos[0] as Info;
  const originals = infos.map(({ object = {} }) => withValue(object, ["metadata", "managedFields"], undefined));
  const original: JsonObject =
    infos.length === 1 ? (originals[0] as JsonObject) : { apiVersion: "v1", items: originals, kind: "List", metadata: {} };
  const asJson = context.flags.text("output") === "json";
  const text = asJson ? writeIndentedJson(original) : writeYaml(original);
  let reasons = "";
  let content = text;
  for (;;) {
    const path = `/tmp/kubectl-edit-${context.self.random.text(10, "0123456789")}.${asJson ? "json" : "yaml"}`;
    const shown = (asJson ? "" : mode.heading + reasons) + content;
    const windows = context.flags.bool("windows-line-endings");
    context.self.writeFile(path, windows ? shown.replaceAll("\n", "\r\n") : shown, { permissions: 0o600 });
    yield* runEditor(context, path);
    const saved = withoutComments(context.self.readText(path).replaceAll("\r\n", "\n"));
    if (reasons !== "" && saved === withoutComments(content)) {
      yield* context.err(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
      throw new KubectlError("Edit cancelled, no valid changes were saved.");
    }
    const flaw = flawOf(saved);
    if (flaw !== undefined) {
      const subject = `${groupResource(info.mapping)} ${JSON.stringify(info.name)}`;
      yield* context.err(`error: ${subject} is invalid\n`);
      reasons = `# ${subject} was not valid:\n# * <nil>: Invalid value: "The edited file failed validation": ${flaw}\n#\n`;
      content = saved;
      continue;
    }
    if (saved === withoutComments(text)) {
      context.self.unlink(path);
      yield* context.err("Edit cancelled, no changes made.\n");
      return;
    }
    let problem: string | undefined;
    try {
      problem = yield* submitAll(context, infos, originals, readObject(saved), mode);
    } catch (error) {
      if (mode.keepsRefused === true) yield* context.err(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
      throw error;
    }
    if (problem === undefined) {
      context.self.unlink(path);
      return;
    }
    reasons = problem;
    content = saved;
  }
}

/** Comment lines on what was refused; undefined when all was taken. */
function* submitAll(
  context: Context,
  infos: readonly Info[],
  originals: readonly JsonObject[],
  saved: JsonObject,
  mode: EditMode,
): Sys<string | undefined> {
  if (infos.length === 1) return yield* mode.submit(context, infos[0] as Info, originals[0] as JsonObject, saved);
  let problems = "";
  for (const edited of arrayAt(saved, "items")) {
    if (!isObject(edited)) continue;
    const place = originals.findIndex((one) => textAt(one, "metadata", "uid") === textAt(edited, "metadata", "uid"));
    const info = infos[place];
    if (info === undefined) throw new KubectlError(`no original object found for ${writeJson(edited)}`);
    problems += (yield* mode.submit(context, info, originals[place] as JsonObject, edited)) ?? "";
  }
  return problems === "" ? undefined : problems;
}

/** What keeps an edited text from being looked at further. */
function flawOf(saved: string): string | undefined {
  try {
    const [document] = readDocuments(saved);
    return isObject(document) ? undefined : "invalid object to validate";
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.message;
  }
}

/** Whether a program's name leads to a file. */
function canRun(self: Process, name: string): boolean {
  const folders = name.includes("/") ? [""] : (self.env.get("PATH") ?? "").split(":").map((folder) => `${folder}/`);
  return folders.some((folder) => {
    try {
      return self.stat(folder + name).type !== "directory";
    } catch (error) {
      if (error instanceof SysError) return false;
      throw error;
    }
  });
}

/** KUBE_EDITOR, EDITOR or vi, run by a shell as it may hold arguments. */
function* runEditor(context: Context, path: string): Sys<void> {
  const { self } = context;
  const editor = self.env.get("KUBE_EDITOR") || self.env.get("EDITOR") || "vi";
  const [program = ""] = editor.split(" ");
  if (!/["'\\]/.test(editor) && !canRun(self, program)) {
    throw new KubectlError(`unable to launch the editor ${JSON.stringify(editor)}`);
  }
  const shell = self.env.get("SHELL") || "/bin/bash";
  const command = `${editor} ${path}`;
  const pid = self.spawn({ run: shell, argv: [shell.split("/").at(-1) ?? shell, "-c", command] });
  const status = yield* self.wait(pid);
  if (status === undefined || status.code !== 0) {
    throw new KubectlError(`there was a problem with the editor ${JSON.stringify(editor)}`);
  }
}

/** A text without a flaw. */
function readObject(saved: string): JsonObject {
  const [document] = readDocuments(saved);
  return isObject(document) ? document : {};
}

/** Sends the change. */
function* submit(context: Context, info: Info, original: JsonObject, saved: JsonObject): Sys<string | undefined> {
  let edited = saved;
  if (textAt(edited, "metadata", "name") !== info.name || textAt(edited, "kind") !== info.mapping.kind) {
    throw new KubectlError("At least one of apiVersion, kind and name was changed");
  }
  try {
    if (context.flags.bool("save-config")) edited = withLastApplied(edited);
    edited = withRecord(context, edited);
    const { type, patch } = applyPatch(original, edited, original);
    if (Object.keys(patch).length === 0) {
      yield* context.out(makeObjectPrinter(context, "skipped")(original));
      return undefined;
    }
    if (context.flags.bool("output-patch")) yield* context.out(`Patch: ${writeJson(patch)}\n`);
    const answer = yield* context.client().json({
      method: "PATCH",
      path: pathOf(info.mapping, info.namespace, info.name, context.flags.text("subresource")),
      query: { fieldManager: context.flags.text("field-manager") || "kubectl-edit", fieldValidation: "Strict" },
      contentType: type === "strategic" ? "application/strategic-merge-patch+json" : "application/merge-patch+json",
      body: patch,
    });
    yield* context.out(makeObjectPrinter(context, "edited")(isObject(answer) ? answer : {}));
    return undefined;
  } catch (error) {
    if (error instanceof PatchError) return `# ${error.message}\n#\n`;
    if (!(error instanceof ApiError)) throw error;
    return yield* wordRefusal(context, info, error);
  }
}

function* wordRefusal(context: Context, info: Info, error: ApiError): Sys<string> {
  const subject = `${groupResource(info.mapping)} ${JSON.stringify(info.name)}`;
  if (error.reason === "NotFound") {
    throw new ExitError(1, `error: ${subject} could not be found on the server`);
  }
  if (error.reason !== "Invalid") {
    yield* context.err(`error: ${subject} could not be patched: ${error.message}\n`);
    throw new ExitError(1);
  }
  yield* context.err(`error: ${subject} is invalid\n`);
  const commented = (text: string) => text.trimEnd().replaceAll("\n", "\n# ");
  const causes = (error.status.details?.causes ?? []).map(
    ({ field, message }) => `# * ${commented(`${field ?? ""}: ${message ?? ""}`)}\n`,
  );
  return `# ${subject} was not valid${causes.length === 0 ? "" : ":"}\n${causes.join("")}#\n`;
}

function withoutComments(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n");
}
