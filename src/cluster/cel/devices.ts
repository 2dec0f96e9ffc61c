// Expressions that choose devices (dynamic-resource-allocation, cel/compile.go): they see one variable, the device.

import type { Environment } from "@marcbachmann/cel-js";
import type { Range } from "./cost-ranges.ts";
import { kubernetesEnvironment } from "./environment.ts";
import { CelCompileError, type Compiled, compileExpression } from "./expression.ts";

/** What an expression may be estimated to cost. */
export const maxDeviceCost = 1_000_000;
const maxAttributes = 32;
const maxDomain = 63;
const maxId = 32;
const maxValue = 64;

let environment: Environment | undefined;

function deviceEnvironment(): Environment {
  environment ??= kubernetesEnvironment()
    .registerType("kubernetes.DRADevice", {
      fields: {
        driver: "string",
        allowMultipleAllocations: "bool",
        attributes: "map<string, map<string, dyn>>",
        capacity: "map<string, map<string, kubernetes.Quantity>>",
      },
    })
    .registerVariable("device", "kubernetes.DRADevice");
  return environment;
}

/** Sizes that validation allows. */
function sizeAt([field, ...steps]: readonly string[]): Range | undefined {
  if (field === "driver") return { min: 0, max: maxDomain };
  if (field !== "attributes" && field !== "capacity") return undefined;
  const last = steps.at(-1);
  if (last === "@keys") return { min: 0, max: steps.length === 1 ? maxDomain : maxId };
  if (steps.length < 2) return { min: 0, max: maxAttributes };
  return field === "attributes" ? { min: 0, max: maxValue } : { min: 1, max: 1 };
}

/** Throws CelCompileError with what upstream says of it. */
export function compileDeviceSelector(source: string): Compiled & { readonly cost: number } {
  let compiled: Compiled;
  try {
    compiled = compileExpression(source, deviceEnvironment());
  } catch (error) {
    if (error instanceof CelCompileError) throw new CelCompileError(`compilation failed: ${error.message}`);
    throw error;
  }
  const { type } = compiled;
  if (type !== "bool" && type !== "dyn") {
    throw new CelCompileError(`must evaluate to bool or the unknown type, not ${type === "null" ? "null_type" : type}`);
  }
  return { ...compiled, cost: compiled.maximumCost(sizeAt) };
}
