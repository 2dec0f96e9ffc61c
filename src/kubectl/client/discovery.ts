// Which groups, versions and resource types the server has, and which of them a word on the command line names.

import { klogLine } from "#cluster/api/klog.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import { arrayAt, objectAt, textAt, valueAt } from "../documents.ts";
import { ConnectionError, KubectlError } from "../errors.ts";
import { type DiscoveryCache, type DiscoveryDocuments, groupVersionsOf } from "./discovery-cache.ts";
import type { RestClient } from "./rest-client.ts";

/** A served resource type; also what kubectl calls a mapping. */
export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

export interface GroupInfo {
  readonly name: string;
  /** Preferred first. */
  readonly versions: readonly string[];
}

interface Found {
  readonly groups: readonly GroupInfo[];
  readonly resources: readonly ResourceInfo[];
}

const aggregatedAccept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/** Questions of discovery do not wait for ever. */
const timeoutMs = 32_000;

/** How often kubectl asks before it gives up: each failure is a line on stderr. */
const failureLines = 5;

export function groupVersion(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** `deployments.apps`, `pods` */
export function groupResource(resource: { readonly group: string; readonly plural: string }): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** The path of a collection or object. */
export function pathOf(resource: ResourceInfo, namespace: string, name = "", subresource = ""): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== "" ? `/namespaces/${namespace}` : "";
  const item = name === "" ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource.plural}${item}${subresource === "" ? "" : `/${subresource}`}`;
}

function texts(value: JsonValue | undefined, field: string): readonly string[] {
  return arrayAt(value, field).filter((item) => typeof item === "string");
}

/** The documents that an aggregated list stands for, as client-go splits it. */
function splitAggregated(lists: readonly JsonValue[]): DiscoveryDocuments {
  const groups: JsonValue[] = [];
  const resources = new Map<string, JsonValue>();
  for (const item of lists.flatMap((list) => arrayAt(list, "items"))) {
    const name = textAt(item, "metadata", "name");
    const versions: JsonValue[] = [];
    for (const entry of arrayAt(item, "versions")) {
      // What another server answers for is left out while that server does not answer.
      if (textAt(entry, "freshness") === "Stale") continue;
      const version = textAt(entry, "version");
      const written = groupVersion({ group: name, version });
      versions.push({ groupVersion: written, version });
      const served = arrayAt(entry, "resources").flatMap((resource) => [
        apiResource(resource, resource, ""),
        ...arrayAt(resource, "subresources").map((sub) => apiResource(sub, resource, `/${textAt(sub, "subresource")}`)),
      ]);
      resources.set(written, { kind: "APIResourceList", apiVersion: "v1", groupVersion: written, resources: served });
    }
    groups.push({ name, versions, preferredVersion: versions[0] ?? null });
  }
  return { groups: { kind: "APIGroupList", apiVersion: "v1", groups }, resources };
}

/** An entry of an APIResourceList; `resource` is what `entry` belongs to. */
function apiResource(entry: JsonValue, resource: JsonValue, suffix: string): JsonValue {
  const [group, shortNames, categories] = [
    textAt(entry, "responseKind", "group"),
    texts(entry, "shortNames"),
    texts(entry, "categories"),
  ];
  return {
    name: `${textAt(resource, "resource")}${suffix}`,
    singularName: textAt(resource, "singularResource"),
    namespaced: textAt(resource, "scope") === "Namespaced",
    ...(group === "" ? {} : { group }),
    version: textAt(entry, "responseKind", "version"),
    kind: textAt(entry, "responseKind", "kind"),
    verbs: texts(entry, "verbs"),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

function readDocuments({ groups, resources }: DiscoveryDocuments): Found {
  return {
    groups: arrayAt(groups, "groups").map((group) => {
      const preferred = textAt(group, "preferredVersion", "version");
      const versions = arrayAt(group, "versions").map((version) => textAt(version, "version"));
      const others = versions.filter((version) => version !== preferred);
      return { name: textAt(group, "name"), versions: preferred === "" ? others : [preferred, ...others] };
    }),
    resources: [...resources].flatMap(([written, list]) => {
      const slash = written.indexOf("/");
      return readResourceList(list, slash < 0 ? "" : written.slice(0, slash), written.slice(slash + 1));
    }),
  };
}

function readResourceList(list: JsonValue, group: string, version: string): readonly ResourceInfo[] {
  const all = arrayAt(list, "resources");
  return all
    .filter((resource) => !textAt(resource, "name").includes("/"))
    .map((resource) => {
      const plural = textAt(resource, "name");
      return {
        group,
        version,
        plural,
        singular: textAt(resource, "singularName"),
        kind: textAt(resource, "kind"),
        namespaced: valueAt(resource, "namespaced") === true,
        shortNames: texts(resource, "shortNames"),
        categories: texts(resource, "categories"),
        verbs: texts(resource, "verbs"),
        subresources: all
          .map((other) => textAt(other, "name"))
          .filter((name) => name.startsWith(`${plural}/`))
          .map((name) => name.slice(plural.length + 1)),
      };
    });
}

/** A word such as `deploy`, `deployments.apps`, `deployments.v1.apps`. */
interface ResourceWord {
  readonly resource: string;
  readonly group: string;
}

export class Discovery {
  readonly #client: RestClient;
  readonly #cache: DiscoveryCache;
  #found: Found | undefined;
  /** Whether what was found comes from files that an earlier command wrote. */
  #isKept = false;
  readonly #warned = new Set<string>();

  constructor(client: RestClient, cache: DiscoveryCache) {
    this.#client = client;
    this.#cache = cache;
  }

  /** What files say, else the server, which is asked once; throws what the request throws. */
  *fetch(): Sys<Found> {
    if (this.#found !== undefined) return this.#found;
    const kept = this.#cache.read();
    if (kept === undefined) return yield* this.refresh();
    this.#isKept = true;
    this.#found = readDocuments(kept);
    return this.#found;
  }

  /** Asks the server something, unless it has answered already. Throws ConnectionError. */
  *reach(): Sys<void> {
    yield* this.fetch();
    if (this.#isKept) yield* this.#client.readBody(yield* this.#client.open({ method: "GET", path: "/openapi/v3", timeoutMs }));
  }

  /** What the server says now. */
  *refresh(): Sys<Found> {
    const documents = yield* this.#ask();
    this.#cache.write(documents);
    this.#isKept = false;
    this.#found = readDocuments(documents);
    return this.#found;
  }

  *#ask(): Sys<DiscoveryDocuments> {
    const lists: JsonValue[] = [];
    for (const path of ["/api", "/apis"])
      lists.push(yield* this.#client.json({ method: "GET", path, timeoutMs, accept: aggregatedAccept }));
    if (lists.every((list) => textAt(list, "kind") === "APIGroupDiscoveryList")) return splitAggregated(lists);
    const [core = null, named = null] = lists;
    const groups: JsonValue[] = [
      ...texts(core, "versions").map((version) => ({
        name: "",
        versions: [{ groupVersion: version, version }],
        preferredVersion: { groupVersion: version, version },
      })),
      ...arrayAt(named, "groups"),
    ];
    const list = { kind: "APIGroupList", apiVersion: "v1", groups };
    const resources = new Map<string, JsonValue>();
    for (const version of groupVersionsOf(list)) {
      const under = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
      resources.set(version, yield* this.#client.json({ method: "GET", path: under, timeoutMs }));
    }
    return { groups: list, resources };
  }

  /** As `fetch`, with the log lines that kubectl prints when no server answers. */
  *resources(): Sys<readonly ResourceInfo[]> {
    try {
      return (yield* this.fetch()).resources;
    } catch (error) {
      if (error instanceof ConnectionError) yield* this.#logFailure(error);
      throw error;
    }
  }

  *#logFailure(error: ConnectionError): Sys<void> {
    const { self } = this.#client;
    const url = this.#client.url("/api", { timeout: "32s" });
    const message = `couldn't get current server API group list: Get "${url}": ${error.message}`;
    const text = `"Unhandled Error" err=${JSON.stringify(message)}`;
    for (let line = 0; line < failureLines; line += 1) {
      yield* self.write(2, klogLine(self, "E", "memcache.go:265", text));
    }
  }

  /** Group versions as in `kubectl api-versions`, unsorted: what the server says now. */
  *groups(): Sys<readonly GroupInfo[]> {
    return (yield* this.refresh()).groups;
  }

  /** The resources of a category such as `all`; undefined when no such category exists. */
  *category(name: string): Sys<readonly ResourceInfo[] | undefined> {
    const resources = yield* this.resources();
    const { groups } = yield* this.fetch();
    const members = resources.filter(
      (resource) =>
        resource.categories.includes(name) &&
        groups.find((group) => group.name === resource.group)?.versions[0] === resource.version,
    );
    return members.length === 0 ? undefined : members;
  }

  /** Finds a type by plural, singular, short name or kind, with optional group and version. */
  *find(word: string): Sys<ResourceInfo | undefined> {
    const known = yield* this.#findKnown(word);
    return known !== undefined || !this.#isKept ? known : yield* this.#findAnew(() => this.#findKnown(word));
  }

  /** Nothing of that name is kept: it may be new. */
  *#findAnew(find: () => Sys<ResourceInfo | undefined>): Sys<ResourceInfo | undefined> {
    yield* this.refresh();
    return yield* find();
  }

  *#findKnown(word: string): Sys<ResourceInfo | undefined> {
    const resources = yield* this.resources();
    yield* this.#warnOfShortName(word);
    const [resource = "", ...rest] = word.split(".");
    const groupWord: ResourceWord = { resource, group: rest.join(".") };
    if (rest.length >= 2) {
      const [version, ...group] = rest;
      const versioned = resources.filter((candidate) => candidate.version === version);
      const exact = findIn(versioned, { resource, group: group.join(".") });
      // A short name loses its version (client-go's shortcut expander).
      const isShort = exact?.shortNames.includes(resource) === true;
      if (exact !== undefined) return isShort ? findIn(resources, { resource: exact.plural, group: exact.group }) : exact;
    } else if (rest.length === 1) {
      // `pods.v1`: the core group by its version.
      const core = findIn(
        resources.filter((candidate) => candidate.group === "" && candidate.version === rest[0]),
        { resource, group: "" },
      );
      if (core !== undefined) return core;
    }
    return findIn(resources, groupWord);
  }

  /** Says once of each short name which others have it. */
  *#warnOfShortName(word: string): Sys<void> {
    if (this.#warned.has(word)) return;
    this.#warned.add(word);
    const resources = yield* this.resources();
    if (resources.some(({ plural, singular }) => plural === word || singular === word)) return;
    const owners = new Set(resources.filter(({ shortNames }) => shortNames.includes(word)).map(groupResource));
    for (const other of [...owners].slice(1)) {
      const text = `short name ${JSON.stringify(word)} could also match lower priority resource ${other}`;
      yield* this.#client.self.write(2, `Warning: ${text}\n`);
    }
  }

  /** As `find`; throws when there is none. */
  *require(word: string): Sys<ResourceInfo> {
    const found = yield* this.find(word);
    if (found !== undefined) return found;
    throw new KubectlError(`the server doesn't have a resource type ${JSON.stringify(word.split(".")[0] ?? "")}`);
  }

  /** The type of an object by its apiVersion and kind. */
  *forKind(apiVersion: string, kind: string): Sys<ResourceInfo | undefined> {
    const known = yield* this.#knownKind(apiVersion, kind);
    return known !== undefined || !this.#isKept ? known : yield* this.#findAnew(() => this.#knownKind(apiVersion, kind));
  }

  *#knownKind(apiVersion: string, kind: string): Sys<ResourceInfo | undefined> {
    const resources = yield* this.resources();
    return resources.find((resource) => groupVersion(resource) === apiVersion && resource.kind === kind);
  }
}

function findIn(resources: readonly ResourceInfo[], word: ResourceWord): ResourceInfo | undefined {
  const lower = asciiLowerCase(word.resource);
  const inGroup = (is: (group: string) => boolean) => resources.filter(({ group }) => is(group));
  const tried =
    word.group === "" ? [resources] : [inGroup((group) => group === word.group), inGroup((group) => group.startsWith(word.group))];
  for (const candidates of tried) {
    const named = candidates.find((candidate) => candidate.plural === lower || candidate.singular === lower);
    if (named !== undefined) return named;
    const short = candidates.find((candidate) => candidate.shortNames.includes(word.resource));
    if (short !== undefined) return short;
    // With its group a kind may be in lower case.
    const isKind = ({ kind }: ResourceInfo) =>
      kind === word.resource || (word.group !== "" && asciiLowerCase(kind) === word.resource);
    const kind = candidates.find(isKind);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** The kind's name with its group as messages print it: `deployment.apps`, `pod`. */
export function kindWithGroup(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  const lower = asciiLowerCase(kind);
  return slash < 0 ? lower : `${lower}.${apiVersion.slice(0, slash)}`;
}

/** `deployment.apps/web` for an object. */
export function objectLabel(object: JsonValue): string {
  const name = textAt(objectAt(object, "metadata"), "name") || "<unknown>";
  return `${kindWithGroup(textAt(object, "apiVersion"), textAt(object, "kind"))}/${name}`;
}
