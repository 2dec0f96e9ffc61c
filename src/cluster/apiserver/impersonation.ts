// `--as`: a user who may impersonate acts as someone else from here on (Impersonate-User, -Group, -Uid).

import { otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { authorizeResource } from "./authorization.ts";

const impersonationHeaders = ["impersonate-user", "impersonate-group", "impersonate-uid"] as const;

/** The user to act as; the same user when no header asks. Throws Forbidden, and 500 for groups without a user, as upstream. */
export function impersonate(user: UserInfo, headers: HttpHeaders): UserInfo {
  if (impersonationHeaders.every((header) => headers[header] === undefined)) return user;
  const name = headers["impersonate-user"] ?? "";
  const groups = (headers["impersonate-group"] ?? "")
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
  const uid = headers["impersonate-uid"] ?? "";
  if (name === "" && groups.length === 0 && uid === "") return user;
  if (name === "") {
    throw otherFailure(500, "InternalError", "Internal error occurred: requested [{Group  }] without impersonating a user");
  }
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const attributes = { user, verb: "impersonate", group: "", subresource: "" };
  if (account !== null) {
    authorizeResource({ ...attributes, resource: "serviceaccounts", namespace: account[1] as string, name: account[2] as string });
  } else authorizeResource({ ...attributes, resource: "users", namespace: "", name });
  for (const group of groups) authorizeResource({ ...attributes, resource: "groups", namespace: "", name: group });
  const implied = account === null ? [] : ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`];
  const known = name === "system:anonymous" ? "system:unauthenticated" : "system:authenticated";
  const all = [...(groups.length === 0 ? implied : groups)];
  if (!all.includes(known)) all.push(known);
  return { name, groups: all, ...(uid === "" ? {} : { uid }) };
}
