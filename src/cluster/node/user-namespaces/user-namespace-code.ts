// All that `late-user-namespaces.ts` stands for.

import { wordsOf } from "#sim/errors.ts";
import type { UserNamespace } from "#sim/process/user-namespace.ts";
import type { Machine } from "../host/machine.ts";
import type { ContainerRuntime } from "../runtime/cri.ts";
import { usualRange } from "./id-range.ts";
import { PodUserNamespaces } from "./pod-user-namespaces.ts";

export { startFault } from "./container-start.ts";

/** Of a kubelet that has started without looking at its machine's files. */
export function usualUserNamespaces(machine: Machine, idsPerPod: number | undefined): PodUserNamespaces {
  return new PodUserNamespaces(machine, usualRange(idsPerPod));
}

/** The namespace of a Pod with `hostUsers: false`; or why there is none (GetOrCreateUserNamespaceMappings). */
export function userNamespaceFor(
  namespaces: PodUserNamespaces,
  { handlers }: ContainerRuntime,
  uid: string,
  handler: string,
): UserNamespace | { readonly fault: string } {
  const known = handlers.find(({ name }) => name === handler);
  if (known?.features?.userNamespaces !== true) {
    const who = handler === "" ? "runtime" : `RuntimeClass handler ${JSON.stringify(handler)}`;
    const cause = known === undefined ? `: the handler ${JSON.stringify(handler)} is not known` : "";
    return { fault: `can't set \`spec.hostUsers: false\`, ${who} does not support user namespaces${cause}` };
  }
  try {
    return namespaces.of(uid);
  } catch (error) {
    return { fault: wordsOf(error) };
  }
}
