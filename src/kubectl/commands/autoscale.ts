// kubectl autoscale: a HorizontalPodAutoscaler (autoscaling/v2) for a workload.

import { ApiError } from "#cluster/api/errors.ts";
import { canonicalQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { Sys } from "#sim/program.ts";
import { withLastMade } from "../apply/last-applied.ts";
import { groupVersion } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { isObject, type JsonObject } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { withRecord } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { requireFlags, writingPrinter } from "../resources/writing.ts";
import { metadataFor } from "./create/create-generated.ts";
import { dryRunOf, dryRunQuery } from "./write-options.ts";

/** `80%`, `500m`, `2Gi`; a bare number is in thousandths of a CPU or in mebibytes. */
function metricOf(resource: "cpu" | "memory", given: string): JsonObject {
  const text = given.trim();
  const metric = (target: JsonObject): JsonObject => ({ type: "Resource", resource: { name: resource, target } });
  if (text.endsWith("%")) {
    const percent = text.slice(0, -1);
    if (!/^\+?\d+$/.test(percent)) throw new KubectlError(`invalid percentage value: ${percent}`);
    return metric({ type: "Utilization", averageUtilization: Number(percent) });
  }
  const amount = /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? `${Number(text)}${resource === "cpu" ? "m" : "Mi"}` : text;
  if (tryParseQuantity(amount) === undefined) throw new KubectlError(`invalid resource ${resource} value: ${text}`);
  return metric({ type: "AverageValue", averageValue: canonicalQuantity(amount) });
}

function metricsFromFlags({ flags }: Context): readonly JsonObject[] {
  const percent = flags.number("cpu-percent");
  const cpu = flags.text("cpu");
  const memory = flags.text("memory");
  if (percent > 0 && cpu !== "") throw new KubectlError("--cpu-percent and --cpu are mutually exclusive");
  return [
    ...(percent > 0 ? [metricOf("cpu", `${percent}%`)] : []),
    ...(cpu === "" ? [] : [metricOf("cpu", cpu)]),
    ...(memory === "" ? [] : [metricOf("memory", memory)]),
  ];
}

export const autoscale: Command = {
  path: "autoscale",
  *run(context) {
    const { flags } = context;
    requireFlags(context, "max");
    const [least, most] = [flags.number("min"), flags.number("max")];
    if (most < 1) throw new KubectlError(`--max=MAXPODS is required and must be at least 1, max: ${most}`);
    if (most < least) throw new KubectlError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${most}, min: ${least}`);
    const metrics = metricsFromFlags(context);
    const { infos, errors } = yield* select(context, { ...selectionFromFlags(context), continueOnError: true });
    for (const info of infos) {
      const { mapping } = info;
      if (!mapping.subresources.includes("scale")) {
        const resource = `${groupVersion(mapping).replace(/^v/, "/v")}, Resource=${mapping.plural}`;
        throw new KubectlError(
          `cannot autoscale a ${mapping.kind}: could not find scale subresource for ${resource} in discovery information`,
        );
      }
      const autoscaler: JsonObject = {
        kind: "HorizontalPodAutoscaler",
        apiVersion: "autoscaling/v2",
        metadata: metadataFor(context, flags.text("name") || info.name),
        spec: {
          scaleTargetRef: { kind: mapping.kind, name: info.name, apiVersion: groupVersion(mapping) },
          ...(least > 0 ? { minReplicas: least } : {}),
          maxReplicas: most,
          ...(metrics.length === 0 ? {} : { metrics }),
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      };
      yield* createAutoscaler(context, info, autoscaler);
    }
    throwAll(errors);
    if (infos.length === 0) throw new KubectlError("no objects passed to autoscale");
  },
};

/** Upstream tries autoscaling/v1 next, which fails alike; what v1 cannot say ends before, with the reason of that instead. */
function refusal({ flags }: Context, error: ApiError): Error {
  const cpu = flags.text("cpu").trim();
  if (cpu.endsWith("%") && flags.text("memory") === "") return error;
  return new KubectlError(
    `failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: ${cpu === "" ? "empty input" : "%!w(<nil>)"}`,
  );
}

function* createAutoscaler(context: Context, info: Info, made: JsonObject): Sys<void> {
  const draft = withRecord(context, made);
  const dryRun = dryRunOf(context);
  let object = context.flags.bool("save-config") ? withLastMade(draft) : draft;
  if (dryRun !== "client") {
    try {
      const answer = yield* context.client().json({
        method: "POST",
        path: `/apis/autoscaling/v2/namespaces/${info.namespace}/horizontalpodautoscalers`,
        query: { fieldManager: context.flags.text("field-manager"), ...dryRunQuery(dryRun) },
        body: object,
      });
      if (isObject(answer)) object = answer;
    } catch (error) {
      throw error instanceof ApiError ? refusal(context, error) : error;
    }
  }
  yield* context.out(
    writingPrinter(context, dryRun === "client" ? "created" : "autoscaled", { inOrder: dryRun === "client" })(object),
  );
}
