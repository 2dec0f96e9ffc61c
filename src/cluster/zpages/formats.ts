// In which form /statusz and /flagz are asked for (apiserver, pkg/server/statusz and flagz): as text, or as an object of config.k8s.io.

import type { JsonObject } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import { notAcceptable, parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { escapedJson } from "#cluster/apiserver/http/writing.ts";
import type { Page } from "./page.ts";

const group = "config.k8s.io";
const versions: ReadonlySet<string> = new Set(["v1alpha1", "v1beta1"]);
/** Upstream chooses one by chance, so that nobody reads the text by machine. */
const delimiters = [":", ": ", "=", " "] as const;

export interface Forms {
  readonly kind: "Statusz" | "Flagz";
  readonly component: string;
  readonly nowMs: number;
  /** The lines below the heading. */
  readonly lines: (delimiter: string) => readonly string[];
  /** What the object has beside its kind and name. */
  readonly fields: () => JsonObject;
}

/** Throws ApiError 406. */
export function formattedPage(forms: Forms, accept: string): Page {
  const { kind, component, nowMs } = forms;
  const name = kind === "Statusz" ? "statusz" : "flagz";
  const format = formatOf(kind, accept);
  if (format === undefined) {
    const delimiter = delimiters[Math.floor(nowMs / 1000) % delimiters.length] as string;
    const heading = [
      "",
      `${component} ${name}`,
      "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.",
    ];
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status: 200, headers, text: [...heading, ...forms.lines(delimiter), ""].join("\n") };
  }
  const { mediaType, version } = format;
  const object = { kind, apiVersion: `${group}/${version}`, metadata: { name: component }, ...forms.fields() };
  const warning = `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`;
  const headers = {
    "content-type": `${mediaType};g=${group};v=${version};as=${kind}`,
    ...(version === "v1alpha1" ? { warning } : {}),
  };
  return { status: 200, headers, text: mediaType === "application/yaml" ? writeYaml(object) : escapedJson(object, true) };
}

/** Undefined: text. */
function formatOf(
  kind: string,
  accept: string,
): { readonly mediaType: "application/json" | "application/yaml"; readonly version: string } | undefined {
  if (accept.trim() === "") return undefined;
  for (const { type, parameters } of parseAccept(accept)) {
    const as = parameters.get("as");
    if (as === undefined && (type === "text/plain" || type === "text/*" || type === "*/*")) return undefined;
    const version = parameters.get("v") ?? "";
    if (as !== kind || parameters.get("g") !== group || !versions.has(version)) continue;
    if (type === "application/yaml") return { mediaType: "application/yaml", version };
    if (["application/json", "application/*", "*/*"].includes(type)) return { mediaType: "application/json", version };
  }
  throw notAcceptable("application/json, application/yaml, text/plain");
}
