// What components say to `--cloud-provider` with a cloud that was once built into them (cloudprovider.ErrorForDisabledProvider).

import { type GivenFlags, WrongCommandLine } from "../component-flags.ts";

/** Throws WrongCommandLine. */
export function checkCloudProvider(given: GivenFlags): void {
  const name = given.get("cloud-provider")?.at(-1) ?? "";
  if (name !== "" && name !== "external") throw new WrongCommandLine(disabledProvider(name), true);
}

export function disabledProvider(name: string): string {
  const advice = "Please set --cloud-provider=external and migrate to an external cloud provider";
  return `cloud provider ${JSON.stringify(name)} was specified, but built-in cloud providers are disabled. ${advice}`;
}
