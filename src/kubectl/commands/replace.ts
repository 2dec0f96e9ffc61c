// kubectl replace: whole objects from files in the place of those that the server has.

import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { withKeptConfiguration } from "../apply/last-applied.ts";
import { pathOf } from "../client/discovery.ts";
import { sendRaw } from "../client/raw.ts";
import type { Command, Context } from "../context.ts";
import { isObject, textAt, withValue } from "../documents.ts";
import { isNotFound, KubectlError, throwAll } from "../errors.ts";
import { withRecord } from "../resources/recording.ts";
import { fetchObject, type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { withoutVersion, withSource, writingPrinter } from "../resources/writing.ts";
import { deleteInfos, propagationOf } from "./delete.ts";
import { dryRunOf, writeQuery } from "./write-options.ts";

export const replace: Command = {
  path: "replace",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    if (flags.list("filename").length === 0 && flags.text("kustomize") === "") {
      throw new KubectlError("must specify one of -f and -k");
    }
    const grace = flags.number("grace-period");
    if (grace >= 0 && !flags.bool("force")) throw new KubectlError("--grace-period must have --force specified");
    if (flags.durationMs("timeout") !== 0 && !flags.bool("force")) {
      throw new KubectlError("--timeout must have --force specified");
    }
    if (flags.bool("force") && dryRun !== "none") throw new KubectlError("--dry-run can not be used when --force is set");
    if (flags.text("raw") !== "") return yield* sendRaw(context, "PUT");
    const { infos, errors } = yield* select(context, { ...selectionFromFlags(context, []), continueOnError: true });
    const failures: Error[] = [...errors];
    if (flags.bool("force")) {
      const propagation = yield* propagationOf(context);
      const plan = { propagation, graceSeconds: grace === 0 ? 1 : grace, dryRun, quiet: false, ignoreNotFound: true, wait: true };
      yield* deleteInfos(context, infos, plan, []);
    }
    for (const info of infos) {
      try {
        yield* send(context, info);
      } catch (error) {
        const worded = withSource(error, "replacing", info.source);
        if (!isOwnError(worded)) throw error;
        failures.push(worded);
      }
    }
    throwAll(failures);
  },
};

/** "" for an object that is not there: it is for the server to say so. */
function* liveVersion(context: Context, info: Info): Sys<string> {
  try {
    return textAt(yield* fetchObject(context, info), "metadata", "resourceVersion");
  } catch (error) {
    if (isNotFound(error)) return "";
    throw error;
  }
}

function* send(context: Context, info: Info): Sys<void> {
  const { flags } = context;
  const dryRun = dryRunOf(context);
  const force = flags.bool("force");
  let object = withRecord(context, withKeptConfiguration(info.object ?? {}, flags.bool("save-config")));
  if (dryRun !== "client") {
    // Without a version in the file, the live one is taken: the last writer wins.
    if (!force && textAt(object, "metadata", "resourceVersion") === "") {
      const version = yield* liveVersion(context, info);
      if (version !== "") object = withValue(object, ["metadata", "resourceVersion"], version);
    }
    const answer = yield* context.client().json({
      method: force ? "POST" : "PUT",
      path: pathOf(info.mapping, info.namespace, force ? "" : info.name, force ? "" : flags.text("subresource")),
      query: writeQuery(context, dryRun),
      body: force ? withoutVersion(object) : object,
    });
    if (isObject(answer)) object = answer;
  }
  yield* context.out(writingPrinter(context, "replaced")(object));
}
