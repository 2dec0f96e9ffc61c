// The paths of a resource and what can be done at each: collections, objects, subresources, the old watch paths. Names of
// operations are those of the published documents: client generators make functions of them.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { JsonObject, JsonValue } from "../wire.ts";
import { mediaTypes, type Operation, operationObject } from "./operations.ts";
import type { Parameters } from "./parameters.ts";
import type { ServedResource, ServedSubresource } from "./served.ts";
import { subresourceType, subresourceTypes } from "./subresource-types.ts";

/** References to what travels. */
export interface PathTypes {
  /** The kind itself, and its list. */
  readonly object: JsonObject;
  readonly list: JsonObject;
  /** A type of the generated schema. */
  reference(typeName: string): JsonObject;
  /** meta/v1 Patch: any object. */
  readonly patch: JsonObject;
}

const write = ["dryRun", "fieldManager", "fieldValidation"];
const selection = ["continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch"];
const listing = ["allowWatchBookmarks", ...selection, "sendInitialEvents", "timeoutSeconds", "watch"];
const removal = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];

/** `apps` is `Apps`, `rbac.authorization.k8s.io` is `RbacAuthorization`, the core group is `Core`. */
export function groupWord(group: string): string {
  if (group === "") return "Core";
  const parts = group.replace(/\.k8s\.io$/, "").split(/[.-]/);
  return parts.map(capital).join("");
}

export function tagOf(group: string, version: string): string {
  const word = groupWord(group);
  return `${asciiLowerCase(word.charAt(0))}${word.slice(1)}_${version}`;
}

function capital(text: string): string {
  return asciiUpperCase(text.charAt(0)) + text.slice(1);
}

export function resourcePaths(
  resource: ServedResource,
  types: PathTypes,
  parameters: Parameters,
): { readonly [path: string]: JsonObject } {
  return new ResourcePaths(resource, types, parameters).all();
}

class ResourcePaths {
  readonly #resource: ServedResource;
  readonly #types: PathTypes;
  readonly #parameters: Parameters;
  readonly #paths: { [path: string]: JsonObject } = {};
  /** `CoreV1` */
  readonly #prefix: string;
  /** `NamespacedPod`, `Node` */
  readonly #name: string;

  constructor(resource: ServedResource, types: PathTypes, parameters: Parameters) {
    this.#resource = resource;
    this.#types = types;
    this.#parameters = parameters;
    this.#prefix = `${groupWord(resource.group)}${capital(resource.version)}`;
    this.#name = `${resource.namespaced ? "Namespaced" : ""}${resource.kind}`;
  }

  all(): { readonly [path: string]: JsonObject } {
    const { group, version, plural, namespaced, kind, subresources } = this.#resource;
    const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const inNamespace = namespaced ? "/namespaces/{namespace}" : "";
    const collection = `${base}${inNamespace}/${plural}`;
    const one = `${collection}/{name}`;
    this.#add(collection, ["pretty"], this.#collection());
    this.#add(one, ["pretty"], this.#object());
    if (namespaced) {
      const list = this.#list(`list${this.#prefix}${kind}ForAllNamespaces`, "list");
      this.#add(`${base}/${plural}`, ["pretty"], { get: this.#served("list", list) });
    }
    for (const subresource of subresources) this.#subresource(`${one}/${subresource.name}`, subresource);
    if (this.#resource.verbs.includes("watch")) {
      const old = `${base}/watch`;
      const watch = (id: string, action: string) => ({ get: this.#list(`watch${this.#prefix}${id}`, action) });
      this.#add(`${old}${inNamespace}/${plural}`, ["pretty"], watch(`${this.#name}List`, "watchlist"));
      this.#add(`${old}${inNamespace}/${plural}/{name}`, ["pretty"], watch(this.#name, "watch"));
      if (namespaced) this.#add(`${old}/${plural}`, ["pretty"], watch(`${kind}ListForAllNamespaces`, "watchlist"));
    }
    return this.#paths;
  }

  /** Leaves out what the resource cannot do, and paths at which nothing can be done. `owner`: see Parameters. */
  #add(path: string, query: readonly string[], operations: { readonly [method: string]: Operation | undefined }, owner = ""): void {
    const served = Object.entries(operations).filter((entry): entry is [string, Operation] => entry[1] !== undefined);
    const [first] = served;
    if (first === undefined) return;
    const kind = String(first[1].kind?.["kind"]);
    const parameters = this.#parameters;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
      name === "name" ? parameters.name(kind) : parameters.path(name),
    );
    const shared = [...inPath.reverse(), ...query.map((name) => parameters.query(name, owner))];
    const item: { [name: string]: JsonValue } = {};
    for (const [method, operation] of served) item[method] = operationObject(parameters, operation);
    this.#paths[path] = shared.length === 0 ? item : { ...item, parameters: shared };
  }

  #served(verb: string, operation: Operation): Operation | undefined {
    return this.#resource.verbs.includes(verb) ? operation : undefined;
  }

  #common(): Pick<Operation, "tag" | "kind" | "produces"> {
    const { group, version, kind } = this.#resource;
    return { tag: tagOf(group, version), kind: { group, kind, version }, produces: mediaTypes.object };
  }

  #list(id: string, action: string): Operation {
    const { kind } = this.#resource;
    const isWatch = action !== "list";
    const description = isWatch ? `watch ${kind} objects (deprecated: list with the parameter watch)` : `list ${kind} objects`;
    const responses = { 200: isWatch ? this.#types.reference("WatchEvent") : this.#types.list };
    return { ...this.#common(), id, description, action, query: listing, responses, produces: mediaTypes.list };
  }

  #collection(): { readonly [method: string]: Operation | undefined } {
    const { kind } = this.#resource;
    const { object } = this.#types;
    return {
      get: this.#served("list", this.#list(`list${this.#prefix}${this.#name}`, "list")),
      post: this.#served("create", {
        ...this.#common(),
        id: `create${this.#prefix}${this.#name}`,
        description: `create a ${kind}`,
        action: "post",
        query: write,
        body: { schema: object, types: mediaTypes.object, required: true },
        responses: { 200: object, 201: object, 202: object },
      }),
      delete: this.#served("deletecollection", {
        ...this.#common(),
        id: `delete${this.#prefix}Collection${this.#name}`,
        description: `delete collection of ${kind}`,
        action: "deletecollection",
        query: [...removal, ...listing.filter((name) => name !== "watch" && name !== "allowWatchBookmarks")],
        body: { schema: this.#types.reference("DeleteOptions"), types: mediaTypes.object, required: false },
        responses: { 200: this.#types.reference("Status") },
      }),
    };
  }

  #object(): { readonly [method: string]: Operation | undefined } {
    const { kind, verbs, returnsDeleted } = this.#resource;
    const answer = returnsDeleted === true ? this.#types.object : this.#types.reference("Status");
    return {
      ...this.#view(verbs, this.#types.object, "", kind, this.#common()),
      delete: this.#served("delete", {
        ...this.#common(),
        id: `delete${this.#prefix}${this.#name}`,
        description: `delete a ${kind}`,
        action: "delete",
        query: removal,
        body: { schema: this.#types.reference("DeleteOptions"), types: mediaTypes.object, required: false },
        responses: { 200: answer, 202: answer },
      }),
    };
  }

  /** Read, replace and patch: of an object, or of a subresource named `suffix`. */
  #view(
    verbs: readonly string[],
    object: JsonObject,
    suffix: string,
    what: string,
    common: Pick<Operation, "tag" | "kind" | "produces">,
  ): { readonly [method: string]: Operation | undefined } {
    const name = `${this.#prefix}${this.#name}${suffix}`;
    const patchTypes = this.#resource.typeName === undefined ? mediaTypes.customPatch : mediaTypes.patch;
    const served = (verb: string, operation: Operation): Operation | undefined => (verbs.includes(verb) ? operation : undefined);
    return {
      get: served("get", {
        ...common,
        id: `read${name}`,
        description: `read the specified ${what}`,
        action: "get",
        responses: { 200: object },
      }),
      put: served("update", {
        ...common,
        id: `replace${name}`,
        description: `replace the specified ${what}`,
        action: "put",
        query: write,
        body: { schema: object, types: mediaTypes.object, required: true },
        responses: { 200: object, 201: object },
      }),
      patch: served("patch", {
        ...common,
        id: `patch${name}`,
        description: `partially update the specified ${what}`,
        action: "patch",
        query: [...write, "force"],
        body: { schema: this.#types.patch, types: patchTypes, required: true },
        responses: { 200: object, 201: object },
      }),
    };
  }

  #subresource(path: string, subresource: ServedSubresource): void {
    const { name, kind, verbs } = subresource;
    const { group, version, kind: owner } = this.#resource;
    const { suffix, query } = subresourceTypes[name] ?? { suffix: capital(name), query: undefined };
    const own = { group: subresource.group ?? group, kind, version: subresource.version ?? version };
    const common = { ...this.#common(), kind: own };
    if (query !== undefined) {
      this.#connections(path, subresource, query, suffix, common);
      return;
    }
    const object = kind === owner ? this.#types.object : this.#types.reference(subresourceType(kind));
    if (verbs.includes("create")) {
      this.#add(path, ["dryRun", "fieldManager", "fieldValidation", "pretty"], {
        post: {
          ...common,
          id: `create${this.#prefix}${this.#name}${suffix}`,
          description: `create ${name} of a ${owner}`,
          action: "post",
          body: { schema: object, types: mediaTypes.object, required: true },
          responses: { 200: object, 201: object, 202: object },
        },
      });
      return;
    }
    this.#add(path, ["pretty"], this.#view(verbs, object, suffix, `${name} of the ${owner}`, common));
  }

  /** Subresources that reach a container or an address: text and streams, by any method they take. */
  #connections(
    path: string,
    { name, verbs }: ServedSubresource,
    query: readonly string[],
    suffix: string,
    common: Pick<Operation, "tag" | "kind" | "produces">,
  ): void {
    const methods: { readonly [method: string]: string } = {
      get: "get",
      post: "create",
      put: "update",
      patch: "patch",
      delete: "delete",
    };
    const operations = (ending: string) =>
      Object.fromEntries(
        Object.entries(methods).map(([method, verb]) => {
          if (!verbs.includes(verb)) return [method, undefined];
          const isLog = name === "log";
          const operation: Operation = {
            ...common,
            id: isLog
              ? `read${this.#prefix}${this.#name}${suffix}`
              : `connect${this.#prefix}${capital(method)}${this.#name}${suffix}${ending}`,
            description: isLog
              ? `read log of the specified ${this.#resource.kind}`
              : `connect ${asciiUpperCase(method)} requests to ${name} of ${this.#resource.kind}`,
            action: isLog ? "get" : "connect",
            responses: { 200: undefined },
            produces: isLog ? mediaTypes.log : mediaTypes.any,
          };
          return [method, operation];
        }),
      );
    const owner = `${this.#resource.kind}${suffix}`;
    this.#add(path, query, operations(""), owner);
    if (name === "proxy") this.#add(`${path}/{path}`, query, operations("WithPath"), owner);
  }
}
