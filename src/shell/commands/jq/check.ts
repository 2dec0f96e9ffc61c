// Names that a program uses must be there before it runs.

import { isBuiltin } from "./builtins.ts";
import { namesOf } from "./evaluate.ts";
import { isFormat } from "./formats.ts";
import { type Filter, JqSyntaxError } from "./syntax.ts";

interface Names {
  readonly functions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** Throws JqSyntaxError for a function, variable or format that is not defined. */
export function checkNames(filter: Filter, variables: readonly string[]): void {
  check(filter, { functions: new Set(), variables: new Set([...variables, "ENV", "__loc__", "__prog_args"]) });
}

type Check<Kind extends Filter["kind"]> = (filter: Extract<Filter, { readonly kind: Kind }>, names: Names) => void;

function all(names: Names, ...filters: readonly (Filter | undefined)[]): void {
  for (const inner of filters) if (inner !== undefined) check(inner, names);
}

function withVariables(names: Names, variables: readonly string[]): Names {
  return { ...names, variables: new Set([...names.variables, ...variables]) };
}

function both({ left, right }: { readonly left: Filter; readonly right: Filter }, names: Names): void {
  all(names, left, right);
}

function inner({ of }: { readonly of: Filter | undefined }, names: Names): void {
  all(names, of);
}

const nothing = () => {};

/** By kind of filter. */
const checks: { readonly [Kind in Filter["kind"]]: Check<Kind> } = {
  identity: nothing,
  recurse: nothing,
  literal: nothing,
  text({ format, parts }, names) {
    if (format !== undefined) checkFormat(format);
    for (const part of parts) if (typeof part !== "string") check(part, names);
  },
  format: ({ name }) => checkFormat(name),
  index: ({ of, key }, names) => all(names, of, key),
  slice: ({ of, from, to }, names) => all(names, of, from, to),
  iterate: inner,
  negate: inner,
  array: inner,
  try: ({ body, handler }, names) => all(names, body, handler),
  pipe: both,
  comma: both,
  binary: both,
  object({ entries }, names) {
    for (const { key, value } of entries) all(names, key, value);
  },
  if: ({ test, then, otherwise }, names) => all(names, test, then, otherwise),
  reduce({ source, init, update, pattern }, names) {
    all(names, source, init);
    check(update, withVariables(names, namesOf(pattern)));
  },
  foreach({ source, init, update, extract, pattern }, names) {
    all(names, source, init);
    all(withVariables(names, namesOf(pattern)), update, extract);
  },
  bind({ source, patterns, body }, names) {
    all(names, source);
    check(body, withVariables(names, patterns.flatMap(namesOf)));
  },
  variable({ name }, { variables }) {
    if (!variables.has(name)) throw new JqSyntaxError(`$${name} is not defined`);
  },
  call({ name, args }, names) {
    const key = `${name}/${args.length}`;
    if (!names.functions.has(key) && !isBuiltin(key)) throw new JqSyntaxError(`${key} is not defined`);
    all(names, ...args);
  },
  define({ definition, body }, names) {
    const own = `${definition.name}/${definition.parameters.length}`;
    const functions = new Set([...names.functions, own]);
    const values = definition.parameters.filter((name) => name.startsWith("$")).map((name) => name.slice(1));
    const parameters = definition.parameters.map((name) => `${name.replace("$", "")}/0`);
    check(definition.body, { ...withVariables(names, values), functions: new Set([...functions, ...parameters]) });
    check(body, { ...names, functions });
  },
  label: ({ name, body }, names) => check(body, withVariables(names, [`*${name}`])),
  break({ name }, { variables }) {
    if (!variables.has(`*${name}`)) throw new JqSyntaxError(`$*label-${name} is not defined`);
  },
};

function check(filter: Filter, names: Names): void {
  (checks[filter.kind] as Check<Filter["kind"]>)(filter, names);
}

function checkFormat(name: string): void {
  if (!isFormat(name)) throw new JqSyntaxError(`${name.slice(1)} is not a valid format`);
}
