// What a client wants to read and what it sends: Accept and Content-Type (apiserver's negotiation).

import { otherFailure } from "#cluster/api/errors.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { HttpHeaders } from "#sim/http.ts";

/** How a reply is written. */
export interface OutputFormat {
  readonly mediaType: "application/json" | "application/yaml";
  /** Whole objects, a Table, or metadata only: of one object or of a list. */
  readonly as: "object" | "table" | "metadata" | "metadataList";
  /** Version of meta.k8s.io that a Table or metadata is asked for in. */
  readonly metaVersion: string;
  readonly pretty: boolean;
}

/** Names that the real server lists; protobuf is not written here, so a client that takes nothing else is refused. */
const supported = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const humanAgents = /^(curl|Wget|Mozilla\/5\.0)/;

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clauses of an Accept header, best first. */
export function parseAccept(accept: string): readonly Clause[] {
  const clauses = accept.split(",").map((text) => {
    const [type = "", ...rest] = text.split(";").map((part) => part.trim());
    const parameters = new Map(
      rest.map((part) => {
        const [name = "", value = ""] = part.split("=");
        return [asciiLowerCase(name.trim()), value.trim().replace(/^"|"$/g, "")] as const;
      }),
    );
    return { type: asciiLowerCase(type), parameters, quality: Number(parameters.get("q") ?? "1") };
  });
  return clauses.filter(({ type, quality }) => type !== "" && quality > 0).sort((a, b) => b.quality - a.quality);
}

/** The first acceptable format; `hasTable`: the kind can be shown as a Table. Throws NotAcceptable. */
export function negotiateOutput(headers: HttpHeaders, query: URLSearchParams, hasTable = true): OutputFormat {
  const accept = headers["accept"] ?? "";
  for (const { type, parameters } of parseAccept(accept === "" ? "*/*" : accept)) {
    const mediaType = mediaTypeOf(type);
    if (mediaType === undefined) continue;
    const as = conversionOf(parameters);
    if (as === undefined || (as === "table" && !hasTable)) continue;
    const stream = parameters.get("stream") ?? "";
    if (stream !== "" && stream !== "watch") continue;
    return {
      mediaType,
      as,
      metaVersion: parameters.get("v") ?? "v1",
      pretty: parameters.get("pretty") === "1" || prettyQuery(query, headers),
    };
  }
  throw notAcceptable();
}

/** `types`: what there is, when it is not what objects are written in. */
export function notAcceptable(types = supported): Error {
  return otherFailure(406, "NotAcceptable", `only the following media types are accepted: ${types}`);
}

/** Watches are not written in YAML. */
const supportedStreams = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/** The format of a watch. Throws NotAcceptable. */
export function negotiateStream(headers: HttpHeaders, query: URLSearchParams): OutputFormat {
  const format = negotiateOutput(headers, query);
  if (format.mediaType !== "application/json") throw notAcceptable(supportedStreams);
  return format;
}

function mediaTypeOf(type: string): OutputFormat["mediaType"] | undefined {
  if (type === "application/json" || type === "*/*" || type === "application/*") return "application/json";
  return type === "application/yaml" ? "application/yaml" : undefined;
}

function conversionOf(parameters: ReadonlyMap<string, string>): OutputFormat["as"] | undefined {
  const as = parameters.get("as");
  if (as === undefined) return "object";
  if (parameters.get("g") !== "meta.k8s.io") return undefined;
  const version = parameters.get("v");
  if (version !== "v1" && version !== "v1beta1") return undefined;
  if (as === "Table") return "table";
  if (as === "PartialObjectMetadata") return "metadata";
  return as === "PartialObjectMetadataList" ? "metadataList" : undefined;
}

/** Whether a reply whose format is not negotiated is indented: by the query, or for programs that people use. */
export function wantsPretty(headers: HttpHeaders, target: string): boolean {
  const mark = target.indexOf("?");
  return prettyQuery(mark < 0 ? noQuery : new URLSearchParams(target.slice(mark)), headers);
}

const noQuery = new URLSearchParams();

function prettyQuery(query: URLSearchParams, headers: HttpHeaders): boolean {
  const asked = query.size === 0 ? null : query.get("pretty");
  if (asked !== null && asked !== "") return /^(1|t|true)$/i.test(asked);
  return humanAgents.test(headers["user-agent"] ?? "");
}

/** The media type of a body without parameters; JSON when the client names none. Throws UnsupportedMediaType. */
export function negotiateInput(headers: HttpHeaders): "application/json" | "application/yaml" {
  const type = mediaTypeOfBody(headers);
  if (type === "" || type === "application/json") return "application/json";
  if (type === "application/yaml") return type;
  throw unsupportedMediaType(supported);
}

export function mediaTypeOfBody(headers: HttpHeaders): string {
  return asciiLowerCase((headers["content-type"] ?? "").split(";")[0]?.trim() ?? "");
}

export function unsupportedMediaType(accepted: string): Error {
  return otherFailure(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}
