// kubectl events: events by the time they last occurred, of a namespace or of one object.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Sys } from "#sim/program.ts";
import { groupVersion } from "../client/discovery.ts";
import type { Query } from "../client/rest-client.ts";
import type { Command, Context } from "../context.ts";
import { eventAge } from "../describe/events.ts";
import { arrayAt, asKind, isObject, type JsonObject, textAt } from "../documents.ts";
import { ExitError, KubectlError } from "../errors.ts";
import { namedPrinter, type ObjectPrinter } from "../printers/object-printer.ts";
import { TabWriter } from "../printers/tab-writer.ts";

export const events: Command = {
  path: "events",
  *run(context) {
    const { flags } = context;
    const everywhere = flags.bool("all-namespaces");
    const namespace = context.namespace().name;
    const query = yield* selectorFor(context);
    for (const type of flags.list("types")) {
      if (!["normal", "warning"].includes(asciiLowerCase(type))) throw new KubectlError("valid --types are Normal or Warning");
    }
    const path = everywhere ? "/api/v1/events" : `/api/v1/namespaces/${namespace}/events`;
    const print = namedPrinter(context) ?? eventTable(context);
    if (flags.bool("watch")) return yield* watch(context, path, query, print);
    const list = yield* context.client().json({ method: "GET", path, query: { ...query, limit: 500 } });
    const found = arrayAt(list, "items")
      .filter(isObject)
      .filter((event) => isWanted(context, event));
    if (found.length === 0) {
      return yield* context.err(everywhere ? "No events found.\n" : `No events found in ${namespace} namespace.\n`);
    }
    const items = found
      .map((event): JsonObject => ({ apiVersion: "v1", kind: "Event", ...event }))
      .sort((a, b) => compareTexts(timeOf(a), timeOf(b)));
    // The real one prints nothing for a list by name.
    if (flags.text("output") === "name") return;
    yield* context.out(print({ apiVersion: "v1", items, kind: "EventList", metadata: {} }));
  },
};

function* watch(context: Context, path: string, query: Query, print: ObjectPrinter): Sys<void> {
  yield* context.client().watch({ method: "GET", path, query: { ...query, watch: true } }, function* (type, object) {
    if (type !== "DELETED" && type !== "BOOKMARK" && isObject(object) && isWanted(context, object)) {
      yield* context.out(print({ apiVersion: "v1", kind: "Event", ...object }));
    }
    return true;
  });
}

/** `--for TYPE/NAME` */
function* selectorFor(context: Context): Sys<Query> {
  const text = context.flags.text("for");
  if (text === "") return {};
  const [type = "", name, ...rest] = text.split("/");
  if (name === undefined) throw new KubectlError("--for must be in resource/name form");
  if (rest.length > 0) throw new KubectlError("arguments in resource/name form may not have more than one slash");
  const mapping = yield* context.discovery().find(asciiLowerCase(type));
  if (mapping === undefined) throw new ExitError(1, `the server doesn't have a resource type ${JSON.stringify(type)}`);
  const fields = [
    `involvedObject.kind=${mapping.kind}`,
    `involvedObject.apiVersion=${groupVersion(mapping)}`,
    `involvedObject.name=${name}`,
  ];
  return { fieldSelector: fields.join(",") };
}

function isWanted({ flags }: Context, event: JsonObject): boolean {
  const types = flags.list("types").map((type) => asciiLowerCase(type));
  return types.length === 0 || types.includes(asciiLowerCase(textAt(event, "type")));
}

function timeOf(event: JsonValue): string {
  return textAt(event, "series", "lastObservedTime") || textAt(event, "lastTimestamp") || textAt(event, "eventTime");
}

function eventTable(context: Context): ObjectPrinter {
  const { flags, self } = context;
  const everywhere = flags.bool("all-namespaces");
  const writer = new TabWriter({ remember: true });
  let headersWanted = !flags.bool("no-headers");
  return (object) => {
    if (headersWanted) {
      writer.row([...(everywhere ? ["NAMESPACE"] : []), "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]);
    }
    headersWanted = false;
    const items = textAt(object, "kind") === "EventList" ? arrayAt(object, "items").filter(isObject) : [object];
    for (const item of items) {
      const event = asKind<CoreV1Event>(item);
      writer.row([
        ...(everywhere ? [textAt(item, "metadata", "namespace")] : []),
        eventAge(event, self.nowMs),
        textAt(item, "type"),
        textAt(item, "reason"),
        `${textAt(item, "involvedObject", "kind")}/${textAt(item, "involvedObject", "name")}`,
        textAt(item, "message").trim(),
      ]);
    }
    return writer.flush();
  };
}
