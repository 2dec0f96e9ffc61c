// kubectl create -f: objects from files, each sent as it is.

import { ApiError } from "#cluster/api/errors.ts";
import { withKeptConfiguration } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import { sendRaw } from "../../client/raw.ts";
import type { Command } from "../../context.ts";
import { isObject } from "../../documents.ts";
import { asOneEntry, KubectlError, throwAll } from "../../errors.ts";
import { withRecord } from "../../resources/recording.ts";
import { select, selectionFromFlags } from "../../resources/selection.ts";
import { withoutVersion, writingPrinter } from "../../resources/writing.ts";
import { dryRunOf, writeQuery } from "../write-options.ts";
import { createEdited } from "./create-edit.ts";

export const create: Command = {
  path: "create",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    if (context.args.length > 0) throw context.usageError(`Unexpected args: [${context.args.join(" ")}]`);
    if (flags.list("filename").length === 0 && flags.text("kustomize") === "")
      throw new KubectlError("must specify one of -f and -k");
    if (flags.text("raw") !== "") {
      if (flags.bool("edit")) throw new KubectlError("--raw and --edit are mutually exclusive");
      return yield* sendRaw(context, "POST");
    }
    if (flags.bool("edit")) return yield* createEdited(context);
    const { infos, errors } = yield* select(context, { ...selectionFromFlags(context, []), continueOnError: true });
    const failures: Error[] = [];
    const printer = writingPrinter(context, "created");
    for (const info of infos) {
      let object = withRecord(context, withKeptConfiguration(info.object ?? {}, flags.bool("save-config")));
      try {
        if (dryRun !== "client") {
          const answer = yield* context.client().json({
            method: "POST",
            path: pathOf(info.mapping, info.namespace),
            query: writeQuery(context, dryRun),
            body: withoutVersion(object),
          });
          if (isObject(answer)) object = answer;
        }
        yield* context.out(printer(object));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push(
          new ApiError({ ...error.status, message: `error when creating ${JSON.stringify(info.source)}: ${error.message}` }),
        );
      }
    }
    throwAll(failures.length === 0 ? errors : [...failures, ...asOneEntry(errors)]);
    if (infos.length === 0) throw new KubectlError("no objects passed to create");
  },
};
