// kubectl delete: deletes, then waits until the objects are gone.

import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { pathOf } from "../client/discovery.ts";
import { sendRaw } from "../client/raw.ts";
import type { Command, Context } from "../context.ts";
import { textAt } from "../documents.ts";
import { isNotFound, KubectlError, throwAll } from "../errors.ts";
import { awaitDeletion } from "../resources/awaiting.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { operationText, withSource } from "../resources/writing.ts";
import { type DryRun, dryRunOf } from "./write-options.ts";

/** Waiting without limit ends after a week. */
const weekMs = 7 * 24 * 3_600_000;

export interface DeletePlan {
  readonly propagation: "Background" | "Foreground" | "Orphan";
  /** -1: the object's own. */
  readonly graceSeconds: number;
  readonly dryRun: DryRun;
  readonly quiet: boolean;
  /** Objects that are already gone are no failure. */
  readonly ignoreNotFound: boolean;
  /** Stay until the objects are gone. */
  readonly wait: boolean;
}

/** Reads --cascade; boolean values are deprecated. */
export function* propagationOf(context: Context): Sys<DeletePlan["propagation"]> {
  const value = context.flags.text("cascade");
  switch (value) {
    case "background":
      return "Background";
    case "foreground":
      return "Foreground";
    case "orphan":
      return "Orphan";
    default: {
      if (!["true", "false", "t", "f", "1", "0", "T", "F", "TRUE", "FALSE", "True", "False"].includes(value)) {
        throw new KubectlError(`invalid cascade value (${value}). Must be "background", "foreground", or "orphan"`);
      }
      const background = /^(t|T|1)/.test(value);
      const modern = background ? "background" : "orphan";
      yield* context.err(
        `warning: --cascade=${value} is deprecated (boolean value) and can be replaced with --cascade=${modern}.\n`,
      );
      return background ? "Background" : "Orphan";
    }
  }
}

function graceOf(context: Context): number {
  const { flags } = context;
  let grace = flags.number("grace-period");
  if (flags.bool("now")) {
    if (grace !== -1) throw new KubectlError("--now and --grace-period cannot be specified together");
    grace = 1;
  }
  if (grace === 0 && !flags.bool("force")) grace = 1;
  return flags.bool("force") && grace < 0 ? 0 : grace;
}

function* check(context: Context, grace: number): Sys<void> {
  const { flags } = context;
  const output = flags.text("output");
  if (output !== "" && output !== "name") {
    throw new KubectlError(`unexpected -o output mode: ${output}. We only support '-o name'`);
  }
  if (flags.bool("all") && flags.text("selector") !== "") {
    throw new KubectlError("cannot set --all and --selector at the same time");
  }
  if (flags.bool("all") && flags.text("field-selector") !== "") {
    throw new KubectlError("cannot set --all and --field-selector at the same time");
  }
  if (flags.bool("force") && grace === 0) {
    yield* context.err(
      "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n",
    );
  }
  if (flags.bool("force") && grace > 0) {
    throw new KubectlError("--force and --grace-period greater than 0 cannot be specified together");
  }
  if (flags.text("raw") !== "") throw new KubectlError("kubectl delete --raw is not part of this release of the embedded kubectl");
}

function kindText(info: Info): string {
  const { kind, group } = info.mapping;
  return group === "" ? asciiLowerCase(kind) : `${asciiLowerCase(kind)}.${group}`;
}

function deletedLine(context: Context, info: Info, plan: DeletePlan): string {
  if (plan.quiet) return "";
  if (context.flags.text("output") === "name") return `${kindText(info)}/${info.name}\n`;
  const verb = plan.graceSeconds === 0 ? "force deleted" : "deleted";
  const place = info.mapping.namespaced ? ` from ${info.namespace} namespace` : "";
  return `${kindText(info)} ${JSON.stringify(info.name)} ${operationText(verb + place, plan.dryRun)}\n`;
}

/** Deletes one object; returns the uid to wait for. */
function* deleteOne(context: Context, info: Info, plan: DeletePlan): Sys<string | undefined> {
  if (plan.dryRun === "client") {
    yield* context.out(deletedLine(context, info, plan));
    return undefined;
  }
  try {
    const answer = yield* context.client().json({
      method: "DELETE",
      path: pathOf(info.mapping, info.namespace, info.name),
      body: {
        apiVersion: "v1",
        kind: "DeleteOptions",
        ...(plan.graceSeconds >= 0 ? { gracePeriodSeconds: plan.graceSeconds } : {}),
        ...(plan.dryRun === "server" ? { dryRun: ["All"] } : {}),
        propagationPolicy: plan.propagation,
      },
    });
    yield* context.out(deletedLine(context, info, plan));
    return textAt(answer, "kind") === "Status" ? textAt(answer, "details", "uid") : textAt(answer, "metadata", "uid");
  } catch (error) {
    throw withSource(error, "deleting", info.source);
  }
}

function* confirm(context: Context, infos: readonly Info[]): Sys<boolean> {
  yield* context.out(`You are about to delete the following ${infos.length} resource(s):\n`);
  for (const info of infos) yield* context.out(`${kindText(info)}/${info.name}\n`);
  yield* context.out("Do you want to continue? (y/N): ");
  const answer = new TextDecoder().decode(yield* context.self.read(0)).trim();
  return answer === "y" || answer === "Y";
}

interface Deleted {
  readonly info: Info;
  readonly uid: string | undefined;
}

function* awaitAll(context: Context, deleted: readonly Deleted[]): Sys<void> {
  const given = context.flags.durationMs("timeout");
  const timeoutMs = given === 0 ? weekMs : given;
  const deadlineMs = context.self.nowMs + timeoutMs;
  for (const { info, uid } of deleted) yield* awaitDeletion(context, info, uid, timeoutMs, deadlineMs);
}

/** Deletes what was found, with one line an object, and waits when asked. */
export function* deleteInfos(context: Context, infos: readonly Info[], plan: DeletePlan, before: readonly Error[]): Sys<void> {
  const errors = [...before];
  const deleted: Deleted[] = [];
  let warnClusterScope = context.namespace().explicit && infos.some((info) => !info.mapping.namespaced);
  for (const info of infos) {
    if (warnClusterScope && !info.mapping.namespaced) {
      yield* context.err("Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n");
      warnClusterScope = false;
    }
    try {
      deleted.push({ info, uid: yield* deleteOne(context, info, plan) });
    } catch (error) {
      if (!isOwnError(error)) throw error;
      if (!(plan.ignoreNotFound && isNotFound(error))) errors.push(error);
    }
  }
  throwAll(errors);
  if (infos.length === 0) yield* context.out("No resources found\n");
  else if (plan.wait && plan.dryRun === "none") yield* awaitAll(context, deleted);
}

export const deleteCommand: Command = {
  path: "delete",
  *run(context) {
    if (context.flags.text("raw") !== "") return yield* sendRaw(context, "DELETE");
    const { flags } = context;
    const propagation = yield* propagationOf(context);
    const graceSeconds = graceOf(context);
    const dryRun = dryRunOf(context);
    const found = yield* select(context, { ...selectionFromFlags(context), continueOnError: true, fetch: false });
    yield* check(context, graceSeconds);
    if (flags.bool("interactive") && found.infos.length > 0 && !(yield* confirm(context, found.infos))) {
      return yield* context.out("deletion is cancelled\n");
    }
    yield* deleteInfos(
      context,
      found.infos,
      { propagation, graceSeconds, dryRun, quiet: false, ignoreNotFound: flags.bool("ignore-not-found"), wait: flags.bool("wait") },
      found.errors,
    );
  },
};
