// What changes the debugging container after its profile: --custom; and the warning of a user who cannot make use of it.

import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../../context.ts";
import { arrayAt, DocumentError, isObject, type JsonObject, objectAt, readDocuments, textAt, valueAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { withContainer } from "./debug-profiles.ts";

/** The partial container of the file that --custom names; empty without one. */
export function customContainer({ flags, self }: Context): JsonObject {
  const path = flags.text("custom");
  if (path === "") return {};
  try {
    const value = readDocuments(self.readText(path))[0] ?? null;
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SysError) {
      throw new KubectlError(
        `must pass a container spec json file for custom profile: open ${path}: ${asciiLowerCase(error.message)}`,
      );
    }
    if (!(error instanceof DocumentError)) throw error;
    throw new KubectlError(`${path} does not contain a valid container spec: ${error.message}`);
  }
}

export function checkCustom(custom: JsonObject): void {
  const taken = textAt(custom, "name") !== "" || textAt(custom, "image") !== "" || valueAt(custom, "lifecycle") !== undefined;
  if (taken || arrayAt(custom, "command").length > 0 || arrayAt(custom, "volumeDevices").length > 0) {
    throw new KubectlError("name, command, image, lifecycle and volume devices are not modifiable via custom profile");
  }
}

export function withCustom(pod: JsonObject, name: string, custom: JsonObject): JsonObject {
  if (Object.keys(custom).length === 0) return pod;
  return withContainer(pod, name, (container) => applyStrategicMergePatch("Container", container, custom));
}

/** Capabilities and privileges are of no use to a user other than root. */
export function* warnOfUser(context: Context, pod: JsonObject, container: unknown): Sys<void> {
  if (!isObject(container)) return;
  const user = valueAt(pod, "spec", "securityContext", "runAsUser") ?? 0;
  const security = objectAt(container, "securityContext");
  const powerful = security["privileged"] === true || arrayAt(security, "capabilities", "add").length > 0;
  if (user === 0 || security["runAsUser"] === 0 || !powerful) return;
  yield* context.err(
    'Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".\n',
  );
}
