// What a URL asks for: a verb on a resource, or a path that is none (apiserver's RequestInfoFactory).

import { badRequest } from "#cluster/api/errors.ts";
import { asciiLowerCase } from "#sim/ascii.ts";

export interface RequestInfo {
  readonly isResource: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; for other paths the method in lower case. */
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** What follows a subresource: the path that `proxy` passes on. */
  readonly rest: readonly string[];
}

const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);
const verbOfMethod: { readonly [method: string]: string } = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Of the many requests without one; only read. */
const noQuery = new URLSearchParams();

/** Throws 400 for a target that is not valid percent-encoding. */
export function requestInfoOf(method: string, target: string): RequestInfo {
  const mark = target.indexOf("?");
  const path = decodedPath(mark < 0 ? target : target.slice(0, mark));
  const query = mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1));
  const parts = path.split("/").filter((part) => part !== "");
  const plain: RequestInfo = { ...nothing, path, query, verb: asciiLowerCase(method) };
  const prefix = parts.shift();
  if (prefix === "api" && parts.length >= 2) return resourceInfo(plain, method, "", parts);
  if (prefix === "apis" && parts.length >= 3) return resourceInfo(plain, method, parts.shift() as string, parts);
  return plain;
}

const nothing = {
  isResource: false,
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  rest: [] as readonly string[],
} as const;

function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path.replaceAll("+", "%2B"));
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(path)}`);
  }
}

/** `parts` begins with the version. */
function resourceInfo(plain: RequestInfo, method: string, group: string, parts: string[]): RequestInfo {
  const version = parts.shift() as string;
  let verb = verbOfMethod[method] ?? "";
  // The old form of watches, /api/v1/watch/pods.
  if (parts[0] === "watch" && parts.length > 1) {
    parts.shift();
    verb = "watch";
  }
  let namespace = "";
  if (parts[0] === "namespaces" && parts.length > 1) {
    namespace = parts[1] as string;
    if (parts.length > 2 && !namespaceSubresources.has(parts[2] as string)) parts.splice(0, 2);
  }
  const [resource = "", name = "", subresource = "", ...rest] = parts;
  const isCollection = name === "";
  if (isCollection && verb === "get") verb = isTrue(plain.query.get("watch")) ? "watch" : "list";
  if (!isCollection && verb === "get" && subresource === "" && isTrue(plain.query.get("watch"))) verb = "watch";
  if (isCollection && verb === "delete") verb = "deletecollection";
  return { ...plain, isResource: true, verb, group, version, resource, subresource, namespace, name, rest };
}

/** How query parameters say yes: anything but nothing, `0` and `false`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && asciiLowerCase(value) !== "false";
}
