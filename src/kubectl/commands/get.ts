// kubectl get: tables, objects, watches.

import { jsonText } from "#cluster/api/json-write.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpReply } from "#sim/http.ts";
import type { Sys } from "#sim/program.ts";
import { groupVersion, pathOf, type ResourceInfo } from "../client/discovery.ts";
import { refusalOf, tableAccept } from "../client/rest-client.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, isArray, isObject, type JsonObject, textAt, valueAt } from "../documents.ts";
import { isNotFound, KubectlError, throwAll, throwList } from "../errors.ts";
import { namedPrinter, type ObjectPrinter } from "../printers/object-printer.ts";
import { sortBy, UnknownField } from "../printers/sort.ts";
import { TabWriter } from "../printers/tab-writer.ts";
import { TablePrinter } from "../printers/table-printer.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import type { SelectionOptions } from "../resources/selection-options.ts";

/** Does `-o` ask for the table? */
function isHumanReadable(context: Context): boolean {
  const output = context.flags.text("output");
  return (output === "" && context.flags.text("template") === "") || output === "wide";
}

function check(context: Context): void {
  const { flags, args } = context;
  const output = flags.text("output");
  if (flags.text("raw") !== "") {
    if (args.length > 0) throw new KubectlError("arguments may not be passed when --raw is specified");
    if (flags.bool("watch") || flags.bool("watch-only") || flags.text("selector") !== "") {
      throw new KubectlError("--raw may not be specified with other flags that filter the server request or alter the output");
    }
    if (output !== "") throw new KubectlError("--raw and --output are mutually exclusive");
  }
  if (flags.bool("show-labels") && output !== "" && output !== "wide") {
    throw new KubectlError(`--show-labels option cannot be used with ${output} printer`);
  }
  if (flags.bool("output-watch-events") && !(flags.bool("watch") || flags.bool("watch-only"))) {
    throw new KubectlError("--output-watch-events option can only be used with --watch or --watch-only");
  }
}

function* checkSubject(context: Context): Sys<void> {
  const { flags, args } = context;
  if (flags.text("raw") !== "") return;
  if (flags.bool("watch") || flags.bool("watch-only")) {
    if (flags.text("sort-by") === "") return;
    const which = flags.bool("watch") ? "--watch" : "--watch-only";
    const what = flags.bool("watch") ? "--sort-by will be ignored for watch events received" : "--sort-by will be ignored";
    return yield* context.err(`warning: ${which} requested, ${what}\n`);
  }
  if (args.length > 0 || flags.list("filename").length > 0 || flags.text("kustomize") !== "") return;
  yield* context.err(
    'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n',
  );
  throw context.usageError(
    'Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).',
  );
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const mostRedirects = 10;

/** Where an answer leads to another path of the server, that is asked instead (net/http: Client.Do). */
function* openFollowing(context: Context, client: ReturnType<Context["client"]>, target: string): Sys<HttpReply> {
  let path = target;
  for (let followed = 0; ; followed += 1) {
    const reply = yield* client.open({ method: "GET", path });
    const { location } = reply.headers;
    if (!redirects.has(reply.status) || location === undefined || followed === mostRedirects) return reply;
    const next = new URL(location, `https://server${path}`);
    if (next.host !== "server") return reply;
    context.self.close(reply.fd);
    path = `${next.pathname}${next.search}`;
  }
}

/** Prints what a path answers, as it comes. */
function* getRaw(context: Context): Sys<void> {
  const target = context.flags.text("raw");
  if (!target.startsWith("/"))
    throw new KubectlError(`--raw must be a valid URL path: parse ${JSON.stringify(target)}: invalid URI for request`);
  const client = context.client();
  const reply = yield* openFollowing(context, client, target);
  if (reply.status < 200 || reply.status > 299) throw refusalOf(reply.status, decodeUtf8(yield* client.readBody(reply)));
  try {
    for (;;) {
      const part = yield* context.self.read(reply.fd);
      if (part.length === 0) return;
      yield* context.out(part);
    }
  } finally {
    context.self.close(reply.fd);
  }
}

function selection(context: Context): SelectionOptions {
  const { flags } = context;
  const table = isHumanReadable(context) && flags.bool("server-print");
  const sorted = flags.text("sort-by") !== "";
  return {
    ...selectionFromFlags(context),
    typeAloneSelectsAll: true,
    subresource: flags.text("subresource"),
    latest: true,
    ignoreNotFound: flags.bool("ignore-not-found"),
    ...(sorted ? { chunkSize: 0, withObjects: table } : {}),
    ...(table ? { accept: tableAccept } : {}),
  };
}

function sameType(a: ResourceInfo, b: ResourceInfo): boolean {
  return a.plural === b.plural && groupVersion(a) === groupVersion(b);
}

/** Sorts the rows of tables in place, other objects among themselves. */
function sortInfos(infos: readonly Info[], field: string): readonly Info[] {
  const isTable = (info: Info) => info.object?.["kind"] === "Table";
  if (infos.length > 0 && infos.every(isTable)) {
    return infos.map((info) => {
      const table = info.object as JsonObject;
      return {
        ...info,
        object: { ...table, rows: sortBy(arrayAt(table, "rows"), field, (row) => valueAt(row, "object") ?? null) },
      };
    });
  }
  if (infos.some(isTable)) throw new KubectlError("sorting is not supported on mixed Table and non-Table object lists");
  return sortBy(infos, field, (info) => info.object ?? null);
}

/** A field that no object has leaves nothing to show, as in the real kubectl. */
function sortedInfos(infos: readonly Info[], field: string): readonly Info[] {
  if (field === "") return infos;
  try {
    return sortInfos(infos, field);
  } catch (error) {
    if (error instanceof UnknownField) return [];
    throw error;
  }
}

function makeTablePrinter(context: Context, mapping: ResourceInfo, withKind: boolean, writer: TabWriter): TablePrinter {
  const { flags } = context;
  const kind = asciiLowerCase(mapping.kind);
  const prefix = mapping.group === "" ? kind : `${kind}.${mapping.group}`;
  return new TablePrinter(
    {
      wide: flags.text("output") === "wide",
      noHeaders: flags.bool("no-headers"),
      withNamespace: flags.bool("all-namespaces") && mapping.namespaced,
      kindPrefix: withKind || flags.bool("show-kind") ? prefix : "",
      showLabels: flags.bool("show-labels"),
      labelColumns: flags.list("label-columns"),
    },
    writer,
    () => context.self.nowMs,
  );
}

function* printTables(context: Context): Sys<void> {
  const { flags } = context;
  const found = yield* select(context, { ...selection(context), continueOnError: true });
  const infos = sortedInfos(found.infos, flags.text("sort-by"));
  const [first] = infos;
  const withKind = first !== undefined && infos.some((info) => !sameType(info.mapping, first.mapping));
  let printer: TablePrinter | undefined;
  let last: ResourceInfo | undefined;
  let writer = new TabWriter();
  let written = "";
  const flush = (separate: boolean) => {
    const text = writer.flush();
    if (text !== "") written += (separate && written !== "" ? "\n" : "") + text;
  };
  for (const info of infos) {
    if (printer === undefined || last === undefined || !sameType(last, info.mapping)) {
      flush(!flags.bool("no-headers"));
      writer = new TabWriter();
      printer = makeTablePrinter(context, info.mapping, withKind, writer);
      last = info.mapping;
    }
    if (info.object !== undefined) printer.print(info.object);
  }
  flush(!flags.bool("no-headers"));
  yield* context.out(written);
  if (written === "" && !flags.bool("ignore-not-found") && found.errors.length === 0) {
    const namespaced = !flags.bool("all-namespaces") && infos.every((info) => info.mapping.namespaced);
    yield* context.err(namespaced ? `No resources found in ${context.namespace().name} namespace.\n` : "No resources found\n");
  }
  throwList(found.errors);
}

/** The objects as one: alone, or in a List. */
function combined(infos: readonly Info[], single: boolean): JsonObject {
  const only = infos[0]?.object;
  if (single && infos.length === 1 && only !== undefined && !isArray(only["items"])) return only;
  const items =
    single && infos.length === 1 && only !== undefined ? arrayAt(only, "items") : infos.flatMap((info) => info.object ?? []);
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}

function* printObjects(context: Context): Sys<void> {
  const { flags } = context;
  const found = yield* select(context, { ...selection(context), continueOnError: true });
  if (found.singleItem) throwAll(found.errors);
  if (found.infos.length === 0 && flags.bool("ignore-not-found")) return throwAll(found.errors);
  const printer = namedPrinter(context, { forGet: true }) as ObjectPrinter;
  const sorting = flags.text("sort-by");
  const infos = sorting === "" ? found.infos : sortBy(found.infos, sorting, (info) => info.object ?? null);
  yield* context.out(printer(combined(infos, found.singleItem)));
  throwAll(found.errors);
}

/** Prints events one by one; `print` gets the object and its type. */
type EventPrinter = (object: JsonObject, type: string) => string;

function eventPrinter(context: Context, mapping: ResourceInfo, writer = new TabWriter({ remember: true })): EventPrinter {
  const events = context.flags.bool("output-watch-events");
  const objects = namedPrinter(context, { forGet: true });
  if (objects !== undefined) {
    const isName = context.flags.text("output") === "name";
    return (object, type) => objects(events && !isName ? { type, object } : object);
  }
  const printer = makeTablePrinter(context, mapping, false, writer);
  return (object, type) => {
    printer.print(object, events ? type : undefined);
    return writer.flush();
  };
}

/** Items of a list do not say what they are. */
function listedObjects(object: JsonObject, mapping: ResourceInfo): readonly JsonObject[] {
  if (!isArray(object["items"])) return [object];
  const type = { apiVersion: groupVersion(mapping), kind: mapping.kind };
  return arrayAt(object, "items")
    .filter(isObject)
    .map((item) => ({ ...type, ...item }));
}

function* watch(context: Context): Sys<void> {
  const { flags } = context;
  const options = selection(context);
  let found: readonly Info[];
  try {
    found = (yield* select(context, { ...options, singleType: true, keepLists: true })).infos;
  } catch (error) {
    if (isNotFound(error) && flags.bool("ignore-not-found")) return;
    throw error;
  }
  if (found.length > 1) return yield* refuseToWatch(context, found);
  const [info] = found;
  if (info?.object === undefined) return;
  const { mapping } = info;
  const print = eventPrinter(context, mapping);
  const listed = info.name === "";
  const first = info.object;
  if (!flags.bool("watch-only")) {
    let text = "";
    for (const object of listedObjects(first, mapping)) text += print(object, "ADDED");
    yield* context.out(text);
  }
  // A watch from a single object begins with that object again: it is left out once.
  let skipOne = !listed;
  const version = listed ? textAt(first, "metadata", "resourceVersion") : "0";
  const request = {
    method: "GET" as const,
    path: pathOf(mapping, info.namespace),
    query: {
      watch: true,
      resourceVersion: version,
      labelSelector: listed ? flags.text("selector").trim() : undefined,
      fieldSelector: listed ? flags.text("field-selector").trim() : `metadata.name=${info.name}`,
    },
    ...(options.accept === undefined ? {} : { accept: options.accept }),
  };
  yield* context.client().watch(request, function* (type, object) {
    if (!isObject(object)) return true;
    if (type === "ERROR") throw refusalOf(Number(valueAt(object, "code") ?? 500), jsonText(object));
    if (!skipOne) yield* context.out(print(object, type));
    skipOne = false;
    return true;
  });
}

/** Several objects are shown, not watched. */
function* refuseToWatch(context: Context, found: readonly Info[]): Sys<void> {
  const writer = new TabWriter({ remember: true });
  let mapping: ResourceInfo | undefined;
  let print: EventPrinter = () => "";
  for (const info of context.flags.bool("watch-only") ? [] : found) {
    if (info.mapping !== mapping) print = eventPrinter(context, info.mapping, writer);
    mapping = info.mapping;
    yield* context.out(print(info.object ?? {}, "ADDED"));
  }
  const [first] = found;
  const inOneFile = first?.source !== "" && found.every(({ source }) => source === first?.source);
  throw new KubectlError(
    inOneFile
      ? `watch is only supported on individual resources and resource collections - ${found.length} resources were found`
      : "you may only watch a single resource or type of resource at a time",
  );
}

export const get: Command = {
  path: "get",
  *run(context) {
    yield* checkSubject(context);
    check(context);
    const { flags } = context;
    if (flags.text("raw") !== "") yield* getRaw(context);
    else if (flags.bool("watch") || flags.bool("watch-only")) yield* watch(context);
    else if (isHumanReadable(context)) yield* printTables(context);
    else yield* printObjects(context);
  },
};
