// kubectl create rolebinding and clusterrolebinding.

import type { JsonValue } from "#cluster/api/wire.ts";
import type { Command, Context } from "../context.ts";
import { KubectlError } from "../errors.ts";
import { requireFlags } from "../resources/writing.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

export const createRoleBinding: Command = {
  path: "create rolebinding",
  *run(context) {
    const name = nameArgument(context);
    const role = context.flags.text("role");
    const clusterRole = context.flags.text("clusterrole");
    if ((role === "") === (clusterRole === "")) {
      throw new KubectlError("exactly one of clusterrole or role must be specified");
    }
    const roleRef = { apiGroup, kind: role === "" ? "ClusterRole" : "Role", name: role || clusterRole };
    const metadata = metadataFor(context, name);
    const draft = { apiVersion, kind: "RoleBinding", metadata, roleRef, ...subjectsOf(context) };
    yield* createObject(context, draft, "rolebinding");
  },
};

export const createClusterRoleBinding: Command = {
  path: "create clusterrolebinding",
  *run(context) {
    requireFlags(context, "clusterrole");
    const name = nameArgument(context);
    const roleRef = { apiGroup, kind: "ClusterRole", name: context.flags.text("clusterrole") };
    const draft = { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, roleRef, ...subjectsOf(context) };
    yield* createObject(context, draft, "clusterrolebinding");
  },
};

function subjectsOf({ flags }: Context): { readonly subjects?: readonly JsonValue[] } {
  const subjects = [
    ...flags.list("user").map((name) => ({ apiGroup, kind: "User", name })),
    ...flags.list("group").map((name) => ({ apiGroup, kind: "Group", name })),
    ...flags.list("serviceaccount").map((text) => {
      const [namespace, name, more] = text.split(":");
      if (!namespace || !name || more !== undefined) throw new KubectlError("serviceaccount must be <namespace>:<name>");
      return { kind: "ServiceAccount", name, namespace };
    }),
  ];
  return subjects.length === 0 ? {} : { subjects };
}
