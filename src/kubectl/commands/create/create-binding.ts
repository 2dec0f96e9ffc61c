// kubectl create rolebinding and clusterrolebinding

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Command, Context } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { requireFlags } from "../../resources/writing.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

const apiGroup = "rbac.authorization.k8s.io";

/** Who is named by --user, --group and --serviceaccount, in this order. */
export function subjectsFromFlags({ flags }: Context): readonly JsonObject[] {
  const accounts = flags.list("serviceaccount").map((text): JsonObject => {
    const [namespace = "", name = "", ...rest] = text.split(":");
    if (namespace === "" || name === "" || rest.length > 0) throw new KubectlError("serviceaccount must be <namespace>:<name>");
    return { kind: "ServiceAccount", name, namespace };
  });
  return [
    ...flags.list("user").map((name) => ({ kind: "User", apiGroup, name })),
    ...flags.list("group").map((name) => ({ kind: "Group", apiGroup, name })),
    ...accounts,
  ];
}

function* create(context: Context, kind: "RoleBinding" | "ClusterRoleBinding", metadata: JsonObject, roleRef: JsonObject) {
  const subjects = subjectsFromFlags(context);
  const binding: JsonObject = {
    kind,
    apiVersion: `${apiGroup}/v1`,
    metadata,
    ...(subjects.length === 0 ? {} : { subjects }),
    roleRef: { apiGroup, ...roleRef },
  };
  yield* createObject(context, binding, asciiLowerCase(kind));
}

export const createRoleBinding: Command = {
  path: "create rolebinding",
  *run(context) {
    const name = nameArgument(context);
    const [role, clusterRole] = [context.flags.text("role"), context.flags.text("clusterrole")];
    if ((role === "") === (clusterRole === "")) throw new KubectlError("exactly one of clusterrole or role must be specified");
    const roleRef = role === "" ? { kind: "ClusterRole", name: clusterRole } : { kind: "Role", name: role };
    yield* create(context, "RoleBinding", metadataFor(context, name), roleRef);
  },
};

export const createClusterRoleBinding: Command = {
  path: "create clusterrolebinding",
  *run(context) {
    requireFlags(context, "clusterrole");
    const name = nameArgument(context);
    yield* create(context, "ClusterRoleBinding", { name }, { kind: "ClusterRole", name: context.flags.text("clusterrole") });
  },
};
