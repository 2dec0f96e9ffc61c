// What a jq program is once it is read.

import type { Json } from "./value.ts";

/** `isOptional`: a `?` stands right behind it, which passes over what has no such part and goes on with the next. */
export type Access = { readonly isOptional?: boolean } & (
  | { readonly kind: "index"; readonly of: Filter; readonly key: Filter }
  | { readonly kind: "slice"; readonly of: Filter; readonly from: Filter | undefined; readonly to: Filter | undefined }
  | { readonly kind: "iterate"; readonly of: Filter }
);

export type Filter =
  | { readonly kind: "identity" }
  | { readonly kind: "recurse" }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "text"; readonly format: string | undefined; readonly parts: readonly (string | Filter)[] }
  | { readonly kind: "format"; readonly name: string }
  | Access
  | { readonly kind: "try"; readonly body: Filter; readonly handler: Filter | undefined }
  | { readonly kind: "pipe"; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "comma"; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "negate"; readonly of: Filter }
  | { readonly kind: "array"; readonly of: Filter | undefined }
  | { readonly kind: "object"; readonly entries: readonly { readonly key: Filter; readonly value: Filter }[] }
  | { readonly kind: "if"; readonly test: Filter; readonly then: Filter; readonly otherwise: Filter | undefined }
  | { readonly kind: "reduce"; readonly source: Filter; readonly pattern: Pattern; readonly init: Filter; readonly update: Filter }
  | {
      readonly kind: "foreach";
      readonly source: Filter;
      readonly pattern: Pattern;
      readonly init: Filter;
      readonly update: Filter;
      readonly extract: Filter | undefined;
    }
  | { readonly kind: "bind"; readonly source: Filter; readonly patterns: readonly Pattern[]; readonly body: Filter }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Filter[] }
  | { readonly kind: "define"; readonly definition: Definition; readonly body: Filter }
  | { readonly kind: "label"; readonly name: string; readonly body: Filter }
  | { readonly kind: "break"; readonly name: string };

/** Where `as` puts values. */
export type Pattern =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "elements"; readonly of: readonly Pattern[] }
  | {
      readonly kind: "entries";
      readonly of: readonly { readonly key: Filter; readonly bind: string | undefined; readonly value: Pattern | undefined }[];
    };

export interface Definition {
  readonly name: string;
  /** With `$` in front for those that are values. */
  readonly parameters: readonly string[];
  readonly body: Filter;
}

/** The text is no program. */
export class JqSyntaxError extends Error {}
