// The words after a verb: `pods`, `pod web`, `pods,services`, `pod/web service/front`.

import type { Sys } from "#sim/program.ts";
import { groupResource } from "../client/discovery.ts";
import type { Context } from "../context.ts";
import { KubectlError } from "../errors.ts";
import type { SelectionOptions } from "./selection-options.ts";

export interface ResourceName {
  readonly type: string;
  readonly name: string;
}

export interface ResourceArgs {
  readonly types: readonly string[];
  readonly names: readonly string[];
  /** `type/name` words, and `a,b name` spelt out. */
  readonly named: readonly ResourceName[];
  /** A type alone, where that means all its objects. */
  readonly everything: boolean;
}

function splitTypes(word: string): readonly string[] {
  return [...new Set(word.split(","))].filter((type) => type !== "");
}

/** A name that a shell has left empty (`get pod "$NAME"`) is none: without this it would stand for all of them. */
function checkNames(names: readonly string[]): void {
  if (names.includes("")) throw new KubectlError("resource name may not be empty");
}

/** Reads one `type/name`. Throws KubectlError. */
export function splitResourceName(word: string): ResourceName {
  const parts = word.split("/");
  if (parts.length !== 2) throw new KubectlError("arguments in resource/name form may not have more than one slash");
  const [type = "", name = ""] = parts;
  if (type === "" || name === "" || splitTypes(type).length !== 1) {
    throw new KubectlError("arguments in resource/name form must have a single resource and name");
  }
  return { type, name };
}

function* expandCategories(context: Context, word: string): Sys<string> {
  const parts: string[] = [];
  for (const part of word.split(",")) {
    const members = part === "" || part.includes(".") ? undefined : yield* context.discovery().category(part);
    parts.push(members === undefined ? part : members.map(groupResource).join(","));
  }
  return parts.join(",");
}

export function* readResourceArgs(context: Context, options: SelectionOptions): Sys<ResourceArgs> {
  const none: ResourceArgs = { types: [], names: [], named: [], everything: false };
  let words = options.args;
  const firstTypes = (words[0] ?? "").split(",");
  if (words.length >= 2 && firstTypes.length > 1) {
    words = firstTypes.flatMap((type) => words.slice(1).map((name) => `${type}/${name}`));
  }
  const combined = words.filter((word) => word.includes("/")).length;
  if (options.defaultType !== undefined) {
    const type = options.defaultType;
    checkNames(words);
    return { ...none, named: words.map((word) => (word.includes("/") ? splitResourceName(word) : { type, name: word })) };
  }
  if (combined > 0 && combined < words.length) {
    throw new KubectlError(
      "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
    );
  }
  if (combined > 0) return { ...none, named: words.map(splitResourceName) };
  const [first] = words;
  if (first === undefined) return none;
  const types = splitTypes(options.local === true ? first : yield* expandCategories(context, first));
  checkNames(words.slice(1));
  const everything = words.length === 1 && options.typeAloneSelectsAll === true;
  return { types, names: words.slice(1), named: [], everything };
}
