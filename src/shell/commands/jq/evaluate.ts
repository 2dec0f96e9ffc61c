// Runs a filter: one input, any number of outputs, each with the path that led to it when somebody asks for paths.

import type { Builtin } from "./builtins.ts";
import { formatText } from "./formats.ts";
import { binary, deletePaths, getPath, index, type Path, setPath, slice } from "./operators.ts";
import type { Definition, Filter, Pattern } from "./syntax.ts";
import { isArray, isObject, isTrue, JqError, type Json, toJson, typeOf } from "./value.ts";

export interface Item {
  readonly value: Json;
  /** Undefined when nobody asks. */
  readonly path: Path | undefined;
}

export type Outputs = Generator<Item, void, undefined>;

/** A filter with the names that it can see. */
export interface Closure {
  readonly filter: Filter;
  readonly scope: Scope;
}

interface Link<T> {
  readonly name: string;
  readonly value: T;
  readonly outer: Link<T> | undefined;
}

interface BoundFunction {
  readonly definition: Definition | undefined;
  /** A parameter: run where it was written. */
  readonly closure: Closure | undefined;
  readonly outer: Link<BoundFunction> | undefined;
  readonly variables: Link<Json> | undefined;
}

export interface Scope {
  readonly variables: Link<Json> | undefined;
  readonly functions: Link<BoundFunction> | undefined;
  readonly world: JqWorld;
}

/** What a program reaches beside its input. */
export interface JqWorld {
  /** By `name/arity`; handed in because they evaluate filters themselves. */
  readonly builtins: { readonly [name: string]: Builtin };
  readonly nowMs: number;
  readonly environment: Json;
  /** The next input; undefined when there is none. */
  input(): Json | undefined;
  /** A line on standard error. */
  message(text: string): void;
  readonly inputName: string | undefined;
  steps: number;
  depth: number;
}

class BreakSignal extends Error {
  readonly label: object;
  constructor(label: object) {
    super("break");
    this.label = label;
  }
}

/** Ends the whole program: `halt`, `halt_error`. */
export class HaltSignal extends Error {
  readonly status: number;
  readonly value: Json | undefined;
  constructor(status: number, value: Json | undefined) {
    super("halt");
    this.status = status;
    this.value = value;
  }
}

/** Between two outputs: nothing else runs meanwhile. */
const maximumSteps = 300_000;
const maximumDepth = 500;

/** Throws HaltSignal. */
export function countStep(world: JqWorld): void {
  world.steps += 1;
  if (world.steps > maximumSteps) throw new HaltSignal(5, "jq: error: the program made too many steps\n");
}

type Evaluate<Kind extends Filter["kind"]> = (
  filter: Extract<Filter, { readonly kind: Kind }>,
  item: Item,
  scope: Scope,
) => Outputs;

/** By kind of filter. */
const evaluators: { readonly [Kind in Filter["kind"]]: Evaluate<Kind> } = {
  *identity(_filter, item) {
    yield item;
  },
  *literal({ value }, item) {
    yield made(item, value);
  },
  recurse: (_filter, item) => descend(item),
  text: ({ parts, format }, item, scope) => interpolate({ parts, format }, item, scope),
  *format({ name }, item) {
    yield made(item, formatText(name, item.value));
  },
  *index(filter, item, scope) {
    for (const of of evaluate(filter.of, item, scope))
      for (const key of evaluate(filter.key, plain(item), scope)) yield* step(of, key.value, filter.isOptional);
  },
  *slice(filter, item, scope) {
    for (const of of evaluate(filter.of, item, scope))
      for (const to of optional(filter.to, item, scope))
        for (const from of optional(filter.from, item, scope))
          for (const value of forgiven(() => slice(of.value, from, to), filter.isOptional))
            yield { value, path: of.path === undefined ? undefined : [...of.path, { start: from, end: to }] };
  },
  *iterate(filter, item, scope) {
    for (const of of evaluate(filter.of, item, scope)) yield* each(of, filter.isOptional);
  },
  try: ({ body, handler }, item, scope) => attempt(body, handler, item, scope),
  *pipe(filter, item, scope) {
    for (const left of evaluate(filter.left, item, scope)) yield* evaluate(filter.right, left, scope);
  },
  *comma({ left, right }, item, scope) {
    yield* evaluate(left, item, scope);
    yield* evaluate(right, item, scope);
  },
  *negate({ of }, item, scope) {
    for (const { value } of evaluate(of, plain(item), scope)) {
      if (typeof value !== "number") throw new JqError(`${typeOf(value)} (${toJson(value)}) cannot be negated`);
      yield made(item, -value);
    }
  },
  binary: ({ operator, left, right }, item, scope) => operation(operator, left, right, item, scope),
  *array({ of }, item, scope) {
    yield made(item, of === undefined ? [] : [...evaluate(of, plain(item), scope)].map(({ value }) => value));
  },
  object: ({ entries }, item, scope) => object(entries, 0, {}, item, scope),
  *if({ test, then, otherwise }, item, scope) {
    for (const { value } of evaluate(test, plain(item), scope)) {
      if (isTrue(value)) yield* evaluate(then, item, scope);
      else if (otherwise === undefined) yield item;
      else yield* evaluate(otherwise, item, scope);
    }
  },
  reduce: (filter, item, scope) => fold(filter, item, scope),
  foreach: (filter, item, scope) => fold(filter, item, scope),
  *bind({ source, patterns, body }, item, scope) {
    for (const { value } of evaluate(source, plain(item), scope)) yield* bindFirst(patterns, value, body, item, scope);
  },
  *variable({ name }, item, scope) {
    yield made(item, variable(name, scope));
  },
  call: ({ name, args }, item, scope) => call(name, args, item, scope),
  define: ({ definition, body }, item, scope) => evaluate(body, item, define(definition, scope)),
  *label({ name, body }, item, scope) {
    const label = {};
    try {
      yield* evaluate(body, item, withVariable(scope, `*${name}`, label as Json));
    } catch (error) {
      if (!(error instanceof BreakSignal) || error.label !== label) throw error;
    }
  },
  *break({ name }, _item, scope) {
    throw new BreakSignal(variable(`*${name}`, scope) as object);
  },
};

/** What a filter puts out for an item, one by one as they are asked for. */
export function evaluate(filter: Filter, item: Item, scope: Scope): Outputs {
  countStep(scope.world);
  return (evaluators[filter.kind] as Evaluate<Filter["kind"]>)(filter, item, scope);
}

/** Values only. */
export function* values(filter: Filter, value: Json, scope: Scope): Generator<Json, void, undefined> {
  for (const output of evaluate(filter, { value, path: undefined }, scope)) yield output.value;
}

/** Paths of what a filter points at. */
export function* pathsOf(filter: Filter, value: Json, scope: Scope): Generator<Path, void, undefined> {
  for (const output of evaluate(filter, { value, path: [] }, scope)) {
    const path = checkPath(output, `with result ${shortened(output.value)}`, true);
    if (path !== undefined) yield path;
  }
}

export function withVariable(scope: Scope, name: string, value: Json): Scope {
  return { ...scope, variables: { name, value, outer: scope.variables } };
}

function define(definition: Definition, scope: Scope): Scope {
  const name = `${definition.name}/${definition.parameters.length}`;
  const value: BoundFunction = { definition, closure: undefined, outer: scope.functions, variables: scope.variables };
  return { ...scope, functions: { name, value, outer: scope.functions } };
}

function variable(name: string, scope: Scope): Json {
  for (let link = scope.variables; link !== undefined; link = link.outer) if (link.name === name) return link.value;
  if (name === "ENV") return scope.world.environment;
  if (name === "__loc__") return { file: "<top-level>", line: 1 };
  throw new JqError(`$${name} is not defined`);
}

function plain(item: Item): Item {
  return item.path === undefined ? item : { value: item.value, path: undefined };
}

/** A new value: it has no path; asking for one is an error once it is looked into. */
function made(item: Item, value: Json): Item {
  return item.path === undefined ? { value, path: undefined } : { value, path: [offPath(value)] };
}

const off = "\u0000off the path";

function offPath(value: Json): Json {
  return { [off]: value };
}

/** Throws when a path goes on from a value that was made, not found. */
function checkPath(item: Item, what: string, atEnd = false): Path | undefined {
  const last = item.path?.at(-1);
  if (last !== undefined && isObject(last) && Object.hasOwn(last, off))
    throw new JqError(`Invalid path expression ${what}${atEnd || what.startsWith("with") ? "" : ` of ${shortened(item.value)}`}`);
  return item.path;
}

function shortened(value: Json): string {
  const text = toJson(value);
  return text.length > 11 ? `${text.slice(0, 10)}...` : text;
}

function isComposite(value: Json): boolean {
  return isArray(value) || isObject(value);
}

/** What comes of it, or nothing where it fails and that is forgiven. */
function forgiven(make: () => Json, isForgiven = false): readonly Json[] {
  try {
    return [make()];
  } catch (error) {
    if (isForgiven && error instanceof JqError) return [];
    throw error;
  }
}

function* step(of: Item, key: Json, isOptional?: boolean): Outputs {
  const path = checkPath(of, `with result ${shortened(of.value)} near attempt to access element ${toJson(key)}`);
  for (const value of forgiven(() => index(of.value, key), isOptional))
    yield { value, path: path === undefined ? undefined : [...path, key] };
}

export function* each(of: Item, isOptional = false): Outputs {
  const path = checkPath(of, "near attempt to iterate through");
  const { value } = of;
  if (isArray(value)) {
    for (const [key, item] of value.entries()) yield { value: item, path: path === undefined ? undefined : [...path, key] };
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield { value: item, path: path === undefined ? undefined : [...path, key] };
  } else if (!isOptional) throw new JqError(`Cannot iterate over ${typeOf(value)} (${shortened(value)})`);
}

export function* descend(item: Item): Outputs {
  yield item;
  if (isComposite(item.value)) for (const inner of each(item)) yield* descend(inner);
}

function* optional(filter: Filter | undefined, item: Item, scope: Scope): Generator<Json, void, undefined> {
  if (filter === undefined) yield null;
  else yield* values(filter, item.value, scope);
}

function* attempt(body: Filter, handler: Filter | undefined, item: Item, scope: Scope): Outputs {
  const { depth } = scope.world;
  const outputs = evaluate(body, item, scope);
  for (;;) {
    let next: IteratorResult<Item, void>;
    try {
      next = outputs.next();
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      scope.world.depth = depth;
      const { value } = error;
      if (isObject(value) && value["__jq"] !== undefined) throw error;
      if (handler !== undefined) yield* evaluate(handler, made(plain(item), value), scope);
      return;
    }
    if (next.done === true) return;
    yield next.value;
  }
}

interface Interpolation {
  readonly parts: readonly (string | Filter)[];
  readonly format: string | undefined;
}

function* interpolate({ parts, format }: Interpolation, item: Item, scope: Scope, at = 0, text = ""): Outputs {
  const part = parts[at];
  if (part === undefined) yield made(item, text);
  else if (typeof part === "string") yield* interpolate({ parts, format }, item, scope, at + 1, text + part);
  else
    for (const value of values(part, item.value, scope))
      yield* interpolate({ parts, format }, item, scope, at + 1, text + formatText(format ?? "@text", value));
}

function* object(
  entries: readonly { readonly key: Filter; readonly value: Filter }[],
  at: number,
  built: { readonly [key: string]: Json },
  item: Item,
  scope: Scope,
): Outputs {
  const entry = entries[at];
  if (entry === undefined) {
    yield made(item, built);
    return;
  }
  for (const key of values(entry.key, item.value, scope)) {
    if (typeof key !== "string") throw new JqError(`Object keys must be strings`);
    for (const value of values(entry.value, item.value, scope))
      yield* object(entries, at + 1, { ...built, [key]: value }, item, scope);
  }
}

function* operation(operator: string, left: Filter, right: Filter, item: Item, scope: Scope): Outputs {
  switch (operator) {
    case "//":
      yield* alternative(left, right, item, scope);
      return;
    case "and":
    case "or":
      for (const a of values(left, item.value, scope)) {
        if (isTrue(a) === (operator === "or")) yield made(item, operator === "or");
        else for (const b of values(right, item.value, scope)) yield made(item, isTrue(b));
      }
      return;
    case "=":
      for (const value of values(right, item.value, scope))
        yield made(
          item,
          [...pathsOf(left, item.value, scope)].reduce((changed, path) => setPath(changed, path, value), item.value),
        );
      return;
    case "|=":
      yield made(item, update(left, right, item.value, scope));
      return;
    case "+=":
    case "-=":
    case "*=":
    case "/=":
    case "%=":
    case "//=":
      for (const operand of values(right, item.value, scope)) {
        const change = (old: Json): Json => {
          if (operator !== "//=") return binary(operator.slice(0, -1), old, operand);
          return isTrue(old) ? old : operand;
        };
        const paths = [...pathsOf(left, item.value, scope)];
        yield made(
          item,
          paths.reduce((changed, path) => setPath(changed, path, change(getPath(changed, path))), item.value),
        );
      }
      return;
    default:
      for (const b of values(right, item.value, scope))
        for (const a of values(left, item.value, scope)) yield made(item, binary(operator, a, b));
  }
}

/** `|=`: the first output takes the place; without one what was there is deleted. */
function update(left: Filter, right: Filter, value: Json, scope: Scope): Json {
  let changed = value;
  const gone: Path[] = [];
  for (const path of [...pathsOf(left, value, scope)]) {
    const outputs = values(right, getPath(changed, path), scope);
    const first = outputs.next();
    outputs.return(undefined);
    if (first.done === true) gone.push(path);
    else changed = setPath(changed, path, first.value);
  }
  return deletePaths(changed, gone);
}

function* alternative(left: Filter, right: Filter, item: Item, scope: Scope): Outputs {
  let found = false;
  try {
    for (const output of evaluate(left, item, scope)) {
      if (!isTrue(output.value)) continue;
      found = true;
      yield output;
    }
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
  }
  if (!found) yield* evaluate(right, item, scope);
}

function* fold(filter: Extract<Filter, { kind: "reduce" | "foreach" }>, item: Item, scope: Scope): Outputs {
  for (const start of evaluate(filter.init, item, scope)) {
    let state: Item | undefined = start;
    for (const { value } of evaluate(filter.source, plain(item), scope)) {
      for (const inner of bind(filter.pattern, value, item.value, scope)) {
        if (filter.kind === "reduce") {
          let last: Item | undefined;
          if (state !== undefined) for (const output of evaluate(filter.update, state, inner)) last = output;
          state = last ?? made(item, null);
          continue;
        }
        for (const output of evaluate(filter.update, state as Item, inner)) {
          state = output;
          if (filter.extract === undefined) yield output;
          else yield* evaluate(filter.extract, output, inner);
        }
      }
    }
    if (filter.kind === "reduce" && state !== undefined) yield state;
  }
}

function* bindFirst(patterns: readonly Pattern[], value: Json, body: Filter, item: Item, scope: Scope): Outputs {
  const names = patterns.length > 1 ? patterns.flatMap(namesOf) : [];
  const empty = names.reduce((inner, name) => withVariable(inner, name, null), scope);
  for (const [at, pattern] of patterns.entries()) {
    try {
      for (const inner of bind(pattern, value, item.value, empty)) yield* evaluate(body, item, inner);
      return;
    } catch (error) {
      if (!(error instanceof JqError) || at === patterns.length - 1) throw error;
    }
  }
}

export function namesOf(pattern: Pattern): readonly string[] {
  if (pattern.kind === "name") return [pattern.name];
  if (pattern.kind === "elements") return pattern.of.flatMap(namesOf);
  return pattern.of.flatMap(({ bind: name, value }) => [
    ...(name === undefined ? [] : [name]),
    ...(value === undefined ? [] : namesOf(value)),
  ]);
}

function* bind(pattern: Pattern, value: Json, input: Json, scope: Scope): Generator<Scope, void, undefined> {
  if (pattern.kind === "name") {
    yield withVariable(scope, pattern.name, value);
    return;
  }
  if (pattern.kind === "elements") {
    yield* bindAll(
      pattern.of.map((inner, at) => ({ inner, key: () => [at][Symbol.iterator]() as Iterator<Json>, name: undefined })),
      value,
      input,
      scope,
    );
    return;
  }
  yield* bindAll(
    pattern.of.map(({ key, bind: name, value: inner }) => ({
      inner,
      name,
      key: (inside: Scope) => values(key, input, inside) as Iterator<Json>,
    })),
    value,
    input,
    scope,
  );
}

interface Piece {
  readonly inner: Pattern | undefined;
  readonly name: string | undefined;
  readonly key: (scope: Scope) => Iterator<Json>;
}

function* bindAll(pieces: readonly Piece[], value: Json, input: Json, scope: Scope): Generator<Scope, void, undefined> {
  const [piece, ...rest] = pieces;
  if (piece === undefined) {
    yield scope;
    return;
  }
  const keys = piece.key(scope);
  for (let next = keys.next(); next.done !== true; next = keys.next()) {
    const part = index(value, next.value);
    const named = piece.name === undefined ? scope : withVariable(scope, piece.name, part);
    if (piece.inner === undefined) yield* bindAll(rest, value, input, named);
    else for (const inner of bind(piece.inner, part, input, named)) yield* bindAll(rest, value, input, inner);
  }
}

function* call(name: string, args: readonly Filter[], item: Item, scope: Scope): Outputs {
  const key = `${name}/${args.length}`;
  let link = scope.functions;
  while (link !== undefined && link.name !== key) link = link.outer;
  if (link === undefined) {
    const builtin = scope.world.builtins[key];
    if (builtin === undefined) throw new JqError(`${key} is not defined`);
    for (const output of builtin(item, args, scope)) yield "path" in output ? output : made(item, output.made);
    return;
  }
  const bound = link.value;
  if (bound.closure !== undefined) {
    yield* evaluate(bound.closure.filter, item, bound.closure.scope);
    return;
  }
  const { world } = scope;
  world.depth += 1;
  if (world.depth > maximumDepth) throw new HaltSignal(5, "jq: error: the program calls itself too deeply\n");
  const definition = bound.definition as Definition;
  try {
    const inner = { world, variables: bound.variables, functions: link };
    yield* withArguments({ definition, args, scope }, item, inner);
  } finally {
    world.depth -= 1;
  }
}

/** A function of the program with what it is called with, which is evaluated where the call stands. */
interface Call {
  readonly definition: Definition;
  readonly args: readonly Filter[];
  readonly scope: Scope;
}

/** Evaluates the function's body once for each combination of its arguments' values, from the argument `at` on. */
function* withArguments(called: Call, item: Item, inner: Scope, at = 0): Outputs {
  const { definition, args, scope } = called;
  const parameter = definition.parameters[at];
  if (parameter === undefined) {
    yield* evaluate(definition.body, item, inner);
    return;
  }
  const filter = args[at] as Filter;
  if (!parameter.startsWith("$")) {
    const value: BoundFunction = { definition: undefined, closure: { filter, scope }, outer: undefined, variables: undefined };
    const functions = { name: `${parameter}/0`, value, outer: inner.functions };
    yield* withArguments(called, item, { ...inner, functions }, at + 1);
    return;
  }
  for (const value of values(filter, item.value, scope)) {
    const closure: Closure = { filter: { kind: "literal", value }, scope };
    const bound: BoundFunction = { definition: undefined, closure, outer: undefined, variables: undefined };
    const named = withVariable(
      { ...inner, functions: { name: `${parameter.slice(1)}/0`, value: bound, outer: inner.functions } },
      parameter.slice(1),
      value,
    );
    yield* withArguments(called, item, named, at + 1);
  }
}
